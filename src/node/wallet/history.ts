// The wallet's view of transactions.

import { reverseHex } from '../../primitives/hex.ts'
import { ordinal } from '../state/keys.ts'
import { pooledTransactions } from '../state/mempool.ts'
import { lookUp } from '../state/ordered-map.ts'
import { isCoinbase, type StoredTransaction } from '../state/stored-transaction.ts'
import {
  blockAt,
  findTransaction,
  indexedUnder,
  type NodeState,
  positionOf,
  type Setting,
} from '../state/view.ts'
import { indexKeysOf, ownershipOf, type Wallet } from '../state/wallet.ts'

/** Satoshis that a transaction brings to and takes from a wallet. */
interface Effect {
  readonly credit: bigint
  readonly debit: bigint
}

export function effectOf(
  state: NodeState,
  setting: Setting,
  wallet: Wallet,
  { transaction }: StoredTransaction,
): Effect {
  const isMine = (script: string) => ownershipOf(wallet, script, setting.scripts) === 'spendable'
  let credit = 0n
  let debit = 0n
  for (const { value, script } of transaction.outputs) if (isMine(script)) credit += value
  if (isCoinbase(transaction)) return { credit, debit }
  for (const { txid, vout } of transaction.inputs) {
    const output = findTransaction(state, setting, txid)?.transaction.outputs[vout]
    if (output !== undefined && isMine(output.script)) debit += output.value
  }
  return { credit, debit }
}

/** Tells whether a transaction pays the wallet or spends from it. */
export function concerns(
  state: NodeState,
  setting: Setting,
  wallet: Wallet,
  stored: StoredTransaction,
): boolean {
  const { scripts } = setting
  const isOwn = (script: string) => ownershipOf(wallet, script, scripts) !== undefined
  const { inputs, outputs } = stored.transaction
  if (outputs.some(({ script }) => isOwn(script))) return true
  return inputs.some(({ txid, vout }) => {
    const output = findTransaction(state, setting, txid)?.transaction.outputs[vout]
    return output !== undefined && isOwn(output.script)
  })
}

/** The wallet's transactions: those of the chain in its order, then those that wait. */
export function walletTransactions(
  state: NodeState,
  setting: Setting,
  wallet: Wallet,
): StoredTransaction[] {
  const places = new Set<string>()
  for (const key of indexKeysOf(wallet, setting.scripts)) {
    for (const [place] of indexedUnder(state.chain, 'addressDeltas', key)) {
      places.add(place.slice(key.length, key.length + 80))
    }
  }
  const confirmed = [...places]
    // The wallet met the transactions of a block before it met its coinbase.
    .sort((one, other) => (arrivalOf(one) < arrivalOf(other) ? -1 : 1))
    .map((place) => findTransaction(state, setting, reverseHex(place.slice(16)))!)
  const waiting = pooledTransactions(state.mempool)
  return [...confirmed, ...waiting].filter((it) => concerns(state, setting, wallet, it))
}

/** The place of a coinbase is 0: it becomes the last of its block. */
function arrivalOf(place: string): string {
  const [block, index] = [place.slice(0, 8), place.slice(8, 16)]
  return block + (index === ordinal(0) ? 'f'.repeat(8) : index)
}

/** Blocks on top of a transaction, its own among them; 0 while it waits. */
export function depthOf(state: NodeState, txid: string): number {
  const position = positionOf(state, txid)
  return position === undefined ? 0 : state.chain.tip.height - position.height + 1
}

/** Seconds since 1970 at which a transaction became known. */
export function timeOf(state: NodeState, setting: Setting, txid: string): number {
  const position = positionOf(state, txid)
  const seen = lookUp(state.seen, txid)
  return seen ?? (position === undefined ? 0 : blockAt(state, setting, position.height)!.time)
}
