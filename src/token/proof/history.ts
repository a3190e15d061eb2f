import { finish, type Steps } from '../../primitives/steps.ts'
import type { Outpoint, Transaction } from '../../transaction/types.ts'
import type { CreatePayload } from '../payload/payload.ts'
import { tokenInputs } from '../rules/fulfillment.ts'
import type { CreatedData, Seen, TokenRules } from '../rules/rules.ts'
import { createClaims } from './claim.ts'
import type { BareProof, ProofOptions } from './proof.ts'
import { walk } from './walk.ts'
import {
  broken,
  foreign,
  type Transfer,
  type Weighed,
  weighCreation,
  weighTransfer,
} from './weigh.ts'

/** One token's transactions among those given, each weighed once. */
export interface TokenHistory {
  /** What the token's creation says; undefined when it is not there, or creates nothing. */
  readonly created: CreatePayload | undefined
  /**
   * Verdicts on outputs that are to be spent by one transaction. They depend on these, on what they
   * rest on, and on nothing that was asked or given besides.
   */
  prove(outpoints: readonly Outpoint[]): BareProof[]
  /** Does what takes long of `prove` and `missingFor`, which then look it up. */
  prepare(outpoints: readonly Outpoint[]): Steps<void>
  /** What is missing to prove or disprove outputs of these transactions, which were asked for before. */
  missingFor(txids: readonly string[]): readonly string[]
}

/** Transactions by id, however they are kept. */
export interface TransactionSource {
  has(txid: string): boolean
  get(txid: string): Transaction | undefined
}

interface HistoryOptions extends ProofOptions {
  /**
   * What to believe of a creation that is not there. It proves nothing, but transfers that would be
   * wrong even so are disproven.
   */
  readonly assumed?: CreatedData
}

export function createTokenHistory(
  tokenid: string,
  sources: TransactionSource,
  rules: TokenRules,
  { signatures = false, assumed }: HistoryOptions = {},
): TokenHistory {
  const seen = new Map<string, Seen>()
  const weighed = new Map<string, Weighed>()
  /** Who spends an output; while nobody else does, nobody needs to look for a double spend. */
  const spenders = new Map<string, string>()
  let isSpentTwice = false
  /** Read once, because every proof without the creation asks for them again. */
  const parents = new Map<string, readonly string[]>()
  const weighing = { find: (txid: string) => read(txid)?.transaction, signatures }
  const creation = read(tokenid)
  const created = creation?.payload?.kind === 'create' ? creation.payload : undefined
  return {
    created,
    prove,
    *prepare(outpoints) {
      for (const outpoint of outpoints) yield* proveOne(outpoint)
      yield* findMissing(outpoints.map(({ txid }) => txid))
    },
    missingFor: (txids) => finish(findMissing(txids)),
  }

  /** A transaction with its payload, which may be long: however often it is met, it is read once. */
  function read(txid: string): Seen | undefined {
    const before = seen.get(txid)
    if (before !== undefined) return before
    const transaction = sources.get(txid)
    if (transaction === undefined) return undefined
    const now = { txid, transaction, payload: rules.payloadOf(transaction.outputs) }
    seen.set(txid, now)
    return now
  }

  function prove(outpoints: readonly Outpoint[]): BareProof[] {
    const proofs = outpoints.map((outpoint) => finish(proveOne(outpoint)))
    if (!isSpentTwice) return proofs
    const claims = createClaims(weighed)
    return proofs.map((proof, at) => {
      const against = proof.verdict === 'disproven' ? undefined : claims(outpoints[at]!.txid)
      return against === undefined ? proof : { verdict: 'disproven', ...against }
    })
  }

  /** By what it rests on, each transaction for itself. */
  function* proveOne({ txid, vout }: Outpoint): Steps<BareProof> {
    const asked = read(txid)
    if (asked === undefined) return { verdict: 'incomplete' }
    // what was found to hold tokens before needs no second look
    if (weighed.get(txid)?.amounts.has(vout) !== true) {
      const rule = rules.ruleAgainst(asked, vout, tokenid)
      if (rule !== undefined) return { verdict: 'disproven', txid, rule }
    }
    if (creation !== undefined && created === undefined) {
      return { verdict: 'disproven', txid: tokenid, rule: 'not_a_creation' }
    }
    const data = created ?? assumed
    if (data === undefined) return { verdict: 'incomplete' }
    yield* weigh(txid, data)
    const { state, amounts, disproof } = weighed.get(txid)!
    const amount = amounts.get(vout)
    if (amount === undefined) {
      const rule = txid === tokenid ? 'marker' : 'condition_not_listed'
      return { verdict: 'disproven', txid, rule }
    }
    if (disproof !== undefined) return { verdict: 'disproven', ...disproof }
    return state === 'open' ? { verdict: 'incomplete' } : { verdict: 'proven', amount }
  }

  /** Weighs a transaction after all that it rests on. */
  function* weigh(asked: string, data: CreatedData): Steps<void> {
    const transfers = new Map<string, Transfer>()
    yield* walk(asked, enter, leave)

    function enter(txid: string): readonly string[] | undefined {
      const known = weighed.has(txid) ? undefined : read(txid)
      if (known === undefined) return undefined
      const { transaction } = known
      if (txid === tokenid) {
        weighed.set(txid, weighCreation(transaction, created!.owner, rules, weighing))
        return undefined
      }
      if (!rules.moves(known, tokenid)) {
        weighed.set(txid, foreign)
        return undefined
      }
      const inputs = tokenInputs(transaction, rules.evalCode)
      const keys = new Set(inputs.map((it) => it.key))
      const { amounts, rule } = rules.transferred(known, tokenid, [...keys], data)
      if (rule !== undefined) {
        weighed.set(txid, broken(amounts, { txid, rule }))
        return undefined
      }
      transfers.set(txid, { transaction, amounts, inputs })
      return inputs.map((it) => it.txid)
    }

    function leave(txid: string): void {
      const result = weighTransfer(transfers.get(txid)!, weighed, weighing)
      weighed.set(txid, result)
      for (const key of result.spends) {
        if (spenders.has(key)) isSpentTwice = true
        else spenders.set(key, txid)
      }
    }
  }

  function* findMissing(txids: readonly string[]): Steps<string[]> {
    const missing = new Set<string>()
    const reached = new Set(txids)
    for (const id of reached) {
      yield
      if (!sources.has(id)) {
        missing.add(id)
        continue
      }
      if (creation === undefined) missing.add(tokenid)
      const node = weighed.get(id)
      if (node === undefined) {
        for (const parent of tokenParents(id)) reached.add(parent)
      } else if (node.state === 'open') {
        for (const it of node.missing) missing.add(it)
        for (const it of node.restsOn) reached.add(it)
      }
    }
    return [...missing]
  }

  /** Transactions that one of this token spends tokens from, before its creation is known. */
  function tokenParents(txid: string): readonly string[] {
    const before = parents.get(txid)
    if (before !== undefined) return before
    const it = read(txid)!
    const inputs = rules.moves(it, tokenid) ? tokenInputs(it.transaction, rules.evalCode) : []
    const found = inputs.map((input) => input.txid)
    parents.set(txid, found)
    return found
  }
}
