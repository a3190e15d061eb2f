// The payments of a journal, computed from its records. A book reads what others appended before it
// decides, and appends a record only directly after everything that it has read.

import { AntaraError } from '../errors/antara-error.ts'
import { createBookIndex } from './book-index.ts'
import { type CompactOptions, keptRecords } from './compaction.ts'
import type { Journal } from './journal.ts'
import { applied, type RecordedPayment } from './recorded-payment.ts'
import { type AttemptRecord, decodeRecord, encodeRecord, type JournalRecord } from './records.ts'

export interface Book {
  /** Reads new records. @throws {AntaraError} as the journal, and `journal_version` */
  catchUp(): Promise<void>
  /** Returns a payment; if its name has a second request, and only that is left, that one. */
  payment(name: string): RecordedPayment | undefined
  /** Returns the name of a request. It is another one if a name has two requests. */
  nameOf(name: string, terms: string): string
  /** Returns all payments in the order of their first records. */
  payments(): readonly RecordedPayment[]
  /** Returns the payments that have open attempts and no settled one. */
  unsettled(): readonly RecordedPayment[]
  /** Returns the payments whose id has outer spaces or quotation marks, as early versions took it. */
  withMarkedId(): readonly RecordedPayment[]
  /** Returns the payments that have a transaction, under the txid of a mined copy too. */
  paymentsOf(txid: string): readonly RecordedPayment[]
  /** Returns payments, among them all with an attempt recorded at a time or later. */
  recordedSince(time: number): readonly RecordedPayment[]
  /** The chains that records name. */
  readonly chains: ReadonlySet<string>
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
  const apart = new Map<string, Set<string>>()
  const chains = new Set<string>()
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
  const namesFor = (name: string): string[] => [name, ...(apart.get(name) ?? [])]
  const nameOf = (name: string, terms: string): string =>
    namesFor(name).find((it) => payments.get(it)?.terms === terms) ?? name
  /**
   * Returns the name of the payment that a record is about. An id is one payment, so its request never
   * changes. Earlier versions that shared a journal, or two journals that were joined, may have it for
   * two. One of these would then count as the other, so the second gets a name of its own. Joined
   * journals may use one such name for two requests, so the terms or the txid decide.
   */
  const nameIn = (record: JournalRecord): string => {
    const { payment: name } = record
    const shared = sharedName(name)
    if ('terms' in record && record.terms !== undefined) {
      const { terms } = record
      const known = namesFor(shared).find((it) => payments.get(it)?.terms === terms)
      return known ?? (payments.has(name) ? unusedName(shared) : name)
    }
    if (!apart.has(shared)) return name
    // A record of an earlier version does not name the request that its user forgot.
    if (record.kind === 'forgotten') return name === shared ? unusedName(shared) : name
    const isKnown = (it: string) =>
      payments.get(it)?.attempts.some(({ txid }) => txid === record.txid) === true
    return namesFor(shared).find(isKnown) ?? name
  }
  const unusedName = (name: string): string => {
    let number = 2
    while (payments.has(nameApart(number, name))) number += 1
    return nameApart(number, name)
  }
  const forgottenTo = (chain: string | undefined): number => forgotten.get(chain) ?? 0
  const fold = (record: JournalRecord, position: number): void => {
    if (record.kind === 'forgotten' && record.height !== undefined) {
      const { chain, height } = record
      forgotten.set(chain, Math.max(forgottenTo(chain), height))
    }
    if ('chain' in record && record.chain !== undefined) chains.add(record.chain)
    const name = nameIn(record)
    const before = payments.get(name)
    const after = applied(before, { ...record, payment: name }, position)
    digits += digitsOf(after) - digitsOf(before)
    index.update(before, after)
    if (after === undefined) payments.delete(name)
    else payments.set(name, after)
    const shared = sharedName(name)
    if (name !== shared) apart.set(shared, (apart.get(shared) ?? new Set()).add(name))
  }
  const beginAnew = (): void => {
    payments = new Map()
    index.clear()
    forgotten.clear()
    apart.clear()
    chains.clear()
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
    payment: (name) => paymentsNamed(namesFor(name))[0],
    nameOf,
    chains,
    payments: () => [...payments.values()],
    unsettled: () => paymentsNamed(index.unsettled()),
    withMarkedId: () => paymentsNamed(index.marked()),
    paymentsOf: (txid) => paymentsNamed(index.namesOf(txid)),
    recordedSince: (time) => paymentsNamed(index.recordedSince(time)),
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
      const needed = keptRecords([...payments.values()], forgotten, options)
      if (needed.length * 2 > count) return
      const texts = needed.map(encodeRecord)
      if (!(await journal.replace(count, texts))) return
      beginAnew()
      take(texts, 0)
      worthCompacting = recordsWorthCompacting
    },
  }
}

/** The form of `nameApart`. No id makes it: the name of a payment with an id begins with `id `. */
const apartForm = /^request \d+ of (.+)$/s

/** Returns the name that a request has if it is the only one under its id. */
function sharedName(name: string): string {
  return apartForm.exec(name)?.[1] ?? name
}

function nameApart(number: number, name: string): string {
  return `request ${number} of ${name}`
}

function digitsOf(payment: RecordedPayment | undefined): number {
  const unsettled = payment?.attempts.filter(({ fate }) => fate === undefined) ?? []
  return unsettled.reduce((sum, { hex }) => sum + hex.length, 0)
}
