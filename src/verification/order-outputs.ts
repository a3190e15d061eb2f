// The places of the outputs in an order's step, and the price that they amount to.

import { offerLossShare } from '../request/order-problems.ts'
import { type Finding, finding } from '../request/report.ts'
import type { OrderBook } from '../token/rules/order-book.ts'
import {
  type Fill,
  isBid,
  type OpenOrder,
  type OrderOutput,
  type OrderOutputRole,
} from '../token/rules/order-layout.ts'
import { unenforcedSats } from '../token/rules/order-price.ts'
import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import type { ReadyOrder } from './order-intent.ts'

/**
 * Checks that each output has the script and value that its place requires, because the assets
 * module reads outputs by their place.
 *
 * Outputs that are missing, or have another value, are reported by other checks.
 *
 * @see komodo src/cc/assets.cpp, AssetsValidate; tokel the same
 */
export function checkOutputPlaces(
  { outputs }: Transaction,
  wanted: readonly OrderOutput[] = [],
): Finding[] {
  return wanted.flatMap(({ script, value }, at): Finding[] => {
    const actual = outputs[at]
    const isWanted = (it: TransactionOutput) => it.script === script && it.value === value
    if (actual !== undefined && isWanted(actual)) return []
    const isElsewhere =
      outputs.some(isWanted) ||
      (actual?.script !== script && outputs.some((it) => it.script === script))
    if (!isElsewhere) return []
    const details = {
      expected: `${value} to ${script}`,
      actual: actual === undefined ? 'no such output' : `${actual.value} to ${actual.script}`,
    }
    return [finding('order_position', `outputs[${at}]`, details)]
  })
}

export function unenforcedFindings(
  { kind, units, price = 0n }: ReadyOrder,
  book: OrderBook,
): Finding[] {
  if (kind !== 'ask' && kind !== 'bid') return []
  const atRisk = unenforcedSats({ kind, units, price }, book)
  if (atRisk * offerLossShare <= price) return []
  const code = kind === 'bid' ? 'bid_price_unenforced' : 'ask_price_unenforced'
  const details = { expected: `${price} satoshis`, actual: `up to ${atRisk} of them can be lost` }
  return [finding(code, 'intent.price', details)]
}

/** Reports the price of a fill beside the price of the order. */
export function checkPrice(
  { outputs }: Transaction,
  order: OpenOrder | undefined,
  wanted: readonly OrderOutput[] = [],
): Finding[] {
  const places = (role: OrderOutputRole) =>
    wanted.flatMap((it, at) => (it.role === role ? [at] : []))
  const sum = (role: OrderOutputRole) =>
    places(role).reduce((all, at) => all + (outputs[at]?.value ?? 0n), 0n)
  const units = sum('destination')
  const paid = sum('payment')
  const royalty = sum('royalty')
  const coins = paid + royalty
  const isFill = wanted.some(({ role }) => role === 'order-tokens' || role === 'order-coins')
  if (order === undefined || !isFill || units < 1n || paid < 0n || royalty < 0n) return []
  const { unitsLeft, coinsLeft } = restOf(order, { units, coins })
  // other checks reject a fill that takes more than the order has
  if (unitsLeft < 0n || coinsLeft < 0n) return []
  const stays = unitsLeft > 0n ? `; ${unitsLeft} for ${coinsLeft} stay` : ''
  const share = royalty > 0n ? `, ${royalty} of them royalty` : ''
  const actual = `${units} units for ${coins} satoshis, ${perUnit(coins, units)} each${share}${stays}`
  const orderPrice = isBid(order)
    ? perUnit(order.amount, order.price)
    : perUnit(order.price, order.amount)
  const each = order.unitPrice ?? orderPrice
  const expected = `${termsOf(order)}, ${each} each`
  const [at] = [...places('payment'), ...places('royalty')]
  return [finding('fill_price', `outputs[${at}].value`, { expected, actual })]
}

/** Returns the remainder of an order after a fill; tokeld's orders keep the unit price. */
function restOf(
  order: OpenOrder,
  { units, coins }: Fill,
): { readonly unitsLeft: bigint; readonly coinsLeft: bigint } {
  const { amount, price, unitPrice } = order
  if (isBid(order)) {
    const coinsLeft = amount - coins
    return { unitsLeft: unitPrice === undefined ? price - units : coinsLeft / unitPrice, coinsLeft }
  }
  const unitsLeft = amount - units
  return { unitsLeft, coinsLeft: unitPrice === undefined ? price - coins : unitsLeft * unitPrice }
}

/** Returns satoshis per unit, cut to four decimals. @param units - at least one */
function perUnit(coins: bigint, units: bigint): string {
  const digits = ((coins * 10_000n) / units).toString().padStart(5, '0')
  const fraction = digits.slice(-4).replace(/0+$/, '')
  return `${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`
}

export function termsOf(order: OpenOrder): string {
  const [units, coins] = isBid(order) ? [order.price, order.amount] : [order.amount, order.price]
  return `${units} units for ${coins} satoshis`
}
