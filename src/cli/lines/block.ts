import { isAscii } from 'node:buffer'

import { AntaraError } from '../../errors/antara-error.ts'
import { internalError } from '../../primitives/internal-error.ts'
import { errorLine } from './answerers.ts'
import { type Answerer, addTally, emptyTally, type Tally } from './job.ts'

/** Whole lines of the input, or the placeholder for a line that is too long. */
export interface Block {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Number of input bytes that it covers. */
  readonly inputBytes: number
  readonly isOverlong: boolean
}

export interface AnsweredBlock {
  readonly output: Uint8Array<ArrayBuffer>
  readonly tally: Tally
}

/** Longer lines are refused unread; a case with the evidence for any transaction is shorter. */
export const lineBytesMax: number = 1 << 26

const newline = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true })

export function answerBlock({ bytes, isOverlong }: Block, answer: Answerer): AnsweredBlock {
  const tally = emptyTally()
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isOverlong) {
    tally.lines += 1
    return { output: ownBytes(`${overlongLine(tally)}\n`), tally }
  }
  const text = isAscii(buffer)
    ? answerText(buffer.toString('latin1'), answer, tally)
    : answerBytes(buffer, answer, tally)
  return { output: ownBytes(text), tally }
}

/** Answers lines that are cut from one string, which avoids decoding and copying line by line. */
function answerText(text: string, answer: Answerer, tally: Tally): string {
  let output = ''
  let at = 0
  while (at < text.length) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const isOverlong = end - at > lineBytesMax
    output += isOverlong ? overlongLine(tally) : answer(text.slice(at, end).trim(), tally)
    output += '\n'
    tally.lines += 1
    at = end + 1
  }
  return output
}

/** Answers line by line, because a malformed line must not affect others. */
function answerBytes(bytes: Buffer, answer: Answerer, tally: Tally): string {
  let output = ''
  let at = 0
  while (at < bytes.length) {
    const found = bytes.indexOf(newline, at)
    const end = found < 0 ? bytes.length : found
    output += `${answerLine(bytes.subarray(at, end), answer, tally)}\n`
    tally.lines += 1
    at = end + 1
  }
  return output
}

function answerLine(bytes: Uint8Array, answer: Answerer, tally: Tally): string {
  if (bytes.length > lineBytesMax) return overlongLine(tally)
  let line: string
  try {
    line = utf8.decode(bytes).trim()
  } catch {
    return errorLine(new AntaraError('text_mismatch', { expected: 'UTF-8' }), tally)
  }
  return answer(line, tally)
}

/** Splits a block into blocks of one line. */
export function linesOfBlock({ bytes }: Block): Block[] {
  const lines: Block[] = []
  for (let at = 0; at < bytes.length; ) {
    const found = bytes.indexOf(newline, at)
    const end = found < 0 ? bytes.length : found + 1
    // A copy, because a thread would get the whole memory of a view.
    lines.push({ bytes: bytes.slice(at, end), inputBytes: end - at, isOverlong: false })
    at = end
  }
  return lines
}

/** Returns the answer to a block of one line that ended its thread. */
export function failedBlock(cause: unknown): AnsweredBlock {
  const tally = { ...emptyTally(), lines: 1 }
  return { output: ownBytes(`${errorLine(internalError(cause), tally)}\n`), tally }
}

/** Joins the answers to consecutive blocks. */
export function joinedBlocks(answered: readonly AnsweredBlock[]): AnsweredBlock {
  const tally = emptyTally()
  for (const one of answered) addTally(tally, one.tally)
  const output = Buffer.concat(answered.map((one) => one.output))
  return { output: output as Uint8Array<ArrayBuffer>, tally }
}

function overlongLine(tally: Tally): string {
  const expected = `a line of at most ${lineBytesMax} bytes`
  return errorLine(new AntaraError('size_out_of_range', { expected }), tally)
}

/** Copies text to a buffer of its own, which can be transferred to another thread. */
function ownBytes(text: string): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes as Uint8Array<ArrayBuffer>
}
