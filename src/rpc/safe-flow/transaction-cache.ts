import { oncePerObject } from '../../primitives/once-per-object.ts'
import { recentValues } from '../../primitives/recent.ts'
import type { TransactionSource } from './evidence.ts'
import { readTransaction } from './transaction.ts'

interface TransactionCache {
  get(txid: string): string | undefined
  /** Keeps hex only if it hashes to the txid, because a false answer must not stay. */
  add(txid: string, hex: string): Promise<void>
}

/** Hex digits of all transactions that are kept. */
const digitsMaxDefault = 32_000_000

/**
 * Creates a cache for evidence. The bytes of a txid never change, and every verification hashes
 * them. Do not ask it whether the chain has a transaction.
 */
export function createTransactionCache(digitsMax: number = digitsMaxDefault): TransactionCache {
  const known = recentValues<string>(digitsMax)
  return {
    get: (txid) => known.get(txid),
    async add(txid, hex) {
      if ((await readTransaction(hex))?.txid === txid) known.add(txid, hex, hex.length)
    },
  }
}

/** Transactions that clients gave: each new payment reads the spends that its journal lacks. */
const cacheOf = oncePerObject((_client: object) => createTransactionCache())

/** Returns a source that reads each transaction of a client once. */
export function readingOnce(client: object, lookUp: TransactionSource): TransactionSource {
  const cache = cacheOf(client)
  return async (txid) => {
    const known = cache.get(txid)
    if (known !== undefined) return known
    const found = await lookUp(txid)
    if (typeof found === 'string') await cache.add(txid, found)
    return found
  }
}
