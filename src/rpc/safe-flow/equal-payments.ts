// The same payment under another name: people add an id when they repeat a call, or repeat it by
// another command.

import { isRpcError } from '../errors.ts'
import { attemptsOf, isAround, type PaymentName } from './attempts.ts'
import type { Flow } from './flow.ts'
import { isKnownToCaller, settleIfFound } from './pending.ts'
import { loadAttemptReader } from './transaction.ts'

/** Equal payments that one call looks for. The others hold until those are settled. */
const lookedForAtOnce = 16

/**
 * Looks on the chain for older attempts at the same payment under other names, and records those
 * that a block has. They would otherwise hold the payment until someone asks for them by name.
 *
 * A recent one holds whether it is mined or not, because this call may repeat it. To look for it
 * would change nothing. One whose outcome its caller was never told holds as well.
 */
export async function settleEqualPayments(flow: Flow): Promise<undefined> {
  const { payment, attempts, book, isDurable, named: own } = flow
  if (!isDurable || payment.options.resumeOnly === true) return
  const old = attempts
    .equalPayments()
    .filter(({ attempt: it }) => isKnownToCaller(it) && !isAround(own.equalMs ?? 0, it))
    .slice(0, lookedForAtOnce)
  if (old.length === 0) return
  const read = await loadAttemptReader()
  for (const { recorded, attempt } of old) {
    const { name, terms, request = '', id, chain } = recorded
    const named: PaymentName = { name, terms, request, id, chain }
    try {
      await settleIfFound({ ...flow, named, attempts: attemptsOf(book, named, read) }, attempt)
    } catch (error) {
      // The outcome of the equal payment is uncertain, not that of this one, which it still holds.
      if (!isRpcError(error) || error.uncertain !== true) throw error
    }
  }
}
