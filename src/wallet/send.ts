// One payment: choose coins, build, sign, verify, record, send. The order is that of every safe
// flow, so what was recorded for the same request is settled first.

import type { ChainOptions } from '../chain-source/source.ts'
import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import type { RecordedPayment } from '../journal/recorded-payment.ts'
import { unverifiedReport } from '../request/report.ts'
import type { UnsettledTransaction } from '../rpc/errors.ts'
import { attemptsOf, nameOfCall, type PaymentName } from '../rpc/safe-flow/attempts.ts'
import type { Payment } from '../rpc/safe-flow/flow.ts'
import { idempotentSend, settleRecorded } from '../rpc/safe-flow/idempotent-send.ts'
import { isKnownToCaller } from '../rpc/safe-flow/pending.ts'
import { loadAttemptReader } from '../rpc/safe-flow/transaction.ts'
import { isCallbackRunning } from '../rpc/safe-flow/turns.ts'
import type { SendOptions } from './options.ts'
import { looksOf } from './payment-looks.ts'
import { paymentOfCall, type SenderContext } from './payment-of-call.ts'
import type { Plan } from './plan.ts'
import { failedResult, resultOf, type SendResult } from './send-result.ts'
import { type TakenCoins, takenCoinsOf } from './taken-coins.ts'

export interface Sender {
  /** @param signed - hex that another machine signed; nothing is built then */
  send(plan: Plan, options: SendOptions, signed?: string): Promise<SendResult>
  /**
   * Records which attempts that the caller knows are in a block. Sends nothing. Does nothing while a
   * call works on the payment: that call settles it, and its signer may wait for another payment.
   */
  settle(plan: Plan, recorded: RecordedPayment, options: ChainOptions): Promise<void>
  taken: TakenCoins['taken']
}

export function createSender(context: SenderContext): Sender {
  const { chain, journal, isDurable } = context
  const { choose, taken, release } = takenCoinsOf(chain, journal)
  return {
    taken,
    async settle(plan, recorded, limits) {
      const { verified, lookUp, place, spender } = looksOf(context, plan, recorded.name, limits)
      const nothingNew = () => Promise.reject(new Error('settling makes no payment'))
      const payment: Payment = {
        client: chain,
        key: plan.key,
        options: { journal, signal: limits.signal },
        request: () => recorded.request ?? '',
        refusal: 'daemon',
        newTransaction: nothingNew,
        check: async (hex) => ({ report: await verified(hex, 'on-chain') }),
        ...{ lookUp, place, spender },
        send: nothingNew,
      }
      await settleRecorded(payment, recorded, isKnownToCaller, false)
    },
    async send(plan, options, signed) {
      const { id } = options
      const name = nameOfCall({ id, terms: plan.key })
      if (isCallbackRunning(journal, name)) {
        return { status: 'held', held: 'under-way', report: unverifiedReport }
      }
      const call = { plan, options, signed, name }
      const { payment, reasons, confirmed } = paymentOfCall(context, choose, call)
      const isForgotten = id !== undefined && !isDurable
      try {
        return resultOf(await idempotentSend(payment), reasons(), isForgotten)
      } catch (error) {
        const earlier = await possiblyBroadcast(journal, { name, terms: plan.key })
        return failedResult(error, earlier, confirmed())
      } finally {
        release(name)
      }
    },
  }
}

/** Returns the attempts at a payment that an earlier call may have sent. */
async function possiblyBroadcast(
  journal: Journal,
  { name, terms }: Pick<PaymentName, 'name' | 'terms'>,
): Promise<readonly UnsettledTransaction[]> {
  const book = bookOf(journal)
  const named = { name: book.nameOf(name, terms), terms, request: '' }
  return attemptsOf(book, named, await loadAttemptReader()).possiblyBroadcast()
}
