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

/** At a byte of what was read. */
type AtByte = ErrorContext & { readonly offset: number }
/** In a member of what was given. */
type AtPath = ErrorContext & { readonly path: string }

/** Codes that always say where; of any other each member may be absent. */
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

/** What an error of `Code` is known to say. */
export type ErrorContextOf<Code extends ErrorCode> = Code extends keyof ContextOfCode
  ? ContextOfCode[Code]
  : ErrorContext

/** The context may be left out where it may say nothing. */
type Rest<Code extends ErrorCode> =
  Record<string, never> extends ErrorContextOf<Code>
    ? [context?: ErrorContextOf<Code>, options?: ErrorOptions]
    : [context: ErrorContextOf<Code>, options?: ErrorOptions]

/**
 * What all copies of this class have in common: a program and a library that it uses may each have
 * installed one.
 */
const brand = Symbol.for('antara-tx.AntaraError')

/**
 * Malformed data, or an environment that does not work. Branch on `code`, never on the message,
 * which ends with the address of the code's row in the pages of the package.
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
    super(`${describe(code, context)} (${docsOf(code)})`, options)
    this.code = code
    this.context = context as ErrorContextOf<Code>
  }
}

Object.defineProperty(AntaraError.prototype, brand, { value: true })

/**
 * Whether `error` is an AntaraError, and one of `code` if that is given; of this copy of the
 * library or of another. `context` is then what such an error says.
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

/** Where the package tells of a code: a file that is installed with it, so that no link goes dead. */
export function docsOf(code: ErrorCode): string {
  return `antara-tx/docs/errors.md#${code}`
}

/** What an error says, for sentences of others: without the address. */
export function sentenceOf({ code, context }: AntaraError): string {
  return describe(code, context)
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
