// How files and arguments have a network.

import {
  defaultNetwork,
  defineNetwork,
  knownNetwork,
  membersApart,
  type Network,
  networks,
  requireNetwork,
} from '../chain/network.ts'
import { amount, type Members, malformed, object } from '../primitives/json-fields.ts'
import type { Form } from './form-table.ts'

export const network: Form<Network> = {
  shown: '"assetChain"',
  read: readNetwork,
  requireType: requireNetwork,
}

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
