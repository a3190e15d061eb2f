import {
  defaultNetwork,
  knownNetwork,
  membersApart,
  type Network,
  networks,
} from '../chain/network.ts'
import { argumentError } from '../primitives/arguments.ts'
import { printableJson } from '../primitives/printable.ts'
import type { AskedFor, Case } from './case.ts'
import { type Evidence, evidenceIn } from './evidence.ts'

/**
 * Writes a case, or an unsigned transaction that was built here, as a case file: JSON that the
 * command line verifies and signs.
 *
 * Amounts are decimal strings. The values of the coins are left out, because a reader computes them
 * from the previous transactions.
 *
 * @returns JSON text
 * @throws {TypeError} for a payment whose own scripts only a function tells
 * @example
 * formatCase(buildTokenTransfer(request)) // '{\n  "operation": "tokentransfer",\n …'
 */
export function formatCase(given: Case | (AskedFor & Evidence & { readonly hex: string })): string {
  const { operation, intent, hex } = given
  const { network = defaultNetwork, ...asked } = intent
  if ('own' in asked && typeof asked.own === 'function') {
    throw argumentError(
      'intent.own',
      'keys, addresses or scripts, for a file holds no function',
      asked.own,
    )
  }
  const content = {
    operation,
    network: networkMember(network),
    intent: asked,
    hex,
    ...evidenceIn('evidence' in given ? given.evidence : given),
  }
  const text = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)
  return `${printableJson(JSON.stringify(content, text, 2))}\n`
}

/** A request as a journal keeps it: a case file without what a server answered. */
export function requestText(requested: AskedFor): string {
  const text = formatCase({ ...requested, hex: '', previousTransactions: [] })
  const { hex: _hex, previousTransactions: _previous, ...request } = JSON.parse(text)
  return JSON.stringify(request)
}

/**
 * A known network's name, or what sets another apart from `assetChain`. One that goes by a known
 * name and is not that network is written without it, for no file may say so.
 */
function networkMember(network: Network): string | Partial<Network> {
  const { name } = network
  const known = knownNetwork(name)
  if (known !== undefined && membersApart(network, known).length === 0) return name
  const members = membersApart(network, networks.assetChain).map((it) => [it, network[it]])
  return Object.fromEntries(known === undefined ? [['name', name], ...members] : members)
}
