// Calls and batches of a client: retries, limits, and errors without secrets.

import type { JsonValue } from '../primitives/json.ts'
import { notify } from '../primitives/observers.ts'
import { snapshotOptions } from '../primitives/snapshot.ts'
import { type Clock, Stopped, sleep, startClock, untilStopped } from './clock.ts'
import { abortedBy, RpcError } from './errors.ts'
import { finished, stopOf } from './failure.ts'
import type { Schema } from './fields.ts'
import { concluded, failedBetween, type History, type Remembered, startHistory } from './history.ts'
import { type Limits, limitsOf } from './limits.ts'
import { type CallOptions, type ConnectionOptions, requireCallOptions } from './options.ts'
import { ownText } from './own-text.ts'
import { keptRedactor, type Redactor, redactor } from './redaction.ts'
import { rememberReply, replyJson } from './reply.ts'
import { backOffMs, mayRetry, type Safety, strictestSafety } from './retry.ts'
import { httpTransport, type RpcResponse } from './transport.ts'

export interface Call extends Remembered {
  readonly method: string
  readonly result: Schema<unknown>
  /** Secret parameters, which no error may repeat. */
  readonly secrets?: readonly string[] | undefined
  /** Largest reply in bytes; the caller can raise or lower it. */
  readonly replyBytesMax: number
  /** Minimum of the attempt and call timeouts in milliseconds, for a method that takes long. */
  readonly patienceMs?: number | undefined
  /** The task that the call concerns. */
  readonly taskId?: number | undefined
  /**
   * Redacts the reply that `replyText` returns. If absent, the reply of a call about a task is redacted
   * like an error, and any other reply is unchanged.
   */
  readonly shownText?: (text: string, value: unknown, redact: Redactor) => string
  /** Ends the call as long as nothing of it was sent, and has no effect later. */
  readonly signalUntilSent?: AbortSignal | undefined
}

/** A call with its request id, which the answer has to repeat. */
export interface Numbered<C extends Call> {
  readonly call: C
  readonly id: number
}

/** The credentials of one request, and the texts that no error may repeat. */
interface Session<C extends Call> {
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly string[]
  /** Texts that the user typed for a task, likewise. */
  readonly typed?: readonly string[]
  write(request: Numbered<C>): string
}

/** Facts about a reply, besides its answer. */
export interface Reading {
  readonly status: number
  /** 1 for the first. */
  readonly attempt: number
  readonly redact: Redactor
}

/** The wire format of one interface: it writes requests and reads answers. */
export interface Protocol<C extends Call> {
  /** Called for each attempt, because credentials may change in between. */
  open(calls: readonly C[]): Session<C> | Promise<Session<C>>
  /** @throws {RpcError} without method, attempts and redaction, which the caller adds */
  read(answer: JsonValue, request: Numbered<C>, reading: Reading): unknown
}

export type Settled<T> = PromiseSettledResult<T>

/** Performs calls. It adds request ids, timeouts, retries and hooks. */
export interface Caller<C extends Call> {
  call<T>(call: C, options?: CallOptions): Promise<T>
  /**
   * Sends several calls in one request and settles each. Calls that failed for a passing reason are
   * sent again together, as far as the safety of each allows.
   */
  batch(calls: readonly C[], options?: CallOptions): Promise<Settled<unknown>[]>
}

export function createCaller<C extends Call>(
  options: ConnectionOptions,
  protocol: Protocol<C>,
): Caller<C> {
  const transport = httpTransport(options)
  const redactorOf = keptRedactor()
  let nextId = 0

  async function perform(
    calls: readonly C[],
    isBatch: boolean,
    givenOptions: CallOptions = {},
  ): Promise<Settled<unknown>[]> {
    const callOptions = snapshotOptions(givenOptions, 'options')
    requireCallOptions(callOptions)
    const limits = limitsOf(options, calls, callOptions)
    const clock = startClock(limits.callMs, callOptions.signal)
    const requests = calls.map((call) => ({ call, id: nextId++ }))
    const histories = new Map(requests.map((request) => [request, startHistory(request.call)]))
    const historiesOf = (some: readonly Numbered<C>[]): History[] =>
      some.map((request) => histories.get(request)!)
    const settled = new Map<Numbered<C>, Settled<unknown>>()
    const settle = (request: Numbered<C>, value: Settled<unknown>): void => {
      const error = reasonOf(value)
      settled.set(
        request,
        error === undefined
          ? value
          : { status: 'rejected', reason: concluded(error, historiesOf([request])) },
      )
    }
    try {
      let pending = requests
      for (let number = 1; pending.length > 0; number++) {
        const attempt: Attempt<C> = { requests: pending, isBatch, number, limits, clock }
        const outcome = await attemptOnce(attempt).catch((thrown) => {
          throw failedBetween(thrown, historiesOf(pending))
        })
        if (outcome.error !== undefined) {
          for (const history of historiesOf(pending)) history.note(outcome.error, outcome.wasSent)
        } else {
          pending = pending.filter((request, at) => {
            const answer = outcome.settled[at]!
            const reason = reasonOf(answer)
            if (reason !== undefined) histories.get(request)!.note(reason, true)
            if (isToRepeat(reason, request, attempt)) return true
            settle(request, answer)
            return false
          })
        }
        const [first] = pending
        const error = outcome.error ?? (first && histories.get(first)!.errors.at(-1))
        if (error === undefined) break
        const isOver =
          outcome.error !== undefined && !mayRetry(error, safetyOf(attempt), number, limits.policy)
        const last = isOver ? error : await backOff(attempt, error)
        if (last === undefined) continue
        // The answers that arrived count even if the repeated calls fail.
        if (pending.length === requests.length) throw concluded(last, historiesOf(pending))
        for (const it of pending) settle(it, { status: 'rejected', reason: last })
        break
      }
    } finally {
      clock.release()
    }
    return requests.map((request) => settled.get(request)!)
  }

  async function attemptOnce(attempt: Attempt<C>): Promise<Outcome> {
    const { requests, isBatch, number, limits } = attempt
    const clock = startClock(limits.attemptMs, attempt.clock)
    const startedMs = performance.now()
    const facts = factsOf(attempt)
    let redact = redactor([])
    let response: RpcResponse | undefined
    let outcome: Outcome
    let wasSent = false
    const requireWanted = (): void => {
      if (clock.stopped()) throw new Stopped()
      for (const { call } of requests) {
        if (call.signalUntilSent?.aborted) throw abortedBy(call.signalUntilSent)
      }
    }
    const work = async (): Promise<Settled<unknown>[]> => {
      const opening = Promise.resolve(protocol.open(requests.map(({ call }) => call)))
      const session = await requests
        .reduce((open, { call: { signalUntilSent } }) => {
          return signalUntilSent === undefined ? open : untilStopped(open, signalUntilSent)
        }, opening)
        .catch((error) => {
          requireWanted()
          throw error
        })
      const { secrets, typed } = session
      const more = requests.flatMap(({ call }) => call.secrets ?? [])
      redact =
        more.length === 0 ? redactorOf(secrets, typed) : redactor([...secrets, ...more], typed)
      requireWanted()
      const texts = requests.map((request) => session.write(request))
      const body = isBatch ? `[${texts.join(',')}]` : texts.join('')
      notify(options.onRequest, { ...facts, attempt: number, size: body.length })
      requireWanted()
      wasSent = true
      response = await transport({
        body,
        headers: session.headers,
        signal: clock.signal,
        maxResponseBytes: limits.maxResponseBytes,
      })
      return readReply(response, { ...attempt, clock }, redact)
    }
    try {
      outcome = { settled: await untilStopped(work(), clock) }
    } catch (thrown) {
      const error =
        clock.stopped() && !(thrown instanceof RpcError) ? stopOf(attempt.clock, clock) : thrown
      if (!(error instanceof RpcError)) throw error
      outcome = { error: finish(error, attempt, redact), wasSent }
    } finally {
      clock.release()
    }
    const error = outcome.error ?? (isBatch ? undefined : reasonOf(outcome.settled[0]!))
    notify(options.onResponse, {
      ...facts,
      attempt: number,
      durationMs: performance.now() - startedMs,
      ...(response && { status: response.status, size: response.text.length }),
      ...(error && { error }),
    })
    return outcome
  }

  async function readReply(
    response: RpcResponse,
    attempt: Attempt<C>,
    redact: Redactor,
  ): Promise<Settled<unknown>[]> {
    const { requests, isBatch, number } = attempt
    const { status, text } = response
    const reading = { status, attempt: number, redact }
    const reply = await replyJson(response, attempt.clock)
    if (isBatch && !Array.isArray(reply)) {
      // A server refuses a whole batch with a single error.
      protocol.read(reply, requests[0]!, reading)
      throw new RpcError('shape', 'the reply to a batch is not a list', {
        reason: 'wrong_envelope',
      })
    }
    const answers = isBatch ? (reply as JsonValue[]) : [reply]
    return requests.map((request, at) => {
      const { call } = request
      try {
        const answer = answers[at]
        if (answer === undefined) throw notAnswered()
        const value = protocol.read(answer, request, reading)
        const plain = () => (call.taskId === undefined ? text : redact.text(text))
        const kept = call.shownText?.(text, value, redact) ?? plain()
        return { status: 'fulfilled', value: isBatch ? value : rememberReply(value, kept) }
      } catch (error) {
        if (!(error instanceof RpcError)) throw error
        const one = { ...attempt, requests: [request], isBatch: false }
        return { status: 'rejected', reason: finish(error, one, redact) }
      }
    })
  }

  /** @returns the reason if the call was stopped before its next attempt */
  async function backOff(attempt: Attempt<C>, error: RpcError): Promise<RpcError | undefined> {
    const { number, limits, clock } = attempt
    const delayMs = backOffMs(number, limits.policy)
    notify(options.onRetry, { ...factsOf(attempt), attempt: number, delayMs, error })
    try {
      await sleep(delayMs, clock)
      return undefined
    } catch {
      return finish(stopOf(clock), attempt, redactor([]))
    }
  }

  return {
    async call<T>(call: C, callOptions?: CallOptions): Promise<T> {
      const only = (await perform([call], false, callOptions))[0]!
      if (only.status === 'rejected') throw only.reason
      return only.value as T
    },
    batch: (calls, callOptions) => perform(calls, true, callOptions),
  }
}

interface Attempt<C extends Call> {
  readonly requests: readonly Numbered<C>[]
  readonly isBatch: boolean
  /** 1 for the first. */
  readonly number: number
  readonly limits: Limits
  /** The clock of the whole call. */
  readonly clock: Clock
}

type Outcome =
  | { readonly settled: Settled<unknown>[]; readonly error?: undefined }
  | { readonly error: RpcError; readonly wasSent: boolean }

function factsOf({ requests, isBatch }: Attempt<Call>): { method: string; id: number } {
  const { call, id } = requests[0]!
  return { method: isBatch ? 'batch' : call.method, id }
}

function finish(error: RpcError, attempt: Attempt<Call>, redact: Redactor): RpcError {
  const { requests, isBatch, number: attempts } = attempt
  const taskId = isBatch ? undefined : requests[0]!.call.taskId
  return finished(error, { method: factsOf(attempt).method, attempts, taskId }, redact)
}

export function notAnswered(): RpcError {
  return ownText(new RpcError('shape', 'not answered', { reason: 'missing_reply' }))
}

function safetyOf({ requests }: Attempt<Call>): Safety {
  return strictestSafety(requests.map(({ call }) => call.safety))
}

function reasonOf(settled: Settled<unknown>): RpcError | undefined {
  return settled.status === 'rejected' ? settled.reason : undefined
}

function isToRepeat(
  error: RpcError | undefined,
  { call }: Numbered<Call>,
  { number, limits }: Attempt<Call>,
): boolean {
  return error !== undefined && mayRetry(error, call.safety, number, limits.policy)
}
