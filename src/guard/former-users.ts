// Payments without a user, of users that the guard no longer has, or with another key. A program may
// repeat its calls under a new user name, or to a guard with a new key. Such a call
// requests an earlier payment again.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { isSettled, type RecordedPayment } from '../journal/recorded-payment.ts'
import { isAround, nameOfCall } from '../rpc/safe-flow/attempts.ts'
import type { SafeFlowResult } from '../rpc/safe-flow/flow.ts'
import { withoutQuotes } from '../rpc/safe-flow/idempotent-send.ts'
import { repeatMsDefault } from '../rpc/safe-flow/pending.ts'
import { type PayerTerms, partsOfTerms, payerTerms } from '../rpc/safe-flow/same-terms.ts'
import { isCallbackRunning } from '../rpc/safe-flow/turns.ts'
import type { Policy } from './decision.ts'
import { type SettlingParts, settleByRequest } from './settling.ts'

interface FormerParts {
  readonly journal: Journal
  readonly policy: Pick<Policy, 'isUser'> | undefined
  readonly repeatMs: number | undefined
  /** The key from which the guard pays. A submitted transaction may spend coins of another key. */
  readonly pubkey?: string | undefined
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
 * Returns the recorded payments that a call may repeat, although they have another user or another
 * key. Users that the guard still has are different programs, which may owe the same.
 */
function formerPayments(parts: FormerParts, asked: AskedPayment): RecordedPayment[] {
  const text = JSON.stringify(asked.key)
  const equal = bookOf(parts.journal)
    .payments()
    .filter((it) => it.terms === asked.key || it.terms.endsWith(`,${text}]`))
    .filter(({ terms }) => ownedBy(terms).key === asked.key)
  const all = new Set([...equal, ...paidByOtherKey(parts, asked)])
  return [...all].filter((it) => isFormer(parts, asked, it))
}

/**
 * Returns equal payments by another key than the guard's. Older ones hold only a call with their name,
 * so only recent ones are compared.
 */
function paidByOtherKey(
  { journal, pubkey, repeatMs = repeatMsDefault }: FormerParts,
  { id, key }: AskedPayment,
): RecordedPayment[] {
  const own = payerTerms(key)
  if (own === undefined || own.payer !== pubkey) return []
  const book = bookOf(journal)
  // Users may have changed with the key, and a name stands after its user.
  const named =
    id === undefined ? [] : book.payments().filter((it) => withoutQuotes(it.id ?? '').endsWith(id))
  const recent = [...book.unsettled(), ...book.recordedSince(Date.now() - repeatMs)]
  return [...recent, ...named].filter((it) => {
    const other = payerTermsOf(it)
    return other?.rest === own.rest && other.payer !== own.payer
  })
}

const read = new WeakMap<RecordedPayment, { readonly terms: PayerTerms | undefined }>()

/** Reads the terms of a payment once: each new payment is compared with all recent ones. */
function payerTermsOf(payment: RecordedPayment): PayerTerms | undefined {
  const known = read.get(payment) ?? { terms: payerTerms(ownedBy(payment.terms).key) }
  read.set(payment, known)
  return known.terms
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

/** Decides whether payments by former users or with a former key hold a call. */
interface FormerHold {
  /** The transaction that held the call last. */
  transaction: FormerTransaction | undefined
  /**
   * Looks for the payments in blocks, because what is mined may be over. The call's own payment may
   * have been made with another key, too.
   *
   * @param request - the request of the call
   */
  settle(request: string): Promise<void>
  /**
   * Returns false if one of them holds the call. None holds an attempt of the call's own payment.
   *
   * @param txid - transaction for the call
   */
  allows(txid: string | undefined): boolean
  /**
   * Returns the call's own transaction if it does not pass verification, because a former key made it:
   * payments in coins name no payer.
   */
  madeByOther(
    paid: Pick<SafeFlowResult, 'held' | 'report'>,
    request: string,
  ): FormerTransaction | undefined
}

/** @param name - name of the call's own payment in the journal */
export function formerHold(
  flowParts: SettlingParts & Pick<FormerParts, 'policy' | 'pubkey'>,
  asked: AskedPayment,
  name: string,
): FormerHold {
  const { journal, policy, pubkey, flow } = flowParts
  const parts = { journal, policy, pubkey, repeatMs: flow.repeatMs }
  const book = bookOf(journal)
  const hold: FormerHold = {
    transaction: undefined,
    async settle(request) {
      const own = book.payment(name)
      const others = own === undefined || own.request === request ? [] : [own]
      for (const it of new Set([...others, ...formerPayments(parts, asked)])) {
        // A call that asks may wait for the turn of this one. What stays unsettled holds this payment.
        if (isCallbackRunning(journal, nameOfCall(it))) continue
        // A call with its name pays nothing again, once any of its attempts is settled.
        const hasItsName = asked.id !== undefined && it.id !== undefined
        await settleByRequest(flowParts, it, hasItsName ? () => true : undefined).catch(
          () => undefined,
        )
      }
    },
    allows(txid) {
      const own = book.payment(name)?.attempts ?? []
      const isOwn = own.some((it) => it.txid === txid)
      hold.transaction = isOwn ? undefined : formerTransaction(parts, asked)
      return hold.transaction === undefined
    },
    madeByOther({ held, report: { txid } }, request) {
      const own = book.payment(name)
      if (held !== 'rejected' || txid === undefined || own?.request === request) return undefined
      const isOwn = own?.attempts.some((it) => it.txid === txid && it.fate === undefined) === true
      return isOwn ? { txid, isUnsettled: true } : undefined
    },
  }
  return hold
}

function isFormer(
  { policy, repeatMs = repeatMsDefault }: FormerParts,
  { user, id, key }: AskedPayment,
  { terms, id: recordedId, attempts }: RecordedPayment,
): boolean {
  const recorded = ownedBy(terms)
  const { owner } = recorded
  const hasLeft = user === '' || owner === '' || policy?.isUser?.(owner) === false
  if (owner === user ? recorded.key === key : !hasLeft) return false
  const settled = attempts.findLast(isSettled)
  if (settled === undefined && attempts.every(({ fate }) => fate !== undefined)) return false
  if (id !== undefined && recordedId !== undefined) {
    return withoutQuotes(recordedId) === withoutQuotes(ownId(owner, id))
  }
  // People add a name when they repeat a call, or drop it.
  return settled === undefined || isAround(repeatMs, settled)
}

/** Returns the user of a recorded payment, and the key of its request. */
function ownedBy(terms: string): { readonly owner: string; readonly key: string } {
  const [owner, key, ...rest] = partsOfTerms(terms)
  const isOwned = typeof owner === 'string' && typeof key === 'string' && rest.length === 0
  return isOwned && ownKey(owner, key) === terms ? { owner, key } : { owner: '', key: terms }
}
