import { AntaraError, type ErrorContext } from '../errors/antara-error.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { type LoadAttempt, loadEngine } from './loader.ts'
import type { NativeEngine } from './native.ts'
import { needsWords, outcomeCode, outcomeNumber } from './words.ts'

const loaded = loadEngine()

/** Where the engine came from. */
export const enginePath: string = loaded.path
export const engineAttempts: readonly LoadAttempt[] = loaded.attempts

export const native: NativeEngine = loaded.engine

/** What the engine makes use of on this machine, such as `sha-ni`. */
export function engineFeatures(): string[] {
  return native.engineFeatures().split(',')
}

/** The memory that every native call writes its results to; valid until the next call. */
export let words: Uint32Array = new Uint32Array(0)
/** The same memory as 64-bit values; index it with a word position divided by two. */
export let values: BigInt64Array = new BigInt64Array(0)

const scratchWordsMin = 4096
const scratchWordsKept = 1 << 18

function useScratch(count: number): void {
  const buffer = new ArrayBuffer(count * 4)
  words = new Uint32Array(buffer)
  values = new BigInt64Array(buffer)
  native.registerScratch(words)
}

useScratch(scratchWordsMin)

/** Larger than any outcome; `needsWords` is larger still. */
const firstReservation = 0x40000000
let reservations = 0

/**
 * Makes room for `count` words before a call that reads them.
 *
 * @returns what `isStillReserved` asks for: reading somebody's object may run the engine meanwhile
 */
export function reserveWords(count: number): number {
  if (count > words.length) useScratch(2 * count)
  reservations = (reservations + 1) % firstReservation
  words[outcomeCode] = firstReservation + reservations
  return firstReservation + reservations
}

/** Whether nothing has written to the scratch but whoever reserved it. */
export function isStillReserved(reservation: number): boolean {
  return words[outcomeCode] === reservation
}

/** Gives back what a large batch grew. Call it once the results have been read. */
export function trimWords(): void {
  if (words.length > scratchWordsKept) useScratch(scratchWordsMin)
}

/** Matches what cannot be hex and would be cut to eight bits on its way to the engine. */
const wideCharacter = /[^\0-\xff]/

/**
 * Whether the engine, which reads one byte a character, would see `text` as it is.
 *
 * V8 decides this without scanning for the strings that hex normally comes in.
 */
export function isNarrow(text: string): boolean {
  return !wideCharacter.test(text)
}

/** Refuses text that the engine would misread. */
export function requireNarrow(text: string, path?: string): void {
  if (isNarrow(text)) return
  const position = text.search(wideCharacter)
  throw new AntaraError('malformed_hex', {
    offset: position >> 1,
    ...(path === undefined ? {} : { path }),
    actual: text[position],
  })
}

/** Refines the place of an error that the engine reports. */
export type Locate = (context: ErrorContext, code: ErrorCode) => ErrorContext

/**
 * Runs a native call, again with more scratch if it asks for that.
 *
 * @throws {AntaraError} what the engine found wrong, its place refined by `locate`
 */
export function run<Source, Result = string>(
  call: (source: Source) => Result | undefined,
  source: Source,
  locate?: Locate,
): Result {
  const result = call(source)
  return result === undefined ? runAgain(call, source, locate) : result
}

function runAgain<Source, Result>(
  call: (source: Source) => Result | undefined,
  source: Source,
  locate?: Locate,
): Result {
  if (words[outcomeCode] === needsWords) {
    const needed = words[outcomeNumber]!
    useScratch(needed + (needed % 2))
    const result = call(source)
    if (result !== undefined) return result
  }
  throw outcomeError(locate)
}

/** The error that the outcome words of the last call describe. */
export function outcomeError(locate?: Locate): AntaraError {
  const number = words[outcomeCode]!
  const code = errorCodeOfNumber.get(number)
  if (code === undefined) throw new Error(`the engine reported the unknown error ${number}`)
  const context = { offset: words[outcomeNumber]! }
  return new AntaraError(code, locate ? locate(context, code) : context)
}
