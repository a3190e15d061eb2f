import { loadEngine } from '#loader'
import { AntaraError, type ErrorContext } from '../errors/antara-error.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { engineWithout, type LoadedEngine } from './loading.ts'
import type { NativeEngine } from './native.ts'
import { misused, misuses, needsWords, resultBase } from './words.ts'

// The memory that calls share with the engine, and what became of a call. Only files of this folder
// name the words: others call calls.ts and read the answer with records.ts, at once, because the
// next call writes over it.

let loaded: LoadedEngine | undefined

/** The engine; before it is first looked at, what loads it then. */
export let native: NativeEngine = engineWithout((name) => {
  startEngine()
  return Reflect.get(native, name)
})

/** What every call reads and writes. */
export let words: Uint32Array = new Uint32Array(0)
/** The same memory as 64-bit values. */
export let values: BigInt64Array = new BigInt64Array(0)

const scratchWordsMin = 4096
const scratchWordsKept = 1 << 18

// Words of an outcome.
const codeWord = 0
const numberWord = 1
const detailWord = 2

function useWords(used: Uint32Array): void {
  words = used
  values = new BigInt64Array(used.buffer, used.byteOffset, used.length / 2)
}

function useScratch(count: number): void {
  useWords(native.makeScratch(count + (count % 2), useWords))
  // Whoever reads the answer does so before anything else runs.
  if (words.length > scratchWordsKept) queueMicrotask(trimScratch)
}

/** Gives back what a large call grew. */
function trimScratch(): void {
  if (words.length > scratchWordsKept) useScratch(scratchWordsMin)
}

useScratch(scratchWordsMin)

/** Loads the engine, if that has not been done: a call may have been prepared meanwhile. */
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
 * The same functions. What an addon exports is a dictionary to V8, which looks a function up at every
 * call; what is inherited from it is known to compiled code, and that makes a decode 3 % shorter.
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
 * @returns what `isStillReserved` asks for: reading somebody's object may run the engine meanwhile
 */
export function reserve(count: number): number {
  if (resultBase + count > words.length) useScratch(2 * (resultBase + count))
  reservations = (reservations + 1) % firstReservation
  words[codeWord] = firstReservation + reservations
  return firstReservation + reservations
}

/** Whether nothing has written to the scratch but whoever reserved it. */
export function isStillReserved(reservation: number): boolean {
  return words[codeWord] === reservation
}

/** The number that the last call gave beside its outcome. */
export function answerDetail(): number {
  return words[detailWord]!
}

/** A copy of `count` words of the answer. */
export function takeNumbers(at: number, count: number): Uint32Array {
  return words.slice(at, at + count)
}

/** Matches what cannot be hex and would be cut to eight bits on its way to the engine. */
const wideCharacter = /[^\0-\xff]/

/**
 * Whether the engine, which reads one byte a character, sees `source` as it is.
 *
 * V8 decides this without scanning for the strings that hex normally comes in.
 */
export function isReadable(source: string | Uint8Array): boolean {
  return typeof source !== 'string' || !wideCharacter.test(source)
}

/** Refines the place of an error that the engine reports. */
export type Locate = (context: ErrorContext, code: ErrorCode, detail: number) => ErrorContext

/**
 * The text of an answer that did not come at once, because it needed more words.
 *
 * @throws {AntaraError} what the engine found wrong, its place refined by `locate`
 * @throws {TypeError} what the caller did wrong
 */
export function recover(inputs: readonly (string | Uint8Array)[], locate?: Locate): string {
  if (words[codeWord] === needsWords && inputs.every(isReadable)) {
    useScratch(words[numberWord]!)
    const answer = native.takeAnswer()
    if (answer !== undefined) return answer
  }
  throw failureOf(inputs, locate)
}

/** Why the last call gave no answer. */
export function failureOf(inputs: readonly (string | Uint8Array)[], locate?: Locate): Error {
  const wide = inputs.find((input) => !isReadable(input))
  if (typeof wide === 'string') {
    const position = wide.search(wideCharacter)
    const context = { offset: position >> 1, actual: wide[position] }
    return errorOf('malformed_hex', context, locate)
  }
  const code = words[codeWord]!
  const number = words[numberWord]!
  if (code === misused) return new TypeError(misuses[number])
  const name = errorCodeOfNumber.get(code)
  if (name === undefined) return new Error(`the engine reported the unknown error ${code}`)
  return errorOf(name, { offset: number }, locate)
}

function errorOf(code: ErrorCode, context: ErrorContext, locate?: Locate): AntaraError {
  return new AntaraError(code, locate ? locate(context, code, words[detailWord]!) : context)
}
