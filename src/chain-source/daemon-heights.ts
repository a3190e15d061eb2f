// Heights of transactions from a daemon, which needs no address index for them.

import type { DaemonClient } from '../rpc/daemon/client.ts'
import { isRpcError } from '../rpc/errors.ts'
import { memberOf, numberOf } from './daemon-answers.ts'
import type { ChainOptions } from './source.ts'

/** Parallel requests: one less than the daemon's threads for calls. */
const parallelMax = 3
const method = 'getrawtransaction'

/**
 * Reads the heights of the blocks of transactions; 0 for those in none. Those that the daemon does
 * not know, or answers in another form, are absent.
 */
export async function daemonHeights(
  client: DaemonClient,
  txids: readonly string[],
  { signal }: ChainOptions,
): Promise<ReadonlyMap<string, number>> {
  const heights = new Map<string, number>()
  const wanted = [...new Set(txids)]
  let next = 0
  const readSome = async (): Promise<void> => {
    for (let txid = wanted[next++]; txid !== undefined; txid = wanted[next++]) {
      const height = await heightOf(client, txid, signal)
      if (height !== undefined) heights.set(txid, height)
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallelMax, wanted.length) }, readSome))
  return heights
}

async function heightOf(
  client: DaemonClient,
  txid: string,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  try {
    const reply = await client.call(method, [txid, 1], { signal })
    // komodo src/rpc/rawtransaction.cpp, TxToJSON: absent while it is in no block.
    if (memberOf(reply, 'confirmations') === undefined) return 0
    return numberOf(reply, 'confirmations', method) === 0 ? 0 : numberOf(reply, 'height', method)
  } catch (error) {
    if (isRpcError(error, 'shape')) return undefined
    if (isRpcError(error, 'daemon') && error.code === unknownTransaction) return undefined
    throw error
  }
}

/** `RPC_INVALID_ADDRESS_OR_KEY`, which daemons answer about a transaction that they do not have. */
export const unknownTransaction = -5
