// Which warnings hold a payment of a wallet. A later warning holds until it is named here.

import { isOpen } from '../request/broadcast.ts'
import type { Finding, FindingCode, Report } from '../request/report.ts'
import type { SendOptions } from './options.ts'

/** Warnings that hold even where `confirm` agrees: they always lose the money. */
const always: readonly FindingCode[] = ['payee_module_key', 'payee_open', 'payee_burn']

/**
 * Warnings that hold nothing. The request alone decides about the first four, within its own bounds
 * of the fee. The others follow from change of the wallet's own that is not in a block yet; it takes
 * no other pending coin.
 */
const passing: readonly FindingCode[] = [
  'fee_below_relay',
  'fee_share',
  'fee_high',
  'ask_price_unenforced',
  'unconfirmed_input',
  'ancestor_unconfirmed',
  'ancestor_unproven',
]

interface Sending extends Pick<SendOptions, 'allow' | 'confirm' | 'resumeOnly'> {
  /** Warnings that hold nothing for this request. */
  readonly usualWarnings?: readonly FindingCode[] | undefined
  /** True for a transaction of the journal: it passed when it was made. */
  readonly isRecorded: boolean
}

/** Returns true if a warning holds the payment, whatever its caller confirms. */
export function isHeldByWarning(report: Report, sending: Sending): boolean {
  return holdingWarnings(report, sending).length > 0
}

/** Returns the warnings that hold the payment. */
export function holdingWarnings(
  { findings }: Report,
  { allow = [], confirm, resumeOnly, usualWarnings = [], isRecorded }: Sending,
): readonly Finding[] {
  if (resumeOnly === true) return []
  const isAsked = confirm !== undefined || isRecorded
  return findings.filter((found) => {
    const { code, severity } = found
    if (allow.includes(code)) return false
    if (always.includes(code)) return true
    if (isAsked || severity !== 'warn' || !isOpen(found)) return false
    return !passing.includes(code) && !usualWarnings.includes(code)
  })
}
