// The rules for a step of an order. Builders throw the first problem; verifiers list all.

import { orderHeightMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { errorOf } from '../errors/malformed.ts'
import { satsMax } from '../primitives/amount.ts'
import { argumentError } from '../primitives/arguments.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { fixedHex } from '../primitives/wire.ts'
import { type OrderBook, ordersOf } from '../token/rules/order-book.ts'
import { tradedSatsMin } from '../token/rules/order-fill.ts'
import type { Fill } from '../token/rules/order-layout.ts'
import { priceRefusal, type RequestedPrice } from '../token/rules/order-price.ts'
import { amountProblems, keyProblems } from './holders.ts'
import type { TokenOrderIntent } from './order.ts'
import type { Problem } from './problem.ts'
import { tokenidProblems } from './terms.ts'

/** An offer's loss below 1 % of the price is not reported. */
export const offerLossShare = 100n

/** The seller gets less than the price, because a royalty is a part of it. */
const royaltyShare = { code: 'royaltyShare' } as const

/** The members of a step, as far as its kind has them. */
export interface AskedOrder extends RequestedPrice {
  readonly kind: TokenOrderIntent['kind']
  readonly tokenid: string
  readonly from: string
  readonly order?: string | undefined
  readonly units?: bigint | undefined
  readonly end?: AskedEnd | undefined
  readonly allowUnenforcedPrice?: boolean | undefined
}

interface AskedEnd {
  readonly height: number
  /** The member that has it. */
  readonly path: string
  /** Without it, nothing shows whether the height is past. */
  readonly tipHeight?: number
}

export function orderProblems(asked: AskedOrder, network: Network): Problem[] {
  const { kind, tokenid, from, order, units, end, price, priceMax, priceMin } = asked
  const book = ordersOf(network)
  return [
    ...tokenidProblems(tokenid),
    ...keyProblems(from, 'from'),
    ...(order === undefined ? [] : orderIdProblems(order)),
    ...(units === undefined ? [] : amountProblems(units, 'units')),
    ...Object.entries({ price, priceMax, priceMin }).flatMap(priceProblems),
    ...(end === undefined ? [] : endProblems(end, book)),
    ...(kind === 'ask' || kind === 'bid' ? offerProblems({ ...asked, kind }, book) : []),
  ]
}

function orderIdProblems(order: string): Problem[] {
  const path = 'order'
  const inError = errorOf(() => fixedHex(order, 32, path))
  return inError === undefined ? [] : [{ code: 'order', path, actual: redactKey(order), inError }]
}

function priceProblems([path, price]: [path: string, price: bigint | undefined]): Problem[] {
  if (price === undefined || (price >= tradedSatsMin && price <= satsMax)) return []
  const expected = price > satsMax ? `at most ${satsMax}` : `at least ${tradedSatsMin}`
  return [{ code: 'price', path, expected, actual: price }]
}

/** Only tokeld's offers have an end. */
function endProblems({ height, path, tipHeight }: AskedEnd, { ends }: OrderBook): Problem[] {
  const problem = { code: 'orderEnd', path, actual: height } as const
  if (!ends) {
    const inError = argumentError(path, "nothing but on tokeld's chains", height)
    return [{ ...problem, expected: 'no end, on this network', inError }]
  }
  const past = tipHeight === undefined ? [] : endedProblems(height, tipHeight, path)
  const late = { ...problem, expected: `at most ${orderHeightMax}` }
  const inError = { expected: `over ${(tipHeight ?? 0) + 1}, at most ${orderHeightMax}` }
  return [...past, ...(height > orderHeightMax ? [late] : [])].map((it) => ({ ...it, inError }))
}

/**
 * Returns a problem of an order that nobody can fill in the next block, the earliest for a
 * transaction.
 *
 * @see tokel src/cc/assets.cpp, AssetsValidateInternal: order is expired
 */
export function endedProblems(end: number, tipHeight: number, path: string): Problem[] {
  const next = tipHeight + 1
  if (next < end) return []
  const inError = { expected: `over ${next}` }
  return [{ code: 'orderEnded', path, expected: `above ${next}`, actual: end, inError }]
}

function offerProblems(
  { kind, units = 0n, price = 0n, allowUnenforcedPrice }: AskedOrder & { kind: 'ask' | 'bid' },
  book: OrderBook,
): Problem[] {
  // Prices that are wrong on every network are a problem already.
  if (units < 1n || price < tradedSatsMin) return []
  const refused = priceRefusal({ kind, units, price, allowUnenforcedPrice }, book)
  if (refused === undefined) return []
  const { isUnenforced, member: path, expected, actual } = refused
  return [{ code: isUnenforced === true ? 'unenforcedPrice' : 'price', path, expected, actual }]
}

/**
 * Compares the price of a fill with its request. For a sale, `priceMin` is compared with `payment`:
 * the price without a royalty to another party. It may be 0.
 */
export function fillPriceProblems(
  { coins, payment = coins }: Omit<Fill, 'units'>,
  { kind, price, priceMax = coins, priceMin = payment }: RequestedPrice & Pick<AskedOrder, 'kind'>,
): Problem[] {
  const problem = { code: 'orderPrice', actual: coins } as const
  if (price !== undefined && coins !== price)
    return [{ ...problem, path: 'price', expected: price }]
  if (coins > priceMax) return [{ ...problem, path: 'priceMax', expected: `at most ${priceMax}` }]
  if (kind !== 'fillBid') return []
  const brought = { ...problem, actual: payment } as const
  if (payment < priceMin)
    return [{ ...brought, path: 'priceMin', expected: `at least ${priceMin}` }]
  if (price === undefined || payment === price) return []
  return [{ ...brought, ...(payment > 0n && royaltyShare), path: 'price', expected: price }]
}

/**
 * Reports an ask whose royalty may leave its maker nothing, or take over 1 % of the price.
 *
 * @param royalty - the most that the token's creator can get of it
 */
export function askRoyaltyProblems(price: bigint, royalty: bigint): Problem[] {
  if (royalty * offerLossShare <= price) return []
  const left = price - royalty
  const problem = { path: 'price', expected: price } as const
  if (left <= 0n) return [{ ...problem, code: 'orderPrice', actual: left }]
  return [{ ...problem, ...royaltyShare, actual: `at least ${left}` }]
}
