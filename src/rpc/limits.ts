import { misuse } from '../primitives/misuse.ts'
import type { CallOptions, ConnectionOptions } from './options.ts'
import { type RetryPolicy, retryDefault } from './retry.ts'

/** How long one call may take, how often it is sent, and how large its reply may be. */
export interface Limits {
  readonly callMs: number
  readonly attemptMs: number
  readonly policy: RetryPolicy
  readonly maxResponseBytes: number | undefined
}

/** A call that may need more time than others, in milliseconds. */
interface Patient {
  readonly patienceMs?: number | undefined
}

const callMsDefault = 60_000
const attemptMsDefault = 30_000

/** @throws {TypeError} for a time that is no number */
export function limitsOf(
  defaults: ConnectionOptions,
  call: Patient | undefined,
  own: CallOptions,
): Limits {
  const patienceMs = call?.patienceMs
  const retry = own.retry ?? defaults.retry
  const callMs = own.timeoutMs ?? defaults.timeoutMs ?? patienceMs ?? callMsDefault
  const attemptMs =
    own.attemptTimeoutMs ?? defaults.attemptTimeoutMs ?? patienceMs ?? attemptMsDefault
  requireMilliseconds(callMs, 'timeoutMs')
  requireMilliseconds(attemptMs, 'attemptTimeoutMs')
  return {
    callMs,
    attemptMs,
    policy: retry === false ? { ...retryDefault, attempts: 1 } : policyOf(retry),
    maxResponseBytes: own.maxResponseBytes,
  }
}

/** A clock of what is no number would never stop. */
function requireMilliseconds(value: number, name: string): void {
  if (typeof value === 'number' && !Number.isNaN(value)) return
  throw misuse(name, 'a number of milliseconds', value)
}

/** What is `undefined` is not said. */
function policyOf(given: Partial<RetryPolicy> = {}): RetryPolicy {
  const said = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...retryDefault, ...Object.fromEntries(said) }
}
