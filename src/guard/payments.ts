// The payments of a guard. Each is verified, reviewed and recorded before its bytes leave.

import { bookOf } from '../journal/book.ts'
import { type Finding, type FindingCode, reportWithout } from '../request/report.ts'
import { isRpcError, type RpcErrorKind } from '../rpc/errors.ts'
import {
  type Attempt,
  attemptsOf,
  nameOfCall,
  type PaymentName,
} from '../rpc/safe-flow/attempts.ts'
import type { Checked } from '../rpc/safe-flow/check.ts'
import type { Held, Payment, SafeFlowResult } from '../rpc/safe-flow/flow.ts'
import { idempotentSend, paymentOfLikeId } from '../rpc/safe-flow/idempotent-send.ts'
import type { SafeFlowOptions } from '../rpc/safe-flow/options.ts'
import { repeatMsDefault, unknownPaidBy } from '../rpc/safe-flow/pending.ts'
import { loadAttemptReader } from '../rpc/safe-flow/transaction.ts'
import { heldWarnings } from '../rpc/safe-flow/warned.ts'
import { RpcFailure } from '../server/json-rpc.ts'
import type { Admitted } from './call.ts'
import type { DecisionRecord } from './decision.ts'
import { type Ending, rejecting } from './ending.ts'
import { NothingPaid } from './forbidden.ts'
import { formerHold, ownId, ownKey } from './former-users.ts'
import type { PaidBy } from './options.ts'
import { LimitExceeded } from './policy/limits.ts'
import { refusedClaim, refusedLikeName, refusedSend } from './refusals.ts'
import type { Requested, RequestedPayment, RequestParts } from './requested.ts'
import { openText, refusedText, reservingText } from './reserving.ts'
import { type ReviewParts, reviewOf } from './review.ts'
import type { SettlingParts } from './settling.ts'

/** The parts that all payments of one guard share, whatever server it guards. */
export interface FlowParts extends ReviewParts, SettlingParts {
  readonly record: DecisionRecord | undefined
  /** The key of the payments whose calls name none; absent if the server has it. */
  readonly pubkey?: string
  readonly flow: Pick<
    SafeFlowOptions,
    | 'repeatMs'
    | 'trustServer'
    | 'acknowledged'
    | 'timeoutMs'
    | 'allow'
    | 'ancestorsMax'
    | 'onProgress'
  >
  /** Transactions that made a payment, as the operator claims. */
  readonly paidBy?: readonly PaidBy[]
  readonly onDecision: (entry: Parameters<DecisionRecord['append']>[0]) => void
}

/** The parts of payments through a daemon. */
export interface PaymentParts extends FlowParts, RequestParts {}

interface Undertaken {
  readonly requested: Requested
  /** Txid of a transaction that was handed over before: it alone may be sent, and none is made. */
  readonly handedOver?: string
  /** Makes the transaction; absent with `handedOver`. */
  readonly newTransaction?: (payment: Pick<Payment, 'check'>) => Promise<Checked>
  /** True if the transaction may be made beside the comparison with the key's spends. */
  readonly isBuiltBeside?: boolean
  /** True if the last step is a broadcast. Default: true with `handedOver`. */
  readonly isSent?: boolean
  /** Takes the last step: sends the bytes, or lets them go. */
  readonly send: (attempt: Attempt, payment: Pick<Payment, 'send'>) => Promise<void>
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
  call: Admitted,
  {
    requested,
    handedOver,
    newTransaction,
    isBuiltBeside = false,
    isSent = handedOver !== undefined,
    send,
  }: Undertaken,
): Promise<Ending> {
  const { journal, record, flow } = parts
  const { user, isForbidden } = call
  const { intentFindings } = requested
  const isResumed = handedOver !== undefined
  const nothing = { report: reportWithout(intentFindings) }
  if (intentFindings.length > 0) {
    if (isForbidden) throw new NothingPaid()
    return refused(parts, call, { ...nothing, held: 'rejected' })
  }
  const asked = { user, id: call.key, key: requested.key() }
  const terms = ownKey(user, asked.key)
  const named = call.key === undefined ? {} : { id: ownId(user, call.key) }
  const book = bookOf(journal)
  await book.catchUp()
  const name = book.nameOf(nameOfCall({ ...named, terms }), terms)
  const like = isForbidden ? undefined : paymentOfLikeId(book, { name, ...named })
  if (like !== undefined) throw refusedLikeName(like)
  const moment = isResumed ? 'send' : 'hand-over'
  const review = reviewOf(parts, call, { requested, moment, name })
  const former = formerHold(parts, asked, name)
  let warnings: readonly Finding[] = []
  const claims = claimsOf(parts, named.id, name)
  const { acknowledged = [] } = flow
  const options: SafeFlowOptions = {
    ...flow,
    ...named,
    // A transaction that made this payment holds it, although equal payments may pass beside it.
    acknowledged: acknowledged.filter((txid) => !claims.own.includes(txid.toLowerCase())),
    journal,
    ...(!isForbidden && claims.paidBy !== undefined && { paidBy: claims.paidBy }),
    ...(isResumed && { handedOver: [handedOver], repeatMs: Number.POSITIVE_INFINITY }),
    ...(isForbidden && { handedOver: [] }),
    resumeOnly: isResumed || isForbidden,
    async confirm(report) {
      if (isForbidden) return false
      const txid = report.verified?.txid
      // The policy may be another one since, and so may the journal.
      if (!former.allows(txid)) return false
      // No program reads the report, so a warning decides: it holds, as in a safe flow.
      const passing = [...boundedWarnings, ...(payment.usualWarnings ?? [])]
      warnings = heldWarnings(options, passing, report)
      if (warnings.length > 0) return false
      return review.allows(report, (hex) => payment.check(hex))
    },
  }
  const payment = await requested.payment(options)
  const request = requested.request()
  if (!isForbidden) {
    await former.settle(request)
    // A user who may not pay must not learn what others paid.
    const isNew = book.payment(name)?.terms !== terms
    if (isNew && !former.allows(undefined)) {
      return refused(parts, call, { ...nothing, held: 'declined', former: former.transaction })
    }
  }
  try {
    const flow: Payment = {
      ...(isForbidden ? onlyFinding(parts, call, payment) : withClaims(payment, claims)),
      key: terms,
      request: () => request,
      isBuiltBeside,
      isHandOver: !isSent,
      isHeld: (txid) => !former.allows(txid),
      newTransaction: () => newTransaction!(payment),
      async beforeSend(attempt) {
        const decision = isSent ? 'sent' : 'handed-over'
        const entry = { ...shown(call), decision, request, txid: attempt.txid } as const
        // The limits and the record have it before the bytes leave.
        await kept(review)
        await record?.append(entry)
        call.line.isWritten = true
        parts.onDecision(entry)
      },
      async send(attempt) {
        try {
          await send(attempt, payment)
        } catch (error) {
          await noteRefusedSend(parts, call, { error, txid: attempt.txid, reason: payment.refusal })
          throw error
        }
      },
    }
    let paid = await idempotentSend(flow).catch(async (error: unknown) => {
      if (!isRpcError(error, 'shape') || error.path !== 'paidBy') throw error
      const others = await possibleTxids(parts, { name, terms, request, ...named })
      throw refusedClaim(`${error.expected}`, `the ${payment.refusal} does not have it`, others)
    })
    const paidBy = isForbidden ? undefined : claims.own.find((it) => paid.unrecorded?.includes(it))
    if (paidBy !== undefined) {
      paid = await idempotentSend({ ...flow, options: { ...options, paidBy } })
    }
    if (paid.held === undefined) return paid
    const why = notPaidBy[paid.held]
    if (options.paidBy !== undefined && paid.report.txid === options.paidBy && why !== undefined) {
      throw refusedClaim(options.paidBy, why)
    }
    if (isForbidden && paid.held !== 'under-way') {
      throw new NothingPaid(await possibleTxids(parts, { name, terms, request, ...named }))
    }
    const earlier = former.transaction ?? former.madeByOther(paid, request)
    if (earlier !== undefined) return refused(parts, call, { ...paid, former: earlier })
    const isWarned = paid.held === 'declined' && warnings.length > 0
    const about = isWarned ? ({ held: 'warned', warnings } as const) : { refusal: review.refusal }
    const reserving = await heldBy(paid, { journal, name, user })
    const misnamed = claims.others.filter((it) => paid.unrecorded?.includes(it))
    return refused(parts, call, { ...paid, ...about, reserving, misnamed })
  } finally {
    await review.free()
  }
}

/** Why a transaction that the operator names did not make the payment. */
const notPaidBy: { readonly [Reason in Held]?: string } = {
  rejected: 'it is another payment',
  'reserved-inputs': 'the journal has it for another payment',
}

/** The transactions that made payments, as the operator claims, and that the journal lacks. */
interface Claims {
  /** Made the payment of a call with a name, under which the journal does not have it. */
  readonly paidBy?: string | undefined
  /** They made this payment; without a name, one of them may have made it. */
  readonly own: readonly string[]
  /** They made payments of other calls. */
  readonly others: readonly string[]
}

/** @param name - name of the payment in the journal */
function claimsOf(
  { paidBy = [], journal }: FlowParts,
  id: string | undefined,
  name: string,
): Claims {
  const recorded = (txid: string) => bookOf(journal).paymentsOf(txid)
  const own = paidBy.filter((it) => it.id === id).map(({ txid }) => txid)
  const others = paidBy.filter((it) => it.id !== id).map(({ txid }) => txid)
  const isNew = (txid: string) => recorded(txid).length === 0
  const [named] = id === undefined ? [] : own
  const isOpen = named !== undefined && recorded(named).every((it) => it.name !== name)
  return {
    ...(isOpen && { paidBy: named }),
    own: own.filter(isNew),
    others: others.filter(isNew),
  }
}

/**
 * Compares a new payment with the transactions that the operator names, too: a server lists only what
 * the wallet spent lately, and a daemon without an address index lists nothing.
 */
function withClaims(payment: RequestedPayment, { own, others, paidBy }: Claims): RequestedPayment {
  const { spends, lookUp } = payment
  if (spends === undefined || own.length + others.length === 0) return payment
  return {
    ...payment,
    async spends(recorded) {
      const listed = await spends(recorded)
      for (const txid of paidBy === undefined ? own : []) {
        if (typeof (await lookUp(txid)) === 'string') continue
        throw unknownPaidBy(txid)
      }
      return [...new Set([...listed, ...own, ...others])]
    },
  }
}

/** Returns a payment that is looked for on the chain, and whose bytes are not sent again. */
function onlyFinding(
  parts: FlowParts,
  call: Admitted,
  payment: RequestedPayment,
): RequestedPayment {
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
  { held, unsettled = [], report: { hex } }: SafeFlowResult,
  { journal, name, user }: { journal: FlowParts['journal']; name: string; user: string },
): Promise<string | undefined> {
  if (held === 'reserved-inputs') return reservingText(journal, { hex, name, user })
  if (held !== 'different-inputs') return undefined
  const open = await openText(journal, { hex, name })
  const own = bookOf(journal).payment(name)?.attempts ?? []
  const isHeldByOwn = unsettled.every(({ txid }) => own.some((it) => it.txid === txid))
  return open ?? (isHeldByOwn ? refusedText(journal, name) : undefined)
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

function refused(parts: FlowParts, call: Admitted, ending: Ending): Ending {
  const { report, refusal, held, former, warnings = rejecting(report) } = ending
  const codes = warnings.map(({ code }) => code)
  const rule = former === undefined ? refusal?.rule : 'former-user'
  noteRefusal(parts, call, rule ?? codes[0] ?? held ?? '', codes)
  return ending
}

/**
 * Counts and records a refusal, unless the call has its line. A record that fails is noticed by the
 * next payment.
 */
export function noteRefusal(
  { record, onDecision }: FlowParts,
  call: Admitted,
  reason: string,
  findings: readonly string[] = [],
): void {
  if (call.line.isWritten) return
  call.line.isWritten = true
  const entry = { ...shown(call), decision: 'refused', reason, findings } as const
  onDecision(entry)
  void record?.append(entry).catch(() => undefined)
}

/** Records that the server refused what the call's line says was sent. */
async function noteRefusedSend(
  { record }: FlowParts,
  call: Admitted,
  { error, txid, reason }: { error: unknown; txid: string; reason: RpcErrorKind },
): Promise<void> {
  if (!isRpcError(error, reason) || error.uncertain === true) return
  const entry = { ...shown(call), decision: 'refused', reason, txid } as const
  await record?.append(entry).catch(() => undefined)
}

/** Rejects unless the server still has the chain of the first payment, and records the refusal. */
export async function requireChainOf(parts: FlowParts, call: Admitted): Promise<void> {
  try {
    await parts.requireChain()
  } catch (error) {
    // Any other failure of a forbidden call is noted by the rule that forbids it.
    const isNoted = !call.isForbidden || error instanceof RpcFailure
    if (isNoted) noteRefusal(parts, call, 'network')
    throw error
  }
}

function shown({ user, method, methodClass, key }: Admitted) {
  return { user, method, methodClass, ...(key !== undefined && { key }) }
}
