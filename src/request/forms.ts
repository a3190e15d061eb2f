// How a case file has the members of an intent: read and, for documentation, shown by one table.

import type { Network } from '../chain/network.ts'
import {
  amount,
  bytes,
  items,
  type Members,
  malformed,
  object,
  height as readHeight,
  string,
  strings,
} from '../primitives/json-fields.ts'
import type { KeySet } from '../token/rules/key-set.ts'
import { type IntentTerms, type Payee, payeeMembers, type TokelProperties } from './intent.ts'
import { readKeySet, readProperties, readRecipients, readTerms, termMembers } from './members.ts'

/** How a case file has one member. */
export interface Form<Value> {
  /** As documentation shows it: `"100"`, `"PUBKEY"`, `true`. */
  readonly shown: string
  /** True if it may be absent. */
  readonly isOptional?: boolean
  /** Member that may stand in its place: exactly one of the two must be there. */
  readonly instead?: string
  /** The default; without one, an absent member is absent from the intent too. */
  readonly absent?: Value
  /** @throws {AntaraError} `malformed_case`, naming the member */
  read(value: unknown, path: string): Value
}

/** A form for every member that an intent has beside its terms. */
export type Forms<Intent extends IntentTerms> = {
  readonly [Member in Exclude<keyof Intent, keyof IntentTerms>]-?: Form<
    Exclude<Intent[Member], undefined>
  >
}

export function optional<Value>(form: Form<Value>, absent?: Value): Form<Value> {
  return { ...form, isOptional: true, ...(absent !== undefined && { absent }) }
}

/** A member that is needed unless another says the same in another way, and never beside it. */
export function unless<Value>(other: string, form: Form<Value>): Form<Value> {
  return { ...form, isOptional: true, instead: other }
}

export function text(shown: string): Form<string> {
  return { shown: JSON.stringify(shown), read: string }
}

export const units: Form<bigint> = { shown: '"100"', read: amount }
export const pubkey: Form<string> = text('PUBKEY')
export const hex: Form<string> = text('HEX')
export const txid: Form<string> = text('TXID')

export const height: Form<number> = { shown: '223', read: readHeight }
export const count: Form<number> = { shown: '2', read: readHeight }
export const seconds: Form<number> = { shown: '1795243930', read: readHeight }

export const own: Form<readonly string[]> = { shown: '["PUBKEY", "ADDRESS"]', read: strings }
export const redeemScripts: Form<readonly string[]> = {
  shown: '["HEX"]',
  read: (value, path) => items(value, path, { named: 'strings of hex', read: bytes }),
}

export const payees: Form<readonly Payee[]> = {
  shown: '[{ "address": "ADDRESS", "amount": "100" }]',
  read: (value, path) => items(value, path, { named: 'recipients', read: readPayee }),
}

function readPayee(value: unknown, path: string): Payee {
  const payee = object(value, path, payeeMembers)
  return {
    ...(payee.address !== undefined && { address: string(payee.address, `${path}.address`) }),
    ...(payee.script !== undefined && { script: string(payee.script, `${path}.script`) }),
    amount: payee.amount === 'max' ? 'max' : amount(payee.amount, `${path}.amount`),
  }
}

export const keySet: Form<KeySet> = {
  shown: '{ "required": 2, "pubkeys": ["PUBKEY", "PUBKEY"] }',
  read: readKeySet,
}

export const txids: Form<readonly string[]> = { shown: '["TXID", "TXID"]', read: strings }

export const properties: Form<TokelProperties> = {
  shown: '{ "id": 1, "url": "https://a.b/c", "royalty": 25, "arbitrary": "HEX" }',
  read: readProperties,
}

/** A member of which the operation says already what it is. */
export function only<Value extends string>(value: Value): Form<Value> {
  return {
    shown: JSON.stringify(value),
    isOptional: true,
    absent: value,
    read(given, path) {
      if (given === value) return value
      throw malformed(path, value, given)
    },
  }
}

/** One of some numbers. */
export function oneOf<Value extends number>(...values: readonly Value[]): Form<Value> {
  return {
    shown: JSON.stringify(values[0]),
    read(given, path) {
      const value = values.find((it) => it === given)
      if (value !== undefined) return value
      throw malformed(path, values.join(' or '), given)
    },
  }
}

export const flag: Form<boolean> = {
  shown: 'true',
  read(value, path) {
    if (typeof value === 'boolean') return value
    throw malformed(path, 'true or false', value)
  },
}

export const recipients: Form<ReturnType<typeof readRecipients>> = {
  shown: '[{ "pubkey": "PUBKEY", "amount": "100" }]',
  read: readRecipients,
}

/**
 * Reads what was asked for from the `intent` of a case file.
 *
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export function readIntent<Intent extends IntentTerms>(
  value: unknown,
  forms: Forms<Intent>,
  network: Network,
): Intent {
  const { rows, names } = tableOf(forms)
  const given: Members = object(value, 'intent', names)
  const intent: Members = {}
  for (const [name, { isOptional, instead, absent, read }] of rows) {
    if (instead !== undefined && (given[name] === undefined) === (given[instead] === undefined)) {
      throw malformed(`intent.${name}`, `either it or ${instead}`, given[name])
    }
    if (given[name] !== undefined || isOptional !== true) {
      intent[name] = read(given[name], `intent.${name}`)
    } else if (absent !== undefined) {
      intent[name] = absent
    }
  }
  return Object.assign(intent, readTerms(given, network)) as unknown as Intent
}

interface FormTable {
  readonly rows: readonly (readonly [name: string, form: Form<unknown>])[]
  /** Names of all members that an intent may have. */
  readonly names: readonly string[]
}

const tables = new WeakMap<object, FormTable>()

function tableOf(forms: object): FormTable {
  const before = tables.get(forms)
  if (before !== undefined) return before
  const rows = Object.entries<Form<unknown>>(forms as Record<string, Form<unknown>>)
  const table = { rows, names: [...rows.map(([name]) => name), ...termMembers] }
  tables.set(forms, table)
  return table
}
