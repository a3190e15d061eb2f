// Verifies many cases, several at a time, and reports them in their order.

import { isAntaraError } from '../errors/antara-error.ts'
import { argumentError, requireObject } from '../primitives/arguments.ts'
import { briefly } from '../primitives/internal-error.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { startSlices } from '../primitives/steps.ts'
import type { Case } from '../request/case.ts'
import { finding, type Report, reportWithout } from '../request/report.ts'
import { verifyCaseAsync } from './case.ts'

export interface VerifyManyOptions {
  /**
   * The number of cases verified at a time; default 8, which keeps the four threads of Node's pool
   * busy.
   */
  readonly concurrency?: number
  /** A signal that ends the reports with its reason; no further case is read. */
  readonly signal?: AbortSignal
}

const concurrencyDefault = 8

/**
 * Verifies many cases, and returns a report for each, in their order. Signatures are checked on the
 * threads of Node's pool, unless a transaction has so few inputs that this thread is faster.
 *
 * Cases are read as reports are consumed, at most `concurrency` at a time. If you stop reading, the
 * source is closed too.
 *
 * No case ends the batch: a malformed one is reported as the finding `malformed_case`, and a
 * failure of antara-tx itself as `internal_error`.
 *
 * @param cases - what `parseCase` returns, one after the other
 * @param options - how many at a time, and a signal
 * @returns a report for each case, in order
 * @throws {TypeError} at once, for arguments of a wrong type
 * @throws {AntaraError} `engine_unavailable`, while reading: without an engine no case is verified
 * @example
 * for await (const report of verifyMany(cases)) if (!report.ok) console.log(report.findings)
 */
export function verifyMany(
  cases: AsyncIterable<Case> | Iterable<Case>,
  options: VerifyManyOptions = {},
): AsyncIterable<Report> {
  requireObject(cases, 'cases')
  requireObject(options, 'options')
  requireKnownMembers(options, ['concurrency', 'signal'], 'options')
  const { concurrency = concurrencyDefault, signal } = options
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    throw argumentError('options.concurrency', 'an integer from 1 on', concurrency)
  }
  if (!(Symbol.asyncIterator in cases) && !(Symbol.iterator in cases)) {
    throw argumentError('cases', 'an iterable', cases)
  }
  return reportsOf(cases, concurrency, signal)
}

async function* reportsOf(
  cases: AsyncIterable<Case> | Iterable<Case>,
  concurrency: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Report, void, undefined> {
  const source = iteratorOf(cases)
  // Small cases need no thread, so nothing else would let other work run.
  const pause = startSlices()
  const bell = openBell()
  const checked: Watched<Report>[] = []
  let reading: Watched<IteratorResult<Case>> | undefined
  let hasEnded = false
  signal?.addEventListener('abort', bell.ring)
  try {
    for (;;) {
      signal?.throwIfAborted()
      if (!hasEnded && reading === undefined && checked.length < concurrency)
        reading = watched(source.next(), bell.ring)
      const [oldest] = checked
      if (reading === undefined && oldest === undefined) return
      // Either the next case or the next report may take long while the other is ready.
      if (oldest?.isSettled === true) {
        checked.shift()
        yield await oldest.promise
        const others = pause()
        if (others !== undefined) await others
      } else if (reading?.isSettled === true) {
        const { done, value } = await reading.promise
        reading = undefined
        if (done === true) hasEnded = true
        else checked.push(watched(reportOf(value, signal), bell.ring))
      } else await bell.next()
    }
  } finally {
    signal?.removeEventListener('abort', bell.ring)
    // A source that is still reading ends afterwards, and is not awaited.
    if (!hasEnded) source.end().catch(() => undefined)
  }
}

/** A promise, and whether it is settled. Its rejection is left to the code that awaits it. */
interface Watched<T> {
  readonly promise: Promise<T>
  isSettled: boolean
}

function watched<T>(promise: Promise<T>, whenSettled: () => void): Watched<T> {
  const one: Watched<T> = { promise, isSettled: false }
  const settle = (): void => {
    one.isSettled = true
    whenSettled()
  }
  promise.then(settle, settle)
  return one
}

interface Bell {
  readonly ring: () => void
  /** Resolves at the next ring. */
  next(): Promise<void>
}

/** Replaces `Promise.race`, which would add a listener to a long-lived promise for each case. */
function openBell(): Bell {
  let resolveNext: () => void = () => undefined
  return {
    ring: () => resolveNext(),
    next: () =>
      new Promise((resolve) => {
        resolveNext = resolve
      }),
  }
}

/** Returns the report of any value. Rejects only for errors that end the whole batch. */
async function reportOf(given: Case, signal: AbortSignal | undefined): Promise<Report> {
  try {
    return await verifyCaseAsync(given, signal === undefined ? {} : { signal })
  } catch (error) {
    if (signal?.aborted === true || isAntaraError(error, 'engine_unavailable')) throw error
    return failedReport(error)
  }
}

/** Reports a failure without content of the case, none of which is validated. */
function failedReport(error: unknown): Report {
  const code = error instanceof TypeError ? 'malformed_case' : 'internal_error'
  return reportWithout([finding(code, 'case', { actual: briefly(error) })])
}

interface Source {
  /** Rejects instead of throwing. */
  next(): Promise<IteratorResult<Case>>
  end(): Promise<unknown>
}

function iteratorOf(cases: AsyncIterable<Case> | Iterable<Case>): Source {
  const iterator =
    Symbol.asyncIterator in cases ? cases[Symbol.asyncIterator]() : cases[Symbol.iterator]()
  return {
    next: async () => iterator.next(),
    end: async () => iterator.return?.(),
  }
}
