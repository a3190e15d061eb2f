// The payments of a journal, computed from its records. A book reads what others appended before it
// decides, and appends a record only directly after everything that it has read.

import { AntaraError } from '../errors/antara-error.ts'
import { createBookIndex } from './book-index.ts'
import type { Journal } from './journal.ts'
import {
  type AttemptRecord,
  decodeRecord,
  encodeRecord,
  type FateRecord,
  type JournalRecord,
} from './records.ts'

/** A transaction that was recorded for a payment. */
export interface RecordedAttempt {
  readonly txid: string
  readonly hex: string
  readonly at: string
  /** True if the caller named it as an earlier attempt; this journal did not verify it. */
  readonly isNamed: boolean
  /** True if it may have been broadcast; false if the server refused it every time. */
  readonly isOpen: boolean
  /** True if the server accepted it. */
  readonly isAccepted: boolean
  /** True if a guard handed it to a program, and nothing shows that it was sent. */
  readonly isHandedOver?: true
  /**
   * The first broadcast of what was handed over. Its outcome is not known, or the server refused it,
   * which leaves the transaction handed over.
   */
  readonly firstSent?: 'unknown' | 'refused'
  /** `settled`: it is in the chain. `dead`: it can never be mined. */
  readonly fate?: 'settled' | 'dead'
  /** The height of the block of a settled attempt, if the server reported it. */
  readonly height?: number
  /** The txid of the copy that was mined, if a third party changed the scriptSigs. */
  readonly minedAs?: string
}

/** One payment, and everything that was recorded for it. */
export interface RecordedPayment {
  readonly name: string
  readonly terms: string
  /** Absent after compaction. */
  readonly request?: string
  readonly id?: string
  readonly chain?: string
  /** The longest one of its attempts, if any is recorded. */
  readonly repeatMs?: number
  /** Oldest first. Compaction leaves only a settled one, without its hex. */
  readonly attempts: readonly RecordedAttempt[]
  /** Settled attempts of earlier payments with the same request, for a payment without an id. */
  readonly past: readonly RecordedAttempt[]
  /** Position of the last record of the payment. */
  readonly last: number
}

export interface Book {
  /** Reads new records. @throws {AntaraError} as the journal, and `journal_version` */
  catchUp(): Promise<void>
  payment(name: string): RecordedPayment | undefined
  /** Returns all payments in the order of their first records. */
  payments(): readonly RecordedPayment[]
  /** Returns the payments that have open attempts and no settled one. */
  unsettled(): readonly RecordedPayment[]
  /** Returns the payments that have a transaction, under the txid of a mined copy too. */
  paymentsOf(txid: string): readonly RecordedPayment[]
  /** Returns the lowest height of a settled attempt on a chain; `undefined` if there is none. */
  lowestHeight(chain: string | undefined): number | undefined
  /**
   * Returns the height of a chain up to which compaction dropped payments without an id; 0 if it
   * dropped none.
   */
  forgottenTo(chain: string | undefined): number
  /** Position after the last record that the book has read. */
  readonly next: number
  /**
   * Appends a record at `position`, which was `next` when the caller decided. Returns `false` if
   * another record was appended since: the book has then read it, and the caller decides again.
   */
  append(record: JournalRecord, position: number): Promise<boolean>
  /** Appends a fact that is true whatever other records are appended. */
  note(record: Exclude<JournalRecord, AttemptRecord>): Promise<void>
  /** Hex digits of all attempts that are neither settled nor dead. */
  readonly digits: number
  /** Shortens the journal if most of its records are no longer needed. */
  compact(options: CompactOptions): Promise<void>
}

interface CompactOptions {
  /** Now, ISO 8601. */
  readonly at: string
  /** Time for which settled payments keep all of their records, in milliseconds. */
  readonly keepMs: number
  /**
   * Time in which a repeated request without an id is the same payment, in milliseconds. The payment
   * keeps its records for that long, or for the time of its own call if that is longer.
   */
  readonly repeatMs?: number
}

const books = new WeakMap<Journal, Book>()

/** Returns the book of a journal object. All users of the object share it, and its position. */
export function bookOf(journal: Journal): Book {
  const known = books.get(journal) ?? createBook(journal)
  books.set(journal, known)
  return known
}

/** A shorter journal gains nothing below this number of records. */
const recordsWorthCompacting = 64

/** How often in a row a journal may refuse an append and then return no record at its position. */
const missingRecordsMax = 100

function createBook(journal: Journal): Book {
  let payments = new Map<string, RecordedPayment>()
  const index = createBookIndex()
  const forgotten = new Map<string | undefined, number>()
  let count = 0
  let digits = 0
  let missingRecords = 0
  /** The text of the last record that was read. */
  let lastText: string | undefined
  /** Grows whenever positions change their meaning. */
  let generation = 0
  /** The number of records at which compaction is considered next. */
  let worthCompacting = recordsWorthCompacting

  const paymentsNamed = (names: Iterable<string>): RecordedPayment[] =>
    [...names].flatMap((name) => payments.get(name) ?? [])
  const forgottenTo = (chain: string | undefined): number => forgotten.get(chain) ?? 0
  const fold = (record: JournalRecord, position: number): void => {
    if (record.kind === 'forgotten' && record.height !== undefined) {
      const { chain, height } = record
      forgotten.set(chain, Math.max(forgottenTo(chain), height))
    }
    const before = payments.get(record.payment)
    const after = applied(before, record, position)
    digits += digitsOf(after) - digitsOf(before)
    index.update(before, after)
    if (after === undefined) payments.delete(record.payment)
    else payments.set(record.payment, after)
  }
  const beginAnew = (): void => {
    payments = new Map()
    index.clear()
    forgotten.clear()
    digits = 0
    count = 0
    generation += 1
  }
  /** Folds what follows position `from`. Another caller may have read the same texts meanwhile. */
  const take = (texts: readonly string[], from: number): void => {
    for (const [index, text] of texts.entries()) {
      const position = from + index + 1
      if (position <= count) continue
      fold(decodeRecord(text, position), position)
      count = position
      lastText = text
    }
  }
  /**
   * Reads what is new. Another copy of this library in the process has a book of its own, which may
   * have shortened the journal: another record is then where the last one was. No record there may
   * also mean that a store lags behind. Then nothing is forgotten, and an append fails.
   */
  const catchUp = async (): Promise<void> => {
    for (;;) {
      const [generationBefore, expected] = [generation, lastText]
      const from = journal.replace === undefined ? count : Math.max(0, count - 1)
      const isCompared = from < count
      const texts = await journal.read(from)
      if (generation !== generationBefore) continue
      if (!isCompared || texts.length === 0 || texts[0] === expected) return take(texts, from)
      const all = await journal.read(0)
      if (generation !== generationBefore) continue
      beginAnew()
      return take(all, 0)
    }
  }
  const append = async (record: JournalRecord, position: number): Promise<boolean> => {
    const text = encodeRecord(record)
    if (await journal.append(position, text)) {
      missingRecords = 0
      if (count < position) {
        fold(record, position)
        count = position
        lastText = text
      }
      return true
    }
    await catchUp()
    // A refused position has a record. A replica of the store may return it only after a moment.
    missingRecords = count < position ? missingRecords + 1 : 0
    if (missingRecords > missingRecordsMax) {
      throw new AntaraError('journal_failed', { path: `record ${position}` })
    }
    return false
  }
  return {
    catchUp,
    append,
    payment: (name) => payments.get(name),
    payments: () => [...payments.values()],
    unsettled: () => paymentsNamed(index.unsettled()),
    paymentsOf: (txid) => paymentsNamed(index.namesOf(txid)),
    lowestHeight(chain) {
      const lowest = index.lowestHeight(chain)
      return lowest === undefined ? undefined : Math.max(lowest, forgottenTo(chain))
    },
    forgottenTo,
    get next() {
      return count + 1
    },
    get digits() {
      return digits
    },
    async note(record) {
      while (!(await append(record, count + 1))) {
        // Another writer took the position, so the next one is tried.
      }
    },
    async compact(options) {
      if (journal.replace === undefined || count < worthCompacting) return
      // Compaction reads every payment, so it waits until the records have grown by a 64th.
      worthCompacting = count + Math.ceil(count / recordsWorthCompacting)
      // Another book may have shortened the journal, and lengthened it to the same count.
      await catchUp()
      const all = [...payments.values()]
      const kept = all.flatMap((it) => recordsOf(it, options))
      // Whatever is paid after this is in later blocks than what is dropped.
      const needed =
        kept.length === 0 ? [] : [...kept, ...forgottenRecords(all, forgotten, options)]
      if (needed.length * 2 > count) return
      const texts = needed.map(encodeRecord)
      if (!(await journal.replace(count, texts))) return
      beginAnew()
      take(texts, 0)
      worthCompacting = recordsWorthCompacting
    },
  }
}

function digitsOf(payment: RecordedPayment | undefined): number {
  const unsettled = payment?.attempts.filter(({ fate }) => fate === undefined) ?? []
  return unsettled.reduce((sum, { hex }) => sum + hex.length, 0)
}

/** Returns a payment after a record; `undefined` if nothing is left to remember. */
function applied(
  before: RecordedPayment | undefined,
  record: JournalRecord,
  last: number,
): RecordedPayment | undefined {
  switch (record.kind) {
    case 'attempt':
    case 'handed-over':
      return withAttempt(before, record, last)
    case 'tombstone': {
      const { payment: name, terms, id, chain, txid, at } = record
      const settled = { txid, hex: '', at, isNamed: false, isOpen: true, isAccepted: true } as const
      const attempts = [{ ...settled, fate: 'settled' }] as const
      return { name, terms, id, ...(chain !== undefined && { chain }), attempts, past: [], last }
    }
    case 'forgotten': {
      const attempts = before?.attempts.filter(isSettled) ?? []
      if (before?.id === undefined || attempts.length === 0) return undefined
      // The id stays taken, so that a payment that was made is not made again.
      return { ...before, attempts, last }
    }
    default: {
      if (before === undefined) return undefined
      const updated = (it: RecordedAttempt) => (it.txid === record.txid ? changed(it, record) : it)
      return {
        ...before,
        attempts: before.attempts.map(updated),
        past: before.past.map(updated),
        last,
      }
    }
  }
}

/** Number of settled payments with the same request that are remembered. */
export const pastMax = 16

function withAttempt(
  before: RecordedPayment | undefined,
  record: AttemptRecord,
  last: number,
): RecordedPayment {
  const { payment: name, terms, request, id, chain, txid, hex, at, isNamed = false } = record
  const handed = record.kind === 'handed-over' ? ({ isHandedOver: true } as const) : {}
  const attempt = { txid, hex, at, isNamed, isOpen: true, isAccepted: false, ...handed }
  const repeatMs = Math.max(before?.repeatMs ?? 0, record.repeatMs ?? 0)
  const more = {
    ...(id !== undefined && { id }),
    ...(chain !== undefined && { chain }),
    ...(repeatMs > 0 && { repeatMs }),
  }
  const others = (before?.attempts ?? []).filter((it) => it.txid !== txid)
  const settled = others.filter(isSettled)
  // Without an id, an attempt after a settled one begins a new payment.
  const isNew = id === undefined && settled.length > 0
  const past = [...(before?.past ?? []), ...(isNew ? settled : [])].slice(-pastMax)
  const attempts = [...(isNew ? [] : others), attempt]
  return { name, terms, request, ...more, attempts, past, last }
}

function changed(attempt: RecordedAttempt, record: FateRecord): RecordedAttempt {
  const { isHandedOver, firstSent, ...sent } = attempt
  const { fate: _fate, height: _height, minedAs: _minedAs, ...rest } = sent
  switch (record.kind) {
    case 'sending':
      return { ...sent, isOpen: true, ...(isHandedOver && { firstSent: 'unknown' }) }
    case 'refused':
      if (firstSent === undefined) return { ...attempt, isOpen: false }
      return { ...sent, isHandedOver: true, firstSent: 'refused' }
    case 'accepted':
      return { ...sent, isOpen: true, isAccepted: true }
    case 'settled':
      return { ...rest, isOpen: true, fate: 'settled', ...placeOf(record) }
    case 'reopened':
      return { ...rest, isOpen: true }
    case 'dead':
      return { ...rest, fate: 'dead' }
  }
}

function placeOf({ height, minedAs }: Pick<FateRecord, 'height' | 'minedAs'>) {
  return { ...(height !== undefined && { height }), ...(minedAs !== undefined && { minedAs }) }
}

export function isSettled({ fate }: RecordedAttempt): boolean {
  return fate === 'settled'
}

/** Returns whether compaction drops a settled attempt, or leaves only its txid. */
function oldness(
  { id, repeatMs: ownMs = 0 }: RecordedPayment,
  { at, keepMs, repeatMs = 0 }: CompactOptions,
): (attempt: RecordedAttempt) => boolean {
  const keptMs = id === undefined ? Math.max(keepMs, repeatMs, ownMs) : keepMs
  return (it) => {
    // Without a height it may have been seen in a mempool only, and its bytes be needed again.
    const isOver = it.height !== undefined && Date.parse(at) - Date.parse(it.at) > keptMs
    return isSettled(it) && (it.hex === '' || isOver)
  }
}

/** Returns records of the heights up to which the chains have payments that compaction drops. */
function forgottenRecords(
  payments: readonly RecordedPayment[],
  before: ReadonlyMap<string | undefined, number>,
  options: CompactOptions,
): JournalRecord[] {
  const heights = new Map(before)
  for (const payment of payments) {
    const { id, chain, attempts, past } = payment
    const isOld = oldness(payment, options)
    for (const it of id === undefined ? [...past, ...attempts] : past) {
      if (it.height === undefined || !isOld(it)) continue
      heights.set(chain, Math.max(heights.get(chain) ?? 0, it.height))
    }
  }
  const { at } = options
  return [...heights].map(([chain, height]) => {
    return { kind: 'forgotten', payment: '', at, height, ...(chain !== undefined && { chain }) }
  })
}

/** Returns the records that a compacted journal keeps for a payment. */
function recordsOf(payment: RecordedPayment, options: CompactOptions): JournalRecord[] {
  const { name, terms, request = '', id, chain, attempts, past } = payment
  const { repeatMs: ownMs = 0 } = payment
  const more = { ...(id !== undefined && { id }), ...(chain !== undefined && { chain }) }
  const isOld = oldness(payment, options)
  const settled = attempts.find(isOld)
  if (settled !== undefined) {
    const { txid: sent, minedAs: txid = sent } = settled
    const tombstone = { kind: 'tombstone', payment: name, terms, txid, at: settled.at } as const
    return id === undefined ? [] : [{ ...tombstone, ...more, id }]
  }
  return [...past.filter((it) => !isOld(it)), ...attempts].flatMap((it): JournalRecord[] => {
    const about = { payment: name, txid: it.txid, at: it.at }
    const named = it.isNamed ? ({ isNamed: true } as const) : {}
    const record = {
      kind: it.isHandedOver || it.firstSent ? 'handed-over' : 'attempt',
      ...about,
      terms,
      request,
      hex: it.hex,
      ...more,
      ...named,
      ...(ownMs > 0 && { repeatMs: ownMs }),
    } as const
    return [record, ...fatesOf(it).map((fate) => ({ ...fate, ...about }))]
  })
}

function fatesOf(attempt: RecordedAttempt) {
  const { isOpen, isAccepted, firstSent, fate } = attempt
  return [
    ...(firstSent === undefined ? [] : [{ kind: 'sending' } as const]),
    ...(firstSent === 'refused' ? [{ kind: 'refused' } as const] : []),
    ...(isAccepted ? [{ kind: 'accepted' } as const] : []),
    ...(isOpen ? [] : [{ kind: 'refused' } as const]),
    ...(fate === 'settled' ? [{ kind: 'settled', ...placeOf(attempt) } as const] : []),
    ...(fate === 'dead' ? [{ kind: 'dead' } as const] : []),
  ]
}
