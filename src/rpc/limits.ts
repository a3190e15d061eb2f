import { argumentError } from '../primitives/arguments.ts'
import type { CallOptions, ConnectionOptions } from './options.ts'
import { type RetryPolicy, retryDefault } from './retry.ts'
import { requireByteLimit } from './transport.ts'

/** The limits of one call: its time, its attempts and the size of its reply. */
export interface Limits {
  readonly callMs: number
  readonly attemptMs: number
  readonly policy: RetryPolicy
  readonly maxResponseBytes: number
}

interface Needs {
  /** Milliseconds. */
  readonly patienceMs?: number | undefined
  readonly replyBytesMax: number
}

const callMsDefault = 60_000
const attemptMsDefault = 30_000

/** @throws {TypeError} for a time or a size that is not a number */
export function limitsOf(
  defaults: ConnectionOptions,
  calls: readonly Needs[],
  own: CallOptions,
): Limits {
  const patienceMs = calls.length === 1 ? calls[0]?.patienceMs : undefined
  const retry = own.retry ?? defaults.retry
  const callMs = own.timeoutMs ?? defaults.timeoutMs ?? patienceMs ?? callMsDefault
  const attemptMs =
    own.attemptTimeoutMs ?? defaults.attemptTimeoutMs ?? patienceMs ?? attemptMsDefault
  // The reply to a batch may be as large as all of its answers together.
  const replyBytesMax = calls.reduce((sum, call) => sum + call.replyBytesMax, 0)
  requireMilliseconds(callMs, 'timeoutMs')
  requireMilliseconds(attemptMs, 'attemptTimeoutMs')
  requireByteLimit(own.maxResponseBytes)
  return {
    callMs,
    attemptMs,
    policy: retry === false ? { ...retryDefault, attempts: 1 } : policyOf(retry),
    maxResponseBytes: own.maxResponseBytes ?? replyBytesMax,
  }
}

/** Refuses a time that is not a number, because its clock would never stop. */
export function requireMilliseconds(value: number, name: string): void {
  if (typeof value === 'number' && !Number.isNaN(value)) return
  throw argumentError(name, 'a number of milliseconds', value)
}

/** Leaves out members that are `undefined`. */
function policyOf(given: Partial<RetryPolicy> = {}): RetryPolicy {
  const present = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...retryDefault, ...Object.fromEntries(present) }
}
