import { hash160 } from '../primitives/hash160.ts'
import { verifyInputs } from '../signing/verify.ts'
import { encodeTransaction } from '../transaction/encode.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import { fulfillmentOf } from './fulfillment-keys.ts'
import type { KomodoCreatePayload, KomodoTransferPayload } from './payload.ts'
import {
  burnScripts,
  issuanceOutputs,
  lastPayload,
  nonFungibleEvalCode,
  paysToCondition,
  rememberedScripts,
  type slotScript,
  tokenInputKey,
  tokenSlots,
} from './rules.ts'
import { tokensGlobalPubkey } from './token-script.ts'

/** Why an output holds no tokens of the id it was said to hold. Words keep their meaning. */
export type ProofRule =
  /** The transaction has no such output. */
  | 'no_such_output'
  /** The last output never holds tokens. */
  | 'last_output'
  /** The output does not pay to a condition. */
  | 'not_a_condition'
  /** The output has no value. */
  | 'no_amount'
  /** The transaction's last output says nothing of tokens that the daemon could read. */
  | 'no_payload'
  /** The payload is of another token. */
  | 'other_token'
  /** The condition is none that the payload's and the inputs' keys make. */
  | 'condition_not_listed'
  /** The output is the marker of the creation. */
  | 'marker'
  /** The token's id is that of a transaction which creates no token. */
  | 'not_a_creation'
  /** The creation comes from another chain, which cannot be seen from here. */
  | 'creation_imported'
  /** The creation spends tokens, which no chain accepts. */
  | 'creation_spends_tokens'
  /** The owner named in the creation put in less than was issued. */
  | 'creation_not_funded'
  /** A transfer's outputs hold more or fewer tokens than its inputs. */
  | 'unequal_amounts'
  /** An input names the same output twice, or one that another ancestor spends. */
  | 'double_spend'
  /** An input that should bring tokens, or pay for their creation, is not rightly signed. */
  | 'signature_invalid'
  /** The marker of a fungible token is spent together with a burn, which no chain accepts. */
  | 'marker_spent_with_burn'

/** Whether an output holds tokens: shown, refuted, or not to be told from what was given. */
export type TokenProof =
  | { readonly verdict: 'proven'; readonly amount: bigint }
  | {
      readonly verdict: 'disproven'
      /** Where the rule is broken: the transaction itself or an ancestor. */
      readonly txid: string
      readonly rule: ProofRule
      readonly expected?: unknown
      readonly actual?: unknown
    }
  | {
      readonly verdict: 'incomplete'
      /** In the order they were met. */
      readonly missing: readonly string[]
    }

/** A proof that does not say what is missing, which takes another walk. */
export type BareProof =
  | Exclude<TokenProof, { verdict: 'incomplete' }>
  | { readonly verdict: 'incomplete' }

export type Disproof = Omit<Extract<TokenProof, { verdict: 'disproven' }>, 'verdict'>

/** What is known of one transaction, as far as one token goes. */
interface Node {
  /** `open` while something is missing that decides. */
  readonly state: 'sound' | 'broken' | 'open'
  /** Outputs that hold tokens, provided that the transaction is sound. */
  readonly amounts: Amounts
  readonly disproof?: Disproof
  /** Of an open node: what is missing, and the open nodes that it rests on. */
  readonly missing?: readonly string[]
  readonly restsOn?: readonly string[]
}

type Amounts = ReadonlyMap<number, bigint>

interface Outpoint {
  readonly txid: string
  readonly vout: number
}

/** A transfer whose token inputs are being judged. */
interface Pending {
  readonly txid: string
  readonly amounts: Amounts
  readonly inputs: readonly Outpoint[]
  next: number
}

/** One token's transactions among those given, each judged once. */
export interface TokenHistory {
  /** What the token's creation says; undefined when it is not there, or creates nothing. */
  readonly created: KomodoCreatePayload | undefined
  /** `slotScript` that remembers what was asked, here or for a proof. */
  readonly scriptOf: typeof slotScript
  prove(txid: string, vout: number): BareProof
  /** What is missing to prove or disprove outputs of these transactions, which were asked for before. */
  missingFor(txids: readonly string[]): readonly string[]
}

/** Transactions by id, however they are kept. */
export interface TransactionSource {
  has(txid: string): boolean
  get(txid: string): Transaction | undefined
}

/** A transaction with what its last output says of tokens. */
interface Read {
  readonly transaction: Transaction
  readonly payload: ReturnType<typeof lastPayload>
}

// stands for an output that is not looked at
const nothing: TransactionOutput = { value: 0n, script: '' }
const foreign: Node = { state: 'sound', amounts: new Map() }
// komodo src/primitives/transaction.h, IsCoinImport
const importVout = 1_000_000_000

export interface ProofOptions {
  /**
   * Whether signatures must be right as well, of every input that brings tokens or pays for the
   * creation: then only who holds the keys can have made a history up. Default: false, because
   * what a chain has taken in was signed.
   */
  readonly signatures?: boolean
}

export function createTokenHistory(
  tokenid: string,
  sources: TransactionSource,
  { signatures = false }: ProofOptions = {},
): TokenHistory {
  const nodes = new Map<string, Node>()
  /** Which transaction spends an output, first come. */
  const spenders = new Map<string, string>()
  const scriptOf = rememberedScripts()
  const creation = read(tokenid)
  const created = creation?.payload?.kind === 'create' ? creation.payload : undefined
  return { created, scriptOf, prove, missingFor }

  function read(txid: string): Read | undefined {
    const transaction = sources.get(txid)
    return transaction && { transaction, payload: lastPayload(transaction.outputs) }
  }

  function prove(txid: string, vout: number): BareProof {
    // what was found to hold tokens before needs no second look
    const known = nodes.get(txid)
    if (known?.amounts.has(vout)) return verdictOn(known, txid, vout)
    const asked = txid === tokenid ? creation : read(txid)
    if (asked === undefined) return { verdict: 'incomplete' }
    const rule = ruleAgainst(asked, txid, vout)
    if (rule !== undefined) return { verdict: 'disproven', txid, rule }
    if (creation === undefined) return { verdict: 'incomplete' }
    if (created === undefined) {
      return { verdict: 'disproven', txid: tokenid, rule: 'not_a_creation' }
    }
    return verdictOn(judge(txid, asked, created), txid, vout)
  }

  function verdictOn(node: Node, txid: string, vout: number): BareProof {
    const amount = node.amounts.get(vout)
    if (amount === undefined) {
      const rule = txid === tokenid ? 'marker' : 'condition_not_listed'
      return { verdict: 'disproven', txid, rule }
    }
    if (node.disproof !== undefined) return { verdict: 'disproven', ...node.disproof }
    return node.state === 'open' ? { verdict: 'incomplete' } : { verdict: 'proven', amount }
  }

  /** What speaks against an output before any other transaction is looked at. */
  function ruleAgainst(
    { transaction: { outputs }, payload }: Read,
    txid: string,
    vout: number,
  ): ProofRule | undefined {
    const output = outputs[vout]
    if (output === undefined) return 'no_such_output'
    if (vout === outputs.length - 1) return 'last_output'
    if (!paysToCondition(output.script)) return 'not_a_condition'
    if (payload === undefined) return 'no_payload'
    const named = payload.kind === 'create' ? txid : payload.tokenid
    if (named !== tokenid) return 'other_token'
    return output.value === 0n ? 'no_amount' : undefined
  }

  /** Judges a transaction after all that it rests on: depth first, without recursion. */
  function judge(txid: string, asked: Read, created: KomodoCreatePayload): Node {
    const pending: Pending[] = []
    if (!nodes.has(txid)) enter(txid, asked)
    for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
      const input = top.inputs[top.next]
      if (input === undefined) {
        pending.pop()
        nodes.set(top.txid, weigh(top))
        continue
      }
      top.next += 1
      const parent = nodes.has(input.txid) ? undefined : read(input.txid)
      if (parent !== undefined) enter(input.txid, parent)
    }
    return nodes.get(txid)!

    function enter(id: string, { transaction, payload }: Read): void {
      if (id === tokenid) {
        nodes.set(id, judgeCreation(transaction, created))
        return
      }
      const { inputs, outputs } = transaction
      if (payload?.kind !== 'transfer' || payload.tokenid !== tokenid) {
        nodes.set(id, foreign)
        return
      }
      const tokenInputs = inputs.flatMap((input) => {
        const key = tokenInputKey(input.scriptSig)
        return key === undefined ? [] : [{ txid: input.txid, vout: input.vout, key }]
      })
      const keys = new Set(tokenInputs.map((it) => it.key))
      const nonFungible = nonFungibleEvalCode(created)
      const amounts = heldAmounts(outputs, tokenSlots(payload, nonFungible, [...keys], scriptOf))
      if (!claimInputs(id, tokenInputs)) {
        nodes.set(id, broken(amounts, { txid: id, rule: 'double_spend' }))
      } else if (
        nonFungible === undefined &&
        keys.has(tokensGlobalPubkey) &&
        burns(outputs, payload)
      ) {
        nodes.set(id, broken(amounts, { txid: id, rule: 'marker_spent_with_burn' }))
      } else pending.push({ txid: id, amounts, inputs: tokenInputs, next: 0 })
    }
  }

  /** Whether all outputs that are spent were free until now. */
  function claimInputs(txid: string, inputs: readonly Outpoint[]): boolean {
    const before = spenders.size
    for (const input of inputs) spenders.set(outpointKey(input), txid)
    return spenders.size === before + inputs.length
  }

  /** Equal amounts, as far as the inputs are known: TokensExactAmounts. */
  function weigh({ txid, amounts, inputs }: Pending): Node {
    const actual = total(amounts)
    let known = 0n
    let open = 0n
    const missing: string[] = []
    const restsOn: string[] = []
    let cause: Disproof | undefined
    for (const input of inputs) {
      const node = nodes.get(input.txid)
      const amount = node?.amounts.get(input.vout) ?? 0n
      if (node === undefined) missing.push(input.txid)
      else if (node.state === 'sound') known += amount
      else if (amount === 0n) continue
      else if (node.state === 'broken') cause ??= node.disproof
      else {
        open += amount
        restsOn.push(input.txid)
      }
    }
    const tooFew = missing.length === 0 && known + open < actual
    if (known > actual || tooFew) {
      const imbalance = { txid, rule: 'unequal_amounts', expected: known, actual } as const
      return broken(amounts, (known < actual ? cause : undefined) ?? imbalance)
    }
    if (missing.length > 0 || restsOn.length > 0) {
      return { state: 'open', amounts, missing, restsOn }
    }
    const unsigned = signatures ? unsignedInput(txid, inputs) : undefined
    return unsigned === undefined ? { state: 'sound', amounts } : broken(amounts, unsigned)
  }

  /** The first of some inputs that is not rightly signed. */
  function unsignedInput(txid: string, inputs: readonly Outpoint[]): Disproof | undefined {
    const transaction = sources.get(txid)!
    const toCheck = new Set(inputs.map(outpointKey))
    const spending = transaction.inputs
    const prevouts = spending.map(
      (input) => (toCheck.has(outpointKey(input)) && spent(input)) || nothing,
    )
    const verdicts = verifyInputs(encodeTransaction(transaction), prevouts)
    const at = spending.findIndex(
      (it, index) => toCheck.has(outpointKey(it)) && !verdicts[index]!.ok,
    )
    if (at < 0) return undefined
    return { txid, rule: 'signature_invalid', actual: `${verdicts[at]!.code} in inputs[${at}]` }
  }

  function spent({ txid, vout }: Outpoint): TransactionOutput | undefined {
    return sources.get(txid)?.outputs[vout]
  }

  /** Row 9: the owner named in the creation has to pay for what is issued. */
  function judgeCreation(transaction: Transaction, payload: KomodoCreatePayload): Node {
    const { inputs, outputs } = transaction
    const { amounts, required } = issuanceOutputs(outputs)
    if (inputs.length === 1 && inputs[0]?.vout === importVout) {
      return broken(amounts, { txid: tokenid, rule: 'creation_imported' })
    }
    const fulfillments = inputs.map(({ scriptSig }) => fulfillmentOf(scriptSig))
    if (fulfillments.some((it) => it?.evalCodes.includes('f2'))) {
      return broken(amounts, { txid: tokenid, rule: 'creation_spends_tokens' })
    }
    const missing: string[] = []
    const paying: Outpoint[] = []
    let paid = 0n
    for (const [at, input] of inputs.entries()) {
      if (fulfillments[at] !== undefined) continue
      if (!sources.has(input.txid)) missing.push(input.txid)
      const output = spent(input)
      if (output === undefined || !paysOwner(output.script, payload.owner)) continue
      paying.push(input)
      paid += output.value
    }
    if (paid >= required) {
      const unsigned = signatures ? unsignedInput(tokenid, paying) : undefined
      return unsigned === undefined ? { state: 'sound', amounts } : broken(amounts, unsigned)
    }
    if (missing.length > 0) return { state: 'open', amounts, missing, restsOn: [] }
    return broken(amounts, {
      txid: tokenid,
      rule: 'creation_not_funded',
      expected: required,
      actual: paid,
    })
  }

  function missingFor(txids: readonly string[]): string[] {
    const missing = new Set<string>()
    const seen = new Set(txids)
    for (const id of seen) {
      if (!sources.has(id)) missing.add(id)
      else if (creation === undefined) {
        missing.add(tokenid)
        for (const parent of tokenParents(id)) seen.add(parent)
      } else {
        const node = nodes.get(id)
        for (const it of node?.missing ?? []) missing.add(it)
        for (const it of node?.restsOn ?? []) seen.add(it)
      }
    }
    return [...missing]
  }

  /** Transactions that one of this token spends tokens from, before its creation is known. */
  function tokenParents(txid: string): string[] {
    const { transaction, payload } = read(txid)!
    if (payload?.kind !== 'transfer' || payload.tokenid !== tokenid) return []
    return transaction.inputs.flatMap((input) =>
      tokenInputKey(input.scriptSig) === undefined ? [] : [input.txid],
    )
  }
}

function outpointKey({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`
}

function heldAmounts(
  outputs: readonly TransactionOutput[],
  slots: ReadonlyMap<string, unknown>,
): Amounts {
  const amounts = new Map<number, bigint>()
  for (const [at, { value, script }] of outputs.slice(0, -1).entries()) {
    if (value !== 0n && slots.has(script)) amounts.set(at, value)
  }
  return amounts
}

function burns(outputs: readonly TransactionOutput[], payload: KomodoTransferPayload): boolean {
  const scripts = burnScripts(payload)
  return outputs.some(({ value, script }) => value > 0n && scripts.has(script))
}

function broken(amounts: Amounts, disproof: Disproof): Node {
  return { state: 'broken', amounts, disproof }
}

function total(amounts: Amounts): bigint {
  let sum = 0n
  for (const amount of amounts.values()) sum += amount
  return sum
}

/** Pay-to-pubkey or pay-to-pubkey-hash of a key, in every push form that the daemon's templates match. */
function paysOwner(script: string, owner: string): boolean {
  if (!/^(?:0[23].{64}|0[467].{128})$/.test(owner)) return false
  if (!script.startsWith('76a9')) return pushes(owner).some((push) => script === `${push}ac`)
  return pushes(hash160(owner)).some((push) => script === `76a9${push}88ac`)
}

function pushes(data: string): string[] {
  const length = (data.length / 2).toString(16)
  return ['', '4c', '4d', '4e'].map((opcode, form) => {
    const width = form === 3 ? 8 : form === 2 ? 4 : 2
    return opcode + length.padEnd(width, '0') + data
  })
}
