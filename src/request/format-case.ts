import {
  defaultNetwork,
  knownNetwork,
  membersApart,
  type Network,
  networks,
} from '../chain/network.ts'
import { argumentError } from '../primitives/arguments.ts'
import { bigintAsText } from '../primitives/json-replacer.ts'
import { printableJson } from '../primitives/printable.ts'
import type { AskedFor, Case, OperationName } from './case.ts'
import { type Evidence, evidenceIn } from './evidence.ts'
import type { IntentTerms } from './terms.ts'

/**
 * Writes a case, or an unsigned transaction that was built here, as a case file: JSON that the
 * command line verifies and signs.
 *
 * Amounts are decimal strings. The values of the coins are left out, because a reader computes them
 * from the previous transactions.
 *
 * @param given - a case, or what a builder returned
 * @returns JSON text
 * @throws {TypeError} for a payment whose `own` is a function, which a file cannot contain
 * @example
 * formatCase(buildTokenTransfer(request)) // '{\n  "operation": "tokentransfer",\n …'
 */
export function formatCase(given: Case | (AskedFor & Evidence & { readonly hex: string })): string {
  const { operation, intent, hex } = given
  const evidence = evidenceIn('evidence' in given ? given.evidence : given)
  const content = { operation, ...askedIn(intent), hex, ...evidence }
  return `${printableJson(JSON.stringify(content, bigintAsText, 2))}\n`
}

/** Returns an intent as files and journals have it, which name the network beside it. */
export function askedIn({ network = defaultNetwork, ...intent }: IntentTerms): {
  readonly network: string | Partial<Network>
  readonly intent: object
} {
  if ('own' in intent && typeof intent.own === 'function') {
    const expected = 'keys, addresses or scripts, for a file holds no function'
    throw argumentError('intent.own', expected, intent.own)
  }
  return { network: networkMember(network), intent }
}

interface Requested {
  readonly operation: OperationName
  readonly intent: IntentTerms
}

/** Writes a request as a journal keeps it: a case file without hex and evidence. */
export function requestText({ operation, intent }: Requested): string {
  return JSON.stringify({ operation, ...askedIn(intent) }, bigintAsText)
}

/**
 * Returns a known network's name, or the members in which another network differs from
 * `assetChain`. A network that has a known name without being that network is written without the
 * name.
 */
export function networkMember(network: Network): string | Partial<Network> {
  const { name } = network
  const known = knownNetwork(name)
  if (known !== undefined && membersApart(network, known).length === 0) return name
  const members = membersApart(network, networks.assetChain).map((it) => [it, network[it]])
  return Object.fromEntries(known === undefined ? [['name', name], ...members] : members)
}
