// `task::withdraw::*` through a guard. A task is verified by the call that began it, so its result
// reaches nobody else, and nothing is forgotten before it was verified.

import { randomInt } from 'node:crypto'
import { isJsonObject, isLosslessNumber, type LosslessNumber } from '../../primitives/json.ts'
import type { RecordedWithdrawal } from '../../rpc/safe-flow/withdraw-text.ts'
import type { Reply } from '../../server/http-server.ts'
import type { CarryOutOf } from '../admit.ts'
import type { Admitted } from '../call.ts'
import { refusedKey, refusedParameter, refusedTask } from '../refusals.ts'
import { resultText, textReply } from './answers.ts'
import type { FrameworkCall } from './call.ts'
import { withdrawRequest } from './withdraw-request.ts'
import {
  anotherForm,
  asked,
  detailsIn,
  type FrameworkParts,
  handOver,
  requireNoTransaction,
  resultIn,
} from './withdrawals.ts'

interface Task {
  /** The number of the server. */
  readonly id: LosslessNumber
  /** True if a restarted server gave the number to a later task. */
  isReplaced: boolean
  readonly user: string
  readonly withdrawal: RecordedWithdrawal
  /** The name that the client gave the payment. */
  readonly key: string | undefined
  /** Details that were handed over, as JSON text. */
  details?: string
}

const tasksMax = 10_000
/** Numbers of the guard. No server counts that far, and JavaScript writes each of them exactly. */
const [ownNumbersFrom, ownNumbersEnd] = [2 ** 31, 2 ** 48 - 1]

/** Returns the four methods of withdrawals that run as tasks. */
export function withdrawTasks(
  parts: FrameworkParts,
): readonly (readonly [string, CarryOutOf<FrameworkCall, Reply>])[] {
  // The keys are the numbers that programs have. A restarted server counts from 0 again, so a program
  // could take another payment for its own. So each guard counts by itself, from a random number.
  const tasks = new Map<string, Task>()
  let nextNumber = randomInt(ownNumbersFrom, ownNumbersEnd)

  async function init(call: FrameworkCall): Promise<Reply> {
    const withdrawal = withdrawRequest(call.params, parts.terms)
    const reply = await asked(parts, call)
    requireNoTransaction(reply)
    const { task_id: id } = resultIn(reply, call)
    if (!isLosslessNumber(id)) throw anotherForm()
    const number = String(nextNumber++)
    for (const task of tasks.values()) if (task.id.value === id.value) task.isReplaced = true
    const { user, key } = call
    tasks.set(number, { id, isReplaced: false, user, withdrawal, key })
    const [oldest] = tasks.keys()
    if (tasks.size > tasksMax && oldest !== undefined) tasks.delete(oldest)
    return textReply(200, resultText(`{"task_id":${number}}`, call))
  }

  function taskOf({ params, user, key }: FrameworkCall): Task {
    if (key !== undefined) {
      throw refusedKey('it with task::withdraw::init only')
    }
    const { task_id: number } = params
    const task = isLosslessNumber(number) ? tasks.get(number.value) : undefined
    // Another user's task is as unknown as any other.
    if (task?.user === user) return task
    throw refusedTask()
  }

  async function status(call: Admitted<FrameworkCall>): Promise<Reply> {
    const task = taskOf(call)
    const { id } = task
    const { forget_if_finished: forgets = true, task_id: _, ...rest } = call.params
    if (typeof forgets !== 'boolean' || Object.keys(rest).length > 0) {
      throw refusedParameter('params', 'task_id and forget_if_finished')
    }
    const done = (details: string) =>
      textReply(200, resultText(`{"status":"Ok","details":${details}}`, call))
    if (task.details !== undefined) return done(task.details)
    if (task.isReplaced) throw refusedTask()
    const reply = await asked(parts, lookOf(call, id, false))
    const result = resultIn(reply, call)
    if (result.status !== 'Ok') {
      requireNoTransaction(reply)
      return reply
    }
    const { details: inner } = result
    // The documentation wraps the details in another `result`.
    const details = isJsonObject(inner) && isJsonObject(inner.result) ? inner.result : inner
    const { key: _key, ...unnamed } = call
    const named = task.key === undefined ? unnamed : { ...call, key: task.key }
    const handed = await handOver(parts, named, task.withdrawal, async () =>
      detailsIn(details, reply.body),
    )
    task.details = handed.details
    // The server may forget it now: the guard has the answer.
    if (forgets) await asked(parts, lookOf(call, id, true)).catch(() => undefined)
    return handed.isFresh ? reply : done(handed.details)
  }

  /** Passes on an answer of a user to a device, or the end of a task. */
  async function act(call: FrameworkCall): Promise<Reply> {
    const { id, isReplaced } = taskOf(call)
    if (isReplaced) throw refusedTask()
    const reply = await asked(parts, { ...call, params: { ...call.params, task_id: id } })
    requireNoTransaction(reply)
    return reply
  }

  return [
    ['task::withdraw::init', init],
    ['task::withdraw::status', status],
    ['task::withdraw::user_action', act],
    ['task::withdraw::cancel', act],
  ]
}

function lookOf(call: FrameworkCall, id: LosslessNumber, forgets: boolean): FrameworkCall {
  return { ...call, params: { task_id: id, forget_if_finished: forgets }, hasParams: true }
}
