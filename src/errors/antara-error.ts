import { type ErrorCode, errorSummaries } from './codes.ts'

/** Where and what: every member is absent when it does not apply. */
export interface ErrorContext {
  /** Byte offset into the raw data (for hex text: the digit pair). */
  readonly offset?: number
  /** The field, as one would write it: `inputs[2].scriptSig`. */
  readonly path?: string
  readonly expected?: unknown
  readonly actual?: unknown
}

/**
 * Malformed data, or an environment that does not work. Branch on `code`, never on the message.
 *
 * @example
 * try {
 *   decodeTransaction('0400')
 * } catch (error) {
 *   if (isAntaraError(error, 'truncated')) error.context.offset // 0
 * }
 */
export class AntaraError extends Error {
  override readonly name = 'AntaraError'
  readonly code: ErrorCode
  readonly context: ErrorContext

  constructor(code: ErrorCode, context: ErrorContext = {}, options?: ErrorOptions) {
    super(describe(code, context), options)
    this.code = code
    this.context = context
  }
}

/**
 * Whether `error` is an AntaraError, and one of `code` if that is given.
 *
 * @example
 * isAntaraError(new AntaraError('truncated'), 'trailing_bytes') // false
 */
export function isAntaraError(error: unknown, code?: ErrorCode): error is AntaraError {
  return error instanceof AntaraError && (code === undefined || error.code === code)
}

function describe(code: ErrorCode, { offset, path, expected, actual }: ErrorContext): string {
  const where = path === undefined ? '' : `${path}: `
  const at = offset === undefined ? '' : ` at byte ${offset}`
  const wanted = expected === undefined ? '' : `, expected ${show(expected)}`
  const found = actual === undefined ? '' : `, found ${show(actual)}`
  return `${where}${errorSummaries[code]}${at}${wanted}${found}`
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
