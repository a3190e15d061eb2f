// Methods for received coins, by address and since a block.

import { decodeAddress } from '../../script/read-address.ts'
import { entriesFrom, lookUp } from '../state/ordered-map.ts'
import { blockAt, blockMet, positionOf } from '../state/view.ts'
import { depthOf, walletTransactions } from '../wallet/history.ts'
import { type Answer, coins } from './answer.ts'
import { type Context, type Methods, methodOf, stateOf, walletOf } from './context.ts'
import { failure } from './failure.ts'
import { boolean, hash, integer, text } from './params.ts'
import { scriptOf } from './raw.ts'
import { coinsOf } from './wallet-coins.ts'
import { listedTransactions } from './wallet-payments.ts'

const category = 'Wallet'

export const receivedMethods: Methods = {
  getreceivedbyaddress: methodOf(
    category,
    'getreceivedbyaddress "address" ( minconf )',
    [1, 2],
    (context, [address, minimum]) => {
      const given = text(address)
      const least = minimum === undefined ? 1 : integer(minimum)
      if (scriptOf(context, given) === undefined) {
        throw failure('addressOrKey', 'Invalid Komodo address')
      }
      return coins(receivedBy(context, given, least).amount)
    },
  ),
  listreceivedbyaddress: methodOf(
    category,
    'listreceivedbyaddress ( minconf includeempty includeWatchonly)',
    [0, 3],
    (context, [minimum, includesEmpty]) => {
      const least = minimum === undefined ? 1 : integer(minimum)
      const withEmpty = includesEmpty !== undefined && boolean(includesEmpty)
      return [...entriesFrom(walletOf(context).accounts)].flatMap(
        ([address, account]): Answer[] => {
          const { amount, txids, depth } = receivedBy(context, address, least)
          if (txids.length === 0 && !withEmpty) return []
          const confirmations = depth ?? 0
          return [
            {
              address,
              account,
              amount: coins(amount),
              rawconfirmations: confirmations,
              confirmations,
              txids,
            },
          ]
        },
      )
    },
  ),
  listsinceblock: methodOf(
    category,
    'listsinceblock ( "blockhash" target-confirmations includeWatchonly )',
    [0, 3],
    (context, [since, target]) => {
      const { rules } = context.engine
      const state = stateOf(context)
      const from =
        since === undefined ? undefined : blockMet(state, rules, hash(since, 'blockhash'))
      const confirmations = target === undefined ? 1 : integer(target)
      if (confirmations < 1) throw failure('parameter', 'Invalid parameter')
      const { tip } = stateOf(context).chain
      const last = blockAt(stateOf(context), rules, Math.max(0, tip.height + 1 - confirmations))!
      const transactions = listedTransactions(context, ({ txid }) => {
        const position = positionOf(stateOf(context), txid)
        return from === undefined || position === undefined || position.height > from.height
      })
      return { transactions, lastblock: last.hash }
    },
  ),
  listaddressgroupings: methodOf(category, 'listaddressgroupings', [0, 0], (context) => {
    const { scripts } = context.engine.rules
    const sums = new Map<string, bigint>()
    for (const { script, value } of coinsOf(context)) {
      const [address] = scripts.describe(script).addresses ?? []
      if (address !== undefined) sums.set(address, (sums.get(address) ?? 0n) + value)
    }
    // each by itself: which ones were spent together nobody has asked for yet
    return [...sums].map(([address, sum]) => {
      const account = lookUp(walletOf(context).accounts, address)
      return [[address, coins(sum), ...(account === undefined ? [] : [account])]]
    })
  }),
}

interface Received {
  readonly amount: bigint
  readonly txids: readonly string[]
  /** Confirmations of the latest transaction. */
  readonly depth: number | undefined
}

function receivedBy(context: Context, address: string, least: number): Received {
  const { state, rules } = context.engine
  const wanted = decodeAddress(address)?.hash160
  let amount = 0n
  let depth: number | undefined
  const txids: string[] = []
  for (const { txid, transaction } of walletTransactions(state, rules, walletOf(context))) {
    const own = depthOf(state, txid)
    const paid = transaction.outputs.filter(({ script }) => {
      const { type, addresses } = rules.scripts.describe(script)
      return (
        type !== 'cryptocondition' &&
        addresses?.length === 1 &&
        decodeAddress(addresses[0]!)?.hash160 === wanted
      )
    })
    if (own < least || paid.length === 0) continue
    amount += paid.reduce((sum, { value }) => sum + value, 0n)
    depth = Math.min(depth ?? own, own)
    txids.push(txid)
  }
  return { amount, txids, depth }
}
