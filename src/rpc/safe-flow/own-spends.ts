// The transactions by which a key spent coins or tokens, from the address index of a daemon.

import { defaultNetwork, type Network } from '../../chain/network.ts'
import { pubkeyHashScript } from '../../script/key-script.ts'
import { addressOfScript } from '../../script/script.ts'
import { rulesOfNew } from '../../token/rules/network.ts'
import { fungible } from '../../token/rules/rules.ts'
import type { DaemonClient } from '../daemon/client.ts'
import { isRpcError, RpcError } from '../errors.ts'
import { callOptions, type SafeFlowOptions } from './options.ts'

interface Payer {
  /** A compressed public key. */
  readonly pubkey: string
  readonly network?: Network | undefined
}

/** Limits how often a range of blocks is halved, which a hostile daemon could demand for ever. */
const halvingsMax = 1024

/** The spends of a payer, as a daemon lists them. Empty for a daemon without an address index. */
export interface SpendReader {
  /** Returns the txids of waiting transactions. */
  waiting(): Promise<readonly string[]>
  /** Returns the height of the chain. */
  tip(): Promise<number>
  /** Returns the transactions in the blocks of some heights, both included. */
  mined(start: number, end: number): Promise<MinedSpends>
}

interface MinedSpends {
  readonly spends: readonly MinedSpend[]
  /** False if the daemon refused a list. It may give the list later. */
  readonly isWhole: boolean
}

/** A transaction that spends coins or tokens of the payer. */
export interface MinedSpend {
  readonly txid: string
  /** Absent if the daemon does not tell it. */
  readonly height?: number
}

/**
 * Returns the txids of transactions above a height, and of waiting ones, that spend coins or
 * fungible tokens of a key.
 */
export async function ownSpends(
  client: DaemonClient,
  payer: Payer,
  above: number,
  options: SafeFlowOptions,
): Promise<readonly string[]> {
  const reader = spendReader(client, payer, options)
  // The mempool is read first: a block between the answers moves a transaction from it to the chain.
  const waiting = await reader.waiting()
  const end = Math.max(await reader.tip(), above + 1)
  const { spends } = await reader.mined(above + 1, end)
  return [...new Set([...waiting, ...spends.map(({ txid }) => txid)])]
}

export function spendReader(
  client: DaemonClient,
  { pubkey, network = defaultNetwork }: Payer,
  options: SafeFlowOptions,
): SpendReader {
  const limits = callOptions(options)
  const addresses = addressesOf(pubkey, network)
  /** Returns `undefined` if the daemon refuses. */
  const rows = async (
    method: string,
    params: readonly unknown[],
  ): Promise<readonly unknown[] | undefined> => {
    try {
      const reply = await client.call(method, params, limits)
      return Array.isArray(reply) ? reply : undefined
    } catch (error) {
      if (isTooLarge(error)) throw error
      if (isRpcError(error, 'daemon') || isRpcError(error, 'shape')) return undefined
      throw error
    }
  }
  return {
    async waiting() {
      const lists = addresses.flatMap(({ address, isCondition }) => {
        const asked = { addresses: [address] }
        // komodod lists waiting conditions without the second parameter only; other daemons may not.
        return [
          rows('getaddressmempool', [asked]),
          ...(isCondition ? [rows('getaddressmempool', [asked, 1])] : []),
        ]
      })
      const found = (await Promise.all(lists)).flatMap((list) => list ?? [])
      return found.flatMap((row) => spendOf(row).map(({ txid }) => txid))
    },
    async tip() {
      const tip = Number(String(await client.call('getblockcount', [], limits)))
      if (Number.isSafeInteger(tip) && tip >= 0) return tip
      throw new RpcError('shape', 'getblockcount: the answer is no height')
    },
    async mined(first, last) {
      let halvings = 0
      let isWhole = true
      /** Asks for fewer blocks at once if all rows are more than a reply may have. */
      const deltas = async (
        { address, isCondition }: SpendAddress,
        start: number,
        end: number,
      ): Promise<readonly unknown[]> => {
        try {
          const params = [{ addresses: [address], start, end }, ...(isCondition ? [1] : [])]
          const found = await rows('getaddressdeltas', params)
          if (found === undefined) isWhole = false
          return found ?? []
        } catch (error) {
          if (!isTooLarge(error) || !(start < end) || ++halvings > halvingsMax) throw error
          const middle = Math.floor((start + end) / 2)
          const first = await deltas({ address, isCondition }, start, middle)
          return [...first, ...(await deltas({ address, isCondition }, middle + 1, end))]
        }
      }
      const lists = await Promise.all(addresses.map((address) => deltas(address, first, last)))
      return { spends: lists.flat().flatMap(spendOf), isWhole }
    },
  }
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

/** Returns the transaction of a row that takes coins from the address. */
function spendOf(row: unknown): MinedSpend[] {
  const { txid, satoshis, height } = Object(row) as Readonly<Record<string, unknown>>
  const isSpend = String(satoshis).startsWith('-')
  if (!isSpend || typeof txid !== 'string') return []
  const at = Number(String(height))
  const hasHeight = height !== undefined && Number.isSafeInteger(at) && at >= 0
  return [{ txid: txid.toLowerCase(), ...(hasHeight && { height: at }) }]
}
