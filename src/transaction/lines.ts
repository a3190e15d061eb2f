import { answerLines } from '../engine/calls.ts'
import * as record from '../engine/records.ts'
import {
  answeredLinesWords,
  leftLineWords,
  linesFields,
  linesTxid,
  resultBase,
  sourceBytesMax,
} from '../engine/words.ts'

export interface AnsweredLines {
  /** Number of bytes that were read: whole lines, perhaps not all. */
  readonly bytes: number
  /** Lines of JSON, in ASCII, without those that are left. */
  readonly text: string
  /** Number of lines, answered or left. */
  readonly count: number
  readonly left: readonly LeftLine[]
}

/** A line that the core leaves to the caller. */
interface LeftLine {
  /** Its place in the bytes, without the line end. */
  readonly start: number
  readonly length: number
  /** The place in the text where its answer belongs. */
  readonly position: number
}

const forms: Readonly<Record<'txid' | 'fields', number>> = {
  txid: linesTxid,
  fields: linesFields,
}

/** Most bytes that the core reads in one call. */
export const linesBytesMax: number = sourceBytesMax

/**
 * Answers lines of hex in the native core, byte for byte as `transactionId` and `transactionJson` of
 * each line do, but without JavaScript objects. It stops once the text is long enough.
 *
 * The core leaves a line that is malformed, because the texts of errors are in TypeScript, and one whose
 * shielded parts are wanted. In WebAssembly it leaves every line.
 */
export function linesInCore(bytes: Uint8Array, form: keyof typeof forms): AnsweredLines {
  const text = answerLines(bytes, { form: forms[form] })
  const left = Array.from({ length: record.answeredLinesLeft() }, (_, index) => {
    const at = resultBase + answeredLinesWords + leftLineWords * index
    return {
      start: record.leftLineStart(at),
      length: record.leftLineLength(at),
      position: record.leftLinePosition(at),
    }
  })
  return { bytes: record.answeredLinesBytes(), text, count: record.answeredLinesCount(), left }
}
