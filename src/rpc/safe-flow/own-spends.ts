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

/** Times that a range of blocks is halved: a busy key needs some, and a daemon could go on for ever. */
const halvingsMax = 1024

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
      if (isTooLarge(error)) throw error
      if (isRpcError(error, 'daemon') || isRpcError(error, 'shape')) return []
      throw error
    }
  }
  let halvings = 0
  /** Asks for fewer blocks at once if all rows are more than a reply may have. */
  const deltas = async (
    { address, isCondition }: SpendAddress,
    start: number,
    end: number,
  ): Promise<readonly unknown[]> => {
    try {
      const params = [{ addresses: [address], start, end }, ...(isCondition ? [1] : [])]
      return await rows('getaddressdeltas', params)
    } catch (error) {
      if (!isTooLarge(error) || !(start < end) || ++halvings > halvingsMax) throw error
      const middle = Math.floor((start + end) / 2)
      const first = await deltas({ address, isCondition }, start, middle)
      return [...first, ...(await deltas({ address, isCondition }, middle + 1, end))]
    }
  }
  const addresses = addressesOf(pubkey, network)
  const spends: string[] = []
  // The mempool is read first: a block between the answers moves a transaction from it to the chain.
  for (const { address, isCondition } of addresses) {
    const asked = { addresses: [address] }
    spends.push(...(await rows('getaddressmempool', [asked])).flatMap(spendOf))
    // komodod lists waiting conditions without the second parameter only; other daemons may not.
    if (!isCondition) continue
    spends.push(...(await rows('getaddressmempool', [asked, 1])).flatMap(spendOf))
  }
  const height = Number(String(await client.call('getblockcount', [], limits)))
  const end = Math.max(height, above + 1)
  for (const one of addresses) spends.push(...(await deltas(one, above + 1, end)).flatMap(spendOf))
  return [...new Set(spends)]
}

interface SpendAddress {
  readonly address: string
  readonly isCondition: boolean
}

const isTooLarge = (error: unknown): boolean =>
  isRpcError(error, 'shape') && error.reason === 'reply_too_large'

function addressesOf(pubkey: string, network: Network): readonly SpendAddress[] {
  const versions = network.conditions === 'tokel' ? ([2, 1] as const) : ([1] as const)
  const tokens = versions.map((version) => {
    const [script] = rulesOfNew(network, version).placesOf(fungible).scriptsOf([pubkey])
    return { address: addressOfScript(script!, network)!, isCondition: true }
  })
  return [
    { address: addressOfScript(pubkeyHashScript(pubkey), network)!, isCondition: false },
    ...tokens,
  ]
}

/** Returns the txid of a row that takes coins from the address. */
function spendOf(row: unknown): string[] {
  const { txid, satoshis } = Object(row) as { readonly txid?: unknown; readonly satoshis?: unknown }
  const isSpend = String(satoshis).startsWith('-')
  return isSpend && typeof txid === 'string' ? [txid.toLowerCase()] : []
}
