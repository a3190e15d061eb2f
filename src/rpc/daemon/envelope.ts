import { isJsonObject, type JsonValue, memberOf, stringifyJson } from '../../primitives/json.ts'
import { RpcError } from '../errors.ts'
import { integer, readValue, text } from '../fields.ts'
import { httpError } from '../reply.ts'
import { codeNameOf } from './codes.ts'

// The daemon ignores `jsonrpc` and echoes any `id`; its documentation sends "1.0" and a string.
export function requestText(method: string, params: readonly unknown[], id: string): string {
  return stringifyJson({ jsonrpc: '1.0', id, method, params })
}

/**
 * The `result` of one answer, single or out of a batch.
 *
 * Throws `daemon` for a JSON-RPC error, `module` for a contract module's failure inside a
 * successful answer, `http` for a failing status that carries a result, `shape` for the rest.
 */
export function resultOf(answer: JsonValue, id: string, status: number): JsonValue {
  const error = memberOf(answer, 'error')
  const result = memberOf(answer, 'result')
  if (!isJsonObject(answer) || error === undefined || result === undefined) {
    throw new RpcError('shape', 'the reply is no JSON-RPC answer', {
      reason: 'wrong_envelope',
      status,
    })
  }
  const answeredId = memberOf(answer, 'id')
  // A request that could not be read has no id to echo.
  if (answeredId !== id && !(answeredId === null && error !== null)) {
    throw new RpcError('shape', 'the reply belongs to another request', {
      reason: 'wrong_id',
      status,
      path: 'id',
      expected: id,
      received: stringifyJson(answeredId ?? null),
    })
  }
  if (error !== null) throw daemonError(error, status)
  if (status < 200 || status >= 300) throw httpError(status, '')
  refuseModuleFailure(result)
  return result
}

function daemonError(error: JsonValue, status: number): RpcError {
  const code = readValue(integer, memberOf(error, 'code') ?? null, 'error.code')
  const message = readValue(text, memberOf(error, 'message') ?? null, 'error.message')
  const codeName = codeNameOf(code)
  return new RpcError('daemon', `${message.trim()} (${code} ${codeName})`, {
    status,
    code,
    codeName,
  })
}

/** Contract modules answer `{"result":"error","error":"…"}` with `error: null` around it. */
function refuseModuleFailure(result: JsonValue): void {
  if (memberOf(result, 'result') !== 'error') return
  const message = memberOf(result, 'error')
  throw new RpcError('module', typeof message === 'string' ? message : 'failed without a reason', {
    status: 200,
  })
}
