import type { Network } from '../chain/network.ts'
import { createDaemonClient } from '../rpc/daemon/client.ts'
import { daemonChain } from './daemon.ts'
import type { ChainSource } from './source.ts'

/** The part of a development node that a chain source uses. */
export interface InProcessNode {
  readonly fetch: typeof fetch
  /** The network of its chain; `assetChain` if absent. */
  readonly network?: Network
}

/**
 * Reads the chain of a development node in this process, without a network.
 *
 * @param node - what `createDevNode` returned
 * @param options - the network of the chain; default that of the node
 * @returns a source; amounts in satoshis
 * @example
 * await using node = await createDevNode()
 * const wallet = await createWallet({ signers, chain: devNodeChain(node) })
 */
export function devNodeChain(
  node: InProcessNode,
  options: { readonly network?: Network } = {},
): ChainSource {
  const client = createDaemonClient({
    url: 'http://127.0.0.1',
    user: 'user',
    password: 'password',
    fetch: node.fetch,
  })
  const network = options.network ?? node.network
  return daemonChain(client, {
    ...options,
    ...(network && { network }),
    name: 'development node',
  })
}
