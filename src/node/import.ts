import { append } from '../primitives/append.ts'
import type { Engine } from './engine.ts'
import type { NewBlock } from './state/chain.ts'
import {
  isCoinbase,
  type StoredTransaction,
  storedTransaction,
} from './state/stored-transaction.ts'
import { positionOf } from './state/view.ts'

export interface RawBlock extends Partial<Pick<NewBlock, 'time' | 'nonce' | 'solution'>> {
  /** Raw hex, in any order. */
  readonly transactions: readonly string[]
}

/**
 * Makes a block of raw transactions, parents first. Transactions whose parents are unknown are
 * accepted unchecked. Transactions that the chain already has are skipped.
 *
 * @throws {AntaraError} for hex that is not a transaction
 * @throws {RangeError} for a transaction that spends a spent output
 */
export function importInOrder(engine: Engine, { transactions, ...header }: RawBlock): void {
  const stored = transactions
    .map(storedTransaction)
    .filter(({ txid }) => positionOf(engine.state, txid) === undefined)
  if (stored.length === 0) return
  engine.importBlock({
    transactions: parentsFirst(stored),
    mayLackParents: true,
    ...header,
  })
}

/** Keeps the given order, except that parents come before the transactions that spend them. */
function parentsFirst(transactions: readonly StoredTransaction[]): StoredTransaction[] {
  const waiting = new Map(transactions.map((it) => [it.txid, it]))
  const ordered: StoredTransaction[] = []
  const coinbases = transactions.filter(({ transaction }) => isCoinbase(transaction))
  const pending = [...coinbases, ...transactions].reverse()
  while (pending.length > 0) {
    const next = pending.at(-1)!
    const parents = next.transaction.inputs.flatMap(({ txid }) => waiting.get(txid) ?? [])
    const missing = parents.filter((parent) => parent !== next)
    if (!waiting.has(next.txid) || missing.length === 0) {
      pending.pop()
      if (waiting.delete(next.txid)) ordered.push(next)
    } else append(pending, missing)
  }
  return ordered
}
