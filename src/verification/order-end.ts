// Until when orders of tokeld can be filled, and what it takes to make one. Komodod's have no end.

import { expiryBlocksMax } from '../chain/limits.ts'
import { type Finding, finding } from '../request/report.ts'
import type { OrderBook } from '../token/rules/order-book.ts'
import type { OpenOrder } from '../token/rules/order-layout.ts'
import { orderBlocksV2 } from '../token/rules/order-layout-v2.ts'
import type { CheckedInputs } from './inputs.ts'
import type { ReadyOrder } from './order-intent.ts'

/**
 * Returns true if an order can still be filled. The next block is the earliest for a transaction.
 *
 * @see tokel src/cc/assets.cpp, "order is expired"
 */
export function checkOrderEnd(
  { expiryHeight }: Pick<OpenOrder, 'expiryHeight'>,
  tipHeight: number | undefined,
  path = 'intent.order',
): Finding[] {
  if (expiryHeight === undefined) return []
  if (tipHeight === undefined) return [finding('expiry_not_checked', path)]
  if (tipHeight + 1 < expiryHeight) return []
  const details = { expected: `above ${tipHeight + 1}`, actual: expiryHeight }
  return [finding('order_expired', path, details)]
}

/**
 * The end that an offer must state: what was asked for, or what tokeld gives unasked.
 *
 * @param stated - by the transaction
 */
export function expiryOf(
  { expiryHeight: asked, terms }: ReadyOrder,
  stated: number | undefined,
  { book, tipHeight }: { readonly book: OrderBook; readonly tipHeight: number | undefined },
): { readonly expiryHeight: number; readonly findings: readonly Finding[] } {
  if (!book.ends) return { expiryHeight: 0, findings: [] }
  if (asked !== undefined) {
    const findings = checkOrderEnd({ expiryHeight: asked }, tipHeight, 'intent.expiryHeight')
    return { expiryHeight: asked, findings }
  }
  const expiryHeight = stated ?? 0
  const path = 'outputs'
  if (tipHeight === undefined) {
    return { expiryHeight, findings: [finding('expiry_not_checked', path)] }
  }
  const usual = tipHeight + orderBlocksV2
  // however long transactions may live: daemons give orders of theirs the same end
  const most = Math.min(terms.expiryBlocksMax, expiryBlocksMax)
  if (Math.abs(expiryHeight - usual) <= most) return { expiryHeight, findings: [] }
  const details = { expected: `about ${usual}`, actual: stated ?? 'none' }
  return { expiryHeight, findings: [finding('order_expiry', path, details)] }
}

/**
 * Returns true if the maker of an offer spends a coin of its own.
 *
 * @see tokel src/cc/assets.cpp, TotalPubkeyNormalInputs
 */
export function checkOwnCoin(
  { kind, from }: ReadyOrder,
  { ends }: OrderBook,
  { native }: CheckedInputs['coins'],
): Finding[] {
  if (!ends || (kind !== 'ask' && kind !== 'bid') || native.some(({ isMain }) => isMain)) return []
  return [finding('order_maker', 'inputs', { expected: `a coin of ${from}` })]
}
