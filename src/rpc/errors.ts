/**
 * The layer where a call failed, from the wire upwards.
 *
 * - `transport` no usable reply came back: refused, reset, cut short
 * - `timeout`   a clock ran out, of one attempt or of the whole call
 * - `aborted`   the caller's signal, or a cancelled task
 * - `http`      a status without an answer of the protocol in its body
 * - `daemon`    JSON-RPC error of the daemon: `code`, `codeName`
 * - `module`    a contract module's failure inside an HTTP 200 answer
 * - `framework` mmrpc error: `errorType`, `errorData`
 * - `task`      a framework task that ended in `Error`: as `framework`, with `taskId`
 * - `shape`     the reply is not what the interface promises: `reason`, `path`
 */
export type RpcErrorKind =
  | 'transport'
  | 'timeout'
  | 'aborted'
  | 'http'
  | 'daemon'
  | 'module'
  | 'framework'
  | 'task'
  | 'shape'

/** Stable codes that refine the kind. Branch on these, not on `message`. */
export type RpcErrorReason =
  // transport
  | 'not_connected'
  | 'connection_lost'
  | 'certificate_changed'
  | 'store_unusable'
  // timeout
  | 'attempt_timeout'
  | 'call_timeout'
  // http
  | 'unauthorized'
  | 'forbidden'
  | 'redirected'
  | 'queue_full'
  | 'unavailable'
  // shape
  | 'not_json'
  | 'duplicate_member'
  | 'forbidden_member'
  | 'nested_too_deep'
  | 'malformed_text'
  | 'reply_too_large'
  | 'wrong_envelope'
  | 'wrong_id'
  | 'wrong_txid'
  | 'missing_reply'
  | 'unusable_hex'
  | 'unexpected_value'

/** The outcome of a request to stop a task. */
export type Cancellation = 'cancelled' | 'already-finished' | 'unknown'

/** A transaction that may have been broadcast: look for it before you pay again. */
export interface UnsettledTransaction {
  readonly txid: string
  readonly hex: string
}

/** The members of an {@link RpcError} besides its kind and message. */
export interface RpcErrorDetails {
  /** Method of the call, by its name on the wire. */
  readonly method?: string | undefined
  readonly reason?: RpcErrorReason | undefined
  /** HTTP status of the reply; absent if none came. */
  readonly status?: number | undefined
  /** Number of attempts made. */
  readonly attempts?: number | undefined
  /** Errors of earlier attempts, first to last; absent if there are none. */
  readonly earlierErrors?: readonly RpcError[] | undefined
  /**
   * True if the server may have carried out the call: an attempt may have reached it, and no answer
   * refused that attempt. The answer to a later attempt does not change this.
   */
  readonly uncertain?: true | undefined
  /** Txid of the transaction that the call was to broadcast. */
  readonly txid?: string | undefined
  /**
   * Transactions that may have been broadcast for the same payment, latest first. Look for each, or
   * pass their hex as `earlier`, before you pay again.
   */
  readonly unsettled?: readonly UnsettledTransaction[] | undefined
  /** JSON-RPC code of the daemon, such as -5, and its name in the daemon's source. */
  readonly code?: number | undefined
  readonly codeName?: string | undefined
  /** The framework's `error_type`, verbatim, and its data. */
  readonly errorType?: string | undefined
  readonly errorData?: unknown
  /** For bug reports only: both change with every build of the framework. */
  readonly errorPath?: string | undefined
  readonly errorTrace?: string | undefined
  readonly taskId?: number | undefined
  /**
   * The result of stopping an aborted task. After `failed` the task may still run: the request was
   * not sent, or not answered in time.
   */
  readonly cancellation?: Cancellation | 'failed' | undefined
  /** Path in the reply, such as `result.vout.0.value`, and the value there. */
  readonly path?: string | undefined
  readonly expected?: string | undefined
  readonly received?: string | undefined
  /** Beginning of the reply; absent if the reply repeats a secret. */
  readonly body?: string | undefined
  readonly cause?: unknown
}

/**
 * Shared by all copies of this class. A wallet of one copy reads the errors of a client of another.
 */
const brand = Symbol.for('antara-tx.RpcError')

/**
 * The error of both RPC clients. It never carries a credential, a PIN or a passphrase.
 *
 * @example
 * try {
 *   await daemon.tokeninfo({ tokenid })
 * } catch (error) {
 *   if (isRpcError(error, 'module')) console.log(error.message) // "tokeninfo: cant find tokenid"
 *   else if (isRpcError(error, 'daemon') && error.code === -28) console.log('still starting')
 *   else throw error
 * }
 */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly kind: RpcErrorKind
  declare readonly method?: string
  declare readonly reason?: RpcErrorReason
  declare readonly status?: number
  declare readonly attempts?: number
  declare readonly earlierErrors?: readonly RpcError[]
  declare readonly uncertain?: true
  declare readonly txid?: string
  declare readonly unsettled?: readonly UnsettledTransaction[]
  declare readonly code?: number
  declare readonly codeName?: string
  declare readonly errorType?: string
  declare readonly errorData?: unknown
  declare readonly errorPath?: string
  declare readonly errorTrace?: string
  declare readonly taskId?: number
  declare readonly cancellation?: Cancellation | 'failed'
  declare readonly path?: string
  declare readonly expected?: string
  declare readonly received?: string
  declare readonly body?: string
  /** Place of this kind in the package's documents. */
  declare readonly docs: string

  constructor(kind: RpcErrorKind, message: string, details: RpcErrorDetails = {}) {
    const { cause, ...facts } = details
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
    for (const [name, value] of Object.entries(facts)) {
      if (value !== undefined) Object.defineProperty(this, name, { value, enumerable: true })
    }
    this.docs = `antara-tx/docs/rpc.md#${kind}`
  }
}

Object.defineProperty(RpcError.prototype, brand, { value: true })

/**
 * Copies an error with more details. Its message names a transaction that may have been broadcast.
 */
export function withDetails(error: RpcError, more: RpcErrorDetails): RpcError {
  const { kind, stack, cause } = error
  const details = { cause, ...ownDetails(error), ...more }
  const { uncertain, txid } = details
  const isNews = error.uncertain !== uncertain || error.txid !== txid
  const suffix = isNews && uncertain && txid ? `; ${txid} may have been broadcast` : ''
  const copy = new RpcError(kind, `${error.message}${suffix}`, details)
  if (stack !== undefined) copy.stack = stack
  return copy
}

function ownDetails(error: RpcError): RpcErrorDetails {
  const { kind: _kind, name: _name, docs: _docs, ...details } = error
  return details
}

/** Returns `undefined` if the daemon refuses the call, or if its reply is malformed. */
export async function unlessRefused<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isRpcError(error, 'daemon') || isRpcError(error, 'shape')) return undefined
    throw error
  }
}

/** Returns the error of a call that the caller's signal ended. */
export function abortedBy(signal: AbortSignal | undefined): RpcError {
  return new RpcError('aborted', 'aborted by the caller', { cause: signal?.reason })
}

interface DetailsOfKind {
  transport: { readonly reason: RpcErrorReason }
  timeout: { readonly reason: 'attempt_timeout' | 'call_timeout' }
  aborted: object
  http: { readonly status: number }
  daemon: { readonly code: number; readonly codeName: string }
  module: object
  framework: { readonly errorType: string }
  task: { readonly errorType: string; readonly taskId: number }
  shape: { readonly reason: RpcErrorReason }
}

/**
 * Returns true if `error` came from an RPC client of this or another copy of the library and has the
 * kind that you give, and narrows it.
 *
 * @example
 * if (isRpcError(error, 'daemon')) error.code // number
 */
export function isRpcError(error: unknown): error is RpcError
export function isRpcError<Kind extends RpcErrorKind>(
  error: unknown,
  kind: Kind,
): error is RpcError & { readonly kind: Kind } & DetailsOfKind[Kind]
export function isRpcError(error: unknown, kind?: RpcErrorKind): boolean {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false
  return kind === undefined || (error as unknown as RpcError).kind === kind
}

/** Returns true for a reply that is larger than the caller reads. A smaller question may have an answer. */
export function isReplyTooLarge(error: unknown): boolean {
  return isRpcError(error, 'shape') && error.reason === 'reply_too_large'
}
