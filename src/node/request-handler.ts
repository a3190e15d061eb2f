// From a request to its answer, with whatever is to go wrong on the way.

import { notify } from '../primitives/observers.ts'
import type { Answer, HttpServer, Reply } from '../server/http-server.ts'
import { jsonRpc, type RpcCall, RpcFailure } from '../server/json-rpc.ts'
import { plain, type ServeOptions, serve, workQueueFull } from '../server/serve.ts'
import type { Faults } from './faults.ts'
import type { Fork } from './fork/fork.ts'
import { ForkError } from './fork/fork-error.ts'
import type { Context } from './methods/context.ts'
import { callMethod } from './methods/table.ts'

export type { HttpServer, Reply } from '../server/http-server.ts'

/** One call, for a log. */
export interface CallReport {
  readonly identity: number
  readonly method: string
  readonly milliseconds: number
  /** The error of a call that was refused. */
  readonly error?: { readonly code: number; readonly message: string }
  /** The contract module's reason, which a daemon writes to its log. */
  readonly reason?: string
}

interface AnswerOptions {
  readonly faults: Faults
  readonly below: Fork | undefined
  readonly onCall?: (call: CallReport) => unknown
}

/** The methods of one identity, behind its servers. */
export interface RequestHandler {
  /** The JSON text of a result. @throws {RpcFailure} */
  call(call: RpcCall): Promise<string>
  answer(request: { readonly body: string | null }): Promise<Answer>
  listen(options: Omit<ServeOptions, 'handle'>): Promise<HttpServer>
}

/** Where the daemon would have crashed, or the fault is ours. komodo src/rpc/protocol.h */
function internalFailure(error: unknown): RpcFailure {
  if (error instanceof ForkError) return new RpcFailure(-32603, error.message)
  const failure = new RpcFailure(-32603, error instanceof Error ? error.message : String(error))
  failure.cause = error instanceof Error ? error.stack : undefined
  return failure
}

export function answered(
  contextOf: (identity: number) => Context,
  identity: number,
  options: AnswerOptions,
): RequestHandler {
  const { faults, below, onCall } = options

  async function call(rpc: RpcCall): Promise<string> {
    const started = performance.now()
    const report = (error?: RpcFailure) => {
      const milliseconds = performance.now() - started
      const { cause } = error ?? {}
      notify(onCall, {
        identity,
        method: rpc.method,
        milliseconds,
        ...(error && { error: { code: error.code, message: error.message } }),
        ...(typeof cause === 'string' && { reason: cause }),
      })
    }
    try {
      const context = contextOf(identity)
      const work = () => callMethod(context, rpc.method, rpc.params)
      const result = await faults.around(
        rpc.method,
        context,
        below === undefined ? work : () => below.answer(context.engine, rpc.method, work),
      )
      report()
      return result
    } catch (error) {
      const failure = error instanceof RpcFailure ? error : internalFailure(error)
      report(failure)
      throw failure
    }
  }

  async function answer(request: { readonly body: string | null }): Promise<Answer> {
    let ruin: 'reset' | 'silence' | 'queue' | undefined
    const handle = jsonRpc(async (rpc) => {
      // A fault that ruins one call of a batch ruins the answer to all.
      ruin ??= faults.ruinOf(rpc.method, identity)
      return ruin === 'queue' ? 'null' : call(rpc)
    })
    const reply = await handle(request)
    if (ruin === 'queue') return workQueueFull
    if (ruin === 'reset') return { fault: 'reset', reply }
    // carried out, but nobody hears of it: not even the first half of one byte
    return ruin === 'silence' ? { fault: 'reset', reply: plain(200, '.') } : reply
  }

  return { call, answer, listen: (serving) => serve({ ...serving, handle: answer }) }
}

/** An answer without a network: where the connection would be lost, it throws. */
export async function plainReply(handler: RequestHandler, body: string): Promise<Reply> {
  const answer = await handler.answer({ body })
  if ('status' in answer && 'body' in answer) return answer
  throw new Error('the connection was reset')
}
