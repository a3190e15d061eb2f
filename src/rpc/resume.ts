// Lists, settles and forgets the payments of a journal.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import {
  isSettled,
  type RecordedAttempt,
  type RecordedPayment,
} from '../journal/recorded-payment.ts'
import { snapshotOptions } from '../primitives/snapshot.ts'
import { reportWithout } from '../request/report.ts'
import type { DaemonClient } from './daemon/client.ts'
import type { FrameworkClient } from './framework/client.ts'
import type { Payment, SafeFlowResult } from './safe-flow/flow.ts'
import { emptyResult, idempotentSend } from './safe-flow/idempotent-send.ts'
import { requireFlowOptions, type SafeFlowOptions } from './safe-flow/options.ts'
import { isKnownToCaller, isNamedToSend, isUnsentByResume } from './safe-flow/pending.ts'
import { recordedUndertaking } from './safe-flow/recorded-undertaking.ts'
import { daemonPayment } from './safe-flow/undertaking.ts'
import { withdrawalPayment } from './safe-flow/withdrawal.ts'
import type { WithdrawOptions, WithdrawResult } from './withdraw-flow.ts'

/** A payment of a journal. */
export interface JournalPayment {
  /** Name: `id invoice-17`, or `terms …` for a payment without an id. */
  readonly name: string
  readonly id?: string
  /** JSON of the request; absent if the payment was compacted. */
  readonly request?: string
  readonly state: 'unsettled' | 'settled' | 'dead'
  /** Latest first. */
  readonly attempts: readonly {
    readonly txid: string
    readonly hex: string
    /** Time of the record, ISO 8601. */
    readonly at: string
    /** `handed-over`: a guard gave it to a program, and no server is known to have accepted it. */
    readonly state: 'handed-over' | 'uncertain' | 'accepted' | 'refused' | 'settled' | 'dead'
    /**
     * The first broadcast of what was handed over. `refused`: the server refused it, or it failed
     * before it was sent. A server may refuse a transaction and relay it all the same.
     */
    readonly firstSent?: 'unknown' | 'refused'
    readonly height?: number
    /** The txid of the copy that was mined, if a third party changed the scriptSigs. */
    readonly minedAs?: string
  }[]
}

/** The result of `resumePayments` for one payment. */
export interface ResumedPayment {
  readonly payment: JournalPayment
  /** Absent if the call failed, or if the payment belongs to another kind of server. */
  readonly result?: SafeFlowResult | WithdrawResult
  readonly error?: unknown
  /**
   * Txid of the latest transaction that was not sent, because `handedOver` does not name it. Absent
   * if the server has a transaction of the payment.
   */
  readonly keptBack?: string
}

/** Options of one payment, which would be those of every payment of a journal. */
const ofOnePayment = ['id', 'earlier', 'dryRun', 'paidBy'] as const

export interface ResumeOptions
  extends Omit<SafeFlowOptions, 'id' | 'earlier' | 'dryRun' | 'paidBy'> {
  readonly journal: Journal
  /** Evidence of your own for withdrawals, as `withdrawAndSend` takes it. */
  readonly evidence?: WithdrawOptions['evidence']
}

/**
 * Lists the payments of a journal, in the order of their first records.
 *
 * @param journal - the journal; its records are read, and none is written
 * @returns the payments with their attempts
 * @throws {AntaraError} as the journal
 * @example
 * const open = (await listPayments(journal)).filter(({ state }) => state === 'unsettled')
 */
export async function listPayments(journal: Journal): Promise<readonly JournalPayment[]> {
  const book = bookOf(journal)
  await book.catchUp()
  return book.payments().map(shown)
}

/**
 * Settles the payments of a journal: looks for each transaction on the chain, sends the recorded
 * bytes again, and returns what is left. It never makes a new transaction.
 *
 * A settled payment is looked up as well, and becomes unsettled again if it left the chain.
 *
 * A guard with users may have a payment that no server is known to have accepted. Such a payment is
 * looked for, and is sent only if `handedOver` names it. Without an id, it is not looked for either:
 * repeat its call.
 *
 * @param client - a daemon of the payments' chain, or the framework server of the withdrawals.
 *   Payments of other servers, and of a wallet, are returned without a result
 * @param givenOptions - the journal, and the options of `transferToken`
 * @returns each payment with the result of its flow, or with the error of the call
 * @throws {AntaraError} as the journal
 * @throws {TypeError} for an option of one payment: `id`, `earlier`, `dryRun` or `paidBy`
 * @example
 * for (const { payment, result } of await resumePayments(daemon, { journal })) {
 *   console.log(payment.name, result?.txid ?? result?.held)
 * }
 */
export async function resumePayments(
  client: DaemonClient | FrameworkClient,
  givenOptions: ResumeOptions,
): Promise<readonly ResumedPayment[]> {
  const options = snapshotOptions(givenOptions, 'options')
  await requireFlowOptions(options, ['evidence'])
  for (const name of ofOnePayment) {
    if ((options as SafeFlowOptions)[name] === undefined) continue
    throw new TypeError(
      `${name}: belongs to one payment, so repeat the call of that payment with it`,
    )
  }
  const book = bookOf(options.journal)
  await book.catchUp()
  const resumed: ResumedPayment[] = []
  // A dead attempt is looked for, too: the branch on which a trusted server called it dead may be over.
  for (const { name } of book.payments()) {
    // Another process may have forgotten it meanwhile.
    const before = book.payment(name)
    if (before !== undefined) resumed.push(await resumeOne(client, options, before))
  }
  return resumed
}

async function resumeOne(
  client: DaemonClient | FrameworkClient,
  options: ResumeOptions,
  before: RecordedPayment,
): Promise<ResumedPayment> {
  const book = bookOf(options.journal)
  const paymentNow = () => book.payment(before.name) ?? before
  try {
    const settlement = await flowOf(client, before, options)
    if (settlement === undefined) return { payment: shown(paymentNow()) }
    const { result, isOfUser } = settlement
    // The server may have the transaction although no block has it yet.
    const attempts = result.txid === undefined ? paymentNow().attempts : []
    const keptBack = attempts.findLast(
      (it) => it.fate === undefined && isUnsentByResume({ options, isOfUser }, it),
    )?.txid
    return { payment: shown(paymentNow()), result, ...(keptBack !== undefined && { keptBack }) }
  } catch (error) {
    // The failure of one payment must not prevent the settlement of others.
    return { payment: shown(paymentNow()), error }
  }
}

interface Settlement {
  readonly result: SafeFlowResult | WithdrawResult
  /** True for a payment of a guard's user. */
  readonly isOfUser: boolean
}

/** Returns `undefined` for payments of other servers, and for payments that compaction closed. */
async function flowOf(
  client: DaemonClient | FrameworkClient,
  recorded: RecordedPayment,
  { evidence, ...options }: ResumeOptions,
): Promise<Settlement | undefined> {
  const { request, id } = recorded
  if (request === undefined) return undefined
  // Every settled payment counts as repeated, so that none is paid as a new request.
  const repeatMs = Number.POSITIVE_INFINITY
  const own = { ...options, repeatMs, resumeOnly: true, ...(id !== undefined && { id }) }
  if ('withdraw' in client) {
    const { withdrawOf } = await import('./safe-flow/withdraw-text.ts')
    const withdrawal = withdrawOf(request)
    if (withdrawal === undefined) return undefined
    const { intent, from } = withdrawal
    const { ancestorsMax: _, ...limits } = own
    const given = { ...limits, ...(from && { from }), ...(evidence && { evidence }) }
    const { payment } = await withdrawalPayment(client, intent, given)
    return settled(recorded, payment)
  }
  const undertaking = await recordedUndertaking(request)
  if (undertaking === undefined) return undefined
  const { intentFindings } = undertaking
  if (intentFindings.length > 0) {
    const result = { report: reportWithout(intentFindings), held: 'rejected' } as const
    return { result, isOfUser: false }
  }
  return settled(recorded, daemonPayment(client, own, undertaking))
}

/** Settles a payment under its recorded key: a guard records JSON of the user and the key. */
async function settled(
  { terms, id, attempts }: RecordedPayment,
  payment: Omit<Payment, 'newTransaction'>,
): Promise<{ readonly result: SafeFlowResult; readonly isOfUser: boolean }> {
  const isOfUser = terms.endsWith(`,${JSON.stringify(payment.key)}]`)
  // After a lost answer, the user's same unnamed call finds out. Once settled, it would pay again.
  const isLeftToCall = isOfUser && id === undefined
  const sought = attempts.filter(
    (it) =>
      !isLeftToCall || isSettled(it) || isKnownToCaller(it) || isNamedToSend(payment.options, it),
  )
  if (sought.length === 0) {
    return { result: { ...emptyResult(), held: 'unsettled' }, isOfUser }
  }
  const isSought = ({ txid }: RecordedAttempt) => sought.some((it) => it.txid === txid)
  const newTransaction = () => Promise.reject(new Error('resume makes no payment'))
  const key = isOfUser ? terms : payment.key
  const result = await idempotentSend({ ...payment, key, isOfUser, isSought, newTransaction })
  return { result, isOfUser }
}

/**
 * Forgets the unsettled attempts of a payment, so that its request may be paid again. Do this only
 * if none of the attempts can be mined later.
 *
 * @param journal - the journal that recorded the payment
 * @param name - the `name` that `listPayments` returns
 * @returns true if there was such a payment, and none of its attempts had settled
 * @throws {AntaraError} as the journal
 * @example
 * await forgetPayment(journal, 'id invoice-17')
 */
export async function forgetPayment(journal: Journal, name: string): Promise<boolean> {
  const book = bookOf(journal)
  await book.catchUp()
  const payment = book.payment(name)
  if (payment?.name !== name || payment.attempts.some(isSettled)) return false
  const at = new Date(Date.now()).toISOString()
  await book.note({ kind: 'forgotten', payment: name, terms: payment.terms, at })
  return true
}

function shown({ name, id, request, attempts }: RecordedPayment): JournalPayment {
  const isDead = attempts.every(({ fate }) => fate === 'dead')
  const rest = isDead ? 'dead' : 'unsettled'
  return {
    name,
    ...(id !== undefined && { id }),
    ...(request !== undefined && { request }),
    state: attempts.some(isSettled) ? 'settled' : rest,
    attempts: attempts
      .map(({ txid, hex, at, fate, isOpen, isAccepted, isHandedOver, firstSent, ...it }) => {
        const { height, minedAs } = it
        const sent = isAccepted ? 'accepted' : 'uncertain'
        const open = isHandedOver ? 'handed-over' : sent
        const state = fate ?? (isOpen ? open : 'refused')
        const place = { ...(height !== undefined && { height }), ...(minedAs && { minedAs }) }
        return { txid, hex, at, state, ...(firstSent && { firstSent }), ...place } as const
      })
      .reverse(),
  }
}
