// Tasks: numbers that are the process's, tables that are a family's each, and a plan that a clock
// drives.

import type { VirtualClock } from './clock.ts'
import { internalError, MmError } from './errors.ts'
import type { FrameworkPreset } from './presets.ts'

/** An answer to a device's question. */
export interface UserAction {
  readonly action_type: 'TrezorPin' | 'TrezorPassphrase'
  /** The PIN or the passphrase. */
  readonly text: string
}

type Progress = string | Readonly<Record<string, unknown>>

/** The next thing that a plan waits for. */
export type Step =
  /** From now on this shows. */
  | { readonly progress: Progress }
  /** Infinity: for ever. */
  | { readonly waitMs: number }
  /** The user is asked; if no answer comes in time, `late` is thrown into the plan. */
  | { readonly asks: string; readonly limitMs: number; readonly late: () => MmError }

/** The steps of a task; it ends with its result, or throws an {@link MmError}. */
export type Plan = Generator<Step, unknown, UserAction | undefined>

type TaskStatus =
  | { readonly status: 'InProgress'; readonly details: Progress }
  | { readonly status: 'UserActionRequired'; readonly details: string }
  | { readonly status: 'Ok'; readonly details: unknown }
  | { readonly status: 'Error'; readonly details: unknown }

interface Task {
  readonly id: number
  readonly plan: Plan
  readonly clientId: number
  status: TaskStatus
  /** The progress that was shown before the question. */
  before: Progress
  /** When a wait ends; nothing while the user is asked. */
  dueAt: number | undefined
  callOff: () => void
}

/** Where errors of a family come up. */
export interface TaskFamily {
  readonly name: string
  readonly statusTrace: string
  readonly cancelTrace: string
}

export interface TaskTable {
  start(plan: Plan, initial: Progress, clientId: number): number
  status(id: number, forgetIfFinished: boolean): TaskStatus
  act(id: number, action: UserAction): void
  cancel(id: number): void
}

interface TaskContext {
  readonly clock: VirtualClock
  readonly preset: Pick<FrameworkPreset, 'wrapsTaskErrors' | 'errorTypes'>
  /** Told of each change, for the event stream and the log. */
  readonly onStatus: (family: string, id: number, clientId: number, status: TaskStatus) => void
}

/** Makes tables that share one row of numbers. */
export function createTaskTables(context: TaskContext): (family: TaskFamily) => TaskTable {
  let nextId = 0
  const tables = new Map<string, TaskTable>()
  return (family) => {
    const table = tables.get(family.name) ?? createTable(family, context, () => nextId++)
    tables.set(family.name, table)
    return table
  }
}

function createTable(family: TaskFamily, context: TaskContext, takeId: () => number): TaskTable {
  const { clock, preset } = context
  const tasks = new Map<number, Task>()

  const show = (task: Task, status: TaskStatus): void => {
    task.status = status
    context.onStatus(family.name, task.id, task.clientId, status)
  }
  const finish = (task: Task, status: TaskStatus): void => {
    task.dueAt = undefined
    task.callOff = () => undefined
    show(task, status)
  }
  /** Lets the plan go on until it waits, asks or ends. */
  const resume = (task: Task, enter: () => IteratorResult<Step, unknown>): void => {
    try {
      let next = enter()
      while (!next.done && 'progress' in next.value) {
        show(task, { status: 'InProgress', details: next.value.progress })
        next = task.plan.next()
      }
      if (next.done) finish(task, { status: 'Ok', details: next.value })
      else wait(task, next.value as Exclude<Step, { progress: Progress }>)
    } catch (error) {
      const failure = error instanceof MmError ? error : internalError(error, family.statusTrace)
      const members = failure.members(preset.errorTypes)
      const details = preset.wrapsTaskErrors ? { result: members } : members
      finish(task, { status: 'Error', details })
    }
  }
  const wait = (task: Task, step: Exclude<Step, { progress: Progress }>): void => {
    if ('waitMs' in step) {
      if (!Number.isFinite(step.waitMs)) {
        task.dueAt = undefined
        task.callOff = () => undefined
        return
      }
      task.dueAt = clock.now() + step.waitMs
      task.callOff = clock.after(step.waitMs, () => resume(task, () => task.plan.next()))
      return
    }
    task.before = task.status.details as Progress
    task.dueAt = undefined
    task.callOff = clock.after(step.limitMs, () => resume(task, () => task.plan.throw(step.late())))
    show(task, { status: 'UserActionRequired', details: step.asks })
  }

  return {
    start: (plan, initial, clientId) => {
      const task: Task = {
        id: takeId(),
        plan,
        clientId,
        status: { status: 'InProgress', details: initial },
        before: initial,
        dueAt: undefined,
        callOff: () => undefined,
      }
      tasks.set(task.id, task)
      show(task, task.status)
      resume(task, () => plan.next())
      return task.id
    },
    status: (id, forgetIfFinished) => {
      const task = tasks.get(id)
      if (task === undefined) throw noSuchTask(id, 400, family.statusTrace)
      const { status } = task
      if (forgetIfFinished && isFinished(status)) tasks.delete(id)
      if (clock.kind === 'look' && task.dueAt !== undefined) {
        clock.advance(task.dueAt - clock.now())
      }
      return status
    },
    act: (id, action) => {
      const task = tasks.get(id)
      if (task === undefined) throw noSuchTask(id, 400, `${family.cancelTrace} manager:0]`)
      if (task.status.status !== 'UserActionRequired') throw notAwaiting(task, family)
      task.callOff()
      show(task, { status: 'InProgress', details: task.before })
      resume(task, () => task.plan.next(action))
    },
    cancel: (id) => {
      const task = tasks.get(id)
      if (task === undefined) throw noSuchTask(id, 404, `${family.cancelTrace} manager:0]`)
      if (isFinished(task.status)) throw taskFinished(id, family)
      task.callOff()
      tasks.delete(id)
      task.plan.return(undefined)
    },
  }
}

function isFinished({ status }: TaskStatus): boolean {
  return status === 'Ok' || status === 'Error'
}

function noSuchTask(id: number, status: number, trace: string): MmError {
  return new MmError(`No such task '${id}'`, { status, type: 'NoSuchTask', data: id, trace })
}

function taskFinished(id: number, { cancelTrace }: TaskFamily): MmError {
  return new MmError('Task is finished already', {
    status: 409,
    type: 'TaskFinished',
    data: id,
    trace: `${cancelTrace} manager:101]`,
  })
}

/** @see komodo-defi-framework rpc_task, RpcTaskError::UnexpectedTaskStatus */
function notAwaiting({ id, status }: Task, { cancelTrace }: TaskFamily): MmError {
  const actual = isFinished(status) ? 'Finished' : 'InProgress'
  const text = `RPC '${id}' task is in unexpected status. Actual: '${actual}', expected: 'AwaitingUserAction'`
  return internalError(text, `${cancelTrace} manager:0]`)
}
