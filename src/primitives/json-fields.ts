// Readers of the members of JSON files that people write. Each error names the member.

import { AntaraError } from '../errors/antara-error.ts'
import { kindOf } from './arguments.ts'
import { closest } from './closest.ts'
import { isHex } from './hex-forms.ts'
import { hasMoreValues, type JsonFault, JsonFaultError, parsePlainJson } from './json.ts'
import { redactKey } from './redact-key.ts'
import { utf8Length } from './utf8.ts'

export type Members = Record<string, unknown>

const faultWords: Readonly<Record<JsonFault, string>> = {
  not_json: 'something else',
  duplicate_member: 'a member given twice',
  forbidden_member: 'a member called __proto__',
  nested_too_deep: 'values nested too deep',
  malformed_text: 'half of a character',
}

/**
 * Parses a JSON file. It refuses a member given twice with different values, because two readers
 * could take different ones.
 *
 * @param valuesMax - refuses text with more values before it is parsed; for text of strangers
 * @throws {AntaraError} `malformed_case`, with the place and without any text, so that a key file
 *   passed by mistake is not printed
 */
export function parseJson(text: string, valuesMax: number = Number.POSITIVE_INFINITY): unknown {
  if (valuesMax < text.length && hasMoreValues(text, valuesMax)) {
    throw malformed('case', `at most ${valuesMax} values`, 'more')
  }
  try {
    return parsePlainJson(text)
  } catch (error) {
    if (error instanceof JsonFaultError) throw notJson(text, error)
    throw error
  }
}

function notJson(text: string, { fault, message }: JsonFaultError): AntaraError {
  const position = /position (\d+)$/.exec(message)?.[1]
  if (position === undefined) return malformed('case', 'JSON', faultWords[fault])
  const before = text.slice(0, Number(position))
  const lines = before.split('\n')
  const place = `line ${lines.length}, column ${lines.at(-1)!.length + 1}`
  return new AntaraError('malformed_case', {
    offset: utf8Length(before),
    path: 'case',
    expected: 'JSON',
    actual: `${faultWords[fault]} in ${place}`,
  })
}

/** Reads an object without unknown members. */
export function object(value: unknown, path: string, known: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(path, 'an object', value)
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    const expected = closest(unknown, known) ?? known.join(', ')
    throw malformed(`${path}.${redactKey(unknown)}`, expected, unknown)
  }
  return value as Members
}

export function string(value: unknown, path: string): string {
  if (typeof value === 'string') return value
  throw malformed(path, 'a string', value)
}

export function strings(value: unknown, path: string): string[] {
  return items(value, path, { named: 'strings', read: string })
}

/** Reads hex of at least one byte, in either case. */
export function bytes(value: unknown, path: string): string {
  if (typeof value === 'string' && isHex(value)) return value
  throw malformed(path, 'hex of at least one byte', value)
}

/** Reads each item of an array, with its path. */
export function items<Item>(
  value: unknown,
  path: string,
  { named, read }: { named: string; read: (item: unknown, path: string) => Item },
): Item[] {
  if (!Array.isArray(value)) throw malformed(path, `an array of ${named}`, value)
  return value.map((item, index) => read(item, `${path}[${index}]`))
}

/** Reads a decimal string, because JSON numbers lose digits. */
export function amount(value: unknown, path: string): bigint {
  if (typeof value === 'string' && /^[0-9]{1,20}$/.test(value)) return BigInt(value)
  throw malformed(path, 'a string of 1 to 20 decimal digits', value)
}

/** Reads a height, or another number of 32 bits, such as the index of an output. */
export function height(value: unknown, path: string): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 2 ** 32) {
    return value
  }
  throw malformed(path, 'a whole number from 0 to 4294967295', value)
}

export function malformed(path: string, expected: string, value: unknown): AntaraError {
  return new AntaraError('malformed_case', { path, expected, actual: inBrief(value) })
}

const briefLength = 100

/** Describes the actual value in a few words. */
function inBrief(value: unknown): unknown {
  if (value === undefined) return 'nothing'
  if (typeof value === 'string') {
    const text = redactKey(value)
    return text.length > briefLength ? `${text.slice(0, briefLength)}…` : text
  }
  return typeof value === 'object' && value !== null ? kindOf(value) : value
}
