// The network of a guard against what its daemon says of its chain. A disagreement refuses
// payments; an answer of the daemon allows nothing that the network does not.

import { type Network, rewardsOf } from '../chain/network.ts'
import { printable } from '../primitives/printable.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import type { NodeInfo } from '../rpc/daemon/node-results.ts'
import { guardFailure } from './refusals.ts'

/**
 * Returns a function that throws unless the daemon's chain agrees with the network. It asks before
 * the first payment, and again until the daemon agreed.
 */
export function chainAgreement(client: DaemonClient, network: Network): () => Promise<void> {
  let isAgreed = false
  return async () => {
    if (isAgreed) return
    const apart = differenceOf(await client.getinfo(), network)
    if (apart !== undefined) throw guardFailure(apart)
    isAgreed = true
  }
}

/**
 * Says how the chain differs; `undefined` if it does not.
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
  const isRewarding = name === 'KMD' || interest !== undefined
  if (isRewarding && rewards === 'none') {
    return wrongNetwork(network, 'the coins of the daemon earn a reward', 'komodo')
  }
  if (!isRewarding && rewards === 'komodo') {
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
