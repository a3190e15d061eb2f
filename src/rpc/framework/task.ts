// A task of the framework as a handle: its result, its statuses, and its cancellation.

import { stringifyJson } from '../../primitives/json.ts'
import { notify } from '../../primitives/observers.ts'
import { snapshot } from '../../primitives/snapshot.ts'
import { sleep, untilStopped, whenAborted } from '../clock.ts'
import { abortedBy, type Cancellation, isRpcError, RpcError, withDetails } from '../errors.ts'
import type { UserAction } from './parameters.ts'
import type { TaskStatus, UserActionNeed } from './results.ts'

/** Options of a task besides its parameters. */
export interface TaskOptions<T = unknown> {
  /**
   * Ends the wait; the error is of kind `aborted`. It also cancels the task, see `cancelOnAbort`:
   * the handle rejects when the server has answered, or within seconds, and the error's
   * `cancellation` has the result. It is absent if no request was sent.
   */
  readonly signal?: AbortSignal | undefined
  /** Default true. False leaves the task running at the server when `signal` aborts. */
  readonly cancelOnAbort?: boolean | undefined
  /**
   * Milliseconds between two polls, or a function of their number. Default 0.5 s, then 1 s, 2 s, 5
   * s and so on.
   */
  readonly pollMs?: number | ((polls: number) => number) | undefined
  /** Called with each status that differs from the previous one. Its errors are ignored. */
  readonly onStatus?: ((status: TaskStatus<T>) => unknown) | undefined
  /**
   * Called when the device requests a PIN or a passphrase; its answer is sent. If it throws, the
   * task is cancelled and the handle rejects, with that error as `cause`.
   */
  readonly onUserAction?: ((need: UserActionNeed) => UserAction | Promise<UserAction>) | undefined
  /** Also listens to the server's event stream, so that a change is noticed at once. */
  readonly events?: boolean | undefined
}

/**
 * A task at the server. Await it for the result, iterate it for its statuses, or cancel it.
 *
 * A restarted server numbers tasks from the start, so your id may name another program's task. A
 * result about another coin is refused. A withdrawal of the same coin is not refused: verify it with
 * `verifyWithdraw` before you broadcast it. `followTask` knows no coin, so verify its result. Statuses
 * and device requests name no coin. After a lost connection, your PIN or `cancel()` may reach another
 * program's task.
 *
 * A lost reply does not lose the result: the server forgets it only after it has been read. An
 * iteration yields every status from the first, whenever it begins.
 *
 * @example
 * const task = framework.enableBch(params)
 * for await (const { status, details } of task) console.log(status, details)
 * const { wallet_balance } = await task
 */
export interface TaskHandle<T> extends PromiseLike<T>, AsyncIterable<TaskStatus<T>> {
  /** Number of the task at the server, once it is known. */
  readonly id: Promise<number>
  /** Answers a device's request without `onUserAction`. */
  act(action: UserAction): Promise<void>
  /**
   * Stops the task at the server.
   *
   * `cancelled`: it will not finish, and the handle rejects. `already-finished`: the result can
   * still be had from the handle. `unknown`: the server knows no such task any more.
   */
  cancel(): Promise<Cancellation>
}

export interface TaskCalls<T> {
  /** True if the task broadcasts a payment, which its failure does not take back. */
  readonly pays?: boolean
  init(signal: AbortSignal | undefined): Promise<number>
  status(id: number, forget: boolean, signal: AbortSignal | undefined): Promise<TaskStatus<T>>
  act(id: number, action: UserAction): Promise<void>
  cancel(id: number, timeoutMs?: number): Promise<Cancellation>
  /** Returns the error of a task that ended in `Error`. */
  failure(id: number, status: TaskStatus<T> & { readonly status: 'Error' }): RpcError
  /** Calls `wake` when the task has news. Returns a function that stops it. */
  listen?(id: number, wake: () => void): () => void
}

const pollMsDefault = (polls: number): number => [500, 1_000, 2_000][polls] ?? 5_000

// After an abort, the handle waits at most this long for the server to confirm that the task
// stopped.
const cancelMsMax = 5_000

// A server that restarts misses a few polls; one that misses more is considered gone.
const failedPollsMax = 5

/** Starts a task, or follows the one that `init` names, until it ends. */
export function watchTask<T>(calls: TaskCalls<T>, options: TaskOptions<T>): TaskHandle<T> {
  const { signal, cancelOnAbort = true } = options
  const log = statusLog<T>(options.onStatus)
  const id = begin(calls, options)
  const stop = createStop(id, calls)
  const asPayment = paymentErrors(id)
  const leave =
    signal && whenAborted(signal, () => stop.because(abortedBy(signal), { cancels: cancelOnAbort }))

  const outcome = untilStopped(id, stop.signal)
    .catch((error) => {
      throw stop.signal.aborted ? stop.signal.reason : error
    })
    .then((task) => follow(task, calls, options, log, stop))
    .catch(stop.explain)
    .catch((error) => {
      throw calls.pays === true ? asPayment(error) : error
    })
    .finally(() => leave?.())
  outcome.then(
    () => log.close(),
    (error) => log.close(error),
  )

  let cancellation: Promise<Cancellation> | undefined
  return {
    id,
    // biome-ignore lint/suspicious/noThenProperty: a handle is awaited for its result.
    then: (onResult, onError) => outcome.then(onResult, onError),
    [Symbol.asyncIterator]: () => log.statuses(),
    act: async (action) => {
      const taken = snapshot(action, 'action')
      return calls.act(await id, taken)
    },
    cancel: async () => {
      cancellation ??= id
        .then((task) => calls.cancel(task))
        .catch((error) => {
          // The next call asks the server again.
          cancellation = undefined
          throw error
        })
      const answer = await cancellation
      if (answer === 'cancelled') {
        stop.because(new RpcError('aborted', 'the task was cancelled'), { cancels: false })
      }
      return answer
    },
  }
}

/**
 * Returns a function that marks the error of a paying task as uncertain, unless the task cannot have
 * begun. A server reports a failure, or cancels a task, also after it has relayed the transaction.
 */
function paymentErrors(id: Promise<number>): (error: unknown) => unknown {
  let unbegun: unknown
  id.catch((error) => {
    unbegun = error
  })
  return (error) => {
    const isBegun = unbegun === undefined || (isRpcError(unbegun) && unbegun.uncertain === true)
    return isBegun && isRpcError(error) ? withDetails(error, { uncertain: true }) : error
  }
}

/** Ends the watch, and the task at the server with it. */
interface Stop {
  readonly signal: AbortSignal
  because(error: RpcError, how: { readonly cancels: boolean }): void
  /** Throws `error`. If it stopped the watch, waits for the result of the cancellation first. */
  explain(error: unknown): Promise<never>
}

function createStop<T>(id: Promise<number>, calls: TaskCalls<T>): Stop {
  const halt = new AbortController()
  let cancelling: ReturnType<typeof cancelTask> | undefined
  let taskId: number | undefined
  id.then(
    (number) => {
      taskId = number
    },
    () => undefined,
  )
  return {
    signal: halt.signal,
    because(error, { cancels }) {
      if (halt.signal.aborted) return
      if (cancels) cancelling = cancelTask(id, calls)
      halt.abort(error)
    },
    async explain(error) {
      if (error !== halt.signal.reason || cancelling === undefined) throw error
      const cancellation = await cancelling
      if (cancellation === 'not-started') throw error
      const { message, cause } = error as RpcError
      const suffix = cancellation === 'failed' ? '; the task could not be cancelled' : ''
      throw new RpcError('aborted', `${message}${suffix}`, { cause, cancellation, taskId })
    },
  }
}

/** Cancels a task and returns the result within seconds, even if the task's number comes later. */
async function cancelTask<T>(
  id: Promise<number>,
  calls: TaskCalls<T>,
): Promise<Cancellation | 'failed' | 'not-started'> {
  const patience = new AbortController()
  const answer = id
    .then((task) => calls.cancel(task, cancelMsMax))
    .catch((error) => (isRpcError(error, 'aborted') ? 'not-started' : 'failed'))
  const timeout = sleep(cancelMsMax, patience.signal).then(
    () => 'failed' as const,
    () => 'failed' as const,
  )
  return Promise.race([answer, timeout]).finally(() => patience.abort())
}

function begin<T>(calls: TaskCalls<T>, { signal, cancelOnAbort = true }: TaskOptions<T>) {
  // A request that is aborted after it was sent would still start the task, and its number would be
  // lost. So such an abort waits for the number and cancels then.
  const id = signal?.aborted
    ? Promise.reject<number>(abortedBy(signal))
    : calls.init(cancelOnAbort ? undefined : signal)
  // The handle reports a failure to its caller, so this promise ignores it.
  id.catch(() => undefined)
  return id
}

/** Polls the status until it is final, and passes the device's requests to the caller. */
async function follow<T>(
  task: number,
  calls: TaskCalls<T>,
  options: TaskOptions<T>,
  log: StatusLog<T>,
  stop: Stop,
): Promise<T> {
  const { signal: halt } = stop
  const alarm = createAlarm(halt)
  const actions = createActionHandler(task, calls, options.onUserAction, stop, alarm.ring)
  const stopListening = calls.listen?.(task, alarm.ring)
  try {
    let failedPolls = 0
    for (let polls = 0; ; polls++) {
      const question = actions.round()
      const status = await calls.status(task, false, halt).catch((error) => {
        if (halt.aborted) throw halt.reason
        failedPolls++
        if (!isPassing(error) || failedPolls >= failedPollsMax) throw error
      })
      if (status !== undefined) {
        failedPolls = 0
        log.add(status)
        if (status.status === 'Ok') return status.details
        if (status.status === 'Error') throw calls.failure(task, status)
        if (status.status === 'UserActionRequired') actions.ask(status.details, question)
      }
      await alarm.wait(pollDelayMs(options.pollMs, polls))
      if (halt.aborted) throw halt.reason
    }
  } finally {
    stopListening?.()
    // The final status has been read, so the server may forget it. A failure is ignored, because a
    // remembered task costs the server only a few bytes.
    if (log.isFinal()) await calls.status(task, true, undefined).catch(() => undefined)
  }
}

function isPassing(error: unknown): boolean {
  return (
    isRpcError(error, 'transport') ||
    isRpcError(error, 'timeout') ||
    (isRpcError(error, 'http') && error.reason === 'unavailable')
  )
}

function pollDelayMs(pollMs: TaskOptions['pollMs'], polls: number): number {
  return typeof pollMs === 'number' ? pollMs : (pollMs ?? pollMsDefault)(polls)
}

/**
 * Passes each request of the device to the caller once. A status that was sent before the answer
 * arrived repeats the old request, which is not passed again.
 */
function createActionHandler<T>(
  task: number,
  calls: TaskCalls<T>,
  onUserAction: TaskOptions<T>['onUserAction'],
  stop: Stop,
  ring: () => void,
) {
  let isAsking = false
  let answers = 0

  const giveUp = (error: RpcError): void => stop.because(error, { cancels: true })
  const answer = async (need: UserActionNeed): Promise<void> => {
    let action: UserAction
    try {
      action = await onUserAction!(need)
    } catch (cause) {
      giveUp(new RpcError('aborted', 'the device was not answered', { cause, taskId: task }))
      return
    }
    // A lost answer is requested again; a late one shows in the next status.
    await calls.act(task, action).catch((error) => {
      if (!isPassing(error) && !isRpcError(error, 'framework')) giveUp(error)
    })
  }

  return {
    round: (): number => answers,
    ask: (need: UserActionNeed, round: number): void => {
      if (onUserAction === undefined || isAsking || round !== answers) return
      isAsking = true
      answer(need).finally(() => {
        isAsking = false
        answers++
        ring()
      })
    },
  }
}

/** Makes a wait that can be cut short, during it or in advance. */
function createAlarm(halt: AbortSignal) {
  let isRung = false
  let wake = (): void => undefined
  return {
    ring: (): void => {
      isRung = true
      wake()
    },
    wait: async (ms: number): Promise<void> => {
      if (!isRung && !halt.aborted) {
        const nap = new AbortController()
        wake = () => nap.abort()
        halt.addEventListener('abort', wake, { once: true })
        await sleep(ms, nap.signal).catch(() => undefined)
        halt.removeEventListener('abort', wake)
      }
      isRung = false
    },
  }
}

interface StatusLog<T> {
  add(status: TaskStatus<T>): void
  isFinal(): boolean
  /** Ends the log: the task ended, or the watch failed with `error`. */
  close(error?: unknown): void
  statuses(): AsyncIterator<TaskStatus<T>>
}

/**
 * Keeps every status that differs from the previous one, so that a reader can begin with the first.
 */
function statusLog<T>(onStatus: TaskOptions<T>['onStatus']): StatusLog<T> {
  const kept: TaskStatus<T>[] = []
  let lastText = ''
  let closed: { readonly error: unknown } | undefined
  let announce: () => void
  let news: Promise<void>
  const turn = (): void => {
    announce?.()
    news = new Promise((resolve) => {
      announce = resolve
    })
  }
  turn()

  const isFinal = (): boolean => {
    const status = kept.at(-1)?.status
    return status === 'Ok' || status === 'Error'
  }
  async function* statuses(): AsyncGenerator<TaskStatus<T>, void, undefined> {
    for (let index = 0; ; ) {
      const status = kept[index]
      if (status !== undefined) {
        index++
        yield status
      } else if (closed !== undefined) {
        if (!isFinal()) throw closed.error
        return
      } else await news
    }
  }
  return {
    add: (status) => {
      const text = stringifyJson(status)
      if (text === lastText) return
      lastText = text
      kept.push(status)
      turn()
      notify(onStatus, status)
    },
    isFinal,
    close: (error) => {
      closed ??= { error }
      turn()
    },
    statuses,
  }
}
