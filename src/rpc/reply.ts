import { JsonFaultError, type JsonValue, parseJson } from '../primitives/json.ts'
import { parseJsonSteps } from '../primitives/json-steps.ts'
import { inSlices } from '../primitives/steps.ts'
import type { Clock } from './clock.ts'
import { RpcError, type RpcErrorReason } from './errors.ts'
import { ownText } from './own-text.ts'
import type { RpcResponse } from './transport.ts'

/** Parsing this much takes a few milliseconds; yielding to other work would take longer. */
const textCharactersAtOnce = 64 * 1024

/**
 * Returns the JSON of a reply of any status, because an HTTP 500 can carry a method's failure.
 * Throws `http` for a failing status without JSON, and `shape` for other text that is not JSON.
 */
export async function replyJson(
  { status, text: body }: RpcResponse,
  clock: Clock,
): Promise<JsonValue> {
  const isFailure = status < 200 || status >= 300
  if (isFailure && !/^\s*[{[]/.test(body)) throw httpError(status, body)
  try {
    if (body.length <= textCharactersAtOnce) return parseJson(body)
    return await inSlices(parseJsonSteps(body, 'equal'), { signal: clock.signal })
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    if (isFailure) throw httpError(status, body)
    throw new RpcError('shape', `the reply is not acceptable JSON: ${error.message}`, {
      reason: error.fault,
      status,
      body,
    })
  }
}

const queueFullText = 'Work queue depth exceeded'

/** Returns the error for a failing status without an answer of the protocol. */
export function httpError(status: number, body: string): RpcError {
  return ownText(errorOfStatus(status, body))
}

function errorOfStatus(status: number, body: string): RpcError {
  const details = { status, ...(body !== '' && { body }) }
  const isFull = status === 500 && body.trim() === queueFullText
  const refusal = isFull ? queueFull : refusals.get(status)
  if (refusal === undefined)
    return new RpcError('http', `HTTP ${status} without an answer`, details)
  const [message, reason] = refusal
  return new RpcError('http', `${message} (HTTP ${status})`, { ...details, reason })
}

type Refusal = readonly [message: string, reason: RpcErrorReason]

const refusals: ReadonlyMap<number, Refusal> = new Map([
  [401, ['user or password is wrong', 'unauthorized']],
  [403, ['this address is not allowed to call', 'forbidden']],
  [503, ['unavailable', 'unavailable']],
])
const queueFull: Refusal = ["the server's work queue is full", 'queue_full']

const texts = new WeakMap<object, string>()

/** Remembers the reply of a result for as long as the result lives. */
export function rememberReply<T>(result: T, text: string): T {
  if (typeof result === 'object' && result !== null) texts.set(result, text)
  return result
}

/**
 * Returns the reply from which a result was read; `undefined` for plain values, because only
 * objects and lists are remembered.
 *
 * The text contains everything that the server sent, unknown members included.
 *
 * @param result - what a method of a client returned
 * @returns the text as the server sent it; in that of a task's status, secrets are hidden
 * @example
 * const info = await daemon.tokeninfo({ tokenid })
 * replyText(info) // '{"result":{"result":"success","tokenid":…'
 */
export function replyText(result: object): string | undefined {
  return texts.get(result)
}
