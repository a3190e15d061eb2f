// What a chain enforces of the price of an offer. An offer whose price it does not enforce is an offer
// to give everything away, so builders refuse it and the verifier rejects it.

import { argumentError } from '../../primitives/arguments.ts'
import type { OrderBook } from './order-book.ts'
import { tradedSatsMin } from './order-fill.ts'
import { unitPriceMin } from './order-layout-v2.ts'

export type FillKind = 'fillAsk' | 'fillBid'

/** What may stand in the place of a fill's price: the most that a buyer pays, the least for a seller. */
export const priceBounds = { fillAsk: 'priceMax', fillBid: 'priceMin' } as const

/** The members that say what a fill may cost, as a caller in plain JavaScript may have left them. */
export interface GivenPrice {
  readonly price?: unknown
  readonly priceMax?: unknown
  readonly priceMin?: unknown
}

/**
 * Refuses a fill that does not say what it may cost or must bring, or says it twice.
 *
 * @param path - of the object, such as `intent.`
 * @returns the member that is there
 * @throws {TypeError} that names both members
 */
export function requireFillPrice(kind: FillKind, given: GivenPrice, path = ''): keyof GivenPrice {
  const bound = priceBounds[kind]
  const other = kind === 'fillAsk' ? 'priceMin' : 'priceMax'
  if (given[other] !== undefined) {
    throw argumentError(`${path}${other}`, `price or ${bound} in its place`, given[other])
  }
  if (given.price === undefined) {
    if (given[bound] !== undefined) return bound
    throw argumentError(`${path}price`, `satoshis, or ${bound} instead`, given.price)
  }
  if (given[bound] === undefined) return 'price'
  throw new TypeError(`${path}price: expected price or ${bound}, not both`)
}

/** What a fill may cost, or must bring. */
export interface RequestedPrice {
  readonly price?: bigint | undefined
  readonly priceMax?: bigint | undefined
  readonly priceMin?: bigint | undefined
}

/** How what an order costs or brings breaks what was asked; undefined where it does not. */
export function brokenPrice(
  coins: bigint,
  { price = coins, priceMax = coins, priceMin = coins }: RequestedPrice,
): { readonly member: keyof RequestedPrice; readonly expected: string | bigint } | undefined {
  if (coins !== price) return { member: 'price', expected: price }
  if (coins > priceMax) return { member: 'priceMax', expected: `at most ${priceMax}` }
  if (coins < priceMin) return { member: 'priceMin', expected: `at least ${priceMin}` }
  return undefined
}

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
  readonly isUnenforced?: true
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
    return { member: 'price', expected, actual: price }
  }
  if (price < tradedSatsMin) {
    const expected = `at least ${tradedSatsMin}`
    return { member: 'price', expected, actual: price }
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
  return units - 1n
}
