// The history of a wallet, from the bytes of its transactions.

import type { ChainOptions, HistoryEntry } from '../chain-source/source.ts'
import type { Findings, SourceFinding } from '../chain-source/source-findings.ts'
import { append } from '../primitives/append.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { addressOfScript } from '../script/script.ts'
import { rulesOf } from '../token/rules/network.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import type { Outpoint, Transaction, TransactionOutput } from '../transaction/types.ts'
import { isHeight } from './checked-source.ts'
import { proveTokens, type TokenProofs, type TokenVerdict } from './proofs.ts'
import { tokenOf, type ViewContext } from './view.ts'

/** The kind of a transaction. `tokenfillask` and `tokenfillbid` may be those of another party. */
export type WalletOperation = 'coinbase' | 'payment' | 'tokencreate' | 'tokentransfer' | OrderStep

type OrderStep = (typeof orderSteps)[keyof typeof orderSteps]

/** Names of steps of orders, by the action in the payload. */
const orderSteps = {
  ask: 'tokenask',
  bid: 'tokenbid',
  fillAsk: 'tokenfillask',
  fillBid: 'tokenfillbid',
  cancelAsk: 'tokencancelask',
  cancelBid: 'tokencancelbid',
} as const

/** One transaction that pays or spends the wallet's scripts. */
export interface WalletEntry {
  readonly txid: string
  /** Height of its block as the source reports it; absent while it is in none. */
  readonly height?: number
  readonly operation: WalletOperation
  /** Satoshis of plain coins that the wallet gained; negative if it lost them. */
  readonly coins: bigint
  /** Units that the wallet gained or lost, by tokenid, as the bytes claim them: see `proofs`. */
  readonly units: Readonly<Record<string, bigint>>
  /**
   * Verdicts on the units that the transaction gives to the wallet, by tokenid. Credit only what is
   * `proven`.
   */
  readonly proofs: Readonly<Record<string, TokenVerdict>>
  /**
   * Satoshis that the transaction paid, less the reward of KMD that it claimed, which its bytes do not
   * show. Absent unless every output that it spends is known, and if the reward is above the fee.
   */
  readonly fee?: bigint
  /** Addresses of others that it paid, or, where the wallet paid nothing, that paid it. */
  readonly counterparties: readonly string[]
  /** Reports of the source about it, or about its inputs, that the wallet did not use. */
  readonly findings: readonly SourceFinding[]
}

/**
 * Reads the source's list: each transaction once, with a height that its chain has.
 *
 * @param tipHeight - resolves with the height of the last block; any that is not below `highest`
 *   will do
 */
export async function listedEntries(
  listed: readonly unknown[],
  findings: Findings,
  tipHeight: (highest: number) => Promise<number>,
): Promise<readonly HistoryEntry[]> {
  const byTxid = new Map<string, HistoryEntry>()
  for (const entry of listed) {
    const { txid, height } = (entry ?? {}) as Partial<HistoryEntry>
    if (typeof txid !== 'string' || !isHex32(txid.toLowerCase()) || !isHeight(height)) {
      findings.add({ code: 'source_malformed_answer' })
      continue
    }
    const known = { txid: txid.toLowerCase(), height }
    if (!byTxid.has(known.txid)) byTxid.set(known.txid, known)
    else findings.add({ code: 'source_repeated_transaction', txid: known.txid })
  }
  const found = [...byTxid.values()]
  const highest = found.reduce((most, { height }) => Math.max(most, height), 0)
  if (highest === 0) return found
  const last = await tipHeight(highest)
  if (highest <= last) return found
  return found.map(({ txid, height }) => {
    if (height <= last) return { txid, height }
    const [expected, actual] = [`at most ${last}`, `${height}`]
    findings.add({ code: 'source_height_above_tip', txid, expected, actual })
    // A block that the source's own chain does not have confirms nothing.
    return { txid, height: 0 }
  })
}

/**
 * Returns the entries whose transactions pay or spend scripts of the wallet, by the bytes of the
 * transactions and of what these spend.
 */
async function ownEntries(
  context: ViewContext,
  entries: readonly HistoryEntry[],
  options: ChainOptions,
): Promise<readonly HistoryEntry[]> {
  const { known, findings } = context
  const absent = await known.fetch(
    entries.map(({ txid }) => txid),
    options,
  )
  for (const txid of absent) findings.add({ code: 'source_missing_transaction', txid })
  const found = entries.filter(({ txid }) => known.has(txid))
  const spent = found.flatMap(({ txid }) => {
    const transaction = known.get(txid)!
    return isCoinbase(transaction) ? [] : transaction.inputs.map((input) => input.txid)
  })
  for (const txid of await known.fetch(spent, options)) {
    findings.add({ code: 'source_missing_transaction', txid })
  }
  return found.filter(({ txid }) => {
    if (!isForeign(context, known.get(txid)!)) return true
    findings.add({ code: 'source_foreign_transaction', txid })
    return false
  })
}

/**
 * Reads the first entries that are the wallet's own. Transactions of strangers take no place of the
 * `limit`: anyone can make them, and an empty page would look like the end of the history.
 */
export async function readEntries(
  context: ViewContext,
  entries: readonly HistoryEntry[],
  { limit = entries.length, ...options }: ChainOptions & { readonly limit?: number },
): Promise<WalletEntry[]> {
  const own: HistoryEntry[] = []
  let size = limit
  for (let at = 0; at < entries.length && own.length < limit; size *= 2) {
    const some = entries.slice(at, at + size)
    append(own, await ownEntries(context, some, options))
    at += some.length
  }
  return entriesOf(context, own.slice(0, limit), options)
}

async function entriesOf(
  context: ViewContext,
  own: readonly HistoryEntry[],
  options: ChainOptions,
): Promise<WalletEntry[]> {
  const received = unitsReceived(context, own)
  const verdicts = worstVerdicts(
    received,
    await proveTokens(received, context, options, { isShared: false, isForList: true }),
  )
  return own.map((entry) => {
    return { ...entryOf(context, entry), proofs: verdicts.get(entry.txid) ?? {} }
  })
}

const worstFirst: readonly TokenVerdict[] = ['disproven', 'open', 'proven']

/** Returns the worst verdict on the units of each token that a transaction gives, by its txid. */
function worstVerdicts(
  received: ReadonlyMap<string, readonly Outpoint[]>,
  proofs: ReadonlyMap<string, TokenProofs>,
): ReadonlyMap<string, Readonly<Record<string, TokenVerdict>>> {
  const worst = new Map<string, Record<string, TokenVerdict>>()
  for (const [tokenid, coins] of received) {
    for (const coin of coins) {
      const given = worst.get(coin.txid) ?? {}
      const both = [given[tokenid], proofs.get(tokenid)!.verdictOf(coin)]
      given[tokenid] = worstFirst.find((it) => both.includes(it))!
      worst.set(coin.txid, given)
    }
  }
  return worst
}

/** Returns the wallet's outputs that claim units, by tokenid. */
function unitsReceived(
  { own, known, network }: ViewContext,
  entries: readonly HistoryEntry[],
): ReadonlyMap<string, readonly Outpoint[]> {
  const received = new Map<string, Outpoint[]>()
  for (const { txid } of entries) {
    const transaction = known.get(txid)!
    for (const [vout, { script }] of transaction.outputs.entries()) {
      if (own.ownerOf(script)?.holds !== 'units') continue
      const tokenid = tokenOf(transaction, vout, network)
      if (tokenid === undefined) continue
      const others = received.get(tokenid)
      if (others === undefined) received.set(tokenid, [{ txid, vout }])
      else others.push({ txid, vout })
    }
  }
  return received
}

/** Tells whether every output that a transaction makes or spends is known to be of others. */
function isForeign({ own, known }: ViewContext, transaction: Transaction): boolean {
  const { inputs, outputs } = transaction
  const spent = isCoinbase(transaction)
    ? []
    : inputs.map((input) => known.get(input.txid)?.outputs[input.vout])
  return [...outputs, ...spent].every(
    (output) => output !== undefined && own.ownerOf(output.script) === undefined,
  )
}

function entryOf(
  context: ViewContext,
  { txid, height }: HistoryEntry,
): Omit<WalletEntry, 'proofs'> {
  const { own, known, network } = context
  const transaction = known.get(txid)!
  const { inputs, outputs } = transaction
  const prevouts = isCoinbase(transaction)
    ? []
    : inputs.map((input) => known.get(input.txid)?.outputs[input.vout])
  const isOwn = (output: TransactionOutput | undefined) =>
    output !== undefined && own.ownerOf(output.script) !== undefined
  const units = new Map<string, bigint>()
  let coins = 0n
  const count = (from: Transaction | undefined, vout: number, sign: 1n | -1n): void => {
    const output = from?.outputs[vout]
    const owner = output && own.ownerOf(output.script)
    if (owner === undefined) return
    if (owner.holds === 'coins') coins += sign * output!.value
    else if (owner.holds === 'units') {
      const tokenid = tokenOf(from!, vout, network)
      if (tokenid !== undefined) {
        units.set(tokenid, (units.get(tokenid) ?? 0n) + sign * output!.value)
      }
    }
  }
  if (!isCoinbase(transaction)) {
    for (const input of inputs) count(known.get(input.txid), input.vout, -1n)
  }
  for (const vout of outputs.keys()) count(transaction, vout, 1n)
  const isSender = prevouts.some(isOwn)
  const others = (isSender ? outputs : prevouts).filter((output) => !isOwn(output))
  const addresses = others.flatMap((output) => {
    const address = output && addressOfScript(output.script, network)
    return address === undefined ? [] : [address]
  })
  return {
    txid,
    ...(height > 0 && { height }),
    operation: operationOf(transaction, context),
    coins,
    units: Object.fromEntries(units),
    ...feeOf(transaction, prevouts),
    counterparties: [...new Set(addresses)],
    findings: findingsOf(transaction, context),
  }
}

function findingsOf({ txid, inputs }: Transaction, { findings }: ViewContext): SourceFinding[] {
  const all = findings.list()
  if (all.length === 0) return []
  const concerned = new Set([txid, ...inputs.map((input) => input.txid)])
  return all.filter((it) => it.txid !== undefined && concerned.has(it.txid))
}

function operationOf(transaction: Transaction, { network }: ViewContext): WalletEntry['operation'] {
  if (isCoinbase(transaction)) return 'coinbase'
  const { outputs } = transaction
  const rules = rulesOf(network, outputs)
  const payload = rules.payloadOf(outputs)
  if (payload?.kind === 'create') return 'tokencreate'
  const { order } = payload?.extras.find(({ kind }) => kind === 'assets') ?? {}
  const step = order && Object.hasOwn(orderSteps, order.action) ? order.action : undefined
  if (step !== undefined) return orderSteps[step as keyof typeof orderSteps]
  const isTransfer = rules.tokensMoved({ txid: transaction.txid, transaction, payload }).length > 0
  return isTransfer ? 'tokentransfer' : 'payment'
}

function feeOf(
  transaction: Transaction,
  prevouts: readonly (TransactionOutput | undefined)[],
): { readonly fee?: bigint } {
  if (isCoinbase(transaction) || prevouts.includes(undefined)) return {}
  const brought = prevouts.reduce((sum, output) => sum + output!.value, 0n)
  const fee = transaction.outputs.reduce((rest, { value }) => rest - value, brought)
  return fee < 0n ? {} : { fee }
}
