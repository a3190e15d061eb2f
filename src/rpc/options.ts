import type { RpcError } from './errors.ts'
import type { RetryPolicy } from './retry.ts'
import type { Fetch } from './transport.ts'

/** Options of every call. */
export interface CallOptions {
  /** Ends the call, its wait for a retry included; the error is of kind `aborted`. */
  readonly signal?: AbortSignal | undefined
  /** The whole call with its retries, in milliseconds. */
  readonly timeoutMs?: number | undefined
  /** One attempt, in milliseconds. */
  readonly attemptTimeoutMs?: number | undefined
  /** `false` for a single attempt. */
  readonly retry?: false | Partial<RetryPolicy> | undefined
  /**
   * Largest reply accepted, in bytes, instead of the method's own limit: 64 KiB for a number or a
   * hash, up to 16 MiB for a list. The client's limit holds as well.
   */
  readonly maxResponseBytes?: number | undefined
}

/** The data that hooks get: never a credential, a parameter or a result. */
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
  /**
   * Called at every attempt, then at its end, then at each wait. What they throw or reject with is
   * ignored.
   */
  readonly onRequest?: ((event: RequestEvent) => unknown) | undefined
  readonly onResponse?: ((event: ResponseEvent) => unknown) | undefined
  readonly onRetry?: ((event: RetryEvent) => unknown) | undefined
}
