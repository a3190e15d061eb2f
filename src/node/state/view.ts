// The present state: the chain, and the transactions that wait for the next block.

import type { Network } from '../../chain/network.ts'
import type { FindTransaction } from '../../token/rules/funding.ts'
import type { Outpoint, TransactionOutput } from '../../transaction/types.ts'
import type { ChainProfile } from '../profile.ts'
import { belowFork } from './base-chain.ts'
import type { Block, Seal } from './block.ts'
import type { Chain } from './chain.ts'
import { ordinal, outpointKey, outpointOf, wireKey } from './keys.ts'
import type { Mempool } from './mempool.ts'
import { entriesFrom, entriesUnder, lookUp, type OrderedMap } from './ordered-map.ts'
import { type IndexKey, isUnspendable, type ScriptIndex } from './script-index.ts'
import type { StoredTransaction } from './stored-transaction.ts'
import type { Coin, Position, Spending } from './tables.ts'
import type { Wallet } from './wallet.ts'

/** All of a node's state that a snapshot keeps. */
export interface NodeState {
  readonly chain: Chain
  readonly mempool: Mempool
  /**
   * Seconds since 1970 by which blocks and arrivals are dated; undefined while the wall's clock is
   * used.
   */
  readonly time: number | undefined
  /** When the node first met a transaction, by txid: seconds since 1970. */
  readonly seen: OrderedMap<number>
  /** One for each identity. */
  readonly wallets: readonly Wallet[]
  /** The blocks of all branches that the node met, by hash: how many it met before. */
  readonly met: OrderedMap<number>
  /** Blocks that somebody declared invalid, by hash. */
  readonly invalid: OrderedMap<true>
}

/** The facts that do not change while a node runs. */
export interface Setting {
  readonly profile: ChainProfile
  readonly network: Network
  readonly scripts: ScriptIndex
  readonly seal: Seal
  /** All blocks that ever were, by hash, those of states that were given up among them. */
  readonly blocks: Map<string, Block>
}

/** A state, and what does not change with it. */
export interface View {
  readonly state: NodeState
  readonly rules: Setting
}

export function blockAt({ state: { chain }, rules }: View, height: number): Block | undefined {
  const hash = lookUp(chain.tables.hashes, ordinal(height))
  return hash === undefined ? chain.base?.block(height) : rules.blocks.get(hash)
}

/** Returns a block of this chain or of a branch beside it. */
export function knownBlock({ state, rules }: View, hash: string): Block | undefined {
  return lookUp(state.met, hash) === undefined ? undefined : rules.blocks.get(hash)
}

/** Returns the blocks of all branches in the order in which the node met them. */
export function knownBlocks({ state, rules }: View): Block[] {
  return [...entriesFrom(state.met)]
    .sort(([, one], [, other]) => one - other)
    .map(([hash]) => rules.blocks.get(hash)!)
}

/** The index of a transaction below a fork is not known: -1. */
export function positionOf({ chain }: NodeState, txid: string): Position | undefined {
  const own = lookUp(chain.tables.positions, wireKey(txid))
  if (own !== undefined || chain.base === undefined) return own
  const height = chain.base.transaction(txid)?.height
  return height === undefined ? undefined : { height, index: -1 }
}

/** A transaction of the chain or the mempool. */
export function findTransaction(view: View, txid: string): StoredTransaction | undefined {
  const { state } = view
  const pooled = lookUp(state.mempool.transactions, txid)
  if (pooled !== undefined) return pooled
  const position = lookUp(state.chain.tables.positions, wireKey(txid))
  if (position === undefined) return state.chain.base?.transaction(txid)?.stored
  return blockAt(view, position.height)!.transactions[position.index]
}

/** Looks transactions up for the rules of tokens. */
export function finderOf(view: View): FindTransaction {
  return (txid) => findTransaction(view, txid)?.transaction
}

/** An output of a transaction of the chain or the mempool, spent or not. */
export function outputAt(view: View, { txid, vout }: Outpoint): TransactionOutput | undefined {
  return findTransaction(view, txid)?.transaction.outputs[vout]
}

/**
 * An output that can be spent by a transaction of the mempool: the height of an unconfirmed one is
 * the next.
 */
export function findCoin(state: NodeState, txid: string, vout: number): Coin | undefined {
  const confirmed = confirmedCoin(state, txid, vout)
  if (confirmed !== undefined) return confirmed
  const pooled = lookUp(state.mempool.transactions, txid) ?? waitingBelow(state, txid)
  const output = pooled?.transaction.outputs[vout]
  if (output === undefined || isUnspendable(output.script)) return undefined
  return { ...output, height: state.chain.tip.height + 1, coinbase: false }
}

/** An output that no block spends. */
export function confirmedCoin({ chain }: NodeState, txid: string, vout: number): Coin | undefined {
  const { base, tables } = chain
  const key = outpointKey(txid, vout)
  const own = lookUp(tables.coins, key)
  if (own !== undefined || base === undefined) return own
  const isOwn = lookUp(tables.positions, wireKey(txid)) !== undefined
  return isOwn || lookUp(tables.spends, key) !== undefined ? undefined : base.coin(txid, vout)
}

/** Returns true if a transaction of the mempool spends an output. */
export function isSpentInMempool(state: NodeState, txid: string, vout: number): boolean {
  const { base, tables } = state.chain
  const key = outpointKey(txid, vout)
  if (lookUp(state.mempool.spends, key) !== undefined) return true
  if (base === undefined || isOwnTransaction(state, txid)) return false
  if (lookUp(tables.coins, key) !== undefined) return false
  return base.isSpentInMempool(txid, vout)
}

/** A transaction of the daemon's mempool, where a node is forked from one. */
export function waitingBelow({ chain }: NodeState, txid: string): StoredTransaction | undefined {
  const { base, tables } = chain
  if (base === undefined || lookUp(tables.positions, wireKey(txid)) !== undefined) return undefined
  const found = base.transaction(txid)
  return found?.height === undefined ? found?.stored : undefined
}

/** The input that spends an output: of the chain, or of the mempool with height -1. */
export function spendingOf(
  { chain, mempool }: NodeState,
  txid: string,
  vout: number,
): Spending | undefined {
  const key = outpointKey(txid, vout)
  const confirmed = lookUp(chain.tables.spends, key)
  if (confirmed !== undefined) return confirmed
  const spender = lookUp(mempool.spends, key)
  if (spender === undefined) return undefined
  const { inputs } = lookUp(mempool.transactions, spender)!.transaction
  const index = inputs.findIndex((input) => input.txid === txid && input.vout === vout)
  return { txid: spender, index, height: -1 }
}

/** Tells whether a transaction waits here, or is in a block that came after a fork. */
export function isOwnTransaction({ chain, mempool }: NodeState, txid: string): boolean {
  return (
    lookUp(mempool.transactions, txid) !== undefined ||
    lookUp(chain.tables.positions, wireKey(txid)) !== undefined
  )
}

/**
 * The coins of the chain below a fork that a transaction spends.
 *
 * @throws {RpcFailure} for a transaction that spends an output of the daemon's mempool, because the fork
 *   can build only on blocks
 */
export function coinsBelow(
  state: NodeState,
  { inputs }: StoredTransaction['transaction'],
): (Coin & { readonly key: string })[] {
  const { chain, mempool } = state
  if (chain.base === undefined) return []
  return inputs.flatMap(({ txid, vout }) => {
    if (lookUp(mempool.transactions, txid) !== undefined) return []
    const coin = confirmedCoin(state, txid, vout)
    if (coin === undefined) throw belowFork(`cannot mine what spends ${txid}, which waits there`)
    return [{ ...coin, key: outpointKey(txid, vout) }]
  })
}

/** Tells whether any output of a transaction in the chain is unspent. */
export function hasCoins({ chain }: NodeState, txid: string): boolean {
  const { base, tables } = chain
  for (const _ of entriesUnder(tables.coins, wireKey(txid))) return true
  if (base === undefined || lookUp(tables.positions, wireKey(txid)) !== undefined) return false
  const isSpent = (vout: number) => lookUp(tables.spends, outpointKey(txid, vout)) !== undefined
  return base.hasCoins(txid, isSpent)
}

/**
 * Entries of an index of addresses under a key.
 *
 * @throws {RpcFailure} on a forked node, whose index begins with its own blocks
 */
export function indexedUnder<Table extends 'addressCoins' | 'addressDeltas'>(
  chain: Chain,
  table: Table,
  key: string,
): ReturnType<typeof entriesUnder<Table extends 'addressCoins' ? Coin : bigint>> {
  requireWholeChain(chain)
  return entriesUnder<never>(chain.tables[table] as OrderedMap<never>, key)
}

/** A confirmed coin, and its place. */
type PlacedCoin = Coin & Outpoint

/** Confirmed coins under a key of the index of addresses, in its order. */
export function* coinsUnder(
  { state }: View,
  key: IndexKey,
): Generator<PlacedCoin, void, undefined> {
  for (const [place, coin] of indexedUnder(state.chain, 'addressCoins', key)) {
    yield { ...coin, ...outpointOf(place) }
  }
}

/** Confirmed coins under a key that no transaction of the mempool spends. */
export function* unspentUnder(
  { state }: View,
  key: IndexKey,
): Generator<PlacedCoin, void, undefined> {
  const { spends } = state.mempool
  for (const [place, coin] of indexedUnder(state.chain, 'addressCoins', key)) {
    if (lookUp(spends, place.slice(key.length)) === undefined) {
      yield { ...coin, ...outpointOf(place) }
    }
  }
}

/** @throws {RpcFailure} on a forked node, which cannot list what the chain has below its blocks */
export function requireWholeChain({ base }: Chain): void {
  if (base !== undefined) throw belowFork('cannot list what the chain below its blocks has')
}
