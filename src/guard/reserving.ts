// Names the recorded transaction whose coins a new one would spend, and says how to go on.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import {
  isSettled,
  type RecordedAttempt,
  type RecordedPayment,
} from '../journal/recorded-payment.ts'
import { loadAttemptReader } from '../rpc/safe-flow/transaction.ts'

/**
 * Names the latest attempt that the server refused, or that was not sent, and the way out; `undefined`
 * if there is none. A refusal does not prove that a transaction is never mined, so it still holds its
 * payment.
 */
export function refusedText(journal: Journal, name: string): string | undefined {
  const payment = bookOf(journal).payment(name)
  const latest = payment?.attempts.findLast(({ fate, isOpen }) => fate === undefined && !isOpen)
  if (payment === undefined || latest === undefined) return undefined
  return `${latest.txid} is an earlier transaction of this payment, which was refused or not sent, and may still be mined. ${forgetting(latest, payment)}`
}

/**
 * Returns a text for a transaction that the server refused: it stays recorded, and what to do about
 * it. Returns `undefined` if the journal does not have it.
 */
export function recordedText(journal: Journal, txid: string): string | undefined {
  for (const payment of bookOf(journal).paymentsOf(txid)) {
    const attempt = payment.attempts.find((it) => it.txid === txid && it.fate === undefined)
    if (attempt === undefined) continue
    return `${txid} stays recorded, because a server may relay what it refuses. ${forgetting(attempt, payment)}. Until then, the same call sends it again`
  }
  return undefined
}

/**
 * Names the latest attempt at a payment that may have been sent, and could be mined beside the new
 * transaction, and the way out; `undefined` if there is none.
 */
export async function openText(
  journal: Journal,
  { hex, name }: Pick<HeldPayment, 'hex' | 'name'>,
): Promise<string | undefined> {
  const read = await loadAttemptReader()
  const held = read(hex)
  const payment = bookOf(journal).payment(name)
  const attempts = payment?.attempts ?? []
  const isHolding = (it: RecordedAttempt): boolean =>
    it.fate === undefined &&
    it.isOpen &&
    ![...(read(it.hex)?.outpoints ?? [])].some((outpoint) => held?.outpoints.has(outpoint))
  const latest = attempts.some(isSettled) ? undefined : attempts.findLast(isHolding)
  if (payment === undefined || latest === undefined) return undefined
  // A name is one payment for ever. Without one, the same call is a new payment later.
  const next =
    payment.id === undefined
      ? 'Do not repeat this call: once a block has that one and --repeat is over, it may pay again'
      : 'Repeat this call when a block has that one'
  return `${latest.txid} is an earlier transaction of this payment, which may be mined too. ${wayOut(latest, payment, next)}`
}

/** Characters of a request that a message shows. */
const requestMax = 160

interface HeldPayment {
  /** The new transaction, which was verified and did not leave. */
  readonly hex: string
  /** Name of its payment in the journal. */
  readonly name: string
  /** The user who asked for it, and who sees the request of no other user. */
  readonly user: string
}

/** Names what reserves the coins, and the way out; `undefined` if nothing does any more. */
export async function reservingText(
  journal: Journal,
  { hex, name, user }: HeldPayment,
): Promise<string | undefined> {
  const read = await loadAttemptReader()
  const held = read(hex)
  if (held === undefined) return undefined
  const sharesInput = (it: RecordedAttempt): boolean =>
    [...(read(it.hex)?.outpoints ?? [])].some((outpoint) => held.outpoints.has(outpoint))
  const isReserving = (it: RecordedAttempt): boolean =>
    it.txid === held.txid || (it.fate === undefined && it.isOpen && sharesInput(it))
  const book = bookOf(journal)
  for (const payment of [...book.paymentsOf(held.txid), ...book.unsettled()]) {
    const attempt = payment.name === name ? undefined : payment.attempts.findLast(isReserving)
    if (attempt === undefined) continue
    const { txid } = attempt
    const what = txid === held.txid ? `it is ${txid}` : `it spends a coin of ${txid}`
    // An equal payment under another name may reserve the coins too.
    const next = 'If that is another payment, repeat this call when a block has it'
    // No other call sends it, and resume sends no unaccepted payment of a user.
    const isKnown = attempt.isAccepted || attempt.fate !== undefined
    const sending = isKnown ? '' : 'To send it, repeat the call that made it. '
    return `${what}, made for ${requestFor(payment, user)}. ${wayOut(attempt, payment, `${sending}${next}`)}`
  }
  return undefined
}

function requestFor({ request = '', terms }: RecordedPayment, user: string): string {
  if (user !== '' && userOf(terms) !== user) return 'another user'
  return request.length > requestMax ? `${request.slice(0, requestMax)}…` : request
}

/** Returns the user in the key of a payment, as `ownKey` writes it. */
function userOf(terms: string): unknown {
  try {
    const key: unknown = JSON.parse(terms)
    return Array.isArray(key) && key.length === 2 ? key[0] : undefined
  } catch {
    return undefined
  }
}

/** @param next - what to do about a transaction that was sent */
function wayOut(attempt: RecordedAttempt, payment: RecordedPayment, next: string): string {
  if (attempt.isHandedOver !== true) return `${next}. ${forgetting(attempt, payment)}`
  const words =
    attempt.firstSent === 'refused'
      ? 'That one was handed over. The server refused it, or it was not sent. Send it'
      : 'That one is recorded as handed over, and is not known to be sent. Send it'
  return `${words}. ${forgetting(attempt, payment)}`
}

/** The command forgets every attempt at the payment, and the same call is then a new payment. */
function forgetting(attempt: RecordedAttempt, { attempts }: RecordedPayment): string {
  const { txid, isHandedOver, firstSent } = attempt
  const isAlone = attempts.every((it) => it.txid === txid || it.fate !== undefined)
  const isUnsent = isHandedOver === true && firstSent === undefined
  const condition = !isAlone
    ? 'neither it nor another attempt at its payment can be mined any more'
    : isUnsent
      ? 'no program has sent it or will'
      : 'it can never be mined'
  return `If ${condition}, stop the guard and run antara-tx attempts forget ${txid} --journal FILE, with the journal of this guard`
}
