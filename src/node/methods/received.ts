// Methods for received coins, by address and since a block.

import { zeroHex32 } from '../../primitives/hex-forms.ts'
import { decodeAddress } from '../../script/read-address.ts'
import { inMapOrder } from '../state/keys.ts'
import { entriesFrom, lookUp } from '../state/ordered-map.ts'
import { isCoinbase } from '../state/stored-transaction.ts'
import { blockAt, knownBlock, positionOf } from '../state/view.ts'
import { ownershipOf } from '../state/wallet.ts'
import { depthOf, walletTransactions } from '../wallet/history.ts'
import { type Answer, coins } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { boolean, integer, lenientHash, text } from './params.ts'
import { requireScript } from './raw.ts'
import { balanceCoins } from './wallet-coins.ts'
import { listedEntries } from './wallet-payments.ts'

export const receivedMethods: Methods = methodsIn('Wallet', [
  method('getreceivedbyaddress "address" ( minconf )', [1, 2], (context, [address, minimum]) => {
    const script = requireScript(context, text(address))
    const { scripts } = context.rules
    if (ownershipOf(context.wallet, script, scripts) === undefined) return coins(0n)
    const least = minimum === undefined ? 1 : integer(minimum)
    return coins(receivedBy(context, least, (paid) => paid === script).amount)
  }),
  method(
    'listreceivedbyaddress ( minconf includeempty includeWatchonly)',
    [0, 3],
    (context, [minimum, includesEmpty, watched]) => {
      const least = minimum === undefined ? 1 : integer(minimum)
      const withEmpty = includesEmpty !== undefined && boolean(includesEmpty)
      if (watched !== undefined) boolean(watched)
      return [...entriesFrom(context.wallet.accounts)].flatMap(([address, account]): Answer[] => {
        const wanted = decodeAddress(address)?.hash160
        const { amount, txids, depth } = receivedBy(context, least, (script) => {
          const { type, addresses } = context.rules.scripts.describe(script)
          return (
            type !== 'cryptocondition' &&
            addresses?.length === 1 &&
            decodeAddress(addresses[0]!)?.hash160 === wanted
          )
        })
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
      })
    },
  ),
  method(
    'listsinceblock ( "blockhash" target-confirmations includeWatchonly )',
    [0, Number.POSITIVE_INFINITY],
    (context, [since, target, watched]) => {
      const { state } = context
      const from = since === undefined ? undefined : knownBlock(context, lenientHash(text(since)))
      const confirmations = target === undefined ? 1 : integer(target)
      if (confirmations < 1) throw failure('parameter', 'Invalid parameter')
      if (watched !== undefined) boolean(watched)
      const { tip } = state.chain
      const last = blockAt(context, tip.height + 1 - confirmations)
      const listed = walletTransactions(context, context.wallet).filter(({ txid }) => {
        const position = positionOf(state, txid)
        return from === undefined || position === undefined || position.height > from.height
      })
      const transactions = inMapOrder(listed).flatMap((stored) => listedEntries(context, stored))
      return { transactions, lastblock: last?.hash ?? zeroHex32 }
    },
  ),
  method('listaddressgroupings', [0, Number.POSITIVE_INFINITY], (context) => {
    const { scripts } = context.rules
    const sums = new Map<string, bigint>()
    for (const coin of balanceCoins(context, 1)) {
      const [address] = scripts.describe(coin.script).addresses ?? []
      if (address !== undefined) sums.set(address, (sums.get(address) ?? 0n) + coin.value)
    }
    // Each address is listed by itself: addresses that were spent together are not joined here.
    return [...sums].map(([address, sum]) => {
      const account = lookUp(context.wallet.accounts, address)
      return [[address, coins(sum), ...(account === undefined ? [] : [account])]]
    })
  }),
])

/** Coinbases do not count, and the transactions are in the order of the wallet's map. */
function receivedBy(context: Context, least: number, isWanted: (script: string) => boolean) {
  let amount = 0n
  /** Confirmations of the latest transaction. */
  let depth: number | undefined
  const txids: string[] = []
  for (const stored of inMapOrder(walletTransactions(context, context.wallet))) {
    const { txid, transaction } = stored
    const own = depthOf(context.state, txid)
    if (own < least || isCoinbase(transaction)) continue
    for (const { script, value } of transaction.outputs) {
      if (!isWanted(script)) continue
      amount += value
      depth = Math.min(depth ?? own, own)
      txids.push(txid)
    }
  }
  return { amount, txids, depth }
}
