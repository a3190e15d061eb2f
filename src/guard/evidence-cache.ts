import type { DaemonClient } from '../rpc/daemon/client.ts'
import { createTransactionCache } from '../rpc/safe-flow/transaction-cache.ts'

/** Returns a client that asks for each transaction once, for evidence. */
export function evidenceClient(client: DaemonClient): DaemonClient {
  const cache = createTransactionCache()

  async function kept(txid: string, ask: () => Promise<string>): Promise<string> {
    const found = cache.get(txid)
    if (found !== undefined) return found
    const hex = await ask()
    await cache.add(txid, hex)
    return hex
  }

  const getrawtransaction: DaemonClient['getrawtransaction'] = async (params, options) => {
    const { txid, verbose } = params
    if (verbose === 1) return client.getrawtransaction({ ...params, verbose }, options) as never
    return kept(txid, () => client.getrawtransaction({ txid }, options)) as never
  }
  return { ...client, getrawtransaction }
}
