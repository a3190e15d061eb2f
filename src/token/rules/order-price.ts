// The part of an offer's price that a chain enforces. An offer with an unenforced price gives
// everything away, so builders refuse it and the verifier rejects it.

import type { OrderBook } from './order-book.ts'
import { tradedSatsMin } from './order-fill.ts'
import { unitPriceMin } from './order-layout-v2.ts'

/** The price of a fill, or a bound on it. */
export interface RequestedPrice {
  readonly price?: bigint | undefined
  readonly priceMax?: bigint | undefined
  readonly priceMin?: bigint | undefined
}

interface OfferedPrice {
  readonly kind: 'ask' | 'bid'
  /** At least 1. */
  readonly units: bigint
  /** Satoshis for all units. */
  readonly price: bigint
  /** States that the maker of a bid accepts a price that the chain does not enforce. */
  readonly allowUnenforcedPrice?: boolean | undefined
}

interface PriceRefusal {
  /** Set if the price is possible, but no chain would enforce it. */
  readonly isUnenforced?: true
  readonly member: 'price' | 'units'
  readonly expected: string
  readonly actual: bigint
}

/** Returns why nobody should make an offer at this price; `undefined` if the price is fine. */
export function priceRefusal(
  offer: OfferedPrice,
  book: Pick<OrderBook, 'ends'>,
): PriceRefusal | undefined {
  const { units, price } = offer
  if (book.ends) {
    if (price % units === 0n && price / units >= unitPriceMin) return undefined
    const expected = `a multiple of ${units}, at least ${unitPriceMin} for each`
    return { member: 'price', expected, actual: price }
  }
  if (price < tradedSatsMin) {
    const expected = `at least ${tradedSatsMin}`
    return { member: 'price', expected, actual: price }
  }
  return unenforced(offer)
}

/**
 * komodod compares satoshis per unit, both rounded down. An ask below one satoshi per unit
 * therefore has no enforced price, and an ask with an uneven price loses the remainder. For bids it
 * enforces no upper bound.
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
 * Returns how many satoshis of the price an offer's maker can lose to somebody who follows only the
 * chain's rules; 0 if the chain enforces the price.
 *
 * A bid can lose all of it: with token change in output 4 komodod compares nothing, so a holder of
 * the token can take the coins and give no unit. An ask can lose less than one satoshi per unit. A
 * few satoshis more for the first unit lower the price of each other unit by one satoshi, rounded
 * down.
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
  return units - 1n
}
