// Compares the chain that a daemon claims to run with a network. A false claim gains nothing, because
// the comparison allows nothing that the network does not.

import { type Network, rewardsOf } from '../../chain/network.ts'
import type { NodeInfo } from './node-results.ts'

/** How the chain of a daemon differs from a network. */
export interface ChainDifference {
  readonly fact: string
  /** The name of a network that has this fact; absent if the daemon does not tell its chain. */
  readonly other?: string
}

/**
 * Returns how the chain of a daemon differs from a network, or `undefined` if it agrees.
 *
 * @see komodo src/rpc/misc.cpp, getinfo: KMD's name is KMD, and chains whose coins earn a reward
 *   have `interest`; tokel src/rpc/misc.cpp, getinfo: `TokelVersion`
 */
export function chainDifference(info: NodeInfo, network: Network): ChainDifference | undefined {
  const { name = '', interest, TokelVersion } = info
  if (name === '') return { fact: 'the daemon does not say which chain it runs' }
  const rewards = rewardsOf(network)
  const earnsRewards = name === 'KMD' || interest !== undefined
  if (earnsRewards && rewards === 'none') {
    return { fact: 'the coins of the daemon earn a reward', other: 'komodo' }
  }
  if (!earnsRewards && rewards === 'komodo') {
    return { fact: 'the daemon does not run KMD', other: 'assetChain' }
  }
  const isTokel = TokelVersion !== undefined
  if (isTokel === (network.conditions === 'tokel')) return undefined
  return isTokel
    ? { fact: 'the daemon is tokeld', other: 'tokel' }
    : { fact: 'the daemon is not tokeld', other: 'assetChain' }
}
