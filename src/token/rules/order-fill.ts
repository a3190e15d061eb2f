// What changes hands when part of an order is filled: exactly, and by komodod's doubles.

import { dustThreshold } from '../../chain/limits.ts'
import type { Fill, OpenOrder } from './order-layout.ts'

/** Less is not relayed in an output that pays a public key, so that no order for less can be met. */
export const tradedSatsMin: bigint = dustThreshold(8 + 1 + 35)

type Terms = Pick<OpenOrder, 'action' | 'amount' | 'price'>

/**
 * As many units as are asked for, at the order's price: rounded up to whole satoshis for who buys
 * from an ask, and for who sells to a bid at the whole satoshis per unit that komodod gives.
 *
 * The whole of an order is the whole of what it asks. Undefined where no node takes such a part,
 * or where nobody could fill what it leaves: no units, more than there are, so few coins that they
 * are dust, or so few left.
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
 * What komodod's builder makes of it, all there is if more is asked for; where its arithmetic in
 * doubles does not come out even, the buyer gets fewer units for what is paid.
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
