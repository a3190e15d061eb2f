// Reads and checks intents and requests by the tables of their members, and reads other members of
// files.

import {
  defaultNetwork,
  defineNetwork,
  knownNetwork,
  membersApart,
  type Network,
  networks,
  requireNetwork,
} from '../chain/network.ts'
import { requireObject } from '../primitives/arguments.ts'
import {
  amount,
  height,
  items,
  type Members,
  malformed,
  object,
  string,
} from '../primitives/json-fields.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import type { ClaimedAmount } from './case.ts'
import type { Form } from './forms.ts'
import { type IntentTerms, termForms } from './terms.ts'

/**
 * A known network by name, or members that differ from `assetChain`. Not the branch id: a file that
 * is carried about does not decide for which chains a signature counts. Nor are a known network's
 * members otherwise than they are: a person who reads its name relies on it.
 */
export function readNetwork(value: unknown): Network {
  if (value === undefined) return defaultNetwork
  if (typeof value === 'string') {
    const known = knownNetwork(value)
    if (known !== undefined) return known
    throw malformed('network', Object.keys(networks).join(', '), value)
  }
  const overrides = readOverrides(value)
  const network = defined(overrides)
  // A network without a name of its own is identified by its members.
  const known = overrides.name === undefined ? undefined : knownNetwork(network.name)
  if (known === undefined) return network
  const [apart] = membersApart(network, known)
  if (apart === undefined) return known
  const expected = `${known[apart]}, or another name: ${known.name} is known`
  throw malformed(`network.${apart}`, expected, `${network[apart]}`)
}

function readOverrides(value: unknown): Members {
  const names = Object.keys(networks.assetChain).filter((name) => name !== 'branchId')
  const { maxMoney, ...members } = object(value, 'network', names)
  if (maxMoney === undefined) return members
  return { ...members, maxMoney: amount(maxMoney, 'network.maxMoney') }
}

function defined(overrides: Partial<Network>): Network {
  try {
    return defineNetwork(overrides)
  } catch (error) {
    throw malformed('network', 'overrides of assetChain', (error as Error).message)
  }
}

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
export type Forms<Intent extends IntentTerms> = {
  readonly [Member in Exclude<keyof Intent, keyof IntentTerms>]-?: Form<
    Exclude<Intent[Member], undefined>
  >
}

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
 * Refuses an intent that lacks a member, or has one of the wrong type.
 *
 * @throws {TypeError}
 */
export function requireIntent<Intent extends IntentTerms>(
  intent: Intent,
  forms: Forms<Intent>,
): void {
  requireObject(intent, 'intent')
  if (intent.network !== undefined) requireNetwork(intent.network, 'intent.network')
  // A default is for files: an intent names what a file may leave out.
  const isAbsent = ({ isOptional, absent }: Form<unknown>) =>
    isOptional === true && absent === undefined
  requireMembers(intent, tableOf(forms, termForms), 'intent.', isAbsent)
}

type MemberOf<Value> = Value extends unknown ? keyof Value : never
type ValueOf<Value, Member> = Value extends unknown
  ? Member extends keyof Value
    ? Exclude<Value[Member], undefined>
    : never
  : never

/** A form for every member of what a builder takes, or of all types of a union. */
export type RequestForms<Request> = {
  readonly [Member in MemberOf<Request>]: Form<ValueOf<Request, Member>>
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
  requireMembers(request, table, '', ({ isOptional }) => isOptional === true)
}

function readMembers(given: Members, { rows }: FormTable, owner = ''): Members {
  const read: Members = {}
  for (const [name, form] of rows) {
    const value = given[name]
    if (form.isArgument === true) continue
    requireOneOf(given, name, form, owner)
    if (value !== undefined || form.isOptional !== true) {
      read[name] = form.read(value, `${owner}${name}`)
    } else if (form.absent !== undefined) {
      read[name] = form.absent
    }
  }
  return read
}

/** Refuses a file that has neither of two members, or both where one stands in the other's place. */
function requireOneOf(
  given: Members,
  name: string,
  { instead, isBoth }: Form<unknown>,
  owner: string,
): void {
  if (instead === undefined) return
  const count = [name, instead].filter((it) => given[it] !== undefined).length
  if (count === 1 || (count === 2 && isBoth === true)) return
  const expected = `${name} or ${instead}`
  throw malformed(`${owner}${name}`, isBoth === true ? expected : `either ${expected}`, given[name])
}

function requireMembers(
  given: object,
  { rows }: FormTable,
  owner: string,
  mayLack: (form: Form<unknown>) => boolean,
): void {
  for (const [name, form] of rows) {
    const value = (given as Members)[name]
    if (value === undefined && mayLack(form)) continue
    form.requireType(value, `${owner}${name}`)
  }
}

interface FormTable {
  readonly rows: readonly (readonly [name: string, form: Form<unknown>])[]
  /** The members that arguments may have. */
  readonly members: readonly string[]
  /** The members that files may have. */
  readonly names: readonly string[]
}

const tables = new WeakMap<object, FormTable>()

function tableOf(forms: object, terms: object = {}): FormTable {
  const before = tables.get(forms)
  if (before !== undefined) return before
  const rows = Object.entries<Form<unknown>>({ ...forms, ...terms })
  const table = {
    rows,
    members: rows.map(([name]) => name),
    names: rows.filter(([, form]) => form.isArgument !== true).map(([name]) => name),
  }
  tables.set(forms, table)
  return table
}
