// Reads and checks intents and requests by the tables of their members.

import type { Network } from '../chain/network.ts'
import { requireObject } from '../primitives/arguments.ts'
import { object } from '../primitives/json-fields.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { oncePerObject } from '../primitives/once-per-object.ts'
import {
  formTable,
  mayLackArgument,
  type RequestForms,
  readMembers,
  requireMembers,
} from './form-table.ts'
import { type IntentTerms, termForms } from './terms.ts'

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
  const table = intentTable(forms)
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
  const table = intentTable(forms)
  requireKnownMembers(intent, table.members, 'intent')
  requireMembers(intent, table, 'intent.', mayLackArgument)
}

/**
 * Reads a file that asks a builder for a transaction. It may have a `note` beside the members.
 *
 * @throws {AntaraError} `malformed_case`, naming the member
 */
export function readRequest<Request>(value: unknown, forms: RequestForms<Request>): Request {
  const table = requestTable(forms)
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
  const table = requestTable(forms)
  requireKnownMembers(request, table.members, 'request')
  requireMembers(request, table)
}

const requestTable = oncePerObject(formTable)
const intentTable = oncePerObject((forms: object) => formTable({ ...forms, ...termForms }))
