import type { DaemonClient } from '../rpc/daemon/client.ts'
import { createTransactionCache } from '../rpc/safe-flow/transaction-cache.ts'

/** A client for evidence, which asks for each transaction once. */
export interface EvidenceClient extends DaemonClient {
  /** Keeps a transaction, because later ones may spend its outputs. */
  keep(txid: string, hex: string): Promise<void>
}

export function evidenceClient(client: DaemonClient): EvidenceClient {
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
  return { ...client, getrawtransaction, keep: cache.add }
}

/** Returns a client whose `getblockcount` returns `tip()`, and asks the daemon if that is unknown. */
export function withTip<Client extends DaemonClient>(
  client: Client,
  tip: () => Promise<number | undefined>,
): Client {
  const getblockcount: DaemonClient['getblockcount'] = async (params, options) =>
    (await tip()) ?? client.getblockcount(params, options)
  return { ...client, getblockcount }
}
