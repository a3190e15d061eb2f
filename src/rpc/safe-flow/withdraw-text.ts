// A withdrawal as a journal keeps it: for people, and for `resumePayments`.

import { requestIn } from '../../journal/request-text.ts'
import { bigintAsText } from '../../primitives/json-replacer.ts'
import { askedIn } from '../../request/format-case.ts'
import { readIntent } from '../../request/members.ts'
import { readNetwork } from '../../request/network.ts'
import { redactIntent, type WithdrawIntent, withdrawForms } from '../../request/withdraw.ts'

/** Describes a withdrawal, with everything that its verification needs again. */
export function withdrawText(intent: WithdrawIntent): string {
  const { coin, to, amount, ...rest } = redactIntent(intent)
  return JSON.stringify({ operation: 'withdraw', coin, to, amount, ...askedIn(rest) }, bigintAsText)
}

/**
 * Reads the text of `withdrawText`. Returns `undefined` for another request, and for a text of an
 * earlier version, which lacks the wallet's own scripts.
 *
 * @throws {AntaraError} `malformed_case`
 */
export function withdrawOf(text: string): WithdrawIntent | undefined {
  const { operation, coin, to, amount, network, intent } = requestIn(text)
  if (operation !== 'withdraw' || intent === undefined) return undefined
  return readIntent({ coin, to, amount, ...Object(intent) }, withdrawForms, readNetwork(network))
}
