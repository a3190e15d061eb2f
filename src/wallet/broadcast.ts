// Broadcasts of a chain source, whose answers need not be true.

import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import { isRpcError, RpcError } from '../rpc/errors.ts'
import { hasItAlready } from '../rpc/known-transaction.ts'
import type { Attempt } from '../rpc/safe-flow/attempts.ts'

/**
 * @throws {RpcError} `uncertain` where the source answers with anything but the txid, or fails in a
 *   way that does not say whether it sent the transaction on
 */
export async function broadcast(
  chain: ChainSource,
  { hex, txid }: Attempt,
  options: ChainOptions,
): Promise<void> {
  const method = 'broadcast'
  const expected = txid
  let answered: unknown
  try {
    answered = await chain.broadcast(hex, options)
  } catch (error) {
    if (isRpcError(error)) throw error
    const message = `${chain.name}: failed without a reason; look for ${txid}`
    throw new RpcError('transport', message, { method, uncertain: true, expected, cause: error })
  }
  if (typeof answered === 'string' && answered.toLowerCase() === txid) return
  const message = `${chain.name}: answered with the id of another transaction; look for ${txid}`
  const reason = 'wrong_txid'
  throw new RpcError('shape', message, { method, reason, uncertain: true, expected })
}

/** Resolves with false if the source refuses the transaction because it has it. */
export async function broadcastAgain(
  chain: ChainSource,
  attempt: Attempt,
  options: ChainOptions,
): Promise<boolean> {
  try {
    await broadcast(chain, attempt, options)
    return true
  } catch (error) {
    if (isRpcError(error, 'daemon') && hasItAlready.test(error.message)) return false
    throw error
  }
}
