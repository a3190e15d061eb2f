// Blocks of whole lines, and their answers.

import { isAscii } from 'node:buffer'

import { AntaraError } from '../../errors/antara-error.ts'
import { internalError } from '../../primitives/internal-error.ts'
import { type AnsweredLines, linesBytesMax, linesInCore } from '../../transaction/lines.ts'
import { errorLine } from './answerers.ts'
import { type Answerer, addTally, type CoreForm, emptyTally, type Tally } from './job.ts'

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

/** Returns memory of that size for the answers to one block. */
type OutputRoom = (bytes: number) => Uint8Array<ArrayBuffer>

/** Allocates memory that can be transferred to another thread. */
const ownRoom: OutputRoom = (bytes) =>
  Buffer.allocUnsafeSlow(bytes) as Uint8Array as Uint8Array<ArrayBuffer>

/**
 * Returns the same memory each time, for a caller that writes the answers before it asks again.
 * Fresh memory costs as much as the answers, because the system clears its pages.
 */
export function reusedRoom(): OutputRoom {
  let room = ownRoom(0)
  return (bytes) => {
    if (room.length < bytes) room = ownRoom(2 * bytes)
    return room.subarray(0, bytes)
  }
}

/** Longer lines are refused unread; a case with the evidence for any transaction is shorter. */
export const lineBytesMax: number = 1 << 26

const newline = 0x0a
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Answers the lines of a block.
 *
 * @param how - `coreForm` is the form of the answers, if the native core may answer; `answer` then
 *   only gets the lines that the core leaves
 */
export function answerBlock(
  { bytes, isOverlong }: Block,
  answer: Answerer,
  { coreForm, room = ownRoom }: { readonly coreForm?: CoreForm; readonly room?: OutputRoom } = {},
): AnsweredBlock {
  const tally = emptyTally()
  if (coreForm !== undefined && !isOverlong && bytes.length <= linesBytesMax) {
    const texts = textsFromCore(bytes, answer, coreForm, tally)
    return { output: bytesOf(texts, room), tally }
  }
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isOverlong) {
    tally.lines += 1
    return { output: bytesOf([`${overlongLine(tally)}\n`]), tally }
  }
  const texts = isAscii(buffer)
    ? answerText(buffer.toString('latin1'), answer, tally)
    : answerBytes(buffer, answer, tally)
  return { output: bytesOf(texts, room), tally }
}

/** Answers in the native core, except the lines that it leaves. */
function textsFromCore(
  bytes: Uint8Array,
  answer: Answerer,
  form: CoreForm,
  tally: Tally,
): string[] {
  const texts: string[] = []
  for (let from = 0; from < bytes.length; ) {
    const rest = bytes.subarray(from)
    const answered = linesInCore(rest, form)
    tally.lines += answered.count
    from += answered.bytes
    texts.push(
      withLeftLines(answered, (start, end) => answerLine(rest.subarray(start, end), answer, tally)),
    )
  }
  return texts
}

/** Inserts the answers to the lines that the core left. */
function withLeftLines(
  { text, left }: AnsweredLines,
  answer: (start: number, end: number) => string,
): string {
  if (left.length === 0) return text
  let output = ''
  let at = 0
  for (const { start, length, position } of left) {
    output += `${text.slice(at, position)}${answer(start, start + length)}\n`
    at = position
  }
  return output + text.slice(at)
}

/** Answers lines that are cut from one string, which avoids decoding and copying line by line. */
function answerText(text: string, answer: Answerer, tally: Tally): string[] {
  const output: string[] = []
  let at = 0
  while (at < text.length) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    const isOverlong = end - at > lineBytesMax
    const answered = isOverlong ? overlongLine(tally) : answer(text.slice(at, end).trim(), tally)
    output.push(`${answered}\n`)
    tally.lines += 1
    at = end + 1
  }
  return output
}

/** Answers line by line, because a malformed line must not affect others. */
function answerBytes(bytes: Buffer, answer: Answerer, tally: Tally): string[] {
  const output: string[] = []
  let at = 0
  while (at < bytes.length) {
    const found = bytes.indexOf(newline, at)
    const end = found < 0 ? bytes.length : found
    output.push(`${answerLine(bytes.subarray(at, end), answer, tally)}\n`)
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
  return { output: bytesOf([`${errorLine(internalError(cause), tally)}\n`]), tally }
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

function bytesOf(texts: readonly string[], room: OutputRoom = ownRoom): Uint8Array<ArrayBuffer> {
  const length = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  const output = room(length)
  const buffer = Buffer.from(output.buffer, output.byteOffset, length)
  let at = 0
  for (const text of texts) at += buffer.write(text, at)
  return output
}
