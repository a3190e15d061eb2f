// Reads and checks intents by the tables of their members, and reads other members of files.

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
  return { ...intent, network } as unknown as Intent
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
  const given = intent as Members
  for (const [name, { isOptional, absent, requireType }] of tableOf(forms).rows) {
    // A default is for files: an argument names what a file may leave out.
    if (given[name] === undefined && isOptional === true && absent === undefined) continue
    requireType(given[name], `intent.${name}`)
  }
}

interface FormTable {
  readonly rows: readonly (readonly [name: string, form: Form<unknown>])[]
  readonly names: readonly string[]
}

const tables = new WeakMap<object, FormTable>()

function tableOf(forms: object): FormTable {
  const before = tables.get(forms)
  if (before !== undefined) return before
  const rows = Object.entries<Form<unknown>>({ ...forms, ...termForms })
  const table = { rows, names: rows.map(([name]) => name) }
  tables.set(forms, table)
  return table
}
