// The wallet's coins, as the source lists them and as their own transactions show them.

import type { Network } from '../chain/network.ts'
import type { ChainOptions, ChainSource, ChainTip } from '../chain-source/source.ts'
import type { Findings } from '../chain-source/source-findings.ts'
import { rulesOf } from '../token/rules/network.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import type { Outpoint, Transaction } from '../transaction/types.ts'
import {
  isOfAnotherTip,
  type Listed,
  listedOutputs,
  listedTxid,
  nameChangedHeights,
} from './listed-outputs.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import type { OwnScripts } from './own-scripts.ts'
import type { KnownTransactions } from './transactions.ts'

/** An output that the wallet can spend, read from the bytes of its transaction. */
export interface WalletCoin extends Outpoint {
  /** Satoshis; units for a coin that holds a token. */
  readonly value: bigint
  readonly script: string
  /** The wallet's key that can spend it. */
  readonly publicKey: string
  /** Height of its block as the source reports it; 0 while it is in none. */
  readonly height: number
  /** True for coins of a coinbase, which can be spent only when enough blocks follow. */
  readonly isCoinbase: boolean
  /** The token that it claims to hold; absent for plain coins. */
  readonly tokenid?: string
}

export interface View {
  readonly tip: ChainTip
  readonly coins: ReadonlyMap<string, WalletCoin>
  /** Unspent markers of orders that the wallet's keys made. */
  readonly markers: readonly Outpoint[]
}

export interface ViewContext {
  readonly chain: ChainSource
  readonly network: Network
  readonly own: OwnScripts
  readonly known: KnownTransactions
  readonly findings: Findings
}

/** Blocks that a source may fall behind before its answers count as old. */
const behindMax = 10

/**
 * Reads the chain again. Asks for the transactions of coins that were not seen before, and for
 * nothing else that is known.
 */
export async function nextView(
  context: ViewContext,
  before: View | undefined,
  options: ChainOptions,
): Promise<View> {
  const { chain, own, known, findings } = context
  const first = await currentTip(context, before, options)
  const given: readonly unknown[] = await chain.unspent(own.watched, options)
  // A block that came between the two answers is not a contradiction.
  const tip = isOfAnotherTip(given, before, first)
    ? await currentTip(context, before, options)
    : first
  const listed = listedOutputs(given, tip, findings)
  nameChangedHeights(listed, before, tip, findings)
  const absent = await known.fetch(
    [...listed.values()].map(({ txid }) => txid),
    options,
  )
  const coins = new Map<string, WalletCoin>()
  const markers: Outpoint[] = []
  for (const [key, output] of listed) {
    if (absent.has(output.txid)) {
      findings.add({ code: 'source_missing_transaction', ...outpointOf(output) })
      continue
    }
    const known = before?.coins.get(key)
    const coin = coinOf(context, output, known)
    if (coin === 'marker') markers.push(outpointOf(output))
    else if (coin !== undefined) coins.set(key, coin)
  }
  await explainMissing(context, before, coins, options)
  return { tip, coins, markers }
}

async function currentTip(
  context: ViewContext,
  before: View | undefined,
  options: ChainOptions,
): Promise<ChainTip> {
  if (before === undefined) return context.chain.tip(options)
  const { height } = before.tip
  return tipNear(context, height, `it reported ${height} before`, options)
}

/**
 * Returns the last block of a source that is not far behind a height.
 *
 * @param reason - why the source should have reached it
 * @throws {StaleSource}
 */
export async function tipNear(
  { chain, findings }: Pick<ViewContext, 'chain' | 'findings'>,
  height: number,
  reason: string,
  options: ChainOptions,
): Promise<ChainTip> {
  const tip = await chain.tip(options)
  if (tip.height + behindMax >= height) return tip
  const [expected, actual] = [`at least ${height - behindMax}`, `${tip.height}`]
  findings.add({ code: 'source_behind', expected, actual })
  throw new StaleSource(chain.name, tip.height, reason)
}

/**
 * Thrown if a source is so far behind what it reported before, or what `since` names, that the
 * wallet decides nothing by it.
 */
export class StaleSource extends Error {
  override readonly name = 'StaleSource'
  constructor(source: string, height: number, reason: string) {
    super(
      `${source}: its last block is ${height}, but ${reason}; ` +
        'wait until it has caught up, or use another source',
    )
  }
}

const outpointOf = ({ txid, vout }: Outpoint): Outpoint => ({ txid, vout })

function coinOf(
  { own, known, network, findings }: ViewContext,
  { txid, vout, height, value }: Listed,
  before: WalletCoin | undefined,
): WalletCoin | 'marker' | undefined {
  if (before !== undefined) return before.height === height ? before : { ...before, height }
  const transaction = known.get(txid)!
  const output = transaction.outputs[vout]
  if (output === undefined) {
    findings.add({ code: 'source_no_such_output', txid, vout })
    return undefined
  }
  if (value !== undefined && value !== output.value) {
    const [expected, actual] = [`${output.value}`, String(value)]
    findings.add({ code: 'source_false_value', txid, vout, expected, actual })
  }
  const owner = own.ownerOf(output.script)
  if (owner === undefined) {
    findings.add({ code: 'source_foreign_coin', txid, vout, actual: output.script })
    return undefined
  }
  if (owner.holds === 'markers') return 'marker'
  const tokenid = owner.holds === 'units' ? tokenOf(transaction, vout, network) : undefined
  // A condition of the own key that names no token holds nothing that this wallet can move.
  if (owner.holds === 'units' && tokenid === undefined) return undefined
  return {
    txid,
    vout,
    value: output.value,
    script: output.script,
    publicKey: owner.publicKey,
    height,
    isCoinbase: isCoinbase(transaction),
    ...(tokenid !== undefined && { tokenid }),
  }
}

/** The token that an output claims to hold, by its own transaction alone. */
export function tokenOf(
  transaction: Transaction,
  vout: number,
  network: Network,
): string | undefined {
  const rules = rulesOf(network, transaction.outputs)
  const payload = rules.payloadOf(transaction.outputs)
  return rules.tokenOf({ txid: transaction.txid, transaction, payload }, vout)
}

/** Tells whether a coin can be in the next block. */
export function isMature(coin: WalletCoin, view: View, coinbaseMaturity: number): boolean {
  return (
    !coin.isCoinbase || (coin.height > 0 && view.tip.height + 1 >= coin.height + coinbaseMaturity)
  )
}

const searchedAtOnce = 100

/** Coins that are gone must have been spent: by a transaction that the source can show. */
async function explainMissing(
  { chain, own, known, findings }: ViewContext,
  before: View | undefined,
  coins: ReadonlyMap<string, WalletCoin>,
  options: ChainOptions,
): Promise<void> {
  const gone = new Map<string, WalletCoin>()
  for (const [key, coin] of before?.coins ?? []) if (!coins.has(key)) gone.set(key, coin)
  if (gone.size === 0) return
  const entries: readonly unknown[] = await chain.history(own.watched, options)
  // Coins are usually spent by what came last.
  for (let end = entries.length; end > 0 && gone.size > 0; end -= searchedAtOnce) {
    const some = txidsOf(entries.slice(Math.max(0, end - searchedAtOnce), end))
    await known.fetch(some, options)
    for (const txid of some) {
      for (const input of known.get(txid)?.inputs ?? []) gone.delete(keyOfOutpoint(input))
    }
  }
  if (gone.size === 0) return
  const listed = new Set(txidsOf(entries))
  for (const coin of gone.values()) {
    // A transaction that left the chain takes its outputs with it.
    if (listed.has(coin.txid)) findings.add({ code: 'source_hidden_coin', ...outpointOf(coin) })
  }
}

function txidsOf(entries: readonly unknown[]): string[] {
  return entries.flatMap((entry) => listedTxid((entry as { txid?: unknown } | null)?.txid) ?? [])
}
