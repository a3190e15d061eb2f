// The sending of a transaction to several sources, of which enough must take it.

import { untilStopped } from '../rpc/clock.ts'
import { abortedBy, isRpcError, RpcError, withDetails } from '../rpc/errors.ts'
import { decoded, showsTransaction } from './quorum-members.ts'
import type { ChainOptions, ChainSource } from './source.ts'

interface BroadcastUse {
  readonly options: ChainOptions
  readonly onFalseTxid: (source: ChainSource, txid: string, answer: unknown) => void
}

/**
 * Sends a transaction to every source, and resolves once `needed` of them take it or have it.
 *
 * @returns the txid
 */
export async function broadcastToAll(
  members: readonly ChainSource[],
  needed: number,
  hex: string,
  { options, onFalseTxid }: BroadcastUse,
): Promise<string> {
  const { signal } = options
  if (signal?.aborted) throw withDetails(abortedBy(signal), { method: 'broadcast' })
  const txid = decoded(hex)?.txid
  const failures = new Map<ChainSource, unknown>()
  let answer: string | undefined
  let took = 0

  async function hasIt(source: ChainSource): Promise<boolean> {
    try {
      const answered = await source.broadcast(hex, options)
      answer ??= answered
      if (txid === undefined || isText(answered, txid)) return true
      onFalseTxid(source, txid, answered)
    } catch (error) {
      failures.set(source, error)
    }
    return txid !== undefined && (await showsTransaction(source, txid, options))
  }

  // Once enough have it, those that are silent can change nothing.
  const settled = new Promise<void>((resolve, reject) => {
    const each = members.map(async (source) => {
      if (!(await hasIt(source))) return
      took += 1
      if (took >= needed) resolve()
    })
    Promise.all(each).then(() => resolve(), reject)
  })
  try {
    // A source of the caller's own may not heed the signal.
    await (signal === undefined ? settled : untilStopped(settled, signal))
  } catch (error) {
    if (signal?.aborted !== true) throw error
    throw withDetails(abortedBy(signal), { method: 'broadcast', uncertain: true })
  }
  if (took >= needed) return txid ?? answer!
  const errors = members.filter((it) => failures.has(it)).map((it) => failures.get(it))
  // If one source may have sent it on, the caller must not take the refusals for the outcome.
  const open = errors.find((it) => !isRpcError(it) || it.uncertain === true)
  if (took === 0 && answer === undefined) throw open ?? errors[0]
  const message = `broadcast: ${took} of ${members.length} sources have it, ${needed} are needed`
  const details = { method: 'broadcast', reason: 'unexpected_value', uncertain: true } as const
  throw new RpcError('shape', message, { ...details, expected: txid, cause: errors[0] })
}

const isText = (value: unknown, text: string) =>
  typeof value === 'string' && value.toLowerCase() === text
