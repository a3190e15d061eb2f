// Heights of transactions from an Electrum server, without a subscription to their scripts.

import type { ElectrumClient } from '../electrum/client.ts'
import type { ElectrumHistoryEntry } from '../electrum/methods.ts'
import { isRpcError } from '../rpc/errors.ts'
import { scripthashOf } from '../script/scripthash.ts'
import type { ChainOptions, PaidScript } from './source.ts'

/** Reads the heights of the blocks of transactions from the histories of scripts that they pay. */
export async function electrumHeights(
  client: ElectrumClient,
  transactions: readonly PaidScript[],
  options: ChainOptions,
): Promise<ReadonlyMap<string, number>> {
  const found = await Promise.all(
    transactions.map(async ({ txid, script }): Promise<[string, number][]> => {
      const history = await historyOf(client, scripthashOf(script), options)
      const entry = history.find(({ tx_hash }) => tx_hash === txid)
      return entry === undefined ? [] : [[txid, Math.max(entry.height, 0)]]
    }),
  )
  return new Map(found.flat())
}

/** Servers refuse a history that is too long; nothing is known of such a script. */
async function historyOf(
  client: ElectrumClient,
  scripthash: string,
  options: ChainOptions,
): Promise<readonly ElectrumHistoryEntry[]> {
  try {
    return await client.call('blockchain.scripthash.get_history', [scripthash], options)
  } catch (error) {
    if (isRpcError(error, 'daemon')) return []
    throw error
  }
}
