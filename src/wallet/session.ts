// The state that the parts of an open wallet share: keys, chain, journal, and the last look.

import { coinbaseMaturity as maturityOfKomodo } from '../chain/limits.ts'
import { defaultNetwork, type Network, requireNetwork } from '../chain/network.ts'
import { bytesMaxDefault, entriesMaxDefault } from '../chain-source/limits.ts'
import type { ChainOptions, ChainSource, HistoryEntry } from '../chain-source/source.ts'
import { createFindings } from '../chain-source/source-findings.ts'
import type { Journal } from '../journal/journal.ts'
import { memoryJournal } from '../journal/memory.ts'
import {
  argumentError,
  requireArray,
  requireObject,
  requireUint32,
} from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { readFirstBlock } from '../rpc/first-block.ts'
import { checkedSource } from './checked-source.ts'
import type { PlanContext } from './choice.ts'
import type { WalletOptions } from './contract.ts'
import { listedEntries } from './history.ts'
import type { KeyRing } from './key-ring.ts'
import { type LatestView, latestView } from './latest-view.ts'
import { createLooks, heightsOf, type Looks } from './looks.ts'
import type { WalletOrder } from './order.ts'
import { proveCoins, proveTokens } from './proofs.ts'
import { rewardsKept } from './rewards-kept.ts'
import { historyOfTransaction } from './transaction-history.ts'
import { createKnownTransactions } from './transactions.ts'
import type { View, ViewContext } from './view.ts'
import { readKeys } from './wallet-keys.ts'

export interface Session extends LatestView {
  readonly options: WalletOptions
  readonly journal: Journal
  readonly ring: KeyRing
  readonly coinbaseMaturity: number
  readonly context: ViewContext
  readonly planContext: PlanContext
  /** Shared by everything that waits for a payment. */
  readonly looks: Looks
  /** Reads the history of all keys, including keys that were first paid since the last call. */
  entries(options: ChainOptions): Promise<readonly HistoryEntry[]>
  /** Returns the open orders of the last look. */
  openOrders(options: ChainOptions): Promise<readonly WalletOrder[]>
}

const optionNames = [
  ...['keychain', 'gapLimit', 'keysMax'],
  ...['network', 'signers', 'publicKeys', 'chain', 'journal', 'coinbaseMaturity', 'trustSource'],
  ...['onProgress', 'simulator', 'entriesMax', 'bytesMax', 'firstBlock'],
]

/** @throws {TypeError} for options that it does not know, or without a key */
export async function openSession(options: WalletOptions): Promise<Session> {
  requireObject(options, 'options')
  requireKnownMembers(options, optionNames, 'options')
  const { network = defaultNetwork, onProgress } = options
  const { journal = memoryJournal(), coinbaseMaturity = maturityOfKomodo } = options
  const { entriesMax = entriesMaxDefault, bytesMax = bytesMaxDefault } = options
  requireNetwork(network, 'network')
  requireObject(options.chain, 'chain')
  requireSameAddresses(options.chain, network)
  requireUint32(coinbaseMaturity, 'coinbaseMaturity')
  requireUint32(entriesMax, 'entriesMax')
  requireUint32(bytesMax, 'bytesMax')
  const findings = createFindings(options.chain.name)
  const firstBlock = firstBlockOf(options)
  const chain = checkedSource(options.chain, findings, { entriesMax, firstBlock })
  if (onProgress !== undefined && typeof onProgress !== 'function') {
    throw argumentError('onProgress', 'a function', onProgress)
  }
  const known = createKnownTransactions(chain, onProgress, bytesMax)
  const { ring, own } = await readKeys(options, { chain, network, known, findings })
  const context: ViewContext = { chain, network, own, known, findings }
  const { last, sync } = latestView(ring, context)
  const requireRewardsKept = rewardsKept(options.chain, network)
  const planContext: PlanContext = {
    ...context,
    publicKeys: ring.publicKeys,
    changeKey: ring.changeKey,
    coinbaseMaturity,
    async sync(given) {
      await requireRewardsKept(given)
      return sync(given)
    },
    heights: async (given) => heightsOf(await entries(given)),
    historyOf: async (transaction, given) =>
      historyOfTransaction(context, transaction, await entries(given), given),
    prove: (tokenid, coins, given) => proveCoins(tokenid, coins, context, given),
    proveTogether: (coins, given) => proveTokens(coins, context, given, { isShared: true }),
  }

  async function entries(given: ChainOptions): Promise<readonly HistoryEntry[]> {
    await ring.discover(given)
    const listed: readonly unknown[] = await chain.history(own.watched, given)
    return listedEntries(listed, findings, async (highest) => {
      const height = last()?.tip.height
      return height !== undefined && height >= highest ? height : (await chain.tip(given)).height
    })
  }

  /** Returns the transactions that made or spent markers of the wallet's orders. */
  async function markedIn({ markers }: View, given: ChainOptions) {
    // A stranger can spend tokeld's markers with the module's key, while the order stays open.
    if (network.conditions !== 'tokel') return markers
    const scripts = own.watched.filter((script) => own.ownerOf(script)?.holds === 'markers')
    return listedEntries(await chain.history(scripts, given), findings, async (highest) => highest)
  }

  const looks = createLooks({ chain, entries })
  return {
    ...{
      options,
      looks,
      journal,
      ring,
      coinbaseMaturity,
      context,
      planContext,
      last,
      sync,
      entries,
    },
    async openOrders(given) {
      const view = last()
      const marked = view === undefined ? [] : await markedIn(view, given)
      // Each order has a marker, so most wallets ask for nothing more.
      if (marked.length === 0) return []
      const { readOpenOrders } = await import('./open-orders.ts')
      return readOpenOrders(planContext, marked, await entries(given), given)
    },
  }
}

/** @throws {TypeError} if it is no hash, or the source cannot show its chain */
function firstBlockOf({ firstBlock, chain }: WalletOptions): string | undefined {
  if (firstBlock !== undefined && chain.chain === undefined) {
    throw new TypeError('firstBlock: expected a chain source with the function chain')
  }
  return readFirstBlock(firstBlock)
}

const addressMembers = ['pubKeyHashPrefix', 'scriptHashPrefix', 'conditionPrefix'] as const

/**
 * Refuses a source that would ask for other addresses than those of the wallet: the server would
 * rightly answer that they have nothing.
 *
 * @throws {TypeError}
 */
function requireSameAddresses({ networks = [] }: ChainSource, network: Network): void {
  requireArray(networks, 'chain.networks')
  for (const other of networks) {
    if (addressMembers.every((member) => other[member] === network[member])) continue
    throw new TypeError(
      `chain: expected a source for addresses of ${network.name}, got one for ${other.name}; ` +
        'pass the same network to it, as in daemonChain(daemon, { network })',
    )
  }
}
