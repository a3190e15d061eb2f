import { transactionBytesMax } from '../chain/limits.ts'
import { isAntaraError, sentenceOf } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { requireString } from '../primitives/arguments.ts'
import { decodeCodes } from '../request/finding-table.ts'
import { type Finding, finding } from '../request/report.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import type { Transaction } from '../transaction/types.ts'

/** The hex to verify in lower case, with the decoded transaction or the reason for its absence. */
export type Opened =
  | { readonly hex: string; readonly tx: Transaction }
  | { readonly hex: string; readonly failure: Finding }

/** @throws {TypeError} if `source` is not a string; the content of a string never throws */
export function openTransaction(source: string): Opened {
  requireString(source, 'hex')
  if (source.length > 2 * transactionBytesMax) {
    return { hex: source, failure: finding('too_large', 'hex', tooManyBytes(source)) }
  }
  const hex = source.toLowerCase()
  try {
    // decodes the source, because lower-casing may turn other letters into digits
    return { hex, tx: decodeWithTxid(source) }
  } catch (error) {
    if (!isAntaraError(error) || !isDecodeCode(error.code)) throw error
    return { hex, failure: finding(error.code, 'hex', { actual: sentenceOf(error) }) }
  }
}

/** Returns the expected and the actual size of hex that is too long for every chain. */
export function tooManyBytes(hex: string): { expected: string; actual: string } {
  return { expected: `at most ${transactionBytesMax} bytes`, actual: `${hex.length / 2} bytes` }
}

function isDecodeCode(code: ErrorCode): code is (typeof decodeCodes)[number] {
  return (decodeCodes as readonly ErrorCode[]).includes(code)
}
