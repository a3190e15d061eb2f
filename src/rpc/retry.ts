import { alreadyInChain, warmingUp } from './daemon/codes.ts'
import { isRpcError, type RpcError } from './errors.ts'

/**
 * The class of a method, by the effect of a second call.
 *
 * - `read`      a call changes nothing: retried after any passing failure
 * - `broadcast` a second broadcast of one transaction changes nothing: retried once
 * - `other`     the effect is unknown: retried only if the server cannot have begun the first call
 * - `build`     each call builds another transaction, which harms nothing: never retried
 * - `once`      each call starts something new: never retried
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

function isNotBegun(error: RpcError): boolean {
  if (error.reason === 'not_connected' || error.reason === 'queue_full') return true
  return isRpcError(error, 'daemon') && error.code === warmingUp
}

/** Reasons of failures that may pass, and after which the server may have begun the call. */
const passing: ReadonlySet<string | undefined> = new Set([
  'unavailable',
  'connection_lost',
  'attempt_timeout',
])

/** Returns true if another attempt may follow attempt number `number`, which ended in `error`. */
export function mayRetry(
  error: RpcError,
  safety: Safety,
  number: number,
  policy: RetryPolicy,
): boolean {
  // Written so that NaN attempts mean no retry.
  if (!(number < policy.attempts) || safety === 'once' || safety === 'build') return false
  if (safety === 'broadcast' && number >= 2) return false
  return isNotBegun(error) || (safety !== 'other' && passing.has(error.reason))
}

/** Returns true if the server may answer later, however long that takes. */
export function mayPass({ kind, code, reason, cause }: RpcError): boolean {
  // The cause shows whether a retry can connect: a closed client or a wrong password never will.
  if (reason === 'not_connected' && isRpcError(cause)) return mayPass(cause)
  if (kind === 'transport') return reason !== 'certificate_changed' && reason !== 'store_unusable'
  if (kind === 'timeout') return true
  if (kind === 'daemon') return code === warmingUp
  return kind === 'http' && (reason === 'unavailable' || reason === 'queue_full')
}

/** Returns the milliseconds to wait after attempt number `number`, of which the first is 1. */
export function backOffMs(number: number, policy: RetryPolicy): number {
  const full = Math.min(policy.baseMs * 2 ** (number - 1), policy.maxMs)
  return policy.jitter ? full * (0.5 + Math.random() / 2) : full
}

const strictestFirst: readonly Safety[] = ['once', 'build', 'other', 'broadcast', 'read']

/** Returns the strictest class of several, which decides about a batch of calls. */
export function strictestSafety(all: readonly Safety[]): Safety {
  return strictestFirst.find((safety) => all.includes(safety)) ?? 'read'
}

/** The facts about a call that decide whether a server may have carried it out. */
export interface SentCall {
  readonly safety: Safety
  /** The server relays the call to other servers, so its error does not prove a refusal. */
  readonly isRelayed?: true | undefined
}

/** Reasons of failures after which it is certain that the server did not carry out the call. */
const notCarriedOut: ReadonlySet<string | undefined> = new Set([
  'not_connected',
  'queue_full',
  'unauthorized',
  'forbidden',
  'redirected',
])

/**
 * Returns true if the server may have carried out a call that ended in `error`.
 *
 * A server that answers with an error of its protocol refused the call. After any other failure,
 * such as a lost connection, nobody knows.
 */
export function mayHaveActed(error: RpcError, { safety, isRelayed }: SentCall): boolean {
  if (safety === 'read' || safety === 'build' || notCarriedOut.has(error.reason)) return false
  switch (error.kind) {
    case 'daemon':
      // The daemon reports that the chain has the transaction, so an earlier broadcast worked.
      return safety === 'broadcast' && error.code === alreadyInChain
    case 'module':
      return false
    case 'framework':
      return isRelayed === true
    default:
      return true
  }
}
