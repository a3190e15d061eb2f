// Compares the network of a guard with the chain that its daemon claims to run. A disagreement
// refuses payments; an answer of the daemon allows nothing that the network does not.

import { type Network, rewardsOf } from '../chain/network.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { printable } from '../primitives/printable.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import type { NodeInfo } from '../rpc/daemon/node-results.ts'
import { isRpcError } from '../rpc/errors.ts'
import { guardFailure } from './refusals.ts'

/**
 * Returns a function that throws unless the daemon's chain agrees with the network. It returns the
 * hash of block 1. Call it before each payment: another daemon may listen at the same port by then.
 */
export function chainAgreement(
  client: DaemonClient,
  network: Network,
): () => Promise<string | undefined> {
  let known: string | undefined
  return async () => {
    if (known === undefined) {
      const difference = differenceOf(await client.getinfo(), network)
      if (difference !== undefined) throw guardFailure(difference)
    }
    const found = await firstBlock(client)
    known ??= found
    if (found === known) return found
    throw guardFailure(
      'the daemon runs another chain than at the first payment. Start the guard again if you changed the chain',
    )
  }
}

/** komodo src/rpc/protocol.h, RPC_INVALID_PARAMETER: no block has this height. */
const noSuchBlock = -8

/** Returns the hash of block 1, which names a chain: asset chains share block 0. */
async function firstBlock(client: DaemonClient): Promise<string | undefined> {
  try {
    const hash = await client.call('getblockhash', [1])
    return typeof hash === 'string' && isHex32(hash.toLowerCase()) ? hash.toLowerCase() : undefined
  } catch (error) {
    if (isRpcError(error, 'daemon') && error.code === noSuchBlock) return undefined
    throw error
  }
}

/**
 * Returns words for how the chain differs from the network, or `undefined` if it agrees.
 *
 * @see komodo src/rpc/misc.cpp, getinfo: KMD's name is KMD, and chains whose coins earn a reward
 *   have `interest`; tokel src/rpc/misc.cpp, getinfo: `TokelVersion`
 */
function differenceOf(info: NodeInfo, network: Network): string | undefined {
  const { name = '', interest, TokelVersion } = info
  if (name === '') {
    return 'the daemon does not say which chain it runs, so no payment is possible'
  }
  const rewards = rewardsOf(network)
  const earnsRewards = name === 'KMD' || interest !== undefined
  if (earnsRewards && rewards === 'none') {
    return wrongNetwork(network, 'the coins of the daemon earn a reward', 'komodo')
  }
  if (!earnsRewards && rewards === 'komodo') {
    return wrongNetwork(network, 'the daemon does not run KMD', 'assetChain')
  }
  const isTokel = TokelVersion !== undefined
  if (isTokel === (network.conditions === 'tokel')) return undefined
  return isTokel
    ? wrongNetwork(network, 'the daemon is tokeld', 'tokel')
    : wrongNetwork(network, 'the daemon is not tokeld', 'assetChain')
}

function wrongNetwork({ name }: Network, fact: string, other: string): string {
  return `${fact}, but the network of the guard is ${printable(name)}. Start the guard with the network of the chain, such as ${other}`
}
