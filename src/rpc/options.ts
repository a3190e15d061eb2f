// Options of clients and calls, and their checks.

import { argumentError } from '../primitives/arguments.ts'
import { memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import type { RpcError } from './errors.ts'
import type { RetryPolicy } from './retry.ts'
import type { Fetch } from './transport.ts'

/** Options of every call. */
export interface CallOptions {
  /** Ends the call and any wait for a retry; the error is of kind `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** Timeout of the whole call with its retries, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** Timeout of one attempt, in milliseconds. */
  readonly attemptTimeoutMs?: number | undefined
  /** Retry policy; `false` for a single attempt. */
  readonly retry?: false | Partial<RetryPolicy> | undefined
  /**
   * Largest reply in bytes, in place of the method's own limit: 64 KiB for a number or a hash, up
   * to 16 MiB for a list. The client's limit applies as well.
   */
  readonly maxResponseBytes?: number | undefined
}

/** An event for hooks. It has no credential, parameter or result. */
export interface RequestEvent {
  readonly method: string
  readonly id: number
  /** Number of the attempt; the first is 1. */
  readonly attempt: number
  /** Number of characters sent. */
  readonly size: number
}

export interface ResponseEvent {
  readonly method: string
  readonly id: number
  readonly attempt: number
  readonly durationMs: number
  /** HTTP status; absent if no reply came. */
  readonly status?: number
  /** Number of characters received. */
  readonly size?: number
  /** The failure; absent if the attempt succeeded. */
  readonly error?: RpcError
}

export interface RetryEvent {
  readonly method: string
  readonly id: number
  /** Number of the attempt that failed. */
  readonly attempt: number
  readonly delayMs: number
  readonly error: RpcError
}

/** Options that both clients share. */
export interface ConnectionOptions {
  /** URL of the server. Hosts other than loopback need `allowedHosts`. */
  readonly url: string | URL
  /** Allowed hosts besides this machine. */
  readonly allowedHosts?: readonly string[] | undefined
  /** A function in place of the global `fetch`. */
  readonly fetch?: Fetch | undefined
  /** Largest reply in bytes; default 64 MiB. */
  readonly maxResponseBytes?: number | undefined
  /**
   * Default for {@link CallOptions.timeoutMs}. If absent, 60 s; 180 s for an activation or
   * `withdraw`.
   */
  readonly timeoutMs?: number | undefined
  /**
   * Default for {@link CallOptions.attemptTimeoutMs}. If absent, 30 s; 180 s for an activation or
   * `withdraw`.
   */
  readonly attemptTimeoutMs?: number | undefined
  /**
   * Retry policy. Default: 3 attempts, with waits of 0.2 s doubled up to 5 s. Only idempotent calls
   * are retried.
   */
  readonly retry?: false | Partial<RetryPolicy> | undefined
  /**
   * Hook for the start of each attempt. `onResponse` is for its end, and `onRetry` for each wait.
   * Errors that a hook throws or rejects with are ignored.
   */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined
}

const callMembers = memberNames<CallOptions>({
  signal: true,
  timeoutMs: true,
  attemptTimeoutMs: true,
  retry: true,
  maxResponseBytes: true,
})

const connectionMembers = memberNames<ConnectionOptions>({
  url: true,
  allowedHosts: true,
  fetch: true,
  maxResponseBytes: true,
  timeoutMs: true,
  attemptTimeoutMs: true,
  retry: true,
  onRequest: true,
  onResponse: true,
  onRetry: true,
})

const retryMembers = memberNames<RetryPolicy>({
  attempts: true,
  baseMs: true,
  maxMs: true,
  jitter: true,
})

/**
 * Refuses unknown options of a call, because a misspelt limit would stay at its default.
 *
 * @param further - members that this call has besides
 * @throws {TypeError} with the name of the intended option
 */
export function requireCallOptions(options: CallOptions, further: readonly string[] = []): void {
  requireKnownMembers(options, [...callMembers, ...further], 'options')
  requireRetry(options)
}

/**
 * Refuses unknown options of a client.
 *
 * @param own - members of this kind of client
 * @throws {TypeError} with the name of the intended option
 */
export function requireConnectionOptions(options: ConnectionOptions, own: readonly string[]): void {
  requireKnownMembers(options, [...connectionMembers, ...own], 'options')
  requireRetry(options)
}

function requireRetry({ retry }: Pick<CallOptions, 'retry'>): void {
  if (retry === undefined || retry === false) return
  if (typeof retry !== 'object' || retry === null) {
    throw argumentError('options.retry', 'false or an object', retry)
  }
  requireKnownMembers(retry, retryMembers, 'options.retry')
}
