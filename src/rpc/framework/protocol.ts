// The framework's mmrpc: writes requests, and reads results and errors.

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

/** The dispatcher of the server that a call is for. */
export type Dispatcher = 'mmrpc' | 'legacy'

export interface FrameworkCall extends Call {
  readonly dispatcher: Dispatcher
  /**
   * `params` of an mmrpc call, absent if the server requires that; the further members of a legacy
   * call.
   */
  readonly params: object | undefined
  /** The coin that the call is about; a result that names another one is refused. */
  readonly subject?: Subject | undefined
  /** Redacts a value that observers see. */
  readonly shown?: (value: unknown, redact: Redactor) => unknown
}

/** A coin, and the member that names it in the parameters and in the result. */
export interface Subject {
  readonly member: 'coin' | 'ticker'
  readonly name: string
}

export function subjectIn(
  params: object | undefined,
  member: Subject['member'],
): Subject | undefined {
  const name = (params as { readonly [name in string]?: unknown } | undefined)?.[member]
  return typeof name === 'string' ? { member, name } : undefined
}

/** Secrets that users typed for tasks. Any later reply about a task may quote them. */
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

/** Returns the protocol: mmrpc 2.0, and the older dispatcher beside it. */
export function frameworkProtocol(
  userpass: string | (() => string | Promise<string>),
  taskSecrets: TaskSecrets,
): Protocol<FrameworkCall> {
  return {
    async open(calls) {
      const password = typeof userpass === 'string' ? userpass : await userpass()
      return {
        headers: { 'content-type': 'application/json' },
        secrets: [password],
        typed: calls.flatMap(({ taskId = -1 }) => taskSecrets.of(taskId)),
        write: ({ call, id }) => requestText(call, id, password),
      }
    },
    read(answer, { call, id }, { status, redact }) {
      // `null` in a batch stands for an answer that the server could not write.
      if (answer === null) throw notAnswered()
      const value = readValue(call.result, resultOf(answer, call, id, status))
      if (call.subject !== undefined) refuseOtherCoin(value, call.subject, status)
      return call.shown === undefined ? value : call.shown(value, redact)
    },
  }
}

/**
 * Returns the request as text, password first.
 *
 * The server refuses any other member, and an id that is not an integer from 0.
 */
function requestText(call: FrameworkCall, id: number, userpass: string): string {
  const { dispatcher, method, params } = call
  if (dispatcher === 'legacy') return stringifyJson({ ...params, userpass, method })
  const given = params !== undefined && { params }
  return stringifyJson({ userpass, mmrpc: '2.0', method, ...given, id })
}

/**
 * Returns the result of one answer.
 *
 * Throws `framework` for an error of the server, `http` for a failing status that carries a
 * result, `shape` for the rest.
 */
function resultOf(answer: JsonValue, call: FrameworkCall, id: number, status: number): JsonValue {
  if (isErrorAnswer(answer)) throw frameworkError('framework', answer, { status })
  const result = call.dispatcher === 'legacy' ? legacyResult(answer) : memberOf(answer, 'result')
  if (result === undefined) {
    throw new RpcError('shape', 'the reply is not an mmrpc answer', {
      reason: 'wrong_envelope',
      status,
    })
  }
  if (call.dispatcher === 'mmrpc') refuseOtherId(memberOf(answer, 'id'), id, status)
  if (status < 200 || status >= 300) throw httpError(status, '')
  return result
}

// Legacy answers may have a `result` among other members, or none, so the whole answer is kept. An
// `error` of any form is no success.
function legacyResult(answer: JsonValue): JsonValue | undefined {
  return isJsonObject(answer) && (answer.error ?? null) === null ? answer : undefined
}

/** Refuses the id of another request. `id: null` is accepted, as in the documentation's answers. */
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

/**
 * Refuses a result about another coin. A legacy answer has no id, and a task's number may name
 * the task of another program after a restart of the server.
 */
function refuseOtherCoin(value: unknown, { member, name }: Subject, status: number): void {
  const answer = value as { readonly [name in string]?: unknown }
  const about = answer.status === 'Ok' ? answer.details : answer
  const answered = (about as { readonly [name in string]?: unknown } | null)?.[member]
  if (typeof answered !== 'string' || answered.toUpperCase() === name.toUpperCase()) return
  throw new RpcError('shape', 'the reply is about another coin', {
    reason: 'wrong_id',
    status,
    path: member,
    expected: name,
    received: answered,
  })
}
