import { type Clock, Stopped, sleep, startClock, untilStopped } from './clock.ts'
import { RpcError, type RpcErrorDetails } from './errors.ts'
import { type Redactor, redactor } from './redaction.ts'
import {
  backOffMs,
  type MethodTrait,
  mayRetry,
  mostCareful,
  type RetryPolicy,
  retryDefault,
} from './retry.ts'
import type { Fetch, RpcResponse, RpcTransport } from './transport.ts'
import { httpTransport } from './transport.ts'

/** What any call may be given. */
export interface CallOptions {
  /** Ends the call, its wait for a retry included; the error is of kind `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** The whole call with its retries, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** One attempt, in milliseconds. */
  readonly attemptTimeoutMs?: number | undefined
  /** `false` for a single attempt. */
  readonly retry?: false | Partial<RetryPolicy> | undefined
  /** Largest reply accepted, in bytes, where the client's limit is too wide for this call. */
  readonly maxResponseBytes?: number | undefined
}

/** What hooks are told: never a credential, a parameter or a result. */
export interface RequestEvent {
  readonly method: string
  readonly id: number
  /** 1 for the first. */
  readonly attempt: number
  /** Characters sent. */
  readonly size: number
}

export interface ResponseEvent {
  readonly method: string
  readonly id: number
  readonly attempt: number
  readonly durationMs: number
  /** Absent when no reply came. */
  readonly status?: number
  /** Characters received. */
  readonly size?: number
  /** Absent when the attempt succeeded. */
  readonly error?: RpcError
}

export interface RetryEvent {
  readonly method: string
  readonly id: number
  /** The attempt that failed. */
  readonly attempt: number
  readonly delayMs: number
  readonly error: RpcError
}

/** Options both clients share. */
export interface ConnectionOptions {
  /** Address of the node. Plain hosts other than loopback need `allowedHosts`. */
  readonly url: string | URL
  /** Hosts allowed besides this machine. */
  readonly allowedHosts?: readonly string[] | undefined
  /** Instead of the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Largest reply accepted, in bytes. Default 64 MiB. */
  readonly maxResponseBytes?: number | undefined
  /** Default of {@link CallOptions.timeoutMs}: 60 s. */
  readonly timeoutMs?: number | undefined
  /** Default of {@link CallOptions.attemptTimeoutMs}: 30 s. */
  readonly attemptTimeoutMs?: number | undefined
  /** Default: 3 attempts, waits of 0.2 s doubled up to 5 s, only where a repetition is safe. */
  readonly retry?: false | Partial<RetryPolicy> | undefined
  /** Told of every attempt, then of its end, then of each wait. What they throw is ignored. */
  readonly onRequest?: ((event: RequestEvent) => void) | undefined
  readonly onResponse?: ((event: ResponseEvent) => void) | undefined
  readonly onRetry?: ((event: RetryEvent) => void) | undefined
}

export interface Connection {
  readonly transport: RpcTransport
  readonly options: ConnectionOptions
  nextId(): number
}

/** A request whose credentials are in place, and the texts no error may repeat. */
export interface SealedRequest {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
}

/** What a reader needs besides the reply. */
export interface Reading {
  /** 1 for the first. */
  readonly attempt: number
  readonly redact: Redactor
  /** Makes an error of one method fit to be seen: named, counted, without secrets. */
  finish(error: RpcError, method: string): RpcError
}

/** One call as the engine sees it: how to write it and how to read the answer. */
export interface Exchange<T> {
  readonly method: string
  readonly id: number
  readonly trait: MethodTrait
  /** Asked anew for each attempt, so that credentials may change between two. */
  seal(): SealedRequest | Promise<SealedRequest>
  /**
   * Throws an `RpcError`; method, attempts and redaction are added here. An error that it keeps
   * instead of throwing goes through `finish` first.
   */
  read(response: RpcResponse, reading: Reading): T
  /** Attempt and whole call, in milliseconds, where a method needs more than the usual. */
  readonly patienceMs?: number | undefined
  /** Task the call is about, for its errors. */
  readonly taskId?: number | undefined
}

const callMsDefault = 60_000
const attemptMsDefault = 30_000

export function createConnection(options: ConnectionOptions): Connection {
  let id = 0
  return { transport: httpTransport(options), options, nextId: () => id++ }
}

/** Performs one call: attempts, clocks, waits between them, hooks. */
export async function perform<T>(
  connection: Connection,
  exchange: Exchange<T>,
  options: CallOptions = {},
): Promise<T> {
  const limits = limitsOf(connection, exchange, options)
  const call = startClock(limits.callMs, options.signal)
  try {
    for (let attempt = 1; ; attempt++) {
      const outcome = await attemptOnce(connection, exchange, attempt, limits, call)
      if (outcome.error === undefined) return outcome.value
      if (!mayRetry(outcome.error, exchange.trait, attempt, limits.policy)) throw outcome.error
      await backOff(connection, exchange, attempt, limits.policy, call, outcome.error)
    }
  } finally {
    call.release()
  }
}

interface Limits {
  readonly callMs: number
  readonly attemptMs: number
  readonly policy: RetryPolicy
  readonly maxResponseBytes?: number | undefined
}

function limitsOf(
  { options: defaults }: Connection,
  { patienceMs }: Pick<Exchange<unknown>, 'patienceMs'>,
  options: CallOptions,
): Limits {
  return {
    callMs: options.timeoutMs ?? defaults.timeoutMs ?? patienceMs ?? callMsDefault,
    attemptMs:
      options.attemptTimeoutMs ?? defaults.attemptTimeoutMs ?? patienceMs ?? attemptMsDefault,
    policy: policyOf(options.retry ?? defaults.retry),
    maxResponseBytes: options.maxResponseBytes,
  }
}

function policyOf(retry: false | Partial<RetryPolicy> | undefined): RetryPolicy {
  return retry === false ? { ...retryDefault, attempts: 1 } : { ...retryDefault, ...retry }
}

type Outcome<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly error: RpcError; readonly value?: undefined }

async function attemptOnce<T>(
  connection: Connection,
  exchange: Exchange<T>,
  attempt: number,
  { attemptMs, maxResponseBytes }: Limits,
  call: Clock,
): Promise<Outcome<T>> {
  const { method, id } = exchange
  const { onRequest, onResponse } = connection.options
  const clock = startClock(attemptMs, call)
  const startedMs = performance.now()
  let sealed: SealedRequest | undefined
  let response: RpcResponse | undefined
  let outcome: Outcome<T>
  const { taskId } = exchange
  const finish = (error: RpcError, name: string): RpcError =>
    finished(error, { method: name, attempts: attempt, taskId }, redactor(sealed?.secrets ?? []))
  const work = async (): Promise<T> => {
    sealed = await exchange.seal()
    if (clock.stopped()) throw new Stopped()
    notify(onRequest, { method, id, attempt, size: sealed.body.length })
    const { body, headers, secrets } = sealed
    response = await connection.transport({
      ...{ body, headers, maxResponseBytes },
      signal: clock.signal,
    })
    return exchange.read(response, { attempt, finish, redact: redactor(secrets) })
  }
  try {
    outcome = { value: await untilStopped(work(), clock) }
  } catch (error) {
    const failure = clock.stopped() && !(error instanceof RpcError) ? stopOf(call, clock) : error
    if (!(failure instanceof RpcError)) throw failure
    outcome = { error: finish(failure, method) }
  } finally {
    clock.release()
  }
  notify(onResponse, {
    method,
    id,
    attempt,
    durationMs: performance.now() - startedMs,
    ...(response && { status: response.status, size: response.text.length }),
    ...(outcome.error && { error: outcome.error }),
  })
  return outcome
}

function stopOf(call: Clock, attempt?: Clock): RpcError {
  const stop = call.stopped()
  if (stop === undefined && attempt?.stopped()) {
    return new RpcError('timeout', 'no answer in time', { reason: 'attempt_timeout' })
  }
  if (stop?.by === 'signal') {
    return new RpcError('aborted', 'aborted by the caller', { cause: stop.cause })
  }
  return new RpcError('timeout', 'not done in time', { reason: 'call_timeout' })
}

async function backOff(
  connection: Connection,
  { method, id, taskId }: Pick<Exchange<unknown>, 'method' | 'id' | 'taskId'>,
  attempt: number,
  policy: RetryPolicy,
  call: Clock,
  error: RpcError,
): Promise<void> {
  const delayMs = backOffMs(attempt, policy)
  notify(connection.options.onRetry, { method, id, attempt, delayMs, error })
  try {
    await sleep(delayMs, call)
  } catch {
    throw finished(stopOf(call), { method, attempts: attempt, taskId }, redactor([]))
  }
}

/** A hook is an observer: what it throws is not the caller's failure. */
function notify<Event>(hook: ((event: Event) => void) | undefined, event: Event): void {
  try {
    hook?.(event)
  } catch {
    // Nothing to do: the call goes on.
  }
}

// Long enough for every text of either server, the daemon's usage texts included.
const textCharactersMax = 4_000
const snippetCharactersMax = 400

/** The error as the caller sees it: which method, which attempt, and no secret in any text. */
function finished(
  error: RpcError,
  { method, attempts, taskId }: Pick<RpcErrorDetails, 'method' | 'attempts' | 'taskId'>,
  redact: Redactor,
): RpcError {
  // Redacted first and cut second, or the cut could leave half a secret standing.
  const text = (value: string | undefined, charactersMax = snippetCharactersMax) =>
    value === undefined ? undefined : clipped(redact.text(value), charactersMax)
  const details: RpcErrorDetails = {
    method,
    reason: error.reason,
    status: error.status,
    attempts,
    code: error.code,
    codeName: error.codeName,
    errorType: text(error.errorType),
    errorData: redact.value(error.errorData),
    errorPath: text(error.errorPath),
    errorTrace: text(error.errorTrace),
    taskId: error.taskId ?? taskId,
    path: text(error.path),
    expected: text(error.expected),
    received: text(error.received),
    body: text(error.body),
    cause: error.kind === 'transport' ? redact.error(error.cause) : error.cause,
  }
  const message = clipped(redact.text(error.message), textCharactersMax)
  return new RpcError(error.kind, `${method}: ${message}`, details)
}

function clipped(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : `${text.slice(0, charactersMax)}...`
}

/** One call of a batch: its own trait decides whether it is sent again. */
export interface BatchItem {
  readonly trait: MethodTrait
}

export type Settled<T> = PromiseSettledResult<T>

/**
 * Performs calls in one request and settles each. An element that failed for a passing reason is
 * sent again with the others like it, as far as its own trait allows.
 */
export async function performBatch<Item extends BatchItem>(
  connection: Connection,
  items: readonly Item[],
  exchangeOf: (items: readonly Item[], round: number) => Exchange<Settled<unknown>[]>,
  options: CallOptions = {},
): Promise<Settled<unknown>[]> {
  const limits = limitsOf(connection, {}, options)
  const call = startClock(limits.callMs, options.signal)
  const settled = new Map<Item, Settled<unknown>>()
  try {
    let pending = items
    for (let round = 1; pending.length > 0; round++) {
      const exchange = exchangeOf(pending, round)
      const trait = mostCareful(pending.map((item) => item.trait))
      const outcome = await attemptOnce(connection, exchange, round, limits, call)
      if (outcome.error !== undefined) {
        if (!mayRetry(outcome.error, trait, round, limits.policy)) throw outcome.error
        await backOff(connection, exchange, round, limits.policy, call, outcome.error)
        continue
      }
      const again: Item[] = []
      let reason: RpcError | undefined
      pending.forEach((item, position) => {
        const result = outcome.value[position]
        if (result === undefined) return
        settled.set(item, result)
        if (result.status === 'fulfilled' || !(result.reason instanceof RpcError)) return
        if (!mayRetry(result.reason, item.trait, round, limits.policy)) return
        again.push(item)
        reason = result.reason
      })
      pending = again
      if (reason) await backOff(connection, exchange, round, limits.policy, call, reason)
    }
  } finally {
    call.release()
  }
  return items.flatMap((item) => settled.get(item) ?? [])
}
