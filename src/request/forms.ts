// How a request has the values of its members. One table of them reads case files, checks arguments
// and shows the members in documentation.

import {
  argumentError,
  requireArray,
  requireBigint,
  requireBoolean,
  requireObject,
  requireString,
  requireUint32,
} from '../primitives/arguments.ts'
import {
  amount,
  items,
  malformed,
  object,
  height as readHeight,
  string,
  strings,
} from '../primitives/json-fields.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { type KeySet, keySetMembers } from '../token/rules/key-set.ts'
import type { Outpoint } from '../transaction/types.ts'

/** How a request has one member. */
export interface Form<Value> {
  /** As documentation shows it: `"100"`, `"PUBKEY"`, `true`. */
  readonly shown: string
  /** True if it may be absent. */
  readonly isOptional?: boolean
  /** Member that may stand in its place: one of the two must be there. */
  readonly instead?: string
  /** True if the member and the one in its place may both be there. */
  readonly isBoth?: boolean
  /** True if no file has it: only an argument can. */
  readonly isArgument?: boolean
  /** The default in a case file; without one, an absent member is absent from the intent too. */
  readonly absent?: Value
  /** Reads the value from JSON. @throws {AntaraError} `malformed_case`, naming the member */
  read(value: unknown, path: string): Value
  /** Refuses an argument of the wrong type. @throws {TypeError} */
  requireType(value: unknown, path: string): void
}

export function optional<Value>(form: Form<Value>, absent?: Value): Form<Value> {
  return { ...form, isOptional: true, ...(absent !== undefined && { absent }) }
}

/** A member that is needed unless another says the same in another way, and never beside it. */
export function unless<Value>(other: string, form: Form<Value>): Form<Value> {
  return { ...form, isOptional: true, instead: other }
}

/** A member that is needed unless another is there; both may be. */
export function orElse<Value>(other: string, form: Form<Value>): Form<Value> {
  return { ...unless(other, form), isBoth: true }
}

export function text(shown: string): Form<string> {
  return { shown: JSON.stringify(shown), read: string, requireType: requireString }
}

export const units: Form<bigint> = { shown: '"100"', read: amount, requireType: requireBigint }
/** Units as programs give them, or decimal digits; what they say is checked where it is read. */
export const unitsOrText: Form<bigint | string> = {
  ...units,
  requireType(value, path) {
    if (typeof value !== 'string') requireBigint(value, path)
  },
}
export const pubkey: Form<string> = text('PUBKEY')
export const hex: Form<string> = text('HEX')
export const txid: Form<string> = text('TXID')

function uint32(shown: string): Form<number> {
  return { shown, read: readHeight, requireType: requireUint32 }
}

export const height: Form<number> = uint32('223')
export const count: Form<number> = uint32('2')
export const seconds: Form<number> = uint32('1795243930')

/** Checks each item of an array. @throws {TypeError} */
export function requireEach(
  value: unknown,
  path: string,
  requireItem: (item: unknown, path: string) => void,
): void {
  requireArray(value, path)
  for (const [at, item] of value.entries()) requireItem(item, `${path}[${at}]`)
}

export function texts(...shown: readonly string[]): Form<readonly string[]> {
  return {
    shown: `[${shown.map((it) => JSON.stringify(it)).join(', ')}]`,
    read: strings,
    requireType: (value, path) => requireEach(value, path, requireString),
  }
}

export const txids: Form<readonly string[]> = texts('TXID', 'TXID')

export const keySet: Form<KeySet> = {
  shown: '{ "required": 2, "pubkeys": ["PUBKEY", "PUBKEY"] }',
  read(value, path) {
    const keys = object(value, path, keySetMembers)
    return {
      required: readHeight(keys.required, `${path}.required`),
      pubkeys: strings(keys.pubkeys, `${path}.pubkeys`),
    }
  },
  requireType(keys, path) {
    requireObject(keys, path)
    requireKnownMembers(keys, keySetMembers, path)
    const { required, pubkeys } = keys as Partial<KeySet>
    requireUint32(required, `${path}.required`)
    requireEach(pubkeys, `${path}.pubkeys`, requireString)
  },
}

/** A member that the operation already implies. */
export function only<Value extends string>(value: Value): Form<Value> {
  return {
    shown: JSON.stringify(value),
    isOptional: true,
    absent: value,
    read(given, path) {
      if (given === value) return value
      throw malformed(path, value, given)
    },
    requireType(given, path) {
      if (given !== value) throw argumentError(path, value, given)
    },
  }
}

/** One of some numbers. */
export function oneOf<Value extends number>(...values: readonly Value[]): Form<Value> {
  const expected = values.join(' or ')
  return {
    shown: JSON.stringify(values[0]),
    read(given, path) {
      const value = values.find((it) => it === given)
      if (value !== undefined) return value
      throw malformed(path, expected, given)
    },
    requireType(given, path) {
      if (!values.some((it) => it === given)) throw argumentError(path, expected, given)
    },
  }
}

/** Lists alternatives for a message: `a, b or c`. */
export function listed(words: readonly unknown[]): string {
  if (words.length < 2) return words.join()
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** One of some words, of which documentation shows the first. */
export function words<Word extends string>(...known: readonly [Word, ...Word[]]): Form<Word> {
  const isKnown = (value: unknown): value is Word => known.some((word) => word === value)
  return {
    shown: JSON.stringify(known[0]),
    read(value, path) {
      if (isKnown(value)) return value
      throw malformed(path, listed(known), value)
    },
    requireType(value, path) {
      if (isKnown(value)) return
      throw argumentError(path, listed(known.map((word) => `'${word}'`)), value)
    },
  }
}

export const flag: Form<boolean> = {
  shown: 'true',
  read(value, path) {
    if (typeof value === 'boolean') return value
    throw malformed(path, 'true or false', value)
  },
  requireType: requireBoolean,
}

export const outpoints: Form<readonly Outpoint[]> = {
  shown: '[{ "txid": "TXID", "vout": 0 }]',
  read: (value, path) => items(value, path, { named: 'outpoints', read: readOutpoint }),
  requireType(value, path) {
    requireArray(value, path)
    for (const [at, outpoint] of value.entries()) {
      const { txid: id, vout } = (outpoint ?? {}) as Partial<Outpoint>
      // A list may have thousands: a path is only written for an outpoint that is wrong.
      if (typeof id === 'string' && typeof vout === 'number' && vout >>> 0 === vout) continue
      requireObject(outpoint, `${path}[${at}]`)
      requireString(id, `${path}[${at}].txid`)
      requireUint32(vout, `${path}[${at}].vout`)
    }
  },
}

function readOutpoint(value: unknown, path: string): Outpoint {
  const outpoint = object(value, path, ['txid', 'vout'])
  return {
    txid: string(outpoint.txid, `${path}.txid`),
    vout: readHeight(outpoint.vout, `${path}.vout`),
  }
}
