// What a chain enforces of the price of an offer. An offer whose price it does not enforce is an offer
// to give everything away, so builders refuse it and the verifier rejects it.

import type { OrderBook } from './order-book.ts'
import { tradedSatsMin } from './order-fill.ts'
import { unitPriceMin } from './order-layout-v2.ts'

interface OfferedPrice {
  readonly kind: 'ask' | 'bid'
  /** At least one. */
  readonly units: bigint
  /** Satoshis for all of them. */
  readonly price: bigint
  /** Whether the maker of a bid accepts that the chain does not enforce its price. */
  readonly allowUnenforcedPrice?: boolean | undefined
}

interface PriceRefusal {
  /** Whether the price itself is possible, but no chain would enforce it. */
  readonly isUnenforced: boolean
  readonly member: 'price' | 'units'
  readonly expected: string
  readonly actual: bigint
}

/** Why nobody should make an offer at this price; undefined if somebody may. */
export function priceRefusal(
  offer: OfferedPrice,
  book: Pick<OrderBook, 'ends'>,
): PriceRefusal | undefined {
  const { units, price } = offer
  if (book.ends) {
    if (price % units === 0n && price / units >= unitPriceMin) return undefined
    const expected = `a multiple of ${units}, at least ${unitPriceMin} for each`
    return { isUnenforced: false, member: 'price', expected, actual: price }
  }
  if (price < tradedSatsMin) {
    const expected = `at least ${tradedSatsMin}`
    return { isUnenforced: false, member: 'price', expected, actual: price }
  }
  return unenforced(offer)
}

/**
 * komodod compares satoshis per unit, both cut: an ask for less than one satoshi per unit has no
 * price at all, and of any other uneven ask the rest is lost. Of a bid it enforces no upper bound.
 *
 * @see komodo src/cc/CCassetsCore.cpp, ValidateAskRemainder, ValidateBidRemainder
 */
function unenforced({
  kind,
  units,
  price,
  allowUnenforcedPrice = false,
}: OfferedPrice): PriceRefusal | undefined {
  if (kind === 'ask') {
    if (price % units === 0n) return undefined
    return {
      isUnenforced: true,
      member: 'price',
      expected: `a multiple of ${units}`,
      actual: price,
    }
  }
  if (units === 1n || allowUnenforcedPrice) return undefined
  return {
    isUnenforced: true,
    member: 'units',
    expected: '1, or allowUnenforcedPrice: true',
    actual: units,
  }
}

/**
 * Satoshis of its price that the maker of an offer can lose to somebody who follows the rules of the
 * chain alone; 0 where the chain enforces the price.
 *
 * A bid can lose all: with token change in output 4 komodod compares nothing, so a holder of the
 * token takes the coins and gives no unit. An ask can lose less than a satoshi per unit: whoever
 * pays a few satoshis more for the first unit lowers the price of all others by one satoshi, cut.
 *
 * @see komodo src/cc/assets.cpp, AssetsValidate, case 'B'; src/cc/CCassetsCore.cpp,
 *   ValidateAskRemainder
 */
export function unenforcedSats(
  { kind, units, price }: OfferedPrice,
  { ends }: Pick<OrderBook, 'ends'>,
): bigint {
  if (ends) return 0n
  if (kind === 'bid') return price
  return units > 2n ? units - 2n : 0n
}
