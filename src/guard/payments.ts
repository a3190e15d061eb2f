// The payments of a guard. Each is verified, reviewed and recorded before its bytes leave.

import { bookOf } from '../journal/book.ts'
import { conclude, type Finding, type FindingCode } from '../request/report.ts'
import type { DaemonClient } from '../rpc/daemon/client.ts'
import { type Attempt, attemptsOf, type PaymentName } from '../rpc/safe-flow/attempts.ts'
import type { Checked } from '../rpc/safe-flow/check.ts'
import type { Paid, Payment } from '../rpc/safe-flow/flow.ts'
import { idempotentSend } from '../rpc/safe-flow/idempotent-send.ts'
import type { SafeFlowOptions } from '../rpc/safe-flow/options.ts'
import { isKnownToCaller, repeatMsDefault } from '../rpc/safe-flow/pending.ts'
import { loadAttemptReader } from '../rpc/safe-flow/transaction.ts'
import { isCallbackRunning } from '../rpc/safe-flow/turns.ts'
import { heldWarnings } from '../rpc/safe-flow/warned.ts'
import { RpcFailure } from '../server/json-rpc.ts'
import type { ClientCall } from './call.ts'
import type { DecisionRecord, GuardedCall, GuardedPayment } from './decision.ts'
import { NothingPaid } from './forbidden.ts'
import {
  type FormerTransaction,
  formerPayments,
  formerTransaction,
  ownId,
  ownKey,
} from './former-users.ts'
import { LimitExceeded } from './policy/limits.ts'
import { refusedSend } from './refusals.ts'
import type { Requested } from './requested.ts'
import { openText, refusedText, reservingText } from './reserving.ts'
import { type ReviewParts, reviewOf } from './review.ts'
import { type SettlingParts, settleByRequest } from './settling.ts'
import type { RequestTerms } from './token-method.ts'

/** The parts that all payments of one guard share, whatever server it guards. */
export interface FlowParts extends ReviewParts, SettlingParts {
  readonly record: DecisionRecord | undefined
  readonly flow: Pick<
    SafeFlowOptions,
    'repeatMs' | 'trustServer' | 'acknowledged' | 'timeoutMs' | 'allow' | 'ancestorsMax'
  >
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
export type PayingCall = Pick<
  ClientCall,
  'user' | 'method' | 'methodClass' | 'key' | 'isForbidden' | 'line' | 'signal' | 'aside'
>

type NotedCall = GuardedCall & Pick<PayingCall, 'key' | 'line'>

/** How a payment of a call ended. */
export type Ending = Paid<Checked> & {
  /** The reason of the policy, if it held the payment. */
  readonly refusal?: { readonly rule: string; readonly reason: string }
  /** The warnings that held it, if `held` is `warned`. */
  readonly warnings?: readonly Finding[]
  /** The transaction of the same payment by a user or a key that the guard no longer has, if it held it. */
  readonly former?: FormerTransaction
  /** Names what held it, and the way out, if other attempts did. */
  readonly reserving?: string
}

interface Undertaken {
  readonly requested: Requested
  readonly moment: GuardedPayment['moment']
  /** True if the last step is a broadcast. */
  readonly isSent?: boolean
  /** True to settle recorded attempts only, and to make nothing new. */
  readonly isResumed?: boolean
  /** Txids of handed-over transactions that it may send, if `isResumed`. */
  readonly handedOver?: readonly string[]
  /** True if the transaction may be made beside the comparison with the key's spends. */
  readonly isBuiltBeside?: boolean
  /** Makes the transaction; absent if `isResumed`. */
  readonly newTransaction?: (payment: Pick<Payment<Checked>, 'check'>) => Promise<Checked>
  /** Takes the last step: sends the bytes, or lets them go. */
  readonly send: (attempt: Attempt, payment: Pick<Payment<Checked>, 'send'>) => Promise<void>
}

/** Returns the idempotency key of a call for the flow. */
function paymentId({ user, key }: Pick<ClientCall, 'user' | 'key'>): { id?: string } {
  return key === undefined ? {} : { id: ownId(user, key) }
}

/** Warnings about fees. The operator bounds the fee itself, by `maxFee` and a policy. */
const boundedWarnings: readonly FindingCode[] = ['fee_share', 'fee_high']

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
    handedOver = [],
    isBuiltBeside = false,
    newTransaction,
    send,
  }: Undertaken,
): Promise<Ending> {
  const { journal, record } = parts
  const { intentFindings } = requested
  const isForbidden = call.isForbidden === true
  const nothing = { report: { ...conclude(intentFindings), hex: '', effects: [] } }
  if (intentFindings.length > 0 && isForbidden) throw new NothingPaid()
  if (intentFindings.length > 0) return refused(parts, call, { ...nothing, held: 'rejected' })
  const key = ownKey(call.user, requested.key())
  const name = call.key === undefined ? `terms ${key}` : `id ${paymentId(call).id}`
  const review = reviewOf(parts, call, { requested, moment, name })
  let warnings: readonly Finding[] = []
  let former: FormerTransaction | undefined
  const options: SafeFlowOptions = {
    ...parts.flow,
    ...paymentId(call),
    journal,
    ...(isResumed && { resumeOnly: true, handedOver, repeatMs: Number.POSITIVE_INFINITY }),
    ...(isForbidden && { resumeOnly: true, handedOver: [] }),
    async confirm(report) {
      if (isForbidden) return false
      // The policy may be another one since, and so may the journal.
      former = earlier.of(name, report.verified?.txid)
      if (former !== undefined) return false
      // No program reads the report, so a warning decides: it holds, as in a safe flow.
      warnings = heldWarnings(
        options,
        [...boundedWarnings, ...(payment.usualWarnings ?? [])],
        report,
      )
      if (warnings.length > 0) return false
      if (!(await review.allows(report, (hex) => payment.check(hex)))) return false
      // Another guard of the same journal may have paid while a person thought.
      await bookOf(journal).catchUp()
      former = earlier.of(name, report.verified?.txid)
      return former === undefined
    },
  }
  const payment = await requested.payment(options)
  const request = requested.request()
  const earlier = formerOf(parts, call, requested)
  if (!isForbidden) await earlier.settle(name, request)
  // A user who may not pay is not told what others paid.
  if (!isForbidden && bookOf(journal).payment(name) === undefined) {
    former = earlier.of(name, undefined)
    if (former !== undefined) return refused(parts, call, { ...nothing, held: 'declined', former })
  }
  try {
    const paid = await idempotentSend({
      ...(isForbidden ? onlyFinding(parts, call, payment) : payment),
      key,
      request: () => request,
      isBuiltBeside,
      isHandOver: !isSent,
      newTransaction: () => newTransaction!(payment),
      async beforeSend(attempt) {
        const decision = isSent ? 'sent' : 'handed-over'
        const entry = { ...shown(call), decision, request, txid: attempt.txid } as const
        // The limits and the record have it before the bytes leave.
        await kept(review)
        await record?.append(entry)
        if (call.line !== undefined) call.line.isWritten = true
        parts.onDecision(entry)
      },
      send: (attempt) => send(attempt, payment),
    })
    await review.free()
    const { refusal } = review
    if (paid.held === undefined) return paid
    if (isForbidden && paid.held !== 'under-way') {
      throw new NothingPaid(
        await possibleTxids(parts, { name, terms: key, request, ...paymentId(call) }),
      )
    }
    if (former !== undefined) return refused(parts, call, { ...paid, former })
    const isWarned = paid.held === 'declined' && warnings.length > 0
    const about = isWarned ? ({ held: 'warned', warnings } as const) : refusal && { refusal }
    const reserving = await heldBy(paid, { journal, name, user: call.user })
    return refused(parts, call, {
      ...paid,
      ...about,
      ...(reserving !== undefined && { reserving }),
    })
  } catch (error) {
    await review.free()
    throw error
  }
}

type MadePayment = Omit<Payment<Checked>, 'newTransaction' | 'key'>

/** Returns a payment that is looked for on the chain, and whose bytes are not sent again. */
function onlyFinding(parts: FlowParts, call: PayingCall, payment: MadePayment): MadePayment {
  const { sendAgain: _, ...found } = payment
  return {
    ...found,
    async chain(known) {
      if (known !== undefined) await requireChainOf(parts, call)
      return payment.chain?.(known)
    },
  }
}

/** Returns the transactions of the same user that may be a payment: under another name too. */
async function possibleTxids(
  { journal, flow: { repeatMs: equalMs = repeatMsDefault } }: FlowParts,
  name: PaymentName,
): Promise<string[]> {
  const read = await loadAttemptReader()
  const attempts = attemptsOf(bookOf(journal), { ...name, equalMs }, read)
  const equal = attempts.equalPayments().map(({ attempt }) => attempt)
  const all = [...attempts.unsettled(), ...equal, ...attempts.madeRecently()]
  return all.map(({ txid, minedAs = txid }) => minedAs)
}

/** Names the attempts that held a payment, and the way out; `undefined` if none did. */
async function heldBy(
  { held, unsettled = [], report: { hex } }: Paid<Checked>,
  { journal, name, user }: { journal: FlowParts['journal']; name: string; user: string },
): Promise<string | undefined> {
  if (held === 'reserved-inputs') return reservingText(journal, { hex, name, user })
  if (held !== 'different-inputs') return undefined
  const open = await openText(journal, { hex, name })
  const own = bookOf(journal).payment(name)?.attempts ?? []
  const isHeldByOwn = unsettled.every(({ txid }) => own.some((it) => it.txid === txid))
  return open ?? (isHeldByOwn ? refusedText(journal, name) : undefined)
}

/** Returns what asks for the same payment by users or a key that the guard no longer has. */
function formerOf(flowParts: FlowParts, { user, key: id }: PayingCall, requested: Requested) {
  const { journal, policy, flow } = flowParts
  const parts = { journal, policy, repeatMs: flow.repeatMs }
  const asked = { user, id, key: requested.key() }
  return {
    /**
     * Looks for them in blocks, because what is mined may be over. The payment itself may have been
     * made with another key, too.
     */
    async settle(name: string, request: string): Promise<void> {
      const book = bookOf(journal)
      await book.catchUp()
      const own = book.payment(name)
      const others = own === undefined || own.request === request ? [] : [own]
      for (const it of [...others, ...formerPayments(parts, asked)]) {
        // A call that asks may wait for the turn of this one. What stays unsettled holds this payment.
        if (isCallbackRunning(journal, it.name)) continue
        // No caller knows the outcome of the others. Once it is settled, a call without its name could pay it again.
        const hasItsName = id !== undefined && it.id !== undefined
        const isSought = hasItsName ? () => true : isKnownToCaller
        if (!it.attempts.some(isSought)) continue
        await settleByRequest(flowParts, it, isSought).catch(() => undefined)
      }
    },
    /** Returns the transaction of one, unless `txid` is recorded for the payment itself. */
    of(name: string, txid: string | undefined): FormerTransaction | undefined {
      const own = bookOf(journal).payment(name)?.attempts ?? []
      return own.some((it) => it.txid === txid) ? undefined : formerTransaction(parts, asked)
    },
  }
}

/**
 * Keeps what the policy reserved. A guard that shares the limits may have used them up meanwhile.
 *
 * @throws {Refusal} if it has
 */
async function kept(review: Pick<ReturnType<typeof reviewOf>, 'keep'>): Promise<void> {
  try {
    await review.keep()
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error
    const { rule } = error.bound
    throw refusedSend(`${rule}: used up while the payment was made`, rule)
  }
}

function refused(parts: FlowParts, call: PayingCall, ending: Ending): Ending {
  const { report, refusal, held, former, warnings = rejecting(report) } = ending
  const codes = warnings.map(({ code }) => code)
  const rule = former === undefined ? refusal?.rule : 'former-user'
  noteRefusal(parts, call, rule ?? codes[0] ?? held ?? '', codes)
  return ending
}

export function rejecting({ findings }: Ending['report']): readonly Finding[] {
  return findings.filter(({ severity }) => severity === 'reject')
}

/**
 * Counts and records a refusal, unless the call has its line. A record that fails is noticed by the
 * next payment.
 */
export function noteRefusal(
  { record, onDecision }: FlowParts,
  call: NotedCall,
  reason: string,
  findings: readonly string[] = [],
): void {
  if (call.line?.isWritten === true) return
  if (call.line !== undefined) call.line.isWritten = true
  const entry = { ...shown(call), decision: 'refused', reason, findings } as const
  onDecision(entry)
  void record?.append(entry).catch(() => undefined)
}

/** Rejects unless the server still has the chain of the first payment, and records the refusal. */
export async function requireChainOf(
  parts: FlowParts,
  call: NotedCall & Pick<PayingCall, 'isForbidden'>,
): Promise<void> {
  try {
    await parts.requireChain()
  } catch (error) {
    // Any other failure of a forbidden call is noted by the rule that forbids it.
    const isNoted = call.isForbidden !== true || error instanceof RpcFailure
    if (isNoted) noteRefusal(parts, call, 'network')
    throw error
  }
}

function shown({ user, method, methodClass, key }: NotedCall) {
  return { user, method, methodClass, ...(key !== undefined && { key }) }
}
