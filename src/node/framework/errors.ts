// The errors of the framework. Each has a message for people, a type and data for programs, and
// the places in the server's source that it passed through.

import type { FailureScript } from './script.ts'

/** The members of an error's answer besides its message, and its HTTP status. */
interface MmErrorDetails {
  readonly status: number
  readonly type: string
  /** Absent from the answer if undefined. */
  readonly data?: unknown
  /**
   * Places in the server's source, the outermost first: `file:line]` items with spaces between. The
   * framework writes the bracket without its partner. Line 0 means that no document has the number.
   */
  readonly trace: string
}

/**
 * An error under the framework's own name. The dispatcher answers it, or it becomes the result of a
 * task.
 *
 * @see komodo-defi-framework mm2src/mm2_err_handle/src/mm_error.rs, MmError, TraceLocation
 */
export class MmError extends Error {
  override readonly name = 'MmError'
  readonly details: MmErrorDetails
  constructor(message: string, details: MmErrorDetails) {
    super(message)
    this.details = details
  }

  /**
   * Returns the members of the answer in the server's order.
   *
   * @param otherTypes - the error types that this version of the framework names differently
   */
  members(otherTypes: Readonly<Record<string, string>>): Record<string, unknown> {
    const { type, data, trace } = this.details
    return {
      error: this.message,
      error_path: errorPath(trace),
      error_trace: trace,
      error_type: otherTypes[type] ?? type,
      ...(data !== undefined && { error_data: data }),
    }
  }
}

/** Returns the files of a trace, joined by dots; a file that follows itself is named once. */
function errorPath(trace: string): string {
  const files = trace.split(' ').map((item) => item.replace(/:\d+\]$/, ''))
  return files.filter((file, at) => file !== files[at - 1]).join('.')
}

/** The framework's message if a coin needs a device and `task::init_trezor` has not run. */
export const noHardwareContext = 'Hardware Wallet context is not initialized'

/**
 * Returns the error for a request that the scenario does not answer. A real framework never answers
 * with it.
 */
export function notScriptedError(what: string, remedy: string): MmError {
  return new MmError(`antara-tx development framework: ${what} is not scripted; ${remedy}`, {
    status: 501,
    type: 'NotScripted',
    data: what,
    trace: 'dev_framework:0]',
  })
}

export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** Returns the error for a fault of the framework itself, or of this server. */
export function internalError(cause: unknown, trace: string): MmError {
  const words = wordsOf(cause)
  const details = { status: 500, type: 'Internal', data: words, trace }
  return new MmError(`Internal error: ${words}`, details)
}

export function scriptedError(failure: FailureScript): MmError {
  const { error, error_type: type, error_data: data, status = 500 } = failure
  return new MmError(error, { status, type, data, trace: failure.error_trace ?? 'script:0]' })
}

const dispatcher = 'dispatcher:0]'

export const invalidRequestError = (text: string): MmError =>
  new MmError(`Error parsing request: ${text}`, {
    status: 400,
    type: 'InvalidRequest',
    data: text,
    trace: dispatcher,
  })

export const noSuchMethodError = (): MmError =>
  new MmError('No such method', { status: 400, type: 'NoSuchMethod', trace: dispatcher })

export const invalidVersionError = (text: string): MmError =>
  new MmError(`Error parsing mmrpc version: ${text}`, {
    status: 400,
    type: 'InvalidMmRpcVersion',
    data: text,
    trace: 'rpc:0]',
  })

export const userpassNotSetError = (): MmError =>
  new MmError('Userpass is not set!', { status: 403, type: 'UserpassIsNotSet', trace: dispatcher })

export const invalidUserpassError = (attemptsLeft: number): MmError =>
  new MmError(`Userpass is invalid! - Rate Limit attempts left: ${attemptsLeft}`, {
    status: 403,
    type: 'UserpassIsInvalid',
    data: { error_type: 'NbAttemptsLeft', error_data: attemptsLeft },
    trace: 'dispatcher:0] rate_limiter:0]',
  })

export const bannedError = (): MmError =>
  new MmError('Your ip is banned.', { status: 403, type: 'Banned', trace: dispatcher })

export const localHostOnlyError = (): MmError =>
  new MmError('Selected method can be called from localhost only!', {
    status: 403,
    type: 'LocalHostOnly',
    trace: dispatcher,
  })
