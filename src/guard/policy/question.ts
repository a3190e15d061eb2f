import { formatCoins } from '../../primitives/amount.ts'
import { printable } from '../../primitives/printable.ts'
import { redactKey } from '../../primitives/redact-key.ts'
import type { GuardedPayment } from '../decision.ts'

/** Bytes of an answer that are read. */
export const answerBytesMax = 4_096

/**
 * Writes what a person or program confirms, as one line of JSON. It has no signed hex, no
 * idempotency key and no text of a client except the name of the method.
 *
 * @param id - a new random text, which the answer of a webhook repeats
 */
export function questionText(payment: GuardedPayment, rule: string, id: string): string {
  const { user, method, txid, effects } = payment
  const outflows = effects.outflows.map(({ asset, amount, script, address, isOfBid }) => ({
    asset,
    amount: asset === 'coins' ? formatCoins(amount) : `${amount}`,
    to: address ?? script,
    ...(isOfBid && { isOfBid }),
  }))
  const { trade, created } = effects
  return JSON.stringify({
    id,
    rule,
    user,
    method: printable(redactKey(method)),
    txid,
    fee: formatCoins(effects.fee),
    outflows,
    // As many satoshis become the token, and none of the outflows has them.
    ...(created !== undefined && { created: formatCoins(created) }),
    ...(trade !== undefined && {
      trade: { ...trade, units: `${trade.units}`, price: formatCoins(trade.price) },
    }),
  })
}
