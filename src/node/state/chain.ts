// The chain of a node: connects and disconnects blocks.

import { sharedGenesis } from '../../block/chains.ts'
import { merkleRootOf } from '../../block/merkle.ts'
import type { BaseChain } from './base-chain.ts'
import type { Seal } from './block.ts'
import {
  type Block,
  blockBytes,
  blockHash,
  blockVersion,
  emptySaplingRoot,
  type Header,
  workOfBlock,
} from './block.ts'
import { genesisBlock, genesisValue } from './genesis.ts'
import { ordinal, outpointKey, wireKey } from './keys.ts'
import { lookUp, withEntry } from './ordered-map.ts'
import { isUnspendable, type ScriptIndex } from './script-index.ts'
import { isCoinbase, type StoredTransaction } from './stored-transaction.ts'
import {
  type Coin,
  type Draft,
  draftOf,
  emptyTables,
  type Position,
  type Tables,
  undone,
} from './tables.ts'

/** A chain up to its tip. */
export interface Chain {
  readonly tip: Block
  readonly tables: Tables
  /** The chain of a daemon below the node's own blocks, on a forked node. */
  readonly base?: BaseChain | undefined
}

export interface NewBlock extends Pick<Header, 'time' | 'nonce'> {
  /** Absent for a new block, which the seal finishes. */
  readonly solution?: string | undefined
  readonly transactions: readonly StoredTransaction[]
  /** True if inputs may spend outputs that the chain never had: ancestors cut off on import. */
  readonly mayLackParents?: boolean
}

/** The chain with a block on top, whose transactions were found valid. */
export function connected(
  chain: Chain,
  block: NewBlock,
  { scripts, seal }: { readonly scripts: ScriptIndex; readonly seal: Seal },
): Chain {
  const { transactions, time, nonce, solution, mayLackParents = false } = block
  const { tip } = chain
  const height = tip.height + 1
  const draft = draftOf(chain.tables)
  let made = 0n
  for (const [index, transaction] of transactions.entries()) {
    made += connectTransaction(draft, transaction, { height, index }, { scripts, mayLackParents })
  }
  const header = {
    time,
    nonce,
    version: blockVersion,
    previousHash: tip.hash,
    merkleRoot: merkleRootOf(transactions.map(({ txid }) => txid)),
    saplingRoot: emptySaplingRoot,
  }
  const whole = solution === undefined ? seal(header) : { ...header, solution }
  const hash = blockHash(whole)
  draft.set('hashes', ordinal(height), hash)
  const { tables, undo } = draft.finish()
  const top: Block = {
    ...whole,
    hash,
    height,
    previous: tip,
    transactions,
    size: blockBytes(whole, transactions),
    work: tip.work + workOfBlock,
    supply: tip.supply + made,
    undo,
  }
  return { ...chain, tip: top, tables }
}

/** The chain without its last block. */
export function disconnected(chain: Chain): Chain {
  const { tip, tables } = chain
  if (tip.previous === undefined || !isOwnBlock(chain, tip)) {
    throw new RangeError(`the block at height ${tip.height} stays`)
  }
  return { ...chain, tip: tip.previous, tables: undone(tables, tip.undo) }
}

/** Tells whether a block came after those that a node starts with. */
export function isOwnBlock({ base }: Chain, { height }: Pick<Block, 'height'>): boolean {
  return height > (base?.height ?? 0)
}

/** The chain with coins of the chain below it, which a transaction of its own is about to spend. */
export function withBaseCoins(
  chain: Chain,
  coins: readonly (Coin & { readonly key: string })[],
): Chain {
  let { tables } = chain
  for (const { key, ...coin } of coins) {
    if (lookUp(tables.coins, key) !== undefined) continue
    tables = { ...tables, coins: withEntry(tables.coins, key, coin) }
  }
  return { ...chain, tables }
}

/**
 * The chain of the genesis block. Its transaction is in no table.
 *
 * @see komodo src/main.cpp, ConnectBlock, which skips the genesis block's
 */
export function newChain(): Chain {
  const { header, transactions } = genesisBlock()
  const draft = draftOf(emptyTables)
  draft.set('hashes', ordinal(0), sharedGenesis)
  const tip: Block = {
    ...header,
    // This is a constant, because hashing is slow at the start of a process. A test hashes the
    // header.
    hash: sharedGenesis,
    height: 0,
    previous: undefined,
    transactions,
    size: blockBytes(header, transactions),
    work: workOfBlock,
    supply: genesisValue,
    undo: [],
  }
  return { tip, tables: draft.finish().tables }
}

/** @returns the outputs minus the inputs in satoshis: negative by the fee, positive for new coins */
function connectTransaction(
  draft: Draft,
  { txid, transaction }: StoredTransaction,
  at: Position,
  { scripts, mayLackParents }: { readonly scripts: ScriptIndex; readonly mayLackParents: boolean },
): bigint {
  let made = 0n
  const coinbase = isCoinbase(transaction)
  const place = ordinal(at.height) + ordinal(at.index) + wireKey(txid)
  draft.set('positions', wireKey(txid), at)
  if (!coinbase) {
    for (const [index, input] of transaction.inputs.entries()) {
      const key = outpointKey(input.txid, input.vout)
      const coin = draft.get('coins', key)
      const isCutOff = mayLackParents && draft.get('positions', wireKey(input.txid)) === undefined
      if (coin === undefined && !isCutOff) {
        throw new RangeError(`${txid} spends ${input.txid}:${input.vout}, which is not there`)
      }
      draft.set('spends', key, { txid, index, height: at.height })
      if (coin === undefined) continue
      made -= coin.value
      draft.set('coins', key, undefined)
      for (const address of scripts.keysOf(coin.script)) {
        draft.set('addressDeltas', `${address}${place}${ordinal(index)}1`, -coin.value)
        draft.set('addressCoins', address + key, undefined)
      }
    }
  }
  for (const [index, { value, script }] of transaction.outputs.entries()) {
    made += value
    const key = outpointKey(txid, index)
    // on import, what spends an output may have come before it
    if (isUnspendable(script) || draft.get('spends', key) !== undefined) continue
    const coin: Coin = { value, script, height: at.height, coinbase }
    draft.set('coins', key, coin)
    for (const address of scripts.keysOf(script)) {
      draft.set('addressDeltas', `${address}${place}${ordinal(index)}0`, value)
      draft.set('addressCoins', address + key, coin)
    }
  }
  return made
}
