// The forms that members of requests have: numbers, texts, hex, lists and objects.

import {
  argumentError,
  requireArray,
  requireBigint,
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
import type { KeySet } from '../token/rules/key-set.ts'
import type { Outpoint } from '../transaction/types.ts'
import {
  type Form,
  formTable,
  type MemberForms,
  optional,
  readMembers,
  requireMembers,
} from './form-table.ts'

export function text(shown: string): Form<string> {
  return { shown: JSON.stringify(shown), read: string, requireType: requireString }
}

export const units: Form<bigint> = { shown: '"100"', read: amount, requireType: requireBigint }
/** Units as a bigint, or decimal digits, whose value is checked when they are read. */
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

export function record<Value>(forms: MemberForms<Value>): Form<Value> {
  const table = formTable(forms)
  return {
    shown: `{ ${table.rows.map(([name, { shown }]) => `"${name}": ${shown}`).join(', ')} }`,
    read: (value, path) =>
      readMembers(object(value, path, table.names), table, `${path}.`) as Value,
    requireType(value, path) {
      requireObject(value, path)
      requireKnownMembers(value, table.names, path)
      requireMembers(value, table, `${path}.`)
    },
  }
}

/** @param named - the items, for messages */
export function list<Item>(named: string, item: Form<Item>): Form<readonly Item[]> {
  return {
    shown: `[${item.shown}]`,
    read: (value, path) => items(value, path, { named, read: item.read }),
    requireType: (value, path) => requireEach(value, path, item.requireType),
  }
}

export const keySet: Form<KeySet> = record<KeySet>({
  required: count,
  pubkeys: texts('PUBKEY', 'PUBKEY'),
})

/** One of some values, which are the same in files and arguments. */
function choice<Value>(
  shown: Value,
  isOne: (value: unknown) => value is Value,
  expected: string,
  expectedOfArgument: string = expected,
): Form<Value> {
  return {
    shown: JSON.stringify(shown),
    read(value, path) {
      if (isOne(value)) return value
      throw malformed(path, expected, value)
    },
    requireType(value, path) {
      if (!isOne(value)) throw argumentError(path, expectedOfArgument, value)
    },
  }
}

/** A member that the operation already implies. */
export function only<Value extends string>(value: Value): Form<Value> {
  return optional(
    choice(value, (given): given is Value => given === value, value),
    value,
  )
}

export function oneOf<Value extends number>(...values: readonly [Value, ...Value[]]): Form<Value> {
  const isOne = (given: unknown): given is Value => values.some((it) => it === given)
  return choice(values[0], isOne, values.join(' or '))
}

/** Lists alternatives for a message: `a, b or c`. */
export function listed(words: readonly unknown[]): string {
  if (words.length < 2) return words.join()
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}

/** One of some words, of which documentation shows the first. */
export function words<Word extends string>(...known: readonly [Word, ...Word[]]): Form<Word> {
  const isKnown = (value: unknown): value is Word => known.some((word) => word === value)
  return choice(known[0], isKnown, listed(known), listed(known.map((word) => `'${word}'`)))
}

export const flag: Form<boolean> = choice(
  true,
  (value): value is boolean => typeof value === 'boolean',
  'true or false',
)

export const outpointForms: MemberForms<Outpoint> = { txid, vout: { ...height, shown: '0' } }
const outpoint = record<Outpoint>(outpointForms)

export const outpoints: Form<readonly Outpoint[]> = {
  ...list('outpoints', outpoint),
  requireType(value, path) {
    requireArray(value, path)
    for (const [at, given] of value.entries()) {
      const { txid: id, vout } = (given ?? {}) as Partial<Outpoint>
      // A list may have thousands: a path is only written for an outpoint that is wrong.
      if (typeof id === 'string' && typeof vout === 'number' && vout >>> 0 === vout) continue
      requireOutpoint(given, `${path}[${at}]`)
    }
  },
}

/** Further members may be there: a list may have coins. */
export function requireOutpoint(value: unknown, path: string): asserts value is Outpoint {
  requireObject(value, path)
  const { txid: id, vout } = value as Partial<Outpoint>
  requireString(id, `${path}.txid`)
  requireUint32(vout, `${path}.vout`)
}

export const heights: Form<Readonly<Record<string, number>>> = {
  shown: '{ "TXID": 223 }',
  read(value, path) {
    const given = object(value, path, Object.keys(value ?? {}))
    const rows = Object.entries(given).map(([id, it]) => [id, readHeight(it, `${path}.${id}`)])
    return Object.fromEntries(rows) as Record<string, number>
  },
  requireType(value, path) {
    requireObject(value, path)
    for (const [id, it] of Object.entries(value)) requireUint32(it, `${path}.${id}`)
  },
}
