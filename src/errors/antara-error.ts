// `AntaraError`, the error of malformed data, with its code, place and sentence.

import { type ErrorCode, errorSummaries } from './codes.ts'
import { shortened } from './shortened.ts'

/** The place and the cause of an error. A member that does not apply is absent. */
export interface ErrorContext {
  /** Byte offset into the raw data (for hex text: the digit pair). */
  readonly offset?: number
  /** Path of the field, such as `inputs[2].scriptSig`. */
  readonly path?: string
  readonly expected?: unknown
  readonly actual?: unknown
  /** True if a journal may have stored the record, although it could not be synced. */
  readonly uncertain?: true
}

/** The context of an error at a byte of the input. */
type AtByte = ErrorContext & { readonly offset: number }
/** The context of an error in a member of the input. */
type AtPath = ErrorContext & { readonly path: string }

/** Codes that always have an offset or a path. Other codes may have neither. */
interface ContextOfCode {
  truncated: AtByte
  trailing_bytes: AtByte
  non_canonical_length: AtByte
  length_over_limit: AtByte
  count_over_input: AtByte
  malformed_hex: AtByte
  odd_length_hex: AtByte
  unknown_transaction_format: AtByte
  segwit_unsupported: AtByte
  malformed_proof: AtByte
  duplicate_property: AtByte
  unknown_property: AtByte
  unknown_data_version: AtByte
  unknown_order_action: AtByte
  unknown_payload_version: AtByte
  unknown_token_function: AtByte
  malformed_case: AtPath
  malformed_condition_json: AtPath
  duplicate_coin: AtPath
  foreign_coin: AtPath
  no_such_output: AtPath
  previous_transaction_missing: AtPath
  token_disproven: AtPath
  wrong_length: AtPath
}

/** The context that every error of `Code` has. */
export type ErrorContextOf<Code extends ErrorCode> = Code extends keyof ContextOfCode
  ? ContextOfCode[Code]
  : ErrorContext

/** Constructor arguments: the context is optional if none of its members is required. */
type Rest<Code extends ErrorCode> =
  Record<string, never> extends ErrorContextOf<Code>
    ? [context?: ErrorContextOf<Code>, options?: ErrorOptions]
    : [context: ErrorContextOf<Code>, options?: ErrorOptions]

/**
 * Shared by all copies of this class: a program and a library that it uses may each have their own
 * copy installed.
 */
const brand = Symbol.for('antara-tx.AntaraError')

/**
 * An error for malformed data, or for an environment that does not work. Branch on `code`, not on
 * the message, which ends with the command that explains the code.
 *
 * @example
 * try {
 *   decodeTransaction('0400')
 * } catch (error) {
 *   if (isAntaraError(error, 'truncated')) error.context.offset // 0
 * }
 */
export class AntaraError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'AntaraError'
  readonly code: Code
  readonly context: ErrorContextOf<Code>

  constructor(code: Code, ...[context = {} as ErrorContextOf<Code>, options]: Rest<Code>) {
    super(`${describe(code, context)} (${explainOf(code)})`, options)
    this.code = code
    this.context = context as ErrorContextOf<Code>
  }
}

Object.defineProperty(AntaraError.prototype, brand, { value: true })

/**
 * Returns true if `error` is an AntaraError of this or another copy of the library, and has `code`
 * if you give one. It then narrows `context` to that of the code.
 *
 * @example
 * isAntaraError(new AntaraError('empty_input'), 'trailing_bytes') // false
 */
export function isAntaraError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  code?: Code,
): error is AntaraError<Code> {
  if (typeof error !== 'object' || error === null || !(brand in error)) return false
  return code === undefined || (error as unknown as AntaraError).code === code
}

/** Returns the command that explains a code. */
export function explainOf(code: string): string {
  return `antara-tx explain ${code}`
}

/** Returns the message of an error without its link, for use inside another sentence. */
export function sentenceOf({ code, context }: AntaraError): string {
  return describe(code, context)
}

function describe(code: ErrorCode, context: ErrorContext): string {
  const { offset, path, expected, actual, uncertain } = context
  const where = path === undefined ? '' : `${path}: `
  const at = offset === undefined ? '' : ` at byte ${offset}`
  const wanted = expected === undefined ? '' : `, expected ${show(expected)}`
  const found = actual === undefined ? '' : `, found ${show(actual)}`
  const stored = uncertain === true ? '; the record may be stored all the same' : ''
  return `${where}${errorSummaries[code]}${at}${wanted}${found}${stored}`
}

/** The context has the whole value: a request with thousands of recipients has 150,000 characters. */
function show(value: unknown): string {
  return shortened(typeof value === 'string' ? JSON.stringify(value) : String(value), shownMax)
}

const shownMax = 1000
