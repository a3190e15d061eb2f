import { createTransactionCache } from '../rpc/safe-flow/transaction-cache.ts'
import type { ChainSource } from './source.ts'

/** Returns a source that asks once for a transaction while it is in the cache. */
export function withTransactionCache(chain: ChainSource): ChainSource {
  const cache = createTransactionCache()
  return {
    ...chain,
    transactions: (txids, options = {}) =>
      Promise.all(
        txids.map(async (txid) => {
          const known = cache.get(txid)
          if (known !== undefined) return known
          const [hex] = await chain.transactions([txid], options)
          if (typeof hex === 'string') await cache.add(txid, hex)
          return hex
        }),
      ),
  }
}
