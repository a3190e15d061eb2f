// The amounts that a partial fill of an order exchanges: exact, and with komodod's doubles.

import { dustThreshold } from '../../chain/limits.ts'
import type { Fill, OpenOrder } from './order-layout.ts'

/**
 * Smaller outputs that pay a public key are not relayed, so an order below this cannot be filled.
 */
export const tradedSatsMin: bigint = dustThreshold(8 + 1 + 35)

type Terms = Pick<OpenOrder, 'action' | 'amount' | 'price'>

/**
 * Computes the exchange of `units` at the order's price. The price is rounded up to whole satoshis
 * for a buyer who fills an ask; a seller who fills a bid gets komodod's whole satoshis per unit.
 *
 * A fill of the whole order costs its whole price. Returns `undefined` if no node accepts the fill,
 * or if the rest could not be filled: `units` is 0 or too many, the coins are dust, or the rest is
 * dust.
 *
 * @see komodo src/cc/CCassetsCore.cpp, SetAskFillamounts, SetBidFillamounts, ValidateAskRemainder,
 *   ValidateBidRemainder
 */
export function exactFill(order: Terms, units: bigint): Fill | undefined {
  const { amount, price } = order
  const isOfBid = order.action === 'bid' || order.action === 'fillBid'
  const [all, worth] = isOfBid ? [price, amount] : [amount, price]
  if (units < 1n || units > all) return undefined
  const isWhole = units === all
  const part = isOfBid ? units * (worth / all) : (worth * units + all - 1n) / all
  const coins = isWhole ? worth : part
  const isTraded = coins >= tradedSatsMin && (isWhole || worth - coins >= tradedSatsMin)
  return isTraded ? { units, coins } : undefined
}

/**
 * Computes the fill that komodod's builder makes; asking for more than there is fills the whole
 * order. If its arithmetic in doubles is inexact, the buyer gets fewer units for the same coins.
 *
 * @see komodo src/cc/CCassetstx.cpp, FillSell, FillBuyOffer
 */
export function daemonFill(order: Terms, units: bigint): Fill {
  const { amount, price } = order
  if (order.action === 'bid' || order.action === 'fillBid') {
    if (units >= price) return { units: price, coins: amount }
    return { units, coins: units * (amount / price) }
  }
  if (amount === 0n) return { units: 0n, coins: 0n }
  const unitPrice = Number(price) / Number(amount)
  const coins = BigInt(Math.trunc(unitPrice * Number(units)))
  if (coins >= price) return { units: amount, coins: price }
  return { units: BigInt(Math.trunc(Number(coins) / unitPrice)), coins }
}
