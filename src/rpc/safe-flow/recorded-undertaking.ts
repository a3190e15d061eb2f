// Reads a request that a journal has.

import { AntaraError } from '../../errors/antara-error.ts'
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

/**
 * Reads the text of a recorded request. A journal that the caller implements may return any text.
 *
 * @throws {AntaraError} `malformed_case`
 */
export function requestIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return { ...value }
  } catch {
    // The text is not JSON.
  }
  throw new AntaraError('malformed_case', { path: 'request', expected: 'an object in JSON' })
}
