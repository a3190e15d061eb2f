import {
  isJsonObject,
  isLosslessNumber,
  type JsonValue,
  memberOf,
  stringifyJson,
} from '../../primitives/json.ts'
import { type Call, notAnswered, type Protocol } from '../calls.ts'
import { RpcError } from '../errors.ts'
import { readValue } from '../fields.ts'
import type { Redactor } from '../redaction.ts'
import { httpError } from '../reply.ts'
import { frameworkError, isErrorAnswer } from './errors.ts'

/** Which of the server's two dispatchers a call is for. */
export type Dispatcher = 'mmrpc' | 'legacy'

/** One call, checked and ready to be written. */
export interface FrameworkCall extends Call {
  readonly dispatcher: Dispatcher
  /** `params` of an mmrpc call, absent where the server wants it absent; top members of a legacy one. */
  readonly params: object | undefined
  /** Makes a value that was read fit to be seen. */
  readonly shown?: (value: unknown, redact: Redactor) => unknown
}

/** Secrets that users typed for tasks: any later reply about the task may quote them. */
export interface TaskSecrets {
  remember(taskId: number, secret: string): void
  of(taskId: number): readonly string[]
}

const secretTasksMax = 64
const secretsPerTaskMax = 8

export function createTaskSecrets(): TaskSecrets {
  const taskSecrets = new Map<number, readonly string[]>()
  return {
    of: (taskId) => taskSecrets.get(taskId) ?? [],
    remember(taskId, secret) {
      const before = taskSecrets.get(taskId) ?? []
      taskSecrets.delete(taskId)
      taskSecrets.set(taskId, [secret, ...before].slice(0, secretsPerTaskMax))
      const [oldest] = taskSecrets.keys()
      if (taskSecrets.size > secretTasksMax && oldest !== undefined) taskSecrets.delete(oldest)
    },
  }
}

/** mmrpc 2.0, and the older dispatcher beside it. */
export function frameworkProtocol(
  userpass: string | (() => string | Promise<string>),
  taskSecrets: TaskSecrets,
): Protocol<FrameworkCall> {
  return {
    async open(calls) {
      const password = typeof userpass === 'string' ? userpass : await userpass()
      return {
        headers: { 'content-type': 'application/json' },
        secrets: [password, ...calls.flatMap(({ taskId = -1 }) => taskSecrets.of(taskId))],
        write: ({ call, id }) => requestText(call, id, password),
      }
    },
    read(answer, { call, id }, { status, redact }) {
      // In a batch, an answer that the server could not write.
      if (answer === null) throw notAnswered()
      const value = readValue(call.result, resultOf(answer, call, id, status))
      return call.shown === undefined ? value : call.shown(value, redact)
    },
  }
}

/**
 * The request as text, password first.
 *
 * The server refuses any member besides these five, and an id that is no integer from 0.
 */
function requestText(call: FrameworkCall, id: number, userpass: string): string {
  const { dispatcher, method, params } = call
  if (dispatcher === 'legacy') return stringifyJson({ ...params, userpass, method })
  const given = params !== undefined && { params }
  return stringifyJson({ userpass, mmrpc: '2.0', method, ...given, id })
}

/**
 * The result of one answer.
 *
 * Throws `framework` for an error of the server, `http` for a failing status that carries a
 * result, `shape` for the rest.
 */
function resultOf(answer: JsonValue, call: FrameworkCall, id: number, status: number): JsonValue {
  if (isErrorAnswer(answer)) throw frameworkError('framework', answer, { status })
  const result = call.dispatcher === 'legacy' ? legacyResult(answer) : memberOf(answer, 'result')
  if (result === undefined) {
    throw new RpcError('shape', 'the reply is no mmrpc answer', {
      reason: 'wrong_envelope',
      status,
    })
  }
  if (call.dispatcher === 'mmrpc') refuseOtherId(memberOf(answer, 'id'), id, status)
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
