import { importVout } from '../../chain/limits.ts'
import { paysKey } from '../../script/key-script.ts'
import { verifyInputs } from '../../signing/verify.ts'
import { encodeTransaction } from '../../transaction/encode.ts'
import type { Outpoint, Transaction, TransactionOutput } from '../../transaction/types.ts'
import type { CreatePayload } from '../payload/payload.ts'
import { fulfillmentOf } from '../rules/fulfillment.ts'
import type { Amounts, CreatedData, Seen, TokenRules } from '../rules/rules.ts'
import type { BareProof, Disproof, ProofOptions } from './proof.ts'

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
  readonly created: CreatePayload | undefined
  prove(txid: string, vout: number): BareProof
  /** What is missing to prove or disprove outputs of these transactions, which were asked for before. */
  missingFor(txids: readonly string[]): readonly string[]
}

/** Transactions by id, however they are kept. */
export interface TransactionSource {
  has(txid: string): boolean
  get(txid: string): Transaction | undefined
}

// stands for an output that is not looked at
const nothing: TransactionOutput = { value: 0n, script: '' }
const foreign: Node = { state: 'sound', amounts: new Map() }

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
  const nodes = new Map<string, Node>()
  /** What transfers that nothing speaks against spend, first come. */
  const claimed = new Set<string>()
  /** Read once, because every proof without the creation asks for them again. */
  const parents = new Map<string, readonly string[]>()
  const seen = new Map<string, Seen>()
  const creation = read(tokenid)
  const created = creation?.payload?.kind === 'create' ? creation.payload : undefined
  return { created, prove, missingFor }

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

  function prove(txid: string, vout: number): BareProof {
    // what was found to hold tokens before needs no second look
    const known = nodes.get(txid)
    if (known?.amounts.has(vout)) return verdictOn(known, txid, vout)
    const asked = txid === tokenid ? creation : read(txid)
    if (asked === undefined) return { verdict: 'incomplete' }
    const rule = rules.ruleAgainst(asked, vout, tokenid)
    if (rule !== undefined) return { verdict: 'disproven', txid, rule }
    if (creation !== undefined && created === undefined) {
      return { verdict: 'disproven', txid: tokenid, rule: 'not_a_creation' }
    }
    const data = created ?? assumed
    return data === undefined
      ? { verdict: 'incomplete' }
      : verdictOn(judge(asked, data), txid, vout)
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

  /** Judges a transaction after all that it rests on: depth first, without recursion. */
  function judge(asked: Seen, data: CreatedData): Node {
    const pending: Pending[] = []
    if (!nodes.has(asked.txid)) enter(asked)
    for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
      const input = top.inputs[top.next]
      if (input === undefined) {
        pending.pop()
        nodes.set(top.txid, weigh(top))
        continue
      }
      top.next += 1
      const parent = nodes.has(input.txid) ? undefined : read(input.txid)
      if (parent !== undefined) enter(parent)
    }
    return nodes.get(asked.txid)!

    function enter(seen: Seen): void {
      const { txid, transaction } = seen
      if (txid === tokenid) {
        nodes.set(txid, judgeCreation(transaction, created!))
        return
      }
      if (!rules.moves(seen, tokenid)) {
        nodes.set(txid, foreign)
        return
      }
      const inputs = tokenInputs(transaction)
      const keys = new Set(inputs.map((it) => it.key))
      const { amounts, rule } = rules.transferred(seen, tokenid, [...keys], data)
      if (rule !== undefined) nodes.set(txid, broken(amounts, { txid, rule }))
      else pending.push({ txid, amounts, inputs, next: 0 })
    }
  }

  /** Inputs that bring tokens of any id, each with the first key of its fulfillment, '' if it has none. */
  function tokenInputs({ inputs }: Transaction): (Outpoint & { key: string })[] {
    const found: (Outpoint & { key: string })[] = []
    for (const { txid, vout, scriptSig } of inputs) {
      const fulfillment = fulfillmentOf(scriptSig)
      if (!fulfillment?.evalCodes.includes(rules.evalCode)) continue
      found.push({ txid, vout, key: fulfillment.pubkeys[0] ?? '' })
    }
    return found
  }

  /** Whether all outputs that are spent were free until now; then they are taken. */
  function claimInputs(inputs: readonly Outpoint[]): boolean {
    const keys = inputs.map(outpointKey)
    if (keys.some((key) => claimed.has(key)) || new Set(keys).size < keys.length) return false
    for (const key of keys) claimed.add(key)
    return true
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
    const isOpen = missing.length > 0 || restsOn.length > 0
    const unsigned = signatures && !isOpen ? unsignedInput(txid, inputs) : undefined
    if (unsigned !== undefined) return broken(amounts, unsigned)
    if (!claimInputs(inputs)) return broken(amounts, { txid, rule: 'double_spend' })
    return isOpen ? { state: 'open', amounts, missing, restsOn } : { state: 'sound', amounts }
  }

  /** The first of some inputs that is not rightly signed. */
  function unsignedInput(txid: string, inputs: readonly Outpoint[]): Disproof | undefined {
    const { transaction } = read(txid)!
    const toCheck = new Set(inputs.map(outpointKey))
    const spending = transaction.inputs
    const prevouts = spending.map(
      (input) => (toCheck.has(outpointKey(input)) && outputAt(input)) || nothing,
    )
    const verdicts = verifyInputs(encodeTransaction(transaction), prevouts)
    const at = spending.findIndex(
      (it, index) => toCheck.has(outpointKey(it)) && !verdicts[index]!.ok,
    )
    if (at < 0) return undefined
    return { txid, rule: 'signature_invalid', actual: `${verdicts[at]!.code} in inputs[${at}]` }
  }

  function outputAt({ txid, vout }: Outpoint): TransactionOutput | undefined {
    const output = read(txid)?.transaction.outputs[vout]
    // no chain has an output of less than nothing
    return output !== undefined && output.value >= 0n ? output : undefined
  }

  /** Row 9: the owner named in the creation has to pay for what is issued. */
  function judgeCreation(transaction: Transaction, payload: CreatePayload): Node {
    const { inputs, outputs } = transaction
    const { amounts, required, rule } = rules.issued(outputs)
    if (rule !== undefined) return broken(amounts, { txid: tokenid, rule })
    if (inputs.length === 1 && inputs[0]?.vout === importVout) {
      return broken(amounts, { txid: tokenid, rule: 'creation_imported' })
    }
    const fulfillments = inputs.map(({ scriptSig }) => fulfillmentOf(scriptSig))
    if (fulfillments.some((it) => it?.evalCodes.includes(rules.evalCode))) {
      return broken(amounts, { txid: tokenid, rule: 'creation_spends_tokens' })
    }
    const missing: string[] = []
    const paying: Outpoint[] = []
    let paid = 0n
    for (const [at, input] of inputs.entries()) {
      if (fulfillments[at] !== undefined) continue
      if (!sources.has(input.txid)) missing.push(input.txid)
      const output = outputAt(input)
      if (output === undefined || !paysKey(output.script, payload.owner)) continue
      paying.push(input)
      paid += output.value
    }
    if (new Set(paying.map(outpointKey)).size < paying.length) {
      return broken(amounts, { txid: tokenid, rule: 'double_spend' })
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
    const reached = new Set(txids)
    for (const id of reached) {
      if (!sources.has(id)) missing.add(id)
      else if (creation === undefined) {
        missing.add(tokenid)
        for (const parent of tokenParents(id)) reached.add(parent)
      } else {
        const node = nodes.get(id)
        for (const it of node?.missing ?? []) missing.add(it)
        for (const it of node?.restsOn ?? []) reached.add(it)
      }
    }
    return [...missing]
  }

  /** Transactions that one of this token spends tokens from, before its creation is known. */
  function tokenParents(txid: string): readonly string[] {
    const before = parents.get(txid)
    if (before !== undefined) return before
    const it = read(txid)!
    const inputs = rules.moves(it, tokenid) ? tokenInputs(it.transaction) : []
    const found = inputs.map((input) => input.txid)
    parents.set(txid, found)
    return found
  }
}

function outpointKey({ txid, vout }: Outpoint): string {
  return `${txid}:${vout}`
}

function broken(amounts: Amounts, disproof: Disproof): Node {
  return { state: 'broken', amounts, disproof }
}

function total(amounts: Amounts): bigint {
  let sum = 0n
  for (const amount of amounts.values()) sum += amount
  return sum
}
