// The network that --network names: a known one, or that of a file.

import { defaultNetwork, knownNetwork, type Network, networks } from '../chain/network.ts'
import { didYouMean } from '../primitives/closest.ts'
import { parseJson } from '../primitives/json-fields.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { readNetwork } from '../request/network.ts'
import { type Option, type ParsedArguments, UsageError } from './command.ts'
import { readAs } from './kind-of-file.ts'
import { readTextNow } from './read.ts'

const networkNames: readonly string[] = Object.keys(networks)

/** @param absent - the network without this option */
export function networkOptionOf(absent: string): Option {
  return {
    name: 'network',
    value: 'NAME|FILE',
    values: networkNames,
    about:
      `${networkNames.join(', ')}; default ${absent}.\n` +
      'For another: a JSON file with what differs from assetChain',
  }
}

export const networkOption: Option = networkOptionOf('assetChain')

export function chosenNetwork({ options }: ParsedArguments): Network {
  return namedNetwork(options) ?? defaultNetwork
}

/**
 * Returns the network that the options name; `undefined` if they name none. A file has the form that
 * the network of a case file has.
 *
 * @throws {UsageError} for an unknown name, or a file that cannot be read
 * @throws {AntaraError} `malformed_case` for the content of a file
 */
export function namedNetwork(options: ReadonlyMap<string, string>): Network | undefined {
  const name = options.get('network')
  if (name === undefined) return undefined
  const known = `known: ${networkNames.join(', ')}`
  if (/[./\\]/.test(name)) {
    return readAs('a network file', textOf(name, known), (text) => readNetwork(parseJson(text)))
  }
  const network = knownNetwork(name)
  if (network !== undefined) return network
  throw new UsageError(
    `--network: unknown network ${redactKey(name)}; ${known}${didYouMean(name, networkNames)}`,
  )
}

/** Reads a file whose name may have been meant as the name of a network. */
function textOf(path: string, known: string): string {
  try {
    return readTextNow(path)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`--network: ${error.message}; ${known}`)
  }
}
