// Asks several questions in one request. The daemon answers them in order, so a question that must be
// answered before another stands before it.

import type { DaemonClient } from '../daemon/client.ts'
import { warmingUp } from '../daemon/codes.ts'
import { isRpcError } from '../errors.ts'
import type { CallOptions } from '../options.ts'

/** A call that only reads. */
export interface Question {
  readonly method: string
  readonly params: readonly unknown[]
}

/** The result of a question; `undefined` if the daemon refuses it. */
export type Answer = unknown

/** A longer reply is refused. Asked one by one, each question may have a larger answer. */
const replyBytesMax = 1 << 20

/**
 * Asks questions in one request. Returns their answers in order, or `undefined` unless the daemon
 * answered each of them, each with its own id. The caller then asks one after the other.
 *
 * @see komodo src/rpc/server.cpp, JSONRPCExecBatch: the calls are carried out in order
 * @throws {RpcError} of kind `aborted`, or `timeout` for the time of the whole call
 */
export async function askAtOnce(
  client: DaemonClient,
  questions: readonly Question[],
  limits: CallOptions,
): Promise<readonly Answer[] | undefined> {
  const answers: Answer[] = []
  try {
    // A retry would ask a question alone, after those that must follow it.
    const once = { ...limits, retry: false, maxResponseBytes: replyBytesMax } as const
    for (const settled of await client.batch(questions, once)) {
      if (settled.status === 'fulfilled') answers.push(settled.value)
      else if (!isRefusal(settled.reason)) return undefined
      else answers.push(undefined)
    }
  } catch (error) {
    const isOver = isRpcError(error, 'aborted') || isRpcError(error, 'timeout')
    if (!isRpcError(error) || (isOver && error.reason !== 'attempt_timeout')) throw error
    return undefined
  }
  return answers
}

/** Returns true if the daemon refuses a question. A daemon that starts refuses nothing. */
export function isRefusal(error: unknown): boolean {
  return isRpcError(error, 'daemon') && error.code !== warmingUp
}
