import type { Network } from '../chain/network.ts'
import { addressOfScript } from '../script/script.ts'
import { ownScriptsOf } from '../wallet/own-scripts.ts'

/** The first address and its script, and all addresses. */
interface TokenAddresses {
  readonly tokenAddress: string
  readonly tokenScript: string
  readonly tokenAddresses: readonly string[]
}

/**
 * Returns where a chain holds the tokens of a key, as a wallet shows it. On chains of tokeld, the
 * first address is that of tokens v2, and the last that of tokens v1.
 */
export function tokenAddressesOf(publicKey: string, network: Network): TokenAddresses {
  const { addresses } = ownScriptsOf([publicKey], network)
  const { tokenAddress = '', tokenAddresses, scripts } = addresses[0]!
  const tokenScript = scripts.find((it) => addressOfScript(it, network) === tokenAddress) ?? ''
  return { tokenAddress, tokenScript, tokenAddresses }
}
