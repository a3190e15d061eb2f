// A withdrawal as a journal keeps it: for people, and for `resumePayments`.

import { requestText } from '../../request/format-case.ts'
import { paymentOf, redactIntent, type WithdrawIntent } from '../../verification/withdraw.ts'

/** Describes a withdrawal, with everything that its verification needs again. */
export function withdrawText(intent: WithdrawIntent): string {
  const redacted = redactIntent(intent)
  const { coin, to, amount } = redacted
  const written = JSON.parse(requestText({ operation: 'payment', intent: paymentOf(redacted) }))
  const { recipients: _, ...rest } = written.intent
  return JSON.stringify({
    ...{ operation: 'withdraw', coin, to, amount: String(amount) },
    ...{ network: written.network, intent: rest },
  })
}

/**
 * Reads the text of `withdrawText`. Returns `undefined` for a text of an earlier version, which
 * lacks the wallet's own scripts.
 *
 * @throws {AntaraError} `malformed_case`
 */
export async function withdrawOf(text: string): Promise<WithdrawIntent | undefined> {
  const { parseCase } = await import('../../verification/parse-case.ts')
  const { coin, to, amount, network, intent } = JSON.parse(text)
  if (intent === undefined) return undefined
  const asked = { ...intent, recipients: [{ address: to, amount }] }
  const written = { operation: 'payment', network, intent: asked, hex: '' }
  const { recipients: _, ...rest } = parseCase(JSON.stringify(written)).intent as ReturnType<
    typeof paymentOf
  >
  return {
    ...(rest as Omit<WithdrawIntent, 'coin' | 'to' | 'amount'>),
    coin: String(coin),
    to: String(to),
    amount: amount === 'max' ? 'max' : BigInt(amount),
  }
}
