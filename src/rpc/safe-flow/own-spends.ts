// The transactions by which a key spent coins or tokens, from the address index of a daemon.

import { defaultNetwork, type Network } from '../../chain/network.ts'
import { pubkeyHashScript } from '../../script/key-script.ts'
import { addressOfScript } from '../../script/script.ts'
import { rulesOfNew } from '../../token/rules/network.ts'
import { fungible } from '../../token/rules/rules.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError } from '../errors.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'

interface Payer {
  /** A compressed public key. */
  readonly pubkey: string
  readonly network?: Network | undefined
}

/**
 * Returns the txids of transactions above a height, and of waiting ones, that spend coins or
 * fungible tokens of a key. Empty for a daemon without an address index.
 */
export async function ownSpends(
  client: DaemonClient,
  { pubkey, network = defaultNetwork }: Payer,
  above: number,
  options: SafeFlowOptions,
): Promise<readonly string[]> {
  const limits = callOptions(options)
  const rows = async (method: string, params: readonly unknown[]): Promise<readonly unknown[]> => {
    try {
      const reply = await client.call(method, params, limits)
      return Array.isArray(reply) ? reply : []
    } catch (error) {
      if (isRpcError(error, 'daemon') || isRpcError(error, 'shape')) return []
      throw error
    }
  }
  const height = Number(String(await client.call('getblockcount', [], limits)))
  const spends: string[] = []
  for (const { address, isCondition } of addressesOf(pubkey, network)) {
    const further = isCondition ? [1] : []
    const range = { start: above + 1, end: Math.max(height, above + 1) }
    const asked = { addresses: [address] }
    spends.push(
      ...(await rows('getaddressdeltas', [{ ...asked, ...range }, ...further])).flatMap(spendOf),
      ...(await rows('getaddressmempool', [asked])).flatMap(spendOf),
    )
    // komodod lists waiting conditions without the second parameter only; other daemons may not.
    if (!isCondition) continue
    spends.push(...(await rows('getaddressmempool', [asked, 1])).flatMap(spendOf))
  }
  return [...new Set(spends)]
}

function addressesOf(pubkey: string, network: Network) {
  const versions = network.conditions === 'tokel' ? ([2, 1] as const) : ([1] as const)
  const tokens = versions.map((version) => {
    const [script] = rulesOfNew(network, version).placesOf(fungible).scriptsOf([pubkey])
    return { address: addressOfScript(script!, network), isCondition: true }
  })
  return [
    { address: addressOfScript(pubkeyHashScript(pubkey), network), isCondition: false },
    ...tokens,
  ]
}

/** Returns the txid of a row that takes coins from the address. */
function spendOf(row: unknown): string[] {
  const { txid, satoshis } = Object(row) as { readonly txid?: unknown; readonly satoshis?: unknown }
  const isSpend = String(satoshis).startsWith('-')
  return isSpend && typeof txid === 'string' ? [txid.toLowerCase()] : []
}
