// The payments of a guard: each is verified, decided and recorded before its bytes leave.

import { bookOf, isSettled } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { conclude, type Report } from '../request/report.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import type { Attempt } from '../rpc/safe-flow/attempts.ts'
import type { Checked } from '../rpc/safe-flow/check.ts'
import type { Paid, Payment } from '../rpc/safe-flow/flow.ts'
import { idempotentSend } from '../rpc/safe-flow/idempotent-send.ts'
import type { SafeFlowOptions } from '../rpc/safe-flow/options.ts'
import type { ClientCall } from './call.ts'
import type {
  DecisionRecord,
  GuardedCall,
  GuardedPayment,
  Policy,
  Reservation,
} from './decision.ts'
import type { Requested } from './requested.ts'
import type { RequestTerms } from './token-method.ts'

/** The parts that all payments of one guard share, whatever server it guards. */
export interface FlowParts {
  /** Rejects unless the server still has the chain of the first payment. */
  readonly requireChain: () => Promise<unknown>
  readonly journal: Journal
  readonly policy: Policy | undefined
  readonly record: DecisionRecord | undefined
  /** Options of the flow that the operator chose. */
  readonly flow: Pick<SafeFlowOptions, 'repeatMs' | 'trustServer' | 'acknowledged' | 'timeoutMs'>
  readonly onDecision: (entry: Parameters<DecisionRecord['append']>[0]) => void
}

/** The parts of payments through a daemon. */
export interface PaymentParts extends FlowParts {
  readonly client: DaemonClient
  /** The same, for transactions that a verification hashes. */
  readonly evidence: DaemonClient
  readonly terms: RequestTerms
  /** The hash of block 1, as the daemon answered at the last comparison of chains. */
  readonly chain: NonNullable<Payment<Checked>['chain']>
  /** Lists the transactions that spend coins or tokens of the guard's key. */
  readonly spends: NonNullable<Payment<Checked>['spends']>
}

/** The facts of a call that pays. */
export type PayingCall = Pick<ClientCall, 'user' | 'method' | 'methodClass' | 'key' | 'signal'>

/** How a payment of a call ended. */
export type Ending = Paid<Checked> & {
  /** The reason of the policy, if it held the payment. */
  readonly refusal?: { readonly rule: string; readonly reason: string }
}

interface Undertaken {
  readonly requested: Requested
  readonly moment: GuardedPayment['moment']
  /** True if the last step is a broadcast. */
  readonly isSent?: boolean
  /** True to settle recorded attempts only, and to make nothing new. */
  readonly isResumed?: boolean
  /** True if the transaction may be made beside the comparison with the key's spends. */
  readonly isBuiltBeside?: boolean
  /** Makes the transaction; absent if `isResumed`. */
  readonly newTransaction?: (payment: Pick<Payment<Checked>, 'check'>) => Promise<Checked>
  /** Takes the last step: sends the bytes, or lets them go. */
  readonly send: (attempt: Attempt, payment: Pick<Payment<Checked>, 'send'>) => Promise<void>
}

/** Returns the idempotency key of a call for the flow: one user's names are not another's. */
function paymentId({ user, key }: Pick<ClientCall, 'user' | 'key'>): { id?: string } {
  if (key === undefined) return {}
  return { id: user === '' ? key : `${user}/${key}` }
}

/** Returns the key of a payment in the journal, which belongs to one user. */
export function ownKey(user: string, key: string): string {
  return user === '' ? key : JSON.stringify([user, key])
}

/**
 * Makes a payment of a call.
 *
 * @throws {RpcError}, {AntaraError} as the safe flows
 */
export async function undertake(
  parts: FlowParts,
  call: PayingCall,
  {
    requested,
    moment,
    isSent = moment === 'send',
    isResumed = false,
    isBuiltBeside = false,
    newTransaction,
    send,
  }: Undertaken,
): Promise<Ending> {
  const { journal, record } = parts
  const { intentFindings } = requested
  if (intentFindings.length > 0) {
    const report = { ...conclude(intentFindings), hex: '', effects: [] }
    return refused(parts, call, { report, held: 'rejected' })
  }
  const key = ownKey(call.user, requested.key())
  const name = call.key === undefined ? `terms ${key}` : `id ${paymentId(call).id}`
  const review = reviewOf(parts, call, { requested, moment, name })
  const options: SafeFlowOptions = {
    ...parts.flow,
    ...paymentId(call),
    journal,
    ...(isResumed && { resumeOnly: true, repeatMs: Number.POSITIVE_INFINITY }),
    confirm: (report) => review.allows(report, (hex) => payment.check(hex)),
  }
  const payment = await requested.payment(options)
  const request = requested.request()
  try {
    const paid = await idempotentSend({
      ...payment,
      key,
      request: () => request,
      isBuiltBeside,
      newTransaction: () => newTransaction!(payment),
      async send(attempt) {
        const decision = isSent ? 'sent' : 'handed-over'
        const entry = { ...shown(call), decision, request, txid: attempt.txid } as const
        // The limits and the record have it before the bytes leave.
        await review.keep()
        await record?.append(entry)
        parts.onDecision(entry)
        await send(attempt, payment)
      },
    })
    await review.free()
    const { refusal } = review
    const ending = refusal === undefined ? paid : { ...paid, refusal }
    return paid.held === undefined ? ending : refused(parts, call, ending)
  } catch (error) {
    await review.free()
    throw error
  }
}

function refused(parts: FlowParts, call: PayingCall, ending: Ending): Ending {
  const { report, refusal, held } = ending
  const codes = report.findings.flatMap(({ severity, code }) => (severity === 'reject' ? code : []))
  noteRefusal(parts, call, refusal?.rule ?? codes[0] ?? held ?? '', codes)
  return ending
}

/** Counts and records a refusal. A record that fails is noticed by the next payment. */
export function noteRefusal(
  { record, onDecision }: FlowParts,
  call: GuardedCall,
  reason: string,
  findings: readonly string[] = [],
): void {
  const entry = { ...shown(call), decision: 'refused', reason, findings } as const
  onDecision(entry)
  void record?.append(entry).catch(() => undefined)
}

/** Rejects, and records it, unless the server still has the chain of the first payment. */
export async function requireChainOf(parts: FlowParts, call: GuardedCall): Promise<void> {
  try {
    await parts.requireChain()
  } catch (error) {
    noteRefusal(parts, call, 'network')
    throw error
  }
}

function shown({ user, method, methodClass }: GuardedCall): GuardedCall {
  return { user, method, methodClass }
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

interface Review {
  refusal?: { readonly rule: string; readonly reason: string }
  /** Asks the policy, and the person that the policy names. */
  allows(report: Report, check: (hex: string) => Promise<Checked>): Promise<boolean>
  /** Keeps what the policy reserved: the bytes are about to leave. */
  keep(): Promise<void>
  /** Frees what the policy reserved, unless it was kept. */
  free(): Promise<void>
}

/** Time for which a person may think about a payment, in milliseconds. */
const confirmMsMax = 10 * 60_000

function reviewOf(
  { policy, journal, requireChain }: FlowParts,
  call: PayingCall,
  { requested, moment, name }: Pick<Undertaken, 'requested' | 'moment'> & { readonly name: string },
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
        ...shown(call),
        moment,
        payment: paymentName(journal, name, verified.txid),
        txid: verified.txid,
        bytes: verified.hex.length / 2,
        effects,
      }
      let decision = await decided(policy, payment, false)
      if (decision.verdict === 'confirm') {
        const { rule } = decision
        const signal = AbortSignal.any([AbortSignal.timeout(confirmMsMax), call.signal])
        const isAgreed = await decision.ask(signal).catch(() => false)
        // A client that left would not learn of the payment, and could make it in another way.
        if (isAgreed !== true || signal.aborted) {
          review.refusal = { rule, reason: 'Nobody agreed in time.' }
          return false
        }
        // Another daemon may be there, and coins may be spent, so everything is verified again.
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

async function decided(policy: Policy, payment: GuardedPayment, isConfirmed: boolean) {
  try {
    return await policy.decide(payment, { isConfirmed })
  } catch {
    return { verdict: 'refuse', rule: 'policy', reason: 'The policy failed.' } as const
  }
}
