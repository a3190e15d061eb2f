import type { Network } from '../chain/network.ts'
import { ownScriptsOf } from '../wallet/own-scripts.ts'

/** The first address and its script, and all addresses. */
interface TokenPlaces {
  readonly tokenAddress: string
  readonly tokenScript: string
  readonly tokenAddresses: readonly string[]
}

/**
 * Returns where a chain holds the tokens of a key, as a wallet shows it. On chains of tokeld, the
 * first address is that of tokens v2, and the last that of tokens v1.
 */
export function tokenPlacesOf(publicKey: string, network: Network): TokenPlaces {
  const { addresses } = ownScriptsOf([publicKey], network)
  const { tokenAddress = '', tokenAddresses, scripts } = addresses[0]!
  // The scripts of plain coins are the first two.
  const [, , tokenScript = ''] = scripts
  return { tokenAddress, tokenScript, tokenAddresses }
}
