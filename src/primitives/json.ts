// JSON of replies and files: numbers keep their digits, and text that could mislead is refused.

import { LosslessNumber, parse, stringify } from 'lossless-json'
import { findMemberTwice } from './json-twice.ts'
import { hasHalfCharacter } from './utf8.ts'

/**
 * A value of a reply or a file. Numbers keep their text from the wire until the type of the field
 * is known, so no value loses digits.
 */
export type JsonValue =
  | null
  | boolean
  | string
  | LosslessNumber
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

/** The reason why a text is refused: stable words, which `shape` errors have as `reason`. */
export type JsonFault =
  | 'not_json'
  | 'duplicate_member'
  | 'forbidden_member'
  | 'nested_too_deep'
  | 'malformed_text'

/** Thrown by {@link parseJson} only; callers convert it to their own error. */
export class JsonFaultError extends Error {
  override readonly name = 'JsonFaultError'
  readonly fault: JsonFault
  constructor(fault: JsonFault, message: string) {
    super(message)
    this.fault = fault
  }
}

// The depth is greater than that of any reply (a decoded crypto-condition reaches 12), and far
// below the depth at which a recursive parser exhausts the stack.
export const nestingMax = 128

/**
 * Which members given twice a reader takes: `equal` those with equal values, `first` the first of
 * them, as daemons do, and `none` refuses all. A list of payees that is read as members would lose
 * one of two equal payments.
 */
export type Duplicates = 'equal' | 'first' | 'none'

/**
 * Parses JSON text without losing a digit.
 *
 * It refuses input that could mislead later code: members given twice, a `__proto__` member, nesting
 * beyond 128, and unpaired surrogates.
 *
 * @param duplicates - which members given twice are taken
 * @throws {JsonFaultError}
 */
export function parseJson(text: string, duplicates: Duplicates = 'equal'): JsonValue {
  const members = checkNesting(text)
  const value = parseText(text, duplicates)
  if (duplicates !== 'first' && countMembers(value) !== members) {
    checkTwice(text)
    if (duplicates === 'none') {
      throw new JsonFaultError('duplicate_member', 'a member is given twice')
    }
  }
  if (maySmuggle(text)) checkMembers(value)
  return value
}

/**
 * Parses JSON in which no number has to be exact. It uses the much faster JSON.parse, and counts
 * members to notice one that JSON.parse dropped.
 *
 * @throws {JsonFaultError}
 */
export function parsePlainJson(text: string): unknown {
  const members = checkNesting(text)
  const value = parsed(text)
  if (countMembers(value) !== members) {
    parseText(text)
    checkTwice(text)
  }
  if (maySmuggle(text)) checkMembers(value as JsonValue)
  return value
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    parseText(text)
    throw new JsonFaultError('not_json', 'JSON.parse refuses the text')
  }
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null || isLosslessNumber(value)) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) if (typeof item === 'object') count += countMembers(item)
    return count
  }
  for (const name of Object.keys(value)) {
    const item: unknown = value[name as keyof typeof value]
    count += typeof item === 'object' ? 1 + countMembers(item) : 1
  }
  return count
}

/**
 * Compares by text. The parser's own check confuses an array with an object of the same items, and
 * an object with a number.
 */
function checkTwice(text: string): void {
  const twice = findMemberTwice(text)
  if (twice === undefined) return
  const { name, position } = twice
  throw new JsonFaultError('duplicate_member', `Duplicate key '${name}' at position ${position}`)
}

function parseText(text: string, duplicates: Duplicates = 'equal'): JsonValue {
  try {
    const options = duplicates === 'first' ? { onDuplicateKey: firstOf } : undefined
    return parse(text, null, options) as JsonValue
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const fault = message.startsWith('Duplicate key') ? 'duplicate_member' : 'not_json'
    throw new JsonFaultError(fault, message)
  }
}

function firstOf({ oldValue }: { readonly oldValue: unknown }): unknown {
  return oldValue
}

/**
 * Checks nesting in one pass over the text outside strings, because the parser recurses.
 *
 * @returns the number of members, if the text is JSON
 */
function checkNesting(text: string): number {
  let depth = 0
  let members = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) {
      index = closingQuote(text, index + 1)
    } else if (code === 0x5b || code === 0x7b) {
      if (++depth > nestingMax) {
        throw new JsonFaultError('nested_too_deep', `nested deeper than ${nestingMax}`)
      }
    } else if (code === 0x5d || code === 0x7d) depth--
    else if (code === 0x3a) members++
  }
  return members
}

/**
 * Returns whether JSON text contains more than `max` values; empty arrays and objects count twice.
 * Parsing costs a microsecond and a hundred bytes of memory for each value, so 60 MiB of
 * `[{},{},…]` take most of a minute, while one string of that length takes milliseconds.
 */
export function hasMoreValues(text: string, max: number): boolean {
  let values = 1
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === 0x22) index = closingQuote(text, index + 1)
    else if (code === 0x2c || code === 0x5b || code === 0x7b) {
      if (++values > max) return true
    }
  }
  return false
}

/** Returns the end of the string whose first character is at `start`, or the end of the text. */
function closingQuote(text: string, start: number): number {
  let end = text.indexOf('"', start)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

/** Returns whether an odd number of backslashes is before a place in a text. */
export function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text.charCodeAt(first - 1) === 0x5c) first -= 1
  return (at - first) % 2 === 1
}

const smuggledEscape = /\\u(?:00|d[89a-f])/i

/**
 * Returns whether the text may contain a `__proto__` member or half of a surrogate pair, each
 * written plainly or with escapes. Only then the whole value has to be searched.
 */
function maySmuggle(text: string): boolean {
  if (text.includes('__proto__') || hasHalfCharacter(text)) return true
  return text.includes('\\u') && smuggledEscape.test(text)
}

function checkMembers(value: JsonValue): void {
  if (typeof value === 'string') checkText(value)
  if (value === null || typeof value !== 'object' || isLosslessNumber(value)) return
  if (Array.isArray(value)) {
    for (const item of value) checkMembers(item)
    return
  }
  for (const [member, item] of Object.entries(value)) {
    if (member === '__proto__') {
      throw new JsonFaultError('forbidden_member', 'a member is called __proto__')
    }
    checkText(member)
    checkMembers(item)
  }
}

function checkText(text: string): void {
  if (hasHalfCharacter(text)) {
    throw new JsonFaultError('malformed_text', 'a string holds an unpaired surrogate')
  }
}

/**
 * Writes JSON text; bigint and `LosslessNumber` become JSON numbers digit by digit.
 *
 * @throws {TypeError} for a number that is not finite, or an integer beyond 2^53 - 1, because the
 *   server would receive another number
 */
export function stringifyJson(value: unknown): string {
  const text = stringify(value, checkedNumber)
  if (text === undefined) throw new TypeError('value cannot be written as JSON')
  return text
}

function checkedNumber(_member: string, value: unknown): unknown {
  if (typeof value !== 'number') return value
  if (!Number.isFinite(value)) throw new TypeError(`${value} cannot be written as JSON`)
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new TypeError(`${value} is not exact: pass a bigint`)
  }
  return value
}

/** Returns the member `name` of `value`, if it is an object with such an own member. */
export function memberOf(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined
  return Object.hasOwn(value, name) ? value[name] : undefined
}

export function isJsonObject(
  value: JsonValue | undefined,
): value is { readonly [member: string]: JsonValue } {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
  )
}

/**
 * Returns whether `value` is a number that `parseJson` read, not an object with the same members.
 *
 * @param value - a member of a reply, or anything else
 * @example
 * isLosslessNumber(4.35) // false
 */
export function isLosslessNumber(value: unknown): value is LosslessNumber {
  return value instanceof LosslessNumber
}

export { LosslessNumber }
