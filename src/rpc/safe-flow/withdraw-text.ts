// A withdrawal as a journal keeps it: for people, and for `resumePayments`.

import { requestIn } from '../../journal/request-text.ts'
import { bigintAsText } from '../../primitives/json-replacer.ts'
import { wholeNumberIn } from '../../primitives/whole-number.ts'
import { askedIn } from '../../request/format-case.ts'
import { readIntent } from '../../request/members.ts'
import { readNetwork } from '../../request/network.ts'
import { redactIntent, type WithdrawIntent, withdrawForms } from '../../request/withdraw.ts'
import type { WithdrawParams } from '../framework/parameters.ts'

/** The paying address of an HD wallet. */
export type WithdrawPayer = WithdrawParams['from']

/** A withdrawal, and the address of an HD wallet that pays it. */
export interface RecordedWithdrawal {
  readonly intent: WithdrawIntent
  readonly from?: WithdrawPayer
}

/** Describes a withdrawal, with everything that its verification and its settlement need again. */
export function withdrawText(intent: WithdrawIntent, from?: WithdrawPayer): string {
  const { coin, to, amount, ...rest } = redactIntent(intent)
  const payer = payerIn(from)
  const members = { coin, to, amount, ...(payer !== undefined && { from: payer }) }
  return JSON.stringify({ operation: 'withdraw', ...members, ...askedIn(rest) }, bigintAsText)
}

/**
 * Reads the text of `withdrawText`. Returns `undefined` for another request, and for a text of an
 * earlier version, which lacks the wallet's own scripts.
 *
 * @throws {AntaraError} `malformed_case`
 */
export function withdrawOf(text: string): RecordedWithdrawal | undefined {
  const { operation, coin, to, amount, from, network, intent } = requestIn(text)
  if (operation !== 'withdraw' || intent === undefined) return undefined
  const payer = payerIn(from)
  return {
    intent: readIntent(
      { coin, to, amount, ...Object(intent) },
      withdrawForms,
      readNetwork(network),
    ),
    ...(payer !== undefined && { from: payer }),
  }
}

/**
 * Reads a paying address as the framework does. Returns `undefined` for a value of another form, which
 * it refuses.
 *
 * @see komodo-defi-framework coins/hd_wallet/mod.rs, HDAddressSelector
 */
export function payerIn(value: unknown): WithdrawPayer {
  const { account_id: account, chain, address_id: address, derivation_path } = Object(value)
  const [account_id, address_id] = [wholeNumberIn(account), wholeNumberIn(address)]
  if (account_id !== undefined && address_id !== undefined) {
    if (chain === 'External' || chain === 'Internal') return { account_id, chain, address_id }
  }
  const isPath =
    typeof derivation_path === 'string' && /^m(?:\/\d{1,10}'?){5}$/.test(derivation_path)
  return isPath ? { derivation_path } : undefined
}
