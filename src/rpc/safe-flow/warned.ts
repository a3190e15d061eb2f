// Which warnings hold a transaction if nobody is asked about it.

import { isOpen } from '../../request/broadcast.ts'
import type { TokenOrderIntent } from '../../request/order.ts'
import type { Finding, FindingCode, Report } from '../../request/report.ts'
import type { SafeFlowOptions } from './options.ts'

/**
 * The warnings of a call that an honest server causes too, or that its request allows. They hold
 * nothing.
 */
export const usualWarnings: {
  readonly [Call in TokenOrderIntent['kind'] | 'payment' | 'withdraw']?: readonly FindingCode[]
} = {
  // komodo src/wallet/wallet.cpp, CWallet::CreateTransaction: 0xfffffffe for a lock time
  payment: ['sequence'],
  // No call of the framework reports which outputs its chain has unspent. Its transactions never
  // expire: all that its documentation shows have an expiry height of 0.
  withdraw: ['chain_unbound', 'no_expiry'],
  // A request for several units names this risk as allowed.
  bid: ['bid_price_unenforced'],
  // komodo src/cc/CCassetstx.cpp, CancelBuyOffer: it leaves the marker
  cancelBid: ['fee_below_requested', 'order_marker_left'],
}

/**
 * Returns true if a warning holds the transaction: there is no `confirm` to decide, and the warning
 * leaves open something that could cost money.
 *
 * @param passing - warnings that hold nothing, beside those of `allow`
 */
export function isWarned(
  options: SafeFlowOptions,
  passing: readonly FindingCode[],
  report: Report,
): boolean {
  return options.confirm === undefined && heldWarnings(options, passing, report).length > 0
}

/** Returns the warnings that hold the transaction if there is nobody who decides. */
export function heldWarnings(
  { resumeOnly, allow = [] }: Pick<SafeFlowOptions, 'resumeOnly' | 'allow'>,
  passing: readonly FindingCode[],
  { findings }: Report,
): readonly Finding[] {
  // A recorded attempt passed this check when it was made.
  if (resumeOnly === true) return []
  return findings.filter(
    (it) =>
      it.severity === 'warn' &&
      isOpen(it) &&
      !passing.includes(it.code) &&
      !allow.includes(it.code),
  )
}
