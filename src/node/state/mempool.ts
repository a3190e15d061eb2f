import { ordinal, outpointKey } from './keys.ts'
import { emptyMap, entriesFrom, lookUp, type OrderedMap, withEntry } from './ordered-map.ts'
import type { StoredTransaction } from './stored-transaction.ts'

export interface PooledTransaction extends StoredTransaction {
  /** Seconds since 1970 at which it came. */
  readonly time: number
  /** Height of the tip at which it came. */
  readonly height: number
  /** Satoshis. */
  readonly fee: bigint
  readonly sequence: number
}

/** Transactions that wait for a block, in the order in which they came. */
export interface Mempool {
  /** By txid. */
  readonly transactions: OrderedMap<PooledTransaction>
  /** By order of arrival; txids. */
  readonly arrivals: OrderedMap<string>
  /** By outpoint; txids. */
  readonly spends: OrderedMap<string>
  readonly nextSequence: number
}

export const emptyMempool: Mempool = {
  transactions: emptyMap(),
  arrivals: emptyMap(),
  spends: emptyMap(),
  nextSequence: 0,
}

export function pooledTransactions(mempool: Mempool): PooledTransaction[] {
  return [...entriesFrom(mempool.arrivals)].map(([, txid]) => lookUp(mempool.transactions, txid)!)
}

export function withPooled(
  mempool: Mempool,
  transaction: Omit<PooledTransaction, 'sequence'>,
): Mempool {
  const sequence = mempool.nextSequence
  const pooled = { ...transaction, sequence }
  let { spends } = mempool
  for (const { txid, vout } of pooled.transaction.inputs) {
    spends = withEntry(spends, outpointKey(txid, vout), pooled.txid)
  }
  return {
    transactions: withEntry(mempool.transactions, pooled.txid, pooled),
    arrivals: withEntry(mempool.arrivals, ordinal(sequence), pooled.txid),
    spends,
    nextSequence: sequence + 1,
  }
}

export function withoutPooled(mempool: Mempool, txid: string): Mempool {
  const pooled = lookUp(mempool.transactions, txid)
  if (pooled === undefined) return mempool
  let { spends } = mempool
  for (const input of pooled.transaction.inputs) {
    spends = withEntry<string>(spends, outpointKey(input.txid, input.vout), undefined)
  }
  return {
    ...mempool,
    transactions: withEntry<PooledTransaction>(mempool.transactions, txid, undefined),
    arrivals: withEntry<string>(mempool.arrivals, ordinal(pooled.sequence), undefined),
    spends,
  }
}

/** The mempool without a transaction and all that spend from it, directly or not. */
export function withoutDescendants(mempool: Mempool, txid: string): Mempool {
  const pooled = lookUp(mempool.transactions, txid)
  let rest = withoutPooled(mempool, txid)
  for (const vout of pooled?.transaction.outputs.keys() ?? []) {
    const spender = lookUp(rest.spends, outpointKey(txid, vout))
    if (spender !== undefined) rest = withoutDescendants(rest, spender)
  }
  return rest
}
