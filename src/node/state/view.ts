// The present state: the chain, and the transactions that wait for the next block.

import type { Network } from '../../chain/network.ts'
import type { ChainProfile } from '../profile.ts'
import type { Block } from './block.ts'
import type { Chain } from './chain.ts'
import { ordinal, outpointKey, wireKey } from './keys.ts'
import type { Mempool } from './mempool.ts'
import { entriesFrom, entriesUnder, lookUp, type OrderedMap } from './ordered-map.ts'
import { isUnspendable, type ScriptIndex } from './script-index.ts'
import type { Seal } from './seal.ts'
import type { StoredTransaction } from './stored-transaction.ts'
import type { Coin, Position } from './tables.ts'
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
  /** Blocks that were met, of whatever branch, by hash: how many were met before. */
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

export function blockAt({ chain }: NodeState, setting: Setting, height: number): Block | undefined {
  const hash = lookUp(chain.tables.hashes, ordinal(height))
  return hash === undefined ? undefined : setting.blocks.get(hash)
}

/** A block of this chain or of a branch beside it. */
export function blockMet({ met }: NodeState, setting: Setting, hash: string): Block | undefined {
  return lookUp(met, hash) === undefined ? undefined : setting.blocks.get(hash)
}

/** In the order in which they were met. */
export function blocksMet({ met }: NodeState, setting: Setting): Block[] {
  return [...entriesFrom(met)]
    .sort(([, one], [, other]) => one - other)
    .map(([hash]) => setting.blocks.get(hash)!)
}

export function positionOf({ chain }: NodeState, txid: string): Position | undefined {
  return lookUp(chain.tables.positions, wireKey(txid))
}

/** A transaction of the chain or the mempool. */
export function findTransaction(
  state: NodeState,
  setting: Setting,
  txid: string,
): StoredTransaction | undefined {
  const pooled = lookUp(state.mempool.transactions, txid)
  if (pooled !== undefined) return pooled
  const position = positionOf(state, txid)
  return position && blockAt(state, setting, position.height)!.transactions[position.index]
}

/**
 * An output that can be spent by a transaction of the mempool: the height of an unconfirmed one is
 * the next.
 */
export function findCoin(state: NodeState, txid: string, vout: number): Coin | undefined {
  const key = outpointKey(txid, vout)
  const coin = lookUp(state.chain.tables.coins, key)
  if (coin !== undefined) return coin
  const output = lookUp(state.mempool.transactions, txid)?.transaction.outputs[vout]
  if (output === undefined || isUnspendable(output.script)) return undefined
  return { ...output, height: state.chain.tip.height + 1, coinbase: false }
}

/** The input that spends an output: of the chain, or of the mempool with height -1. */
export function spendingOf(
  { chain, mempool }: NodeState,
  txid: string,
  vout: number,
): (Position & { readonly txid: string }) | undefined {
  const key = outpointKey(txid, vout)
  const confirmed = lookUp(chain.tables.spends, key)
  if (confirmed !== undefined) return confirmed
  const spender = lookUp(mempool.spends, key)
  if (spender === undefined) return undefined
  const { inputs } = lookUp(mempool.transactions, spender)!.transaction
  const index = inputs.findIndex((input) => input.txid === txid && input.vout === vout)
  return { txid: spender, index, height: -1 }
}

/** Tells whether any output of a transaction in the chain is unspent. */
export function hasCoins({ chain }: NodeState, txid: string): boolean {
  for (const _ of entriesUnder(chain.tables.coins, wireKey(txid))) return true
  return false
}
