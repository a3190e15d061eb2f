import { readTransaction } from './transaction.ts'

/** Transactions by txid, of which those that were not used for the longest time are forgotten. */
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
  const known = new Map<string, string>()
  let digits = 0
  return {
    get(txid) {
      const found = known.get(txid)
      if (found === undefined) return undefined
      known.delete(txid)
      known.set(txid, found)
      return found
    },
    async add(txid, hex) {
      if ((await readTransaction(hex))?.txid !== txid || known.has(txid)) return
      known.set(txid, hex)
      digits += hex.length
      for (const [oldest, bytes] of known) {
        if (digits <= digitsMax) break
        known.delete(oldest)
        digits -= bytes.length
      }
    },
  }
}
