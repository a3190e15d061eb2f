// The attempts at a payment, and the reasons that forbid another one.

import type { Book } from '../../journal/book.ts'
import {
  isSettled,
  type RecordedAttempt,
  type RecordedPayment,
} from '../../journal/recorded-payment.ts'
import type { FateRecord, JournalRecord } from '../../journal/records.ts'
import { oncePerObject } from '../../primitives/once-per-object.ts'
import { recentValues } from '../../primitives/recent.ts'
import type { UnsettledTransaction } from '../errors.ts'
import { areSameTerms } from './same-terms.ts'

/** A transaction as it would be sent. */
export interface Attempt {
  readonly hex: string
  readonly txid: string
  /** The outputs that it spends, as `txid:vout`. */
  readonly outpoints: ReadonlySet<string>
}

/** The identity of a payment in a journal. */
export interface PaymentName {
  /** As `nameOfCall`, or another name if a journal has two requests under the id. */
  readonly name: string
  /** The key of the payment: equal for equal payments. */
  readonly terms: string
  readonly request: string
  readonly id?: string | undefined
  /** Hash of block 1 of its chain, once the server has reported it. */
  chain?: string | undefined
  /** Other hashes under which records name this chain, because a server reported a false one. */
  falseChains?: ReadonlySet<string>
  /** Milliseconds for which a payment without an id is kept, if they are more than usual. */
  readonly repeatMs?: number | undefined
  /** Milliseconds for which an equal payment holds this one, although a block has it. Default 0. */
  readonly equalMs?: number | undefined
}

/**
 * Returns the name by which a call asks for a payment. Two requests of a journal under one id share
 * it, so their calls follow one another.
 */
export function nameOfCall({ id, terms }: Pick<PaymentName, 'id' | 'terms'>): string {
  return id === undefined ? `terms ${terms}` : `id ${id}`
}

/**
 * The recorded attempts at one payment that are not known to have failed.
 *
 * Each attempt may have been mined, or be mined later. Another one is safe only if it conflicts
 * with every earlier one. A conflict with the last alone is not enough: two that share no input
 * could both be mined. So at most one of all takes effect.
 */
export interface Attempts {
  /** Returns the attempts whose fate is not known, latest first. */
  unsettled(): readonly RecordedAttempt[]
  /** Returns the attempts that a trusted server called dead. */
  dead(): readonly RecordedAttempt[]
  /** Returns the unsettled attempts that may have been broadcast. The server refused the others. */
  possiblyBroadcast(): readonly UnsettledTransaction[]
  /** Returns the unsettled attempts at the same payment under other names. */
  equalPayments(): readonly EqualPayment[]
  /**
   * Returns unsettled attempts at equal payments of other ids, which could be mined beside `attempt`. An
   * id is a payment of its own, so they hold nothing. A person may have taken another id, because a
   * server refused the first one, and relayed it all the same.
   */
  ofOtherIds(attempt: Attempt): readonly EqualPayment[]
  /** Returns settled attempts at the same payment under other names, recorded within `equalMs`. */
  madeRecently(): readonly RecordedAttempt[]
  /** Returns the attempt that the chain has shown, if any. */
  settled(): RecordedAttempt | undefined
  /** Returns attempts at this payment, under other names too, of which records name another chain. */
  ofOtherChains(): readonly RecordedAttempt[]
  /**
   * Returns true for the transaction of another payment, or of one that was made: a daemon may sign
   * it again, and it pays only once.
   */
  isOfOther(txid: string): boolean
  /** Returns why `attempt` must not be sent beside others; `undefined` if it may. */
  obstacle(attempt: Attempt, allowed?: Pick<Allowed, 'differentInputs'>): Obstacle | undefined
  /**
   * Returns true if a recorded attempt must not be sent again, because it could be mined beside
   * another one. The caller only claims that an attempt with `isNamed` was sent before, unless a
   * server has shown it.
   */
  isBeside(recorded: RecordedAttempt): boolean
  /**
   * Records an attempt durably, so that it may be sent. Returns `changed` if another record of this
   * payment was added meanwhile; the caller then decides again.
   */
  remember(attempt: Attempt, allowed?: Allowed): Promise<'recorded' | 'changed' | Obstacle>
  /** Records the new state of an attempt. */
  note(kind: FateRecord['kind'], txid: string, place?: MinedPlace): Promise<void>
  /** Forgets all attempts, so that the next call with this intent is a new payment. */
  forget(): Promise<void>
}

/**
 * - `different-inputs`  it could be mined beside an earlier attempt at the same payment, or beside an
 *                       equal payment that was made a short time ago
 * - `reserved-inputs`   it would spend what an unsettled attempt at another payment spends, or it is
 *                       the transaction of another payment, which has another id or was made
 * - `too-many-attempts` more attempts are unsettled than are kept
 */
export type Obstacle = 'different-inputs' | 'reserved-inputs' | 'too-many-attempts'

interface Allowed {
  /** The user accepts that both could be mined. Every other obstacle stays one. */
  readonly differentInputs?: boolean | undefined
  /** The caller claims that it was sent before. */
  readonly isNamed?: boolean
  /** It is not sent, but given to a program that may send it. */
  readonly isHandOver?: boolean | undefined
  /** It was submitted to a wallet that did not build it. */
  readonly isBuiltElsewhere?: boolean | undefined
  /** As `isHeld` of a `Payment`. */
  readonly isHeld?: ((txid: string) => boolean) | undefined
}

/** An attempt at the same payment under another name. */
interface EqualPayment {
  readonly recorded: RecordedPayment
  readonly attempt: RecordedAttempt
}

/** Where a block has a settled attempt, and under which txid if that is another one. */
type MinedPlace = Pick<FateRecord, 'height' | 'minedAs'>

/** Number of remembered attempts at one payment; more are not needed in practice. */
export const attemptsMax = 16
/**
 * Largest sum of hex digits of a journal's attempts: 80 of the largest transactions, or 50,000
 * usual ones.
 */
export const attemptDigitsMax = 32_000_000

export type ReadAttempt = (hex: string) => Attempt | undefined

export function attemptsOf(book: Book, payment: PaymentName, read: ReadAttempt): Attempts {
  const { terms, id, repeatMs, equalMs = 0 } = payment
  const recorded = (): readonly RecordedAttempt[] => book.payment(payment.name)?.attempts ?? []
  const settled = () => recorded().findLast(isSettled)
  const unsettled = () =>
    settled() === undefined
      ? recorded()
          .filter(({ fate }) => fate === undefined)
          .reverse()
      : []
  const now = () => new Date(Date.now()).toISOString()

  /** The same payment under another name: people add an id when they repeat a call. */
  const isOtherName = (it: RecordedPayment): boolean =>
    it.name !== payment.name && (it.id === undefined || id === undefined)
  const isEqual = (it: RecordedPayment): boolean => isOtherName(it) && areSameTerms(it.terms, terms)
  const isOfOtherChain = (attempt: RecordedAttempt): boolean => namesOtherChain(payment, attempt)
  /** The server only claims its chain, so an attempt of unknown outcome counts on every chain. */
  const isElsewhere = (attempt: RecordedAttempt): boolean =>
    isOutcomeKnown(attempt) && isOfOtherChain(attempt)
  const unsettledOf = (wanted: (it: RecordedPayment) => boolean): EqualPayment[] =>
    book
      .unsettled()
      .filter(wanted)
      .flatMap((recorded) =>
        recorded.attempts
          .filter((it) => it.fate === undefined && !isElsewhere(it))
          .map((attempt) => ({ recorded, attempt })),
      )
  const equalPayments = (): EqualPayment[] => unsettledOf(isEqual)
  const isOfOtherId = (it: RecordedPayment): boolean =>
    id !== undefined && it.id !== undefined && it.id !== id && areSameTerms(it.terms, terms)

  const ofOtherChains = (): RecordedAttempt[] => {
    // Most journals have one chain, and a resume asks this for each of thousands of payments.
    if (![...book.chains].some((chain) => namesOtherChain(payment, { chain }))) return []
    const equal = [...book.unsettled(), ...book.recordedSince(Date.now() - equalMs)].filter(isEqual)
    const all = equal.flatMap((it) => [...it.past, ...it.attempts])
    return [...recorded(), ...all].filter((it) => it.fate !== 'dead' && isOfOtherChain(it))
  }

  const madeRecently = (): RecordedAttempt[] => {
    const others = equalMs > 0 ? book.recordedSince(Date.now() - equalMs) : []
    return others.filter(isOtherName).flatMap((it) => {
      const recent = [...it.past, ...it.attempts].filter(
        (one) => isSettled(one) && isAround(equalMs, one) && !isElsewhere(one),
      )
      // Few are recent, and terms of two forms take longer to compare.
      return recent.length > 0 && areSameTerms(it.terms, terms) ? recent : []
    })
  }

  const isOfOther = (txid: string): boolean => {
    if (unsettled().some((it) => it.txid === txid)) return false
    if (madeOf(book).get(txid) === true) return true
    return book.paymentsOf(txid).some((it) => {
      const isOtherId = id !== undefined && it.id !== undefined && it.id !== id
      return [...it.attempts, ...it.past].some(
        (one) => (one.txid === txid || one.minedAs === txid) && (isOtherId || isSettled(one)),
      )
    })
  }

  const isFull = (hex: string) =>
    unsettled().length >= attemptsMax || book.digits + hex.length > attemptDigitsMax
  const sharesInput = (attempt: Attempt, recorded: RecordedAttempt): boolean => {
    const other = readOnce(recorded, read)
    return other !== undefined && conflict(attempt, other)
  }
  const obstacle = (
    attempt: Attempt,
    { differentInputs = false }: Allowed = {},
  ): Obstacle | undefined => {
    const open = [...unsettled(), ...equalPayments().map((it) => it.attempt)]
    const others = [...open, ...madeRecently()].filter(({ txid }) => txid !== attempt.txid)
    const isBeside = !others.every((other) => sharesInput(attempt, other))
    if (isBeside && !differentInputs) return 'different-inputs'
    if (isOfOther(attempt.txid)) return 'reserved-inputs'
    const reserved = book
      .unsettled()
      .filter((it) => it.name !== payment.name && !isEqual(it))
      .flatMap(({ attempts }) =>
        attempts.filter(({ fate, isOpen }) => fate === undefined && isOpen),
      )
    return reserved.some((other) => sharesInput(attempt, other)) ? 'reserved-inputs' : undefined
  }

  const isBeside = (recorded: RecordedAttempt): boolean => {
    const attempt = readOnce(recorded, read)
    if (attempt === undefined) return false
    const { txid, at, isNamed, isOpen } = recorded
    const isBesideAny = (others: readonly RecordedAttempt[]) =>
      others.some((other) => other.txid !== txid && !sharesInput(attempt, other))
    const all = unsettled()
    if (!isNamed) {
      // An open attempt may be on the network already. It is sent again unless a server has shown a
      // named one, which then makes the payment. A refused attempt may be new to the network, so
      // every named one holds it.
      return isBesideAny(all.filter((other) => other.isNamed && (!isOpen || other.isAccepted)))
    }
    const older = all.slice(all.findIndex((other) => other.txid === txid) + 1)
    const equal = equalPayments().map((it) => it.attempt)
    const olderEqual = equal.filter((other) => Date.parse(other.at) <= Date.parse(at))
    return isBesideAny([...older, ...olderEqual, ...madeRecently()])
  }

  /** A transaction that was sent before cannot be held back, but it makes one payment only. */
  const whyNot = (attempt: Attempt, allowed: Allowed): Obstacle | undefined => {
    if (allowed.isHeld?.(attempt.txid) === true) return 'different-inputs'
    if (allowed.isNamed !== true) return obstacle(attempt, allowed)
    return isOfOther(attempt.txid) ? 'reserved-inputs' : undefined
  }

  return {
    unsettled,
    dead: () => recorded().filter(({ fate }) => fate === 'dead'),
    equalPayments,
    ofOtherIds: (attempt) =>
      unsettledOf(isOfOtherId).filter((it) => !sharesInput(attempt, it.attempt)),
    madeRecently,
    settled,
    ofOtherChains,
    isOfOther,
    possiblyBroadcast: () =>
      unsettled().flatMap(({ txid, hex, isOpen }) => (isOpen ? [{ txid, hex }] : [])),
    obstacle,
    isBeside,
    async remember(attempt, allowed = {}) {
      const { txid, hex } = attempt
      const { isNamed = false, isHandOver = false } = allowed
      for (;;) {
        const { name, chain, request } = payment
        const about = { payment: name, txid, at: now() }
        // No await stands between these reads and the append, which fails if another record came
        // first.
        const before = book.payment(name)
        const position = book.next
        // Another process may have used the id since, and an id is one payment.
        if (before !== undefined && before.terms !== terms) return 'changed'
        const known = unsettled().find((it) => it.txid === txid)
        // The first broadcast of a handed-over transaction has a record of its own.
        if (known?.isOpen === true && !isFirstSent(known, isHandOver)) return 'recorded'
        const found = known === undefined ? whyNot(attempt, allowed) : undefined
        if (found !== undefined) return found
        if (known === undefined && isFull(hex)) return 'too-many-attempts'
        const more = {
          ...(id !== undefined && { id }),
          ...(chain !== undefined && { chain }),
          ...(isNamed && ({ isNamed } as const)),
          ...(allowed.isBuiltElsewhere && ({ isBuiltElsewhere: true } as const)),
          ...(repeatMs !== undefined && { repeatMs }),
        }
        const kind = isHandOver ? 'handed-over' : 'attempt'
        const record: JournalRecord =
          known === undefined || isHandOver
            ? { kind, ...about, terms, request, hex, ...more }
            : { kind: 'sending', ...about }
        if (await book.append(record, position)) return 'recorded'
        if (book.payment(name)?.last !== before?.last) return 'changed'
      }
    },
    note: (kind, txid, place = {}) => {
      if (kind === 'settled') madeOf(book).add(txid, true, 1)
      return book.note({ ...{ kind, payment: payment.name, txid, at: now() }, ...place })
    },
    forget: () => book.note({ kind: 'forgotten', payment: payment.name, terms, at: now() }),
  }
}

/** Returns true if the record of a payment or of an attempt names another chain. */
export function namesOtherChain(
  { chain, falseChains }: Pick<PaymentName, 'chain' | 'falseChains'>,
  recorded: { readonly chain?: string },
): boolean {
  const named = recorded.chain
  return named !== undefined && chain !== undefined && named !== chain && !falseChains?.has(named)
}

/** Returns true if a server accepted the attempt, or has shown it. */
export function isOutcomeKnown(attempt: RecordedAttempt): boolean {
  return attempt.isAccepted || isSettled(attempt)
}

/** Returns true if no record shows that a handed-over attempt was sent before, and it is sent now. */
export function isFirstSent(known: RecordedAttempt | undefined, isHandOver = false): boolean {
  return known?.isHandedOver === true && !isHandOver
}

/** Returns true for a time in the future too, because the clock may have been moved back. */
export function isWithin(ms: number, { at }: RecordedAttempt): boolean {
  return Date.now() - Date.parse(at) < ms
}

/** A clock that shows local time as UTC is ahead by 14 hours at most. */
const aheadMsMax = 24 * 3_600_000

/**
 * As `isWithin`, but false for a time further ahead than a day, or than `ms` if that is more. A
 * payment by a clock that was a year ahead would hold equal ones for a year.
 */
export function isAround(ms: number, attempt: RecordedAttempt): boolean {
  return isWithin(ms, attempt) && !isWithin(-Math.max(ms, aheadMsMax), attempt)
}

/** Txids of the attempts that were settled, because a journal in memory forgets their records. */
const madeOf = oncePerObject((_book: Book) => recentValues<true>(madeMax))
const madeMax = 4096

const readAttempts = new WeakMap<RecordedAttempt, Attempt>()

/** Reads the transaction of an attempt once, because each new payment is compared with all. */
function readOnce(recorded: RecordedAttempt, read: ReadAttempt): Attempt | undefined {
  const known = readAttempts.get(recorded) ?? read(recorded.hex)
  if (known !== undefined) readAttempts.set(recorded, known)
  return known
}

/** Returns true if both spend the same output, so that only one of them can be mined. */
function conflict({ outpoints }: Attempt, other: Attempt): boolean {
  return [...outpoints].some((outpoint) => other.outpoints.has(outpoint))
}
