// Checks the history of a token's outputs, back to the creation.

import { oncePerObject } from '../../primitives/once-per-object.ts'
import type { Steps } from '../../primitives/steps.ts'
import type { Outpoint, Transaction, TransactionOutput } from '../../transaction/types.ts'
import type { CreatePayload, TokenPayload } from '../payload/payload.ts'
import { tokenInputs } from '../rules/fulfillment.ts'
import type { CreatedData, Seen, TokenRules } from '../rules/rules.ts'
import {
  broken,
  type Checked,
  type CheckOptions,
  checkCreation,
  checkTransfer,
  foreign,
  type Transfer,
} from './check.ts'
import { type Claims, createClaims } from './claim.ts'
import { createMissingFinder, type Lacks, type MissingFinder } from './missing.ts'
import type { BareProof, ProofOptions } from './proof.ts'
import { walk } from './walk.ts'

/** The transactions of one token among those given; each is checked once. */
export interface TokenHistory {
  /**
   * The payload of the token's creation; `undefined` if the transaction is missing or creates no
   * token.
   */
  readonly created: CreatePayload | undefined
  /**
   * Proves outputs that one transaction spends. The verdicts depend on these outpoints and their
   * ancestors alone, not on earlier calls or other transactions.
   */
  prove(outpoints: readonly Outpoint[]): Steps<BareProof[]>
  /**
   * Returns the transactions that are missing to prove or disprove outputs of `txids`, which were
   * passed to `prove` before.
   */
  missingFor(txids: readonly string[]): Steps<readonly string[]>
}

/** Transactions by id, however they are stored. */
export interface TransactionSource {
  has(txid: string): boolean
  get(txid: string): Transaction | undefined
}

interface HistoryOptions extends ProofOptions {
  /**
   * The assumed contents of a creation that is missing. They prove nothing, but they disprove
   * transfers that would be wrong under this assumption.
   */
  readonly assumed?: CreatedData
  /** Transactions that were already read, for other tokens under the same rules. */
  readonly seen?: Map<string, Seen>
  /**
   * Transactions whose outputs may be proven. If two checked transactions spend the same output,
   * all of these are checked too, so that every output spent twice is known from then on.
   */
  readonly candidates?: Iterable<string>
}

/** The state of one token's checks, and the means to continue them. */
interface History {
  readonly tokenid: string
  readonly sources: TransactionSource
  readonly rules: TokenRules
  /** Absent if the creation is missing. */
  readonly creation: Seen | undefined
  /** Contents of the creation, read or assumed; absent if neither is known. */
  readonly data: CreatedData | undefined
  readonly options: CheckOptions
  readonly seen: Map<string, Seen>
  readonly checked: Map<string, Checked>
  /** Outputs that a checked transaction spends. */
  readonly spent: Set<string>
  /** Outputs that several spend, by their number. */
  readonly contested: Map<string, number>
  readonly candidates: Iterable<string>
  /** Found among the contested outputs of the number beside it. */
  claims: { readonly contested: number; readonly claims: Claims } | undefined
  /** Cached, because each entry is needed twice. */
  readonly parents: Map<string, readonly string[]>
  readonly missing: MissingFinder
}

export function createTokenHistory(
  tokenid: string,
  sources: TransactionSource,
  rules: TokenRules,
  { signatures = false, assumed, seen = new Map(), candidates = [] }: HistoryOptions = {},
): TokenHistory {
  const reading = { sources, rules, seen }
  const creation = readCreation(reading, tokenid)
  const created = creation?.payload?.kind === 'create' ? creation.payload : undefined
  // Members are listed one by one: building this object with a spread takes longer than a proof.
  const history: History = {
    sources,
    rules,
    seen,
    tokenid,
    creation,
    data: created ?? assumed,
    options: { find: (txid) => read(reading, txid)?.transaction, signatures },
    checked: new Map(),
    spent: new Set(),
    contested: new Map(),
    candidates,
    claims: undefined,
    parents: new Map(),
    missing: createMissingFinder((txid) => lacksOf(history, txid)),
  }
  return {
    created,
    prove: (outpoints) => prove(history, outpoints),
    missingFor: (txids) => findMissing(history, txids),
  }
}

// These generators are functions of the module: V8 creates a class for each generator function that
// is made inside another function, which takes longer than most proofs.

type Sources = Pick<History, 'sources' | 'rules' | 'seen'>
type PayloadOf = (outputs: readonly TransactionOutput[]) => TokenPayload | undefined

/** Reads a transaction and its payload, once for all uses, because the payload may be long. */
function read(history: Sources, txid: string): Seen | undefined {
  return readOnce(history, txid, (outputs) => history.rules.payloadOf(outputs))
}

const creationPayloads = oncePerObject((rules: TokenRules) =>
  oncePerObject((outputs: readonly TransactionOutput[]) => ({ payload: rules.payloadOf(outputs) })),
)

/** Reads a creation. Its payload is kept with its outputs, because many histories begin with it. */
function readCreation(history: Sources, txid: string): Seen | undefined {
  const payloads = creationPayloads(history.rules)
  return readOnce(history, txid, (outputs) => payloads(outputs).payload)
}

function readOnce(
  { sources, seen }: Sources,
  txid: string,
  payloadOf: PayloadOf,
): Seen | undefined {
  const before = seen.get(txid)
  if (before !== undefined) return before
  const transaction = sources.get(txid)
  if (transaction === undefined) return undefined
  const now = { txid, transaction, payload: payloadOf(transaction.outputs) }
  seen.set(txid, now)
  return now
}

function* prove(history: History, outpoints: readonly Outpoint[]): Steps<BareProof[]> {
  const proofs: BareProof[] = []
  for (const outpoint of outpoints) proofs.push(yield* proveOne(history, outpoint))
  if (history.contested.size === 0) return proofs
  const claims = (yield* claimsOf(history))()
  return proofs.map((proof, at) => {
    const against = proof.verdict === 'disproven' ? undefined : claims(outpoints[at]!.txid)
    return against === undefined ? proof : { verdict: 'disproven', ...against }
  })
}

/** Returns the search for double spends, which is only made anew if there are more of them. */
function* claimsOf(history: History): Steps<Claims> {
  const { candidates, checked, contested, data } = history
  if (history.claims === undefined) {
    for (const txid of candidates) yield* check(history, txid, data!)
  }
  if (history.claims?.contested !== contested.size) {
    const claims = createClaims(checked, contested)
    history.claims = { contested: contested.size, claims }
  }
  return history.claims.claims
}

/** Proves one output by its ancestors. */
function* proveOne(history: History, { txid, vout }: Outpoint): Steps<BareProof> {
  const { tokenid, rules, creation, data, checked } = history
  const seen = read(history, txid)
  if (seen === undefined) return { verdict: 'incomplete' }
  const rule = rules.ruleAgainst(seen, vout, tokenid)
  if (rule !== undefined) return { verdict: 'disproven', txid, rule }
  if (creation !== undefined && creation.payload?.kind !== 'create') {
    return { verdict: 'disproven', txid: tokenid, rule: 'not_a_creation' }
  }
  if (data === undefined) return { verdict: 'incomplete' }
  yield* check(history, txid, data)
  const { state, amounts, disproof } = checked.get(txid)!
  const amount = amounts.get(vout)
  if (amount === undefined) {
    return {
      verdict: 'disproven',
      txid,
      rule: txid === tokenid ? 'marker' : 'condition_not_listed',
    }
  }
  if (disproof !== undefined) return { verdict: 'disproven', ...disproof }
  return state === 'open' ? { verdict: 'incomplete' } : { verdict: 'proven', amount }
}

/** Checks a transaction after all that it rests on. */
function check(history: History, target: string, data: CreatedData): Steps<void> {
  const { tokenid, rules, options, checked, spent, contested } = history
  const transfers = new Map<string, Transfer>()
  return walk(target, enter, leave)

  function enter(txid: string): readonly string[] | undefined {
    const known = checked.has(txid) ? undefined : read(history, txid)
    if (known === undefined) return undefined
    const { transaction, payload } = known
    if (txid === tokenid) {
      const { owner } = payload as CreatePayload
      checked.set(txid, checkCreation(transaction, owner, rules, options))
      return undefined
    }
    if (!rules.tokensMoved(known).includes(tokenid)) {
      checked.set(txid, foreign)
      return undefined
    }
    const inputs = tokenInputs(transaction, rules.evalCode)
    const keys = new Set(inputs.map((it) => it.key))
    const { amounts, rule } = rules.transferred(known, tokenid, [...keys], data)
    if (rule !== undefined) {
      checked.set(txid, broken(amounts, { txid, rule }))
      return undefined
    }
    transfers.set(txid, { transaction, amounts, inputs })
    return inputs.map((it) => it.txid)
  }

  function leave(txid: string): void {
    const result = checkTransfer(transfers.get(txid)!, checked, options)
    checked.set(txid, result)
    for (const key of result.spends) {
      if (!spent.has(key)) spent.add(key)
      else if (!contested.has(key)) contested.set(key, contested.size)
    }
  }
}

function* findMissing(history: History, txids: readonly string[]): Steps<string[]> {
  const { tokenid, sources, creation, missing } = history
  const found = new Set<string>()
  if (creation === undefined && txids.some((txid) => sources.has(txid))) found.add(tokenid)
  for (const txid of yield* missing.below(txids)) found.add(txid)
  return [...found]
}

/**
 * Returns what a transaction lacks to be proven, apart from the creation; `undefined` if it lacks
 * nothing.
 */
function lacksOf(history: History, txid: string): Lacks | undefined {
  const { sources, checked } = history
  if (!sources.has(txid)) return { missing: [txid], restsOn: [] }
  const node = checked.get(txid)
  if (node === undefined) return { missing: [], restsOn: tokenParents(history, txid) }
  return node.state === 'open' ? node : undefined
}

/**
 * Returns the transactions from which one of this token spends tokens, before the creation is
 * known.
 */
function tokenParents(history: History, txid: string): readonly string[] {
  const { tokenid, rules, parents } = history
  const before = parents.get(txid)
  if (before !== undefined) return before
  const it = read(history, txid)!
  const isMoved = rules.tokensMoved(it).includes(tokenid)
  const inputs = isMoved ? tokenInputs(it.transaction, rules.evalCode) : []
  const found = inputs.map((input) => input.txid)
  parents.set(txid, found)
  return found
}
