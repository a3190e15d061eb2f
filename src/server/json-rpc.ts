// The daemon's JSON-RPC: requests read, and answers written, as it does.

import {
  isJsonObject,
  JsonFaultError,
  type JsonValue,
  memberOf,
  parseJson,
  stringifyJson,
} from '../primitives/json.ts'
import { answerEach, answersMax, batchFault, sizeFault } from './bounds.ts'
import type { HttpRequest, Reply } from './http-server.ts'

/** One call. Its numbers are `LosslessNumber`, so a method reads every digit that was sent. */
export interface RpcCall {
  readonly method: string
  readonly params: readonly JsonValue[]
}

/**
 * Answers the JSON text of a result, whose digits are the method's own; throws {@link RpcFailure}.
 */
type ExecuteRpc = (call: RpcCall) => string | Promise<string>

/** The `error` of a daemon's answer. The functions that answer a call throw it. */
export class RpcFailure extends Error {
  override readonly name = 'RpcFailure'
  readonly code: number
  /** True if nobody knows whether the call was carried out. Daemons have no word for it. */
  readonly isUncertain: boolean
  constructor(code: number, message: string, isUncertain = false) {
    super(message)
    this.code = code
    this.isUncertain = isUncertain
  }
}

// komodo src/rpc/protocol.h
const parseError = -32700
const invalidRequest = -32600
const methodNotFoundCode = -32601
const internalError = -32603

export function methodNotFound(): RpcFailure {
  return new RpcFailure(methodNotFoundCode, 'Method not found')
}

/**
 * Makes the request handler of a server out of `execute`. Any other error of it than an
 * {@link RpcFailure} is answered by -32603 with its message, where a daemon would have crashed.
 */
export function jsonRpc(
  execute: ExecuteRpc,
): (request: Pick<HttpRequest, 'body'>) => Promise<Reply> {
  return async ({ body }) => {
    const id = { text: 'null' }
    try {
      const request = readRequest(body, 'first')
      if (Array.isArray(request)) return await answerBatch(request, execute)
      if (!isJsonObject(request)) throw noObject()
      return jsonReply(200, await answerCall(request, id, execute))
    } catch (error) {
      return failureReply(error as RpcFailure, id.text)
    }
  }
}

/** The failure of a request that is neither an object nor a list. */
export function noObject(): RpcFailure {
  return new RpcFailure(parseError, 'Top-level object parse error')
}

/** A reply with the daemon's status for a failure. */
export function failureReply(failure: RpcFailure, id: string): Reply {
  return jsonReply(statusOf(failure), failureText(failure, id))
}

async function answerBatch(request: readonly JsonValue[], execute: ExecuteRpc): Promise<Reply> {
  const fault = batchFault(request.length)
  if (fault !== undefined) throw new RpcFailure(internalError, fault)
  const answers = await answerEach(request, (element, hasRoom) =>
    answerElement(element, hasRoom ? execute : refuseFull),
  )
  return jsonReply(200, answers)
}

function refuseFull(): never {
  throw new RpcFailure(
    internalError,
    `not carried out: the answers to this batch are over ${answersMax} characters, send it in parts`,
  )
}

/**
 * Reads the body of a request.
 *
 * @param duplicates - `first` as the daemon; `none` where another reader follows
 * @throws {RpcFailure}
 */
export function readRequest(body: string | null, duplicates: 'first' | 'none'): JsonValue {
  const fault = body === null ? undefined : sizeFault(body)
  if (fault !== undefined) throw new RpcFailure(internalError, fault)
  try {
    if (body !== null) return parseJson(body, duplicates)
  } catch (error) {
    if (!(error instanceof JsonFaultError)) throw error
    // The daemon takes these, so the answer names this server's limit.
    if (error.fault !== 'not_json' && error.fault !== 'malformed_text') {
      const reason = error.fault === 'duplicate_member' ? 'a member is given twice' : error.message
      throw new RpcFailure(internalError, `the request is not read: ${reason}`)
    }
  }
  throw new RpcFailure(parseError, 'Parse error')
}

/** One element of a batch: whatever is wrong with it, the others are answered. */
async function answerElement(element: JsonValue, execute: ExecuteRpc): Promise<string> {
  const id = { text: 'null' }
  try {
    return await answerCall(element, id, execute)
  } catch (error) {
    return failureText(error as RpcFailure, id.text)
  }
}

/** Sets the id as soon as it is known, so that an error has it too. Throws RpcFailure only. */
async function answerCall(
  request: JsonValue,
  id: { text: string },
  execute: ExecuteRpc,
): Promise<string> {
  const call = readCall(request, id)
  try {
    return answerText(await execute(call), 'null', id.text)
  } catch (error) {
    if (error instanceof RpcFailure) throw error
    throw new RpcFailure(internalError, error instanceof Error ? error.message : String(error))
  }
}

/**
 * Reads one call. `id` has the JSON text of its id as soon as that is known, so that a failure has
 * it too.
 *
 * @throws {RpcFailure}
 * @see komodo src/rpc/server.cpp JSONRequest::parse
 */
export function readCall(request: JsonValue, id: { text: string }): RpcCall {
  if (!isJsonObject(request)) throw new RpcFailure(invalidRequest, 'Invalid Request object')
  id.text = daemonJson(memberOf(request, 'id') ?? null)
  const method = memberOf(request, 'method') ?? null
  if (method === null) throw new RpcFailure(invalidRequest, 'Missing method')
  if (typeof method !== 'string') throw new RpcFailure(invalidRequest, 'Method must be a string')
  const params = memberOf(request, 'params') ?? []
  if (!Array.isArray(params)) throw new RpcFailure(invalidRequest, 'Params must be an array')
  return { method, params }
}

/** @see komodo src/httprpc.cpp JSONErrorReply */
function statusOf({ code }: RpcFailure): number {
  if (code === invalidRequest) return 400
  return code === methodNotFoundCode ? 404 : 500
}

export function failureText({ code, message, isUncertain }: RpcFailure, id: string): string {
  const data = isUncertain ? ',"data":{"uncertain":true}' : ''
  return answerText('null', `{"code":${code},"message":${daemonJson(message)}${data}}`, id)
}

/** @see komodo src/rpc/protocol.cpp JSONRPCReplyObj */
export function answerText(result: string, error: string, id: string): string {
  return `{"result":${result},"error":${error},"id":${id}}`
}

export function jsonReply(status: number, text: string): Reply {
  return { status, headers: { 'content-type': 'application/json' }, body: `${text}\n` }
}

/**
 * A value as the daemon writes it: no blanks, numbers as they were read, and DEL escaped.
 *
 * @see komodo src/univalue/lib/univalue_escapes.h
 */
export function daemonJson(value: JsonValue): string {
  return stringifyJson(value).replaceAll('\x7f', '\\u007f')
}
