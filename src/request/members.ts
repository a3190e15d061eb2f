// Reads and checks intents and requests by the tables of their members, and reads other members of
// files.

import type { Network } from '../chain/network.ts'
import { requireObject } from '../primitives/arguments.ts'
import { amount, height, items, object, string } from '../primitives/json-fields.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { ClaimedAmount } from './case.ts'
import {
  type Form,
  type FormTable,
  formTable,
  type RequestForms,
  readMembers,
  requireMembers,
} from './forms.ts'
import { type IntentTerms, termForms } from './terms.ts'

export function readHeights(value: unknown): Record<string, number> {
  const heights = object(value, 'heights', Object.keys(value ?? {}))
  const rows = Object.entries(heights).map(([txid, it]) => [txid, height(it, `heights.${txid}`)])
  return Object.fromEntries(rows) as Record<string, number>
}

export function readAmounts(value: unknown): ClaimedAmount[] {
  return items(value, 'amounts', { named: 'amounts', read: readClaimedAmount })
}

function readClaimedAmount(value: unknown, path: string): ClaimedAmount {
  const claimed = object(value, path, ['txid', 'vout', 'value'])
  return {
    txid: string(claimed.txid, `${path}.txid`),
    vout: height(claimed.vout, `${path}.vout`),
    value: amount(claimed.value, `${path}.value`),
  }
}

/** A form for every member that an intent has beside its terms. */
export type Forms<Intent extends IntentTerms> = Omit<RequestForms<Intent>, keyof IntentTerms>

/**
 * Reads the intent of a case file.
 *
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export function readIntent<Intent extends IntentTerms>(
  value: unknown,
  forms: Forms<Intent>,
  network: Network,
): Intent {
  const table = tableOf(forms, termForms)
  const given = object(value, 'intent', table.names)
  return { ...readMembers(given, table, 'intent.'), network } as unknown as Intent
}

/**
 * Refuses an intent that lacks a member, has one of the wrong type, or one that is not known.
 *
 * @throws {TypeError}
 */
export function requireIntent<Intent extends IntentTerms>(
  intent: Intent,
  forms: Forms<Intent>,
): void {
  requireObject(intent, 'intent')
  const table = tableOf(forms, termForms)
  requireKnownMembers(intent, table.members, 'intent')
  // A default is for files: an intent names what a file may leave out.
  const mayLack = ({ isOptional, absent }: Form<unknown>) =>
    isOptional === true && absent === undefined
  requireMembers(intent, table, 'intent.', mayLack)
}

/**
 * Reads a file that asks a builder for a transaction. It may have a `note` beside the members.
 *
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export function readRequest<Request>(value: unknown, forms: RequestForms<Request>): Request {
  const table = tableOf(forms)
  const given = object(value, 'request', [...table.names, 'note'])
  return readMembers(given, table) as Request
}

/**
 * Refuses an argument of a builder that lacks a member, has one of the wrong type, or one that is
 * not known.
 *
 * @throws {TypeError}
 */
export function requireRequest<Request extends object>(
  request: Request,
  forms: RequestForms<Request>,
): void {
  requireObject(request, 'request')
  const table = tableOf(forms)
  requireKnownMembers(request, table.members, 'request')
  requireMembers(request, table)
}

const tables = new WeakMap<object, FormTable>()

function tableOf(forms: object, terms: object = {}): FormTable {
  const before = tables.get(forms)
  if (before !== undefined) return before
  const table = formTable({ ...forms, ...terms })
  tables.set(forms, table)
  return table
}
