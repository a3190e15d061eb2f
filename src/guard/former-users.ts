// Payments without a user, or of users that the guard no longer has. A program under a new user name
// may repeat its calls; these are then the earlier payments.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { isSettled, type RecordedPayment } from '../journal/recorded-payment.ts'
import { isAround } from '../rpc/safe-flow/attempts.ts'
import { isKnownToCaller, repeatMsDefault } from '../rpc/safe-flow/pending.ts'
import { isCallbackRunning } from '../rpc/safe-flow/turns.ts'
import type { Policy } from './decision.ts'
import { type RequestedPayment, settle } from './requested.ts'

interface FormerParts {
  readonly journal: Journal
  readonly policy: Pick<Policy, 'isUser'> | undefined
  readonly repeatMs: number | undefined
}

interface AskedPayment {
  readonly user: string
  /** The name that the caller gave the payment. */
  readonly id: string | undefined
  /** The key of the request, equal for equal requests of all users. */
  readonly key: string
}

/** Returns the key of a payment in the journal, which belongs to one user. */
export function ownKey(user: string, key: string): string {
  return user === '' ? key : JSON.stringify([user, key])
}

/** Returns the name of a payment in the journal: one user's names are not another's. */
export function ownId(user: string, id: string): string {
  return user === '' ? id : `${user}/${id}`
}

/**
 * Returns the recorded payments that a call may be a repetition of, although they have another user.
 * Users that the guard still has are different programs, which may owe the same.
 */
function formerPayments(parts: FormerParts, asked: AskedPayment): RecordedPayment[] {
  const text = JSON.stringify(asked.key)
  return bookOf(parts.journal)
    .payments()
    .filter((it) => it.terms === asked.key || it.terms.endsWith(`,${text}]`))
    .filter((it) => isFormer(parts, asked, it))
}

/** The transaction of such a payment. */
export interface FormerTransaction {
  readonly txid: string
  /** True if no block is known to have it. */
  readonly isUnsettled: boolean
}

/**
 * Returns the latest unsettled transaction of such a payment, else the latest settled one;
 * `undefined` if there is none.
 */
export function formerTransaction(
  parts: FormerParts,
  asked: AskedPayment,
): FormerTransaction | undefined {
  // Beside a settled attempt, the others of its payment hold nothing.
  const found = formerPayments(parts, asked).flatMap(({ attempts }) => {
    const settled = attempts.findLast(isSettled)
    return settled === undefined ? attempts : [settled]
  })
  const last = found.findLast(({ fate }) => fate === undefined) ?? found.findLast(isSettled)
  return last && { txid: last.minedAs ?? last.txid, isUnsettled: last.fate === undefined }
}

/** Decides whether payments of former users hold a call. */
interface FormerHold {
  /** The transaction that held the call last. */
  transaction: FormerTransaction | undefined
  /** Looks for the payments in blocks, because what is mined may be over. */
  settle(payment: RequestedPayment): Promise<void>
  /**
   * Returns false if one of them holds the call.
   *
   * @param txid - a transaction for the call: one that its own payment has is held by none
   */
  allows(txid: string | undefined): boolean
}

/** @param name - name of the call's own payment in the journal */
export function formerHold(parts: FormerParts, asked: AskedPayment, name: string): FormerHold {
  const { journal } = parts
  const hold: FormerHold = {
    transaction: undefined,
    async settle(payment) {
      await bookOf(journal).catchUp()
      for (const it of formerPayments(parts, asked)) {
        // A call that asks may wait for the turn of this one. What stays unsettled holds this payment.
        if (isCallbackRunning(journal, it.name)) continue
        // No caller knows its outcome. Once it is settled, a call without its name could pay it again.
        const hasItsName = asked.id !== undefined && it.id !== undefined
        if (!hasItsName && !it.attempts.some(isKnownToCaller)) continue
        await settle({ ...payment, key: it.terms }, it).catch(() => undefined)
      }
    },
    allows(txid) {
      const own = bookOf(journal).payment(name)?.attempts ?? []
      const isOwn = own.some((it) => it.txid === txid)
      hold.transaction = isOwn ? undefined : formerTransaction(parts, asked)
      return hold.transaction === undefined
    },
  }
  return hold
}

function isFormer(
  { policy, repeatMs = repeatMsDefault }: FormerParts,
  { user, id, key }: AskedPayment,
  { terms, id: recordedId, attempts }: RecordedPayment,
): boolean {
  const owner = ownerOf(terms, key)
  const hasLeft = user === '' || owner === '' || policy?.isUser?.(owner ?? '') === false
  if (owner === undefined || owner === user || !hasLeft) return false
  const settled = attempts.findLast(isSettled)
  if (settled === undefined && attempts.every(({ fate }) => fate !== undefined)) return false
  if (id !== undefined && recordedId !== undefined) return recordedId === ownId(owner, id)
  // People add a name when they repeat a call, or drop it.
  return settled === undefined || isAround(repeatMs, settled)
}

/** Returns the user of a recorded payment with the request of `key`; `undefined` for another one. */
function ownerOf(terms: string, key: string): string | undefined {
  if (terms === key) return ''
  const [owner, ...rest]: unknown[] = JSON.parse(terms)
  return typeof owner === 'string' && ownKey(owner, key) === terms && rest.length === 1
    ? owner
    : undefined
}
