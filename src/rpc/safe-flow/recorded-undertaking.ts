// Reads a request that a journal has.

import { requestIn } from '../../journal/request-text.ts'
import { isCompressedKey } from '../../primitives/hex-forms.ts'
import type { PaymentIntent } from '../../request/payment.ts'
import { type Undertaking, undertakingOf } from './undertaking.ts'

/**
 * Returns a recorded request to a daemon; `undefined` for one to another kind of server, or of a
 * wallet, which has its keys.
 *
 * @throws {AntaraError} `malformed_case`
 */
export async function recordedUndertaking(text: string): Promise<Undertaking | undefined> {
  const asked = requestIn(text)
  const { operation } = asked
  if (operation === 'withdraw' || operation === 'wallet') return undefined
  const { parseCase } = await import('../../verification/parse-case.ts')
  const requested = parseCase(JSON.stringify({ ...asked, hex: '' }))
  const from = requested.operation === 'payment' ? payerOf(requested.intent) : ''
  return from === undefined ? undefined : undertakingOf(requested, from)
}

/** Returns the daemon's own key; `undefined` for a payment that no daemon made. */
function payerOf({ own }: PaymentIntent): string | undefined {
  return Array.isArray(own) ? own.find(isCompressedKey) : undefined
}
