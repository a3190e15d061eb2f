// The wallet's view of transactions.

import { reverseHex } from '../../primitives/hex.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { ordinal } from '../state/keys.ts'
import { pooledTransactions } from '../state/mempool.ts'
import { lookUp } from '../state/ordered-map.ts'
import { isCoinbase, type StoredTransaction } from '../state/stored-transaction.ts'
import {
  blockAt,
  findTransaction,
  indexedUnder,
  type NodeState,
  outputAt,
  positionOf,
  type View,
} from '../state/view.ts'
import { indexKeysOf, ownershipOf, type Wallet } from '../state/wallet.ts'

/** Satoshis that a transaction brings to and takes from a wallet. */
interface Effect {
  readonly credit: bigint
  readonly debit: bigint
}

export function effectOf(view: View, wallet: Wallet, { transaction }: StoredTransaction): Effect {
  const { scripts } = view.rules
  const isMine = (script: string) => ownershipOf(wallet, script, scripts) === 'spendable'
  let credit = 0n
  let debit = 0n
  for (const { value, script } of transaction.outputs) if (isMine(script)) credit += value
  if (isCoinbase(transaction)) return { credit, debit }
  for (const input of transaction.inputs) {
    const output = outputAt(view, input)
    if (output !== undefined && isMine(output.script)) debit += output.value
  }
  return { credit, debit }
}

export function concerns(view: View, wallet: Wallet, { transaction }: StoredTransaction): boolean {
  const { scripts } = view.rules
  const isOwn = (output: TransactionOutput | undefined) =>
    output !== undefined && ownershipOf(wallet, output.script, scripts) !== undefined
  return (
    transaction.outputs.some(isOwn) ||
    transaction.inputs.some((input) => isOwn(outputAt(view, input)))
  )
}

/** The wallet's transactions: those of the chain in its order, then those that wait. */
export function walletTransactions(view: View, wallet: Wallet): StoredTransaction[] {
  const { state, rules } = view
  const places = new Set<string>()
  for (const key of indexKeysOf(wallet, rules.scripts)) {
    for (const [place] of indexedUnder(state.chain, 'addressDeltas', key)) {
      places.add(place.slice(key.length, key.length + 80))
    }
  }
  const confirmed = [...places]
    // A daemon's wallet learns of the coinbase of a block after the other transactions.
    .sort((one, other) => (arrivalOf(one) < arrivalOf(other) ? -1 : 1))
    .map((place) => findTransaction(view, reverseHex(place.slice(16)))!)
  const waiting = pooledTransactions(state.mempool)
  return [...confirmed, ...waiting].filter((it) => concerns(view, wallet, it))
}

/** The place of a coinbase is 0: it becomes the last of its block. */
function arrivalOf(place: string): string {
  const [block, index] = [place.slice(0, 8), place.slice(8, 16)]
  return block + (index === ordinal(0) ? 'f'.repeat(8) : index)
}

/** Returns the confirmations of a transaction; 0 while it waits for a block. */
export function depthOf(state: NodeState, txid: string): number {
  const position = positionOf(state, txid)
  return position === undefined ? 0 : state.chain.tip.height - position.height + 1
}

/** Seconds since 1970 at which a transaction became known. */
export function timeOf(view: View, txid: string): number {
  const { state } = view
  const position = positionOf(state, txid)
  const seen = lookUp(state.seen, txid)
  return seen ?? (position === undefined ? 0 : blockAt(view, position.height)!.time)
}
