// Reviews a verified payment before its bytes leave. The policy decides, and may ask a person first.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { isSettled } from '../journal/recorded-payment.ts'
import type { Report } from '../request/report.ts'
import { startClock, untilStopped } from '../rpc/clock.ts'
import type { Checked } from '../rpc/safe-flow/check.ts'
import type { Admitted } from './call.ts'
import type {
  GuardedPayment,
  Policy,
  PolicyDecision,
  PolicyRefusal,
  Reservation,
} from './decision.ts'
import type { Requested } from './requested.ts'

/** The parts of a guard that a review needs. */
export interface ReviewParts {
  /** Rejects unless the server still has the chain of the first payment. */
  readonly requireChain: () => Promise<unknown>
  readonly journal: Journal
  readonly policy: Policy | undefined
}

interface ReviewedPayment {
  readonly requested: Requested
  readonly moment: GuardedPayment['moment']
  /** Name of the payment in the journal. */
  readonly name: string
}

/** The review of one payment. */
interface Review {
  /** The reason, if a payment was not allowed. */
  refusal?: Pick<PolicyRefusal, 'rule' | 'reason'>
  /** Asks the policy, and the person that the policy names. */
  allows(report: Report, check: (hex: string) => Promise<Checked>): Promise<boolean>
  /** Keeps what the policy reserved: the bytes are about to leave. */
  keep(): Promise<void>
  /** Frees what the policy reserved, unless it was kept. */
  free(): Promise<void>
}

/** Time for which a person may think about a payment, in milliseconds. */
const confirmMsMax = 10 * 60_000

export function reviewOf(
  { policy, journal, requireChain }: ReviewParts,
  { user, method, methodClass, signal: whileConnected, aside = atOnce }: Admitted,
  { requested, moment, name }: ReviewedPayment,
): Review {
  let reservation: Reservation | undefined
  const review: Review = {
    async allows(report, check) {
      // The flow begins again if another guard changed the journal.
      await review.free()
      const { verified } = report
      if (verified === undefined) return false
      if (policy === undefined) return true
      const effects = requested.effects(report)
      if (effects === undefined) {
        review.refusal = { rule: 'fee', reason: 'The fee is not known.' }
        return false
      }
      const payment: GuardedPayment = {
        user,
        method,
        methodClass,
        moment,
        payment: paymentName(journal, name, verified.txid),
        txid: verified.txid,
        bytes: verified.hex.length / 2,
        effects,
      }
      let decision = await decided(policy, payment, false)
      if (decision.verdict === 'confirm') {
        const question = decision
        const { rule } = question
        // Others pay while a person thinks.
        if (!(await aside(() => isAgreed(question, whileConnected)))) {
          review.refusal = { rule, reason: 'Nobody agreed in time.' }
          return false
        }
        // Another daemon may be there, and others may have spent the coins, so everything is verified
        // again. A payment that the daemon refuses once it is recorded is not built anew.
        await requireChain()
        const { report: again } = await check(verified.hex)
        if (again.verified?.txid !== verified.txid) {
          review.refusal = { rule, reason: 'The transaction does not pass verification any more.' }
          return false
        }
        decision = await decided(policy, payment, true)
      }
      if (decision.verdict !== 'allow') {
        review.refusal =
          decision.verdict === 'refuse'
            ? decision
            : { rule: decision.rule, reason: 'Nobody agreed in time.' }
        return false
      }
      reservation = decision.reservation
      return true
    },
    async keep() {
      const held = reservation
      reservation = undefined
      await held?.keep()
    },
    async free() {
      const held = reservation
      reservation = undefined
      await held?.release()
    },
  }
  return review
}

function atOnce<T>(work: () => Promise<T>): Promise<T> {
  return work()
}

/**
 * Asks a person. Only a yes in time counts, of a client that is still there: one that left would not
 * learn of the payment, and could make it in another way.
 *
 * It does not use `AbortSignal.any`, because a garbage collection of Node 20 loses a timeout in it.
 */
async function isAgreed(
  question: Extract<PolicyDecision, { readonly verdict: 'confirm' }>,
  whileConnected: AbortSignal,
): Promise<boolean> {
  const clock = startClock(confirmMsMax, whileConnected)
  try {
    const answer = await untilStopped(question.ask(clock.signal), clock)
    return answer === true && clock.stopped() === undefined
  } catch {
    return false
  } finally {
    clock.release()
  }
}

async function decided(policy: Policy, payment: GuardedPayment, isConfirmed: boolean) {
  try {
    return await policy.decide(payment, { isConfirmed })
  } catch {
    return { verdict: 'refuse', rule: 'policy', reason: 'The policy failed.' } as const
  }
}

/**
 * Names a payment for the limits. An unnamed request that is made again, after the first was
 * settled, is another payment, and so is one whose attempts were forgotten.
 */
function paymentName(journal: Journal, name: string, txid: string): string {
  const attempts = bookOf(journal).payment(name)?.attempts ?? []
  const first = attempts.some(isSettled) ? undefined : attempts[0]
  return `${name} ${first?.txid ?? txid}`
}
