// The memory that calls of the engine share, and the errors that they report.

import { loadEngine } from '#loader'
import { AntaraError, type ErrorContext } from '../errors/antara-error.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { engineWithout, type LoadedEngine } from './loading.ts'
import type { NativeEngine } from './native.ts'
import { argumentError, argumentErrors, needsWords, resultBase } from './words.ts'

// The memory that calls share with the engine, and the outcome of a call. Only files of this folder
// name the words. Other code calls calls.ts and reads the answer with records.ts before the next
// call, which overwrites it.

let loaded: LoadedEngine | undefined

/** The engine. Before its first use, a stand-in that loads it. */
export let native: NativeEngine = engineWithout((name) => {
  startEngine()
  return Reflect.get(native, name)
})

/** The words that every call reads and writes. */
export let words: Uint32Array = new Uint32Array(0)
/** The same memory as 64-bit values. */
export let values: BigInt64Array = new BigInt64Array(0)

const scratchWordsMin = 4096
const scratchWordsKept = 1 << 18

// Positions of the outcome's words.
const codeWord = 0
const numberWord = 1
const detailWord = 2

function useWords(used: Uint32Array): void {
  words = used
  values = new BigInt64Array(used.buffer, used.byteOffset, used.length / 2)
}

function useScratch(count: number): void {
  useWords(native.makeScratch(count + (count % 2), useWords))
  // The caller reads the answer before anything else runs.
  if (words.length > scratchWordsKept) queueMicrotask(trimScratch)
}

/** Releases memory that a large call added. */
function trimScratch(): void {
  if (words.length > scratchWordsKept) useScratch(scratchWordsMin)
}

useScratch(scratchWordsMin)

/** Loads the engine once. A call may already be prepared, so its words are kept. */
export function startEngine(): LoadedEngine {
  if (loaded === undefined) {
    loaded = loadEngine()
    native = withFastCalls(loaded.engine)
    const prepared = words
    useScratch(prepared.length)
    words.set(prepared)
  }
  return loaded
}

/**
 * Returns the same functions through a prototype. V8 treats an addon's exports as a dictionary and
 * looks a function up at every call; compiled code knows inherited functions, so a decode takes 3 %
 * less.
 */
function withFastCalls(engine: NativeEngine): NativeEngine {
  return Object.create(engine)
}

/** Larger than any outcome but the engine's own two. */
const firstReservation = 0x40000000
let reservations = 0

/**
 * Makes room for `count` words, from `resultBase` on, before a call that takes them.
 *
 * @returns a ticket for `isStillReserved`, because reading a caller's object may run the engine meanwhile
 */
export function reserve(count: number): number {
  if (resultBase + count > words.length) useScratch(2 * (resultBase + count))
  reservations = (reservations + 1) % firstReservation
  words[codeWord] = firstReservation + reservations
  return firstReservation + reservations
}

/** Returns whether only the caller that reserved the scratch has written to it. */
export function isStillReserved(reservation: number): boolean {
  return words[codeWord] === reservation
}

/** The number that accompanies the last call's outcome. */
export function answerDetail(): number {
  return words[detailWord]!
}

/** A copy of `count` words of the answer. */
export function takeNumbers(at: number, count: number): Uint32Array {
  return words.slice(at, at + count)
}

/**
 * Matches characters that are not hex and that would be cut to eight bits on the way to the engine.
 */
const wideCharacter = /[^\0-\xff]/
const notHex = /[^0-9a-fA-F]/

/**
 * Returns whether the engine, which reads one byte per character, sees `source` unchanged.
 *
 * V8 answers this without a scan for the strings that usually contain hex.
 */
export function isReadable(source: string | Uint8Array): boolean {
  return typeof source !== 'string' || !wideCharacter.test(source)
}

/** Refines the position of an error that the engine reports. */
export type Locate = (context: ErrorContext, code: ErrorCode, detail: number) => ErrorContext

/**
 * Fetches the text of an answer that needed more words than there were.
 *
 * @throws {AntaraError} the engine's error, with its position refined by `locate`
 * @throws {TypeError} for a wrong argument
 */
export function recover(inputs: readonly (string | Uint8Array)[], locate?: Locate): string {
  if (words[codeWord] === needsWords && inputs.every(isReadable)) {
    useScratch(words[numberWord]!)
    const answer = native.takeAnswer()
    if (answer !== undefined) return answer
  }
  throw failureOf(inputs, locate)
}

/** Returns the error of the last call. */
export function failureOf(inputs: readonly (string | Uint8Array)[], locate?: Locate): Error {
  const wide = inputs.find((input) => !isReadable(input))
  if (typeof wide === 'string') {
    // The first fault may be before the wide character.
    const position = wide.search(notHex)
    const context = { offset: position >> 1, actual: wide[position] }
    return errorOf('malformed_hex', context, locate)
  }
  const code = words[codeWord]!
  const number = words[numberWord]!
  if (code === argumentError) return new TypeError(argumentErrors[number])
  const name = errorCodeOfNumber.get(code)
  if (name === undefined) return new Error(`the engine reported the unknown error ${code}`)
  return errorOf(name, { offset: number }, locate)
}

function errorOf(code: ErrorCode, context: ErrorContext, locate?: Locate): AntaraError {
  return new AntaraError(code, locate ? locate(context, code, words[detailWord]!) : context)
}
