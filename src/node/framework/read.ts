// Reads parameters as serde does: unknown members are ignored, and errors have serde's words,
// because clients see them.

import { isJsonObject, isLosslessNumber, type JsonValue, memberOf } from '../../primitives/json.ts'
import { invalidRequestError } from './errors.ts'

/** Reads one value; throws {@link SerdeFault}. */
export type Read<T> = (value: JsonValue) => T

/** Words of serde about a value that does not fit. */
export class SerdeFault extends Error {
  override readonly name = 'SerdeFault'
}

/** Reads parameters, or throws the dispatcher's `InvalidRequest`. */
export function readParams<T>(read: Read<T>, params: JsonValue): T {
  try {
    return read(params)
  } catch (error) {
    if (error instanceof SerdeFault) throw invalidRequestError(error.message)
    throw error
  }
}

function invalidType(value: JsonValue, expected: string): SerdeFault {
  return new SerdeFault(`invalid type: ${unexpected(value)}, expected ${expected}`)
}

/** @see serde src/de/mod.rs Unexpected */
export function unexpected(value: JsonValue): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return `boolean \`${value}\``
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`
  if (isLosslessNumber(value)) {
    const isInteger = /^-?\d+$/.test(value.value)
    return `${isInteger ? 'integer' : 'floating point'} \`${value.value}\``
  }
  return Array.isArray(value) ? 'sequence' : 'map'
}

export const text: Read<string> = (value) => {
  if (typeof value === 'string') return value
  throw invalidType(value, 'a string')
}

export const flag: Read<boolean> = (value) => {
  if (typeof value === 'boolean') return value
  throw invalidType(value, 'a boolean')
}

/** The largest numbers of serde's types. Of 64 bits, only what a double holds is read. */
const unsignedMax: Readonly<Record<'u8' | 'u32' | 'u64' | 'usize', number>> = {
  u8: 2 ** 8 - 1,
  u32: 2 ** 32 - 1,
  u64: Number.MAX_SAFE_INTEGER,
  usize: Number.MAX_SAFE_INTEGER,
}

/** An integer from 0 that its type holds. */
export function unsigned(name: keyof typeof unsignedMax): Read<number> {
  return (value) => {
    if (!isLosslessNumber(value) || !/^-?\d+$/.test(value.value)) throw invalidType(value, name)
    const number = Number(value.value)
    if (number >= 0 && number <= unsignedMax[name]) return number
    throw new SerdeFault(`invalid value: ${unexpected(value)}, expected ${name}`)
  }
}

/** The same for a number that is only given back, with all its digits. */
export const usizeAsSent: Read<JsonValue> = (value) => {
  if (!isLosslessNumber(value) || !/^-?\d+$/.test(value.value)) throw invalidType(value, 'usize')
  if (/^\d{1,20}$/.test(value.value) && BigInt(value.value) < 1n << 64n) return value
  throw new SerdeFault(`invalid value: ${unexpected(value)}, expected usize`)
}

export function list<T>(read: Read<T>): Read<T[]> {
  return (value) => {
    if (!Array.isArray(value)) throw invalidType(value, 'a sequence')
    return value.map(read)
  }
}

export const anything: Read<JsonValue> = (value) => value

export function oneOf<Name extends string>(...names: readonly Name[]): Read<Name> {
  return (value) => {
    const name = text(value)
    if ((names as readonly string[]).includes(name)) return name as Name
    throw unknownVariant(name, names)
  }
}

/** @see serde src/de/mod.rs, OneOf */
export function unknownVariant(name: string, names: readonly string[]): SerdeFault {
  const quoted = names.map((known) => `\`${known}\``)
  const expected = quoted.length > 2 ? `one of ${quoted.join(', ')}` : quoted.join(' or ')
  return new SerdeFault(`unknown variant \`${name}\`, expected ${expected}`)
}

/** The members of an object that a struct reads. */
interface Members {
  required<T>(name: string, read: Read<T>): T
  /** Absent or null: `fallback`. */
  optional<T, Fallback>(name: string, read: Read<T>, fallback: Fallback): T | Fallback
}

/** Reads a struct called `name` by the members that `build` asks for. */
export function struct<T>(name: string, build: (members: Members) => T): Read<T> {
  return (value) => {
    if (!isJsonObject(value)) throw invalidType(value, `struct ${name}`)
    return build({
      required: (member, read) => {
        const found = memberOf(value, member)
        if (found === undefined) throw new SerdeFault(`missing field \`${member}\``)
        return read(found)
      },
      optional: (member, read, fallback) => {
        const found = memberOf(value, member) ?? null
        return found === null ? fallback : read(found)
      },
    })
  }
}
