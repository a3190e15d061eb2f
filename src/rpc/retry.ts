import { alreadyInChain, warmingUp } from './daemon/codes.ts'
import { isRpcError, type RpcError } from './errors.ts'

/**
 * The effect of sending a method twice.
 *
 * - `read`      nothing: retried after any passing failure
 * - `broadcast` nothing either, for one transaction: retried once
 * - `other`     unknown: retried only when the server cannot have begun
 * - `build`     no harm, but it builds another transaction each time: never retried
 * - `once`      starts something anew each time: never retried
 */
export type Safety = 'read' | 'broadcast' | 'other' | 'build' | 'once'

export interface RetryPolicy {
  /** Number of attempts, the first included. */
  readonly attempts: number
  /** Wait before the second attempt; doubled for each further one. */
  readonly baseMs: number
  readonly maxMs: number
  /** True to shorten each wait by a random part, so that clients do not retry in step. */
  readonly jitter: boolean
}

export const retryDefault: RetryPolicy = { attempts: 3, baseMs: 200, maxMs: 5_000, jitter: true }

/** The evidence about whether the server acted on a request. */
type Doubt = 'not_begun' | 'busy' | 'unknown' | 'final'

function doubtAbout(error: RpcError): Doubt {
  if (error.reason === 'not_connected' || error.reason === 'queue_full') return 'not_begun'
  if (isRpcError(error, 'daemon') && error.code === warmingUp) return 'not_begun'
  if (error.reason === 'unavailable') return 'busy'
  if (error.reason === 'connection_lost' || error.reason === 'attempt_timeout') return 'unknown'
  return 'final'
}

/** Returns true if another attempt may follow number `attempt`, which ended in `error`. */
export function mayRetry(
  error: RpcError,
  safety: Safety,
  attempt: number,
  policy: RetryPolicy,
): boolean {
  // Written so that NaN attempts mean no retry.
  if (!(attempt < policy.attempts) || safety === 'once' || safety === 'build') return false
  if (safety === 'broadcast' && attempt >= 2) return false
  const doubt = doubtAbout(error)
  return safety === 'other' ? doubt === 'not_begun' : doubt !== 'final'
}

/** Returns the milliseconds to wait after attempt number `attempt`. */
export function backOffMs(attempt: number, policy: RetryPolicy): number {
  const full = Math.min(policy.baseMs * 2 ** (attempt - 1), policy.maxMs)
  return policy.jitter ? full * (0.5 + Math.random() / 2) : full
}

const caution: readonly Safety[] = ['once', 'build', 'other', 'broadcast', 'read']

/** Returns the strictest safety class of several, for a batch of them. */
export function mostCareful(all: readonly Safety[]): Safety {
  return caution.find((safety) => all.includes(safety)) ?? 'read'
}

/** The facts that decide whether a server may have carried out a failed call. */
export interface Sent {
  readonly safety: Safety
  /** The server relays the call to other servers, so its error does not prove a refusal. */
  readonly isRelayed?: true | undefined
}

const neverBegun: ReadonlySet<string | undefined> = new Set([
  'not_connected',
  'queue_full',
  'unauthorized',
  'forbidden',
  'redirected',
])

/**
 * Returns true if the server may have carried out a sent request that ended in `error`.
 *
 * An error answer of the protocol is a refusal. Every other failure leaves open what the server
 * did.
 */
export function mayHaveActed(error: RpcError, { safety, isRelayed }: Sent): boolean {
  if (safety === 'read' || safety === 'build' || neverBegun.has(error.reason)) return false
  // "Already in the chain" is the opposite of a refusal.
  if (error.kind === 'daemon') return safety === 'broadcast' && error.code === alreadyInChain
  if (error.kind === 'module') return false
  return error.kind !== 'framework' || isRelayed === true
}
