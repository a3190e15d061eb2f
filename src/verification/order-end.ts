// The expiry of orders on tokeld's chains, and the coin that their maker spends. Orders on
// komodod's chains never expire.

import { expiryBlocksMax } from '../chain/limits.ts'
import { endedProblems } from '../request/order-problems.ts'
import { problemFindings } from '../request/problem.ts'
import { type Finding, finding } from '../request/report.ts'
import type { OrderBook } from '../token/rules/order-book.ts'
import type { OpenOrder } from '../token/rules/order-layout.ts'
import { orderBlocksV2 } from '../token/rules/order-layout-v2.ts'
import type { CheckedInputs } from './inputs.ts'
import type { ReadyOrder } from './order-intent.ts'

export function checkOrderEnd(
  { expiryHeight }: Pick<OpenOrder, 'expiryHeight'>,
  tipHeight: number | undefined,
  path = 'order',
): Finding[] {
  if (expiryHeight === undefined) return []
  if (tipHeight === undefined) return [finding('expiry_not_checked', `intent.${path}`)]
  return problemFindings(endedProblems(expiryHeight, tipHeight, path))
}

/**
 * Returns the expiry height that an offer must have: the requested one, or tokeld's default.
 *
 * @param stated - the expiry height in the transaction
 */
export function expiryOf(
  { expiryHeight: requested, terms }: ReadyOrder,
  stated: number | undefined,
  { book, tipHeight }: { readonly book: OrderBook; readonly tipHeight: number | undefined },
): { readonly expiryHeight: number; readonly findings: readonly Finding[] } {
  if (!book.ends) return { expiryHeight: 0, findings: [] }
  if (requested !== undefined) {
    const findings = checkOrderEnd({ expiryHeight: requested }, tipHeight, 'expiryHeight')
    return { expiryHeight: requested, findings }
  }
  const expiryHeight = stated ?? 0
  const path = 'outputs'
  if (tipHeight === undefined) {
    return { expiryHeight, findings: [finding('expiry_not_checked', path)] }
  }
  const usual = tipHeight + orderBlocksV2
  // a longer life of transactions does not extend an order's, which daemons compute the same way
  const most = Math.min(terms.expiryBlocksMax, expiryBlocksMax)
  if (Math.abs(expiryHeight - usual) <= most) return { expiryHeight, findings: [] }
  const details = { expected: `about ${usual}`, actual: stated ?? 'none' }
  return { expiryHeight, findings: [finding('order_expiry', path, details)] }
}

/**
 * Checks that the maker of an offer spends a coin of the main key, as tokeld requires.
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
