// Refuses to build payments on KMD with another network: the reward of each coin would go to a miner.

import { type Network, rewardsOf } from '../chain/network.ts'
import { hasKomodoBlock } from '../chain-source/komodo-block.ts'
import type { ChainOptions, ChainSource } from '../chain-source/source.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { printable } from '../primitives/printable.ts'
import { isRpcError } from '../rpc/errors.ts'

/**
 * Returns a check to make before a payment is built. It asks the source until the source has
 * answered once. A source without headers, or one that cannot be asked, is not recognised as KMD.
 *
 * @returns a function that throws a `TypeError` if the source is one of KMD and the network has no
 *   rewards
 */
export function rewardsKept(
  chain: ChainSource,
  network: Network,
): (options: ChainOptions) => Promise<void> {
  if (chain.headers === undefined || rewardsOf(network) !== 'none') return async () => undefined
  const asked: Parameters<typeof hasKomodoBlock>[0] = {
    headers: (start, count, options) => chain.headers!(start, count, options),
    tip: (options) => chain.tip(options),
  }
  let answer: boolean | undefined
  return async (options) => {
    try {
      answer ??= await hasKomodoBlock(asked, options)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (!isRpcError(error) && !isAntaraError(error)) throw error
    }
    if (answer !== true) return
    const details = 'because the coins of the chain earn a reward, which would be lost'
    const name = printable(network.name)
    throw new TypeError(`network: expected networks.komodo, ${details}; got ${name}`)
  }
}
