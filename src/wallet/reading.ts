// The calls of a wallet that read the chain.

import type { ChainOptions, HistoryEntry } from '../chain-source/source.ts'
import { requireUint32 } from '../primitives/arguments.ts'
import { balanceOf, holdingsOf, isRealOrder, outpointsOf, tokenOfHolding } from './amounts.ts'
import type { Wallet } from './contract.ts'
import { knownHeights, walletEvents } from './events.ts'
import { readEntries } from './history.ts'
import { readTxid, requireReadOptions } from './options.ts'
import { proveTokens } from './proofs.ts'
import type { Session } from './session.ts'
import { tipNear } from './view.ts'

type Reading = Pick<
  Wallet,
  'addresses' | 'unusedAddress' | 'balance' | 'coins' | 'tokens' | 'history' | 'orders' | 'events'
>

const historyLimit = 50

export function readingCalls(session: Session): Reading {
  const { context, coinbaseMaturity, ring, sync, entries, openOrders } = session
  const { own } = context

  const balance: Wallet['balance'] = async (given = {}) => {
    requireReadOptions(given)
    return balanceOf(await sync(given), coinbaseMaturity, await openOrders(given))
  }

  const proven = (held: ReturnType<typeof holdingsOf>, given: ChainOptions) => {
    const outputs = new Map([...held].map(([tokenid, it]) => [tokenid, outpointsOf(it)]))
    return proveTokens(outputs, context, given, { isShared: false, isForList: true })
  }

  return {
    balance,
    addresses: () => [...own.addresses],
    async unusedAddress(given = {}) {
      requireReadOptions(given)
      await sync(given)
      const key = ring.unusedKey()
      return own.addresses.find(({ publicKey }) => publicKey === key)!
    },
    async coins(given = {}) {
      requireReadOptions(given, ['tokenid'])
      const { tokenid, signal } = given
      const wanted = tokenid === undefined ? undefined : readTxid(tokenid, 'tokenid')
      const { coins } = await sync({ signal })
      return [...coins.values()].filter((coin) => coin.tokenid === wanted)
    },
    async tokens(given = {}) {
      requireReadOptions(given)
      const { coins } = await sync(given)
      const held = holdingsOf(coins, await openOrders(given))
      const proofs = await proven(held, given)
      return [...held].map(([tokenid, holding]) =>
        tokenOfHolding(tokenid, holding, proofs.get(tokenid)!),
      )
    },
    async history(options = {}) {
      requireReadOptions(options, ['limit', 'before'])
      const { limit = historyLimit, before, signal } = options
      requireUint32(limit, 'limit')
      const last = before === undefined ? undefined : readTxid(before, 'before')
      const newest = (await entries({ signal })).toReversed()
      const at = newest.findIndex(({ txid }) => txid === last)
      // The first page again would never end.
      if (last !== undefined && at < 0) {
        throw new TypeError(`before: expected a txid of the history, got ${last}`)
      }
      return readEntries(context, newest.slice(at + 1), { signal, limit })
    },
    async orders(given = {}) {
      requireReadOptions(given)
      await sync(given)
      const orders = await openOrders(given)
      const proofs = await proven(holdingsOf(new Map(), orders), given)
      return orders.filter((order) => isRealOrder(order, proofs))
    },
    events(given = {}) {
      requireReadOptions(given, ['pollMs', 'onInterruption', 'since'])
      const known = knownHeights(given.since)
      const read = (some: readonly HistoryEntry[], limits: ChainOptions) =>
        readEntries(context, some, limits)
      const chain = async (limits: ChainOptions) => context.chain.chain?.(limits)
      const requireNear = (height: number, limits: ChainOptions) =>
        tipNear(context, height, `since names block ${height}`, limits)
      const looks = { chain, entries, requireNear, read, balance, isKnown: context.known.has }
      return walletEvents(looks, given, known)
    },
  }
}
