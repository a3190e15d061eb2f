// The daemon's JSON-RPC: writes requests, and reads results and errors.

import { isJsonObject, type JsonValue, memberOf, stringifyJson } from '../../primitives/json.ts'
import type { Call, Numbered, Protocol, Reading } from '../calls.ts'
import { isRpcError, RpcError } from '../errors.ts'
import { integer, readValue, text } from '../fields.ts'
import { base64 } from '../redaction.ts'
import { httpError } from '../reply.ts'
import { alreadyInChain, codeNameOf } from './codes.ts'
import { txidOfHex } from './parameter.ts'

export interface DaemonCredentials {
  readonly user: string
  readonly password: string
}

export type Credentials = () => DaemonCredentials | Promise<DaemonCredentials>

export interface DaemonCall extends Call {
  readonly params: readonly unknown[]
  /** The txid of the raw transaction of a broadcast. */
  readonly expectedTxid?: string | undefined
}

/** Returns JSON-RPC 1.0 in the daemon's form. */
export function daemonProtocol(credentials: Credentials): Protocol<DaemonCall> {
  let last = { login: '', authorization: '' }
  return {
    async open() {
      const { user, password } = await credentials()
      const login = `${user}:${password}`
      if (login !== last.login) last = { login, authorization: base64(login) }
      const { authorization } = last
      return {
        headers: { authorization: `Basic ${authorization}`, 'content-type': 'text/plain;' },
        secrets: [authorization, login, password],
        // The daemon ignores `jsonrpc` and echoes any `id`; its documentation sends "1.0" and a
        // string.
        write: ({ call: { method, params }, id }) =>
          stringifyJson({ jsonrpc: '1.0', id: String(id), method, params }),
      }
    },
    read(answer, request, reading) {
      const { call } = request
      const value = readValue(call.result, resultUnlessSent(answer, request, reading))
      const { method, expectedTxid } = call
      if (method === 'sendrawtransaction' && value !== (expectedTxid ?? value)) {
        throw wrongTxid(expectedTxid, String(value))
      }
      return value
    },
  }
}

/**
 * Returns the txid if the daemon answers that the broadcast transaction is already in the chain.
 */
function resultUnlessSent(
  answer: JsonValue,
  { call, id }: Numbered<DaemonCall>,
  { status, attempt }: Reading,
): JsonValue {
  try {
    return resultOf(answer, String(id), status)
  } catch (error) {
    const [hex] = call.params
    const isThere = isRpcError(error, 'daemon') && error.code === alreadyInChain
    if (!isThere || call.method !== 'sendrawtransaction' || typeof hex !== 'string') throw error
    const txid = txidOfHex(hex)
    const isOurs = call.expectedTxid === undefined ? attempt > 1 : txid === call.expectedTxid
    if (!isOurs) throw error
    return txid
  }
}

function wrongTxid(expected: string | undefined, received: string): RpcError {
  return new RpcError('shape', 'the daemon answered with the id of another transaction', {
    reason: 'wrong_txid',
    path: 'result',
    expected,
    received,
  })
}

/**
 * Returns the `result` of one answer, single or out of a batch.
 *
 * Throws `daemon` for a JSON-RPC error, `module` for a contract module's failure inside a
 * successful answer, `http` for a failing status that carries a result, `shape` for the rest.
 */
function resultOf(answer: JsonValue, id: string, status: number): JsonValue {
  const error = memberOf(answer, 'error')
  const result = memberOf(answer, 'result')
  const isAnswer = isJsonObject(answer) && error !== undefined && result !== undefined
  // An error beside a result contradicts it, so nobody knows what was carried out. komodo
  // src/rpc/protocol.cpp, JSONRPCReplyObj: a result beside an error is null.
  if (!isAnswer || (error !== null && result !== null)) {
    throw new RpcError('shape', 'the reply is not a JSON-RPC answer', {
      reason: 'wrong_envelope',
      status,
    })
  }
  const answeredId = memberOf(answer, 'id')
  // The answer to an unreadable request has no id.
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
  // A guard answers so if it does not know whether the daemon carried out the call.
  if (memberOf(memberOf(error, 'data'), 'uncertain') === true) {
    return new RpcError('transport', message.trim(), { status, code, reason: 'connection_lost' })
  }
  return new RpcError('daemon', `${message.trim()} (${code} ${codeName})`, {
    status,
    code,
    codeName,
  })
}

/**
 * Throws for a contract module's failure: `{"result":"error","error":"…"}` beside `error: null`.
 */
function refuseModuleFailure(result: JsonValue): void {
  if (memberOf(result, 'result') !== 'error') return
  const message = memberOf(result, 'error')
  throw new RpcError('module', typeof message === 'string' ? message : 'failed without a reason', {
    status: 200,
  })
}
