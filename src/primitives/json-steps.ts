// Parses JSON in steps, so that other work runs while a large text is read.

import {
  type Duplicates,
  isEscaped,
  isJsonObject,
  isLosslessNumber,
  JsonFaultError,
  type JsonValue,
  LosslessNumber,
  memberOf,
  nestingMax,
} from './json.ts'
import type { Steps } from './steps.ts'
import { hasHalfCharacter } from './utf8.ts'

/** A list or an object whose end was not reached yet. */
type Open =
  | { readonly close: ']'; readonly value: JsonValue[] }
  | {
      readonly close: '}'
      readonly value: Record<string, JsonValue>
      name: string
      nameAt: number
    }

/** The number of values that are read without a pause, in less than a millisecond. */
const valuesOfStep = 1024

/** Matches a number, and one without the digit that must follow, such as `-` or `1.`. */
const number = /-?(?:(?:0|[1-9]\d*)(?:\.\d*)?(?:(?<!\.)[eE][+-]?\d*)?)?/y
/**
 * Matches strings that the platform's parser must read: those with escapes, with forbidden
 * characters or with half of a character.
 */
const unplain = /[\\\u0000-\u001f\ud800-\udfff]/u
/** Matches an escape, or a single character that a string must not contain. */
const escapeOrFault = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|[\\\u0000-\u001f]/g
const words: readonly (readonly [string, JsonValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
]

/**
 * Parses JSON in steps, so that signals and timers run while a large text is read.
 *
 * It accepts the same texts as `parseJson` with the same `duplicates`, and returns the same values.
 * A text with several faults is refused for the first.
 *
 * @param duplicates - which members given twice are taken
 * @throws {JsonFaultError}
 */
export function* parseJsonSteps(
  text: string,
  duplicates: Exclude<Duplicates, 'first'> = 'none',
): Steps<JsonValue> {
  const open: Open[] = []
  let at = skipBlanks(text, 0)
  for (let values = 1; ; values += 1) {
    if (values % valuesOfStep === 0) yield
    const first = text[at]
    let value: JsonValue
    if (first === '{' || first === '[') {
      if (open.length >= nestingMax) {
        throw new JsonFaultError('nested_too_deep', `nested deeper than ${nestingMax}`)
      }
      const begun: Open =
        first === '[' ? { close: ']', value: [] } : { close: '}', value: {}, name: '', nameAt: 0 }
      at = skipBlanks(text, at + 1)
      if (text[at] !== begun.close) {
        open.push(begun)
        if (begun.close === '}') at = readName(text, at, begun, duplicates)
        continue
      }
      value = begun.value
      at = skipBlanks(text, at + 1)
    } else {
      const read = readScalar(text, at)
      value = read.value
      at = skipBlanks(text, read.end)
    }
    for (;;) {
      const inner = open.at(-1)
      if (inner === undefined) {
        if (at !== text.length) throw notJson('End of input', at)
        return value
      }
      if (inner.close === ']') inner.value.push(value)
      else {
        if (Object.hasOwn(inner.value, inner.name)) {
          const isSame = yield* areSame(inner.value[inner.name]!, value, { compared: 0 })
          if (!isSame) throw memberTwice(inner)
        }
        inner.value[inner.name] = value
      }
      if (text[at] === ',') {
        at = skipBlanks(text, at + 1)
        if (inner.close === '}') at = readName(text, at, inner, duplicates)
        break
      }
      if (text[at] !== inner.close) throw notJson(`Comma or '${inner.close}'`, at)
      at = skipBlanks(text, at + 1)
      value = inner.value
      open.pop()
    }
  }
}

/**
 * Compares two values in steps. Numbers are the same if their texts are; the order of members does
 * not matter.
 *
 * @param progress - counts values, also those of lists and objects within
 */
function* areSame(
  one: JsonValue,
  other: JsonValue | undefined,
  progress: { compared: number },
): Steps<boolean> {
  progress.compared += 1
  if (progress.compared % valuesOfStep === 0) yield
  if (isLosslessNumber(one)) return isLosslessNumber(other) && one.value === other.value
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false
    for (const [index, item] of one.entries()) {
      if (!(yield* areSame(item, other[index], progress))) return false
    }
    return true
  }
  if (!isJsonObject(one)) return one === other
  if (!isJsonObject(other)) return false
  const names = Object.keys(one)
  // The names of a very large object take most of a second.
  if (names.length >= valuesOfStep) yield
  if (names.length !== Object.keys(other).length) return false
  if (names.length >= valuesOfStep) yield
  for (const name of names) {
    if (!(yield* areSame(one[name]!, memberOf(other, name), progress))) return false
  }
  return true
}

type OpenObject = Extract<Open, { close: '}' }>

function memberTwice({ name, nameAt }: OpenObject): JsonFaultError {
  return new JsonFaultError('duplicate_member', `Duplicate key '${name}' at position ${nameAt}`)
}

/** Reads `"name":` and returns the position of the value. */
function readName(text: string, at: number, object: OpenObject, duplicates: Duplicates): number {
  if (text[at] !== '"') throw notJson('Quoted name', at)
  const { value: name, end } = readString(text, at)
  if (name === '__proto__') {
    throw new JsonFaultError('forbidden_member', 'a member is called __proto__')
  }
  object.name = name
  object.nameAt = at
  if (duplicates === 'none' && Object.hasOwn(object.value, name)) throw memberTwice(object)
  const colon = skipBlanks(text, end)
  if (text[colon] !== ':') throw notJson('Colon', colon)
  return skipBlanks(text, colon + 1)
}

interface Read<Value> {
  readonly value: Value
  readonly end: number
}

function readScalar(text: string, at: number): Read<JsonValue> {
  if (text[at] === '"') return readString(text, at)
  const word = words.find(([letters]) => text.startsWith(letters, at))
  if (word !== undefined) return { value: word[1], end: at + word[0].length }
  number.lastIndex = at
  const digits = number.exec(text)![0]
  const end = at + digits.length
  if (digits === '') throw notJson('JSON value', at)
  if (!/\d$/.test(digits)) throw notJson('Digit', end)
  return { value: new LosslessNumber(digits), end }
}

function readString(text: string, at: number): Read<string> {
  let quote = text.indexOf('"', at + 1)
  while (quote >= 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1)
  const written = text.slice(at + 1, quote < 0 ? text.length : quote)
  const isPlain = !unplain.test(written)
  const value = isPlain ? written : unescaped(written, at + 1)
  if (quote < 0) throw notJson('End of string', text.length)
  if (!isPlain && hasHalfCharacter(value)) {
    throw new JsonFaultError('malformed_text', 'a string holds an unpaired surrogate')
  }
  return { value, end: quote + 1 }
}

function unescaped(written: string, start: number): string {
  try {
    return JSON.parse(`"${written}"`)
  } catch {
    throw notJson('Character or escape', start + faultIn(written))
  }
}

function faultIn(written: string): number {
  for (const { 0: match, index } of written.matchAll(escapeOrFault)) {
    if (match.length === 1) return index
  }
  return 0
}

function skipBlanks(text: string, from: number): number {
  let at = from
  for (let code = text.charCodeAt(at); isBlank(code); code = text.charCodeAt(at)) at += 1
  return at
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

function notJson(expected: string, at: number): JsonFaultError {
  return new JsonFaultError('not_json', `${expected} expected at position ${at}`)
}
