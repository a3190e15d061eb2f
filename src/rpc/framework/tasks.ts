// The methods that start a task, and `followTask`.

import { requireObject, requireString, requireUint32 } from '../../primitives/arguments.ts'
import type { JsonValue } from '../../primitives/json.ts'
import { memberNames, requireKnownMembers } from '../../primitives/known-members.ts'
import { snapshot, snapshotOptions } from '../../primitives/snapshot.ts'
import type { Caller } from '../calls.ts'
import { type Cancellation, RpcError } from '../errors.ts'
import { anything, type Schema, success } from '../fields.ts'
import { requireMilliseconds } from '../limits.ts'
import type { CallOptions } from '../options.ts'
import type { Redactor } from '../redaction.ts'
import { replyBytesMax } from '../reply-sizes.ts'
import type { Fetch } from '../transport.ts'
import { frameworkError, isFrameworkError } from './errors.ts'
import { type EventStream, openEventStream } from './events.ts'
import { broadcasts, prepared } from './methods.ts'
import * as params from './parameters.ts'
import { type FrameworkCall, type Subject, subjectIn, type TaskSecrets } from './protocol.ts'
import * as results from './results.ts'
import { type TaskCalls, type TaskHandle, type TaskOptions, watchTask } from './task.ts'

interface TaskResults {
  enable_bch: results.UtxoActivation
  enable_utxo: results.UtxoActivation
  withdraw: results.WithdrawDetails
}

/** Result of a task: typed for a known task, raw JSON otherwise. */
export type ResultOfTask<Task extends string> = Task extends keyof TaskResults
  ? TaskResults[Task]
  : JsonValue

/** Methods of a client for tasks of any name. */
export interface Tasks {
  /** Starts any task, such as `enable_utxo`, with the wire's parameters. */
  startTask<const Task extends string>(
    task: Task,
    params: object,
    options?: TaskOptions<ResultOfTask<Task>>,
  ): TaskHandle<ResultOfTask<Task>>
  /** Follows a running task, after a restart or a lost connection. */
  followTask<const Task extends string>(
    task: Task,
    taskId: number,
    options?: TaskOptions<ResultOfTask<Task>>,
  ): TaskHandle<ResultOfTask<Task>>

  /** Makes the bare call. A failed task is an answer here, not an error. */
  taskStatus<const Task extends string>(
    task: Task,
    params: params.TaskStatusParams,
    options?: CallOptions,
  ): Promise<results.TaskStatus<ResultOfTask<Task>>>
  /** Makes the bare call. No error contains the PIN or the passphrase. */
  taskUserAction(
    task: string,
    params: params.TaskUserActionParams,
    options?: CallOptions,
  ): Promise<'success'>
  /** Makes the bare call. `TaskFinished` and `NoSuchTask` are errors here. */
  taskCancel(
    task: string,
    params: params.TaskCancelParams,
    options?: CallOptions,
  ): Promise<'success'>
}

const taskResults: { readonly [Task in keyof TaskResults]: Schema<TaskResults[Task]> } = {
  enable_bch: results.utxoActivation,
  enable_utxo: results.utxoActivation,
  withdraw: results.withdrawDetails,
}

const forgetMsMax = 2_000

export function createTasks(
  caller: Caller<FrameworkCall>,
  taskSecrets: TaskSecrets,
  events: { readonly url: string; readonly fetch: Fetch | undefined },
): Tasks {
  const taskStatus = async <Task extends string>(
    task: Task,
    given: params.TaskStatusParams,
    callOptions?: CallOptions,
  ): Promise<results.TaskStatus<ResultOfTask<Task>>> =>
    caller.call(statusCall(task, params.taskParams(snapshot(given, 'params'))), callOptions)

  const taskUserAction: Tasks['taskUserAction'] = async (task, action, callOptions) => {
    const given = snapshot(action, 'params')
    const call = acceptedCall(`task::${task}::user_action`, params.userActionParams(given))
    taskSecrets.remember(given.task_id, params.secretOf(given.user_action))
    return caller.call(call, callOptions)
  }

  const taskCancel: Tasks['taskCancel'] = async (task, cancelled, callOptions) => {
    const given = params.taskParams(snapshot(cancelled, 'params'))
    return caller.call(acceptedCall(`task::${task}::cancel`, given), callOptions)
  }

  const callsOf = <Task extends string>(
    task: Task,
    init: TaskCalls<ResultOfTask<Task>>['init'],
    subject?: Subject,
    stream?: { readonly open: EventStream | undefined },
  ): TaskCalls<ResultOfTask<Task>> => ({
    init,
    status: (task_id, forget_if_finished, signal) =>
      caller.call(
        { ...statusCall(task, params.taskParams({ task_id, forget_if_finished })), subject },
        forget_if_finished ? { signal, timeoutMs: forgetMsMax, retry: false } : { signal },
      ),
    act: async (task_id, user_action) => {
      await taskUserAction(task, { task_id, user_action })
    },
    cancel: (task_id, timeoutMs) =>
      taskCancel(task, { task_id }, { timeoutMs }).then(() => 'cancelled', cancellationOf),
    failure: (taskId, { details }) => taskFailure(task, taskId, details),
    listen: (taskId, wake) => listenTo(stream?.open, taskId, wake),
  })

  return {
    taskStatus,
    taskUserAction,
    taskCancel,
    startTask: <Task extends string>(
      task: Task,
      wantedParams: object,
      wantedOptions: TaskOptions<ResultOfTask<Task>> = {},
    ): TaskHandle<ResultOfTask<Task>> => {
      requireString(task, 'task')
      requireObject(wantedParams, 'params')
      const given = snapshot(wantedParams, 'params')
      const taskOptions = takenOptions(wantedOptions)
      const stream: { open: EventStream | undefined } = { open: undefined }
      const init = async (signal: AbortSignal | undefined): Promise<number> => {
        let wanted = given
        if (taskOptions.events === true) {
          const clientId = clientIdOf(given)
          const opened = openEventStream(events.url, events.fetch, clientId, taskOptions.signal)
          stream.open = await opened
          wanted = { ...given, client_id: stream.open.clientId }
        }
        const call = prepared(`task::${task}::init`, wanted, {
          result: results.taskId,
          replyBytesMax: replyBytesMax.scalar,
          signalUntilSent: taskOptions.signal,
        })
        try {
          const { task_id } = await caller.call<{ readonly task_id: number }>(call, { signal })
          return task_id
        } catch (error) {
          stream.open?.close()
          throw error
        }
      }
      const calls = callsOf(task, init, subjectOf(task, given), stream)
      const handle = watchTask({ ...calls, pays: broadcasts(task, given) }, taskOptions)
      // Closes the stream even if the watch ended before it listened.
      const close = (): void => stream.open?.close()
      handle.then(close, close)
      return handle
    },
    followTask: (task, taskId, wantedOptions = {}) => {
      requireString(task, 'task')
      requireUint32(taskId, 'taskId')
      const taskOptions = takenOptions(wantedOptions)
      return watchTask(
        callsOf(task, async () => taskId),
        taskOptions,
      )
    },
  }
}

const taskMembers = memberNames<TaskOptions>({
  signal: true,
  cancelOnAbort: true,
  pollMs: true,
  onStatus: true,
  onUserAction: true,
  events: true,
})

/** @throws {TypeError} with the name of the intended option */
function takenOptions<Options extends TaskOptions<never>>(given: Options): Options {
  const taken = snapshotOptions(given, 'options')
  requireKnownMembers(taken, taskMembers, 'options')
  const { pollMs } = taken
  if (pollMs !== undefined && typeof pollMs !== 'function') {
    requireMilliseconds(pollMs, 'options.pollMs')
  }
  return taken
}

function statusCall(task: string, given: params.TaskStatusParams): FrameworkCall {
  const details = isTypedTask(task) ? taskResults[task] : anything
  return prepared(`task::${task}::status`, given, {
    // If the lost answer made the server forget the task, a repetition would turn a finished task
    // into an unknown one.
    safety: given.forget_if_finished === false ? 'read' : 'other',
    taskId: given.task_id,
    result: results.taskStatus<unknown>(details),
    replyBytesMax: replyBytesMax.list,
    shown: shownStatus,
    shownText: (text, value, redact) =>
      (value as results.TaskStatus).status === 'Ok' ? redact.resultText(text) : redact.text(text),
  })
}

/** Makes a call about a task that the server only accepts. */
function acceptedCall(method: string, given: params.TaskCancelParams): FrameworkCall {
  return prepared(method, given, {
    result: success,
    replyBytesMax: replyBytesMax.scalar,
    taskId: given.task_id,
  })
}

const namesOfTasks: { readonly [Task in keyof TaskResults]: Subject['member'] } = {
  enable_bch: 'ticker',
  enable_utxo: 'ticker',
  withdraw: 'coin',
}

function subjectOf(task: string, given: object): Subject | undefined {
  return isTypedTask(task) ? subjectIn(given, namesOfTasks[task]) : undefined
}

function isTypedTask(task: string): task is keyof TaskResults {
  return Object.hasOwn(taskResults, task)
}

/** Redacts a status. Like errors, statuses are shown and logged, and may quote what was sent. */
function shownStatus(value: unknown, redact: Redactor): unknown {
  const status = value as results.TaskStatus
  const hide = status.status === 'Ok' ? redact.result : redact.value
  return { ...status, details: hide(status.details) }
}

function taskFailure(task: string, taskId: number, details: results.TaskErrorDetails): RpcError {
  const method = `task::${task}`
  const error = frameworkError('task', details as unknown as JsonValue, { taskId })
  const { errorType, errorData, errorPath, errorTrace } = error
  const facts = { method, taskId, errorType, errorData, errorPath, errorTrace }
  return new RpcError('task', `${method}: ${error.message}`, facts)
}

// The server's message for a task that an earlier cancel is stopping; it has no type of its own.
// src: komodo-defi-framework rpc_task, RpcTaskError::UnexpectedTaskStatus
const beingCancelled = "Actual: 'Cancelled'"

function cancellationOf(error: unknown): Cancellation {
  if (isFrameworkError(error, 'TaskFinished')) return 'already-finished'
  if (isFrameworkError(error, 'NoSuchTask')) return 'unknown'
  if (isFrameworkError(error, 'Internal') && error.message.includes(beingCancelled)) {
    return 'cancelled'
  }
  throw error
}

function listenTo(stream: EventStream | undefined, taskId: number, wake: () => void): () => void {
  const stop = stream?.listen(taskId, wake)
  return () => {
    stop?.()
    stream?.close()
  }
}

/** Returns the caller's number for the event stream, or a random one. */
function clientIdOf(given: object): number {
  const own: unknown = (given as { client_id?: unknown }).client_id
  return typeof own === 'number' ? own : 1 + Math.floor(Math.random() * (2 ** 31 - 1))
}
