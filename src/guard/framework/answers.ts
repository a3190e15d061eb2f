// The answers that a guard writes itself, in the form of the framework's dispatchers.

import type { Reply } from '../../server/http-server.ts'
import { daemonJson, type RpcFailure } from '../../server/json-rpc.ts'
import type { FrameworkCall } from './call.ts'

/** The dispatcher and the id of a call, as far as they are known. */
export type Envelope = Pick<FrameworkCall, 'dispatcher' | 'id'>

interface ErrorAnswer {
  readonly status: number
  readonly type: string
  readonly message: string
}

// As the codes of the daemon's protocol in refusals.ts.
const kinds: ReadonlyMap<number, Omit<ErrorAnswer, 'message'>> = new Map([
  [-2, { status: 403, type: 'GuardRefused' }],
  [-8, { status: 400, type: 'InvalidRequest' }],
  [-32600, { status: 400, type: 'InvalidRequest' }],
  [-32700, { status: 400, type: 'InvalidRequest' }],
  [-26, { status: 400, type: 'GuardRejected' }],
  [-4, { status: 400, type: 'GuardRejected' }],
])

export function errorOf({ code, message }: RpcFailure): ErrorAnswer {
  return { ...(kinds.get(code) ?? { status: 500, type: 'Internal' }), message }
}

export const wrongPassword: ErrorAnswer = {
  status: 403,
  type: 'UserpassIsInvalid',
  message: 'guard: userpass is missing or wrong',
}

function errorText({ type, message }: ErrorAnswer, { dispatcher, id }: Envelope): string {
  const error = daemonJson(message)
  if (dispatcher === 'legacy') return `{"error":${error}}`
  const place = '"error_path":"guard","error_trace":"guard:0]"'
  return `{"mmrpc":"2.0","error":${error},${place},"error_type":"${type}","id":${id ?? 'null'}}`
}

export function errorReply(error: ErrorAnswer, envelope: Envelope): Reply {
  // The older dispatcher has one status for every failure.
  const status = envelope.dispatcher === 'legacy' ? 500 : error.status
  return textReply(status, errorText(error, envelope))
}

/** Writes the JSON text of a result as the call's dispatcher does. */
export function resultText(result: string, { dispatcher, id }: Envelope): string {
  return dispatcher === 'legacy'
    ? result
    : `{"mmrpc":"2.0","result":${result},"id":${id ?? 'null'}}`
}

export function textReply(status: number, body: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body }
}
