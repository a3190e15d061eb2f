import {
  isJsonObject,
  isLosslessNumber,
  type JsonValue,
  memberOf,
  stringifyJson,
} from '../../primitives/json.ts'
import { RpcError } from '../errors.ts'
import { httpError } from '../reply.ts'
import { frameworkError, isErrorAnswer } from './errors.ts'

/** Which of the server's two dispatchers a call is for. */
export type Dialect = 'mmrpc' | 'legacy'

/** One request without its password, members in the server's order. */
export interface FrameworkRequest {
  readonly dialect: Dialect
  readonly method: string
  /** `params` of an mmrpc call, absent where the server wants it absent; top members of a legacy one. */
  readonly params: object | undefined
  readonly id: number
}

/**
 * The request as text, password first.
 *
 * The server refuses any member besides these five, and an id that is no integer from 0.
 */
export function requestText(request: FrameworkRequest, userpass: string): string {
  const { dialect, method, params, id } = request
  if (dialect === 'legacy') return stringifyJson({ ...params, userpass, method })
  return stringifyJson({
    userpass,
    mmrpc: '2.0',
    method,
    ...(params !== undefined && { params }),
    id,
  })
}

/**
 * The result of one answer.
 *
 * Throws `framework` for an error of the server, `http` for a failing status that carries a
 * result, `shape` for the rest.
 */
export function resultOf(answer: JsonValue, request: FrameworkRequest, status: number): JsonValue {
  if (isErrorAnswer(answer)) throw frameworkError('framework', answer, { status })
  const result = request.dialect === 'legacy' ? legacyResult(answer) : memberOf(answer, 'result')
  if (result === undefined) {
    throw new RpcError('shape', 'the reply is no mmrpc answer', {
      reason: 'wrong_envelope',
      status,
    })
  }
  if (request.dialect === 'mmrpc') refuseOtherId(memberOf(answer, 'id'), request.id, status)
  if (status < 200 || status >= 300) throw httpError(status, '')
  return result
}

// Some legacy answers have a `result` among other members, some none: the answer is kept whole.
function legacyResult(answer: JsonValue): JsonValue | undefined {
  return isJsonObject(answer) ? answer : undefined
}

/** Answers of the documentation all have `id: null`; any other id must be the one that was sent. */
function refuseOtherId(answered: JsonValue | undefined, id: number, status: number): void {
  if (answered === undefined || answered === null) return
  if (isLosslessNumber(answered) && answered.value === String(id)) return
  throw new RpcError('shape', 'the reply belongs to another request', {
    reason: 'wrong_id',
    status,
    path: 'id',
    expected: String(id),
    received: stringifyJson(answered),
  })
}
