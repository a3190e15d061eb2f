import type { DaemonClient } from '../rpc/daemon/client.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'

/** Hex digits of all transactions that are kept. */
const digitsMax = 32_000_000

/**
 * Returns a client that asks for each transaction once, for evidence. The bytes of a txid never
 * change, and every verification hashes them. Do not ask it whether the chain has a transaction.
 */
export function evidenceClient(client: DaemonClient): DaemonClient {
  const known = new Map<string, string>()
  let digits = 0

  async function kept(txid: string, ask: () => Promise<string>): Promise<string> {
    const found = known.get(txid)
    if (found !== undefined) {
      // The one that was not used for the longest time goes first.
      known.delete(txid)
      known.set(txid, found)
      return found
    }
    const hex = await ask()
    // A false answer must not stay.
    if (known.has(txid) || (await readTransaction(hex))?.txid !== txid) return hex
    known.set(txid, hex)
    digits += hex.length
    for (const [oldest, bytes] of known) {
      if (digits <= digitsMax) break
      known.delete(oldest)
      digits -= bytes.length
    }
    return hex
  }

  const getrawtransaction: DaemonClient['getrawtransaction'] = async (params, options) => {
    const { txid, verbose } = params
    if (verbose === 1) return client.getrawtransaction({ ...params, verbose }, options) as never
    return kept(txid, () => client.getrawtransaction({ txid }, options)) as never
  }
  return { ...client, getrawtransaction }
}
