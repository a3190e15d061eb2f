// Chooses the records that a shorter journal keeps.

import {
  chainOf,
  isSettled,
  placeOf,
  type RecordedAttempt,
  type RecordedPayment,
} from './recorded-payment.ts'
import type { JournalRecord } from './records.ts'

export interface CompactOptions {
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

/**
 * Returns the records that a shorter journal keeps of all payments.
 *
 * @param forgotten - by chain, the height up to which earlier compactions dropped payments
 */
export function keptRecords(
  payments: readonly RecordedPayment[],
  forgotten: ReadonlyMap<string | undefined, number>,
  options: CompactOptions,
): readonly JournalRecord[] {
  const kept = payments.flatMap((it) => recordsOf(it, options))
  // Whatever is paid after this is in later blocks than what is dropped.
  return kept.length === 0 ? [] : [...kept, ...forgottenRecords(payments, forgotten, options)]
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
    // Without an id, no tombstone would keep the txid of what a caller named.
    const isKept = id === undefined && it.isNamed
    return isSettled(it) && !isKept && (it.hex === '' || isOver)
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
    const { id, attempts, past } = payment
    const isOld = oldness(payment, options)
    for (const it of id === undefined ? [...past, ...attempts] : past) {
      if (it.height === undefined || !isOld(it)) continue
      heights.set(it.chain, Math.max(heights.get(it.chain) ?? 0, it.height))
    }
  }
  const { at } = options
  return [...heights].map(([chain, height]) => {
    return { kind: 'forgotten', payment: '', at, height, ...(chain !== undefined && { chain }) }
  })
}

/** Returns the records that a compacted journal keeps for a payment. */
function recordsOf(payment: RecordedPayment, options: CompactOptions): JournalRecord[] {
  const { name, terms, request = '', id, attempts, past } = payment
  const { repeatMs: ownMs = 0 } = payment
  const named = id === undefined ? {} : { id }
  const isOld = oldness(payment, options)
  const settled = attempts.find(isOld)
  if (settled !== undefined && id !== undefined) {
    const { txid: sent, minedAs: txid = sent } = settled
    const tombstone = { kind: 'tombstone', payment: name, terms, txid, at: settled.at } as const
    return [{ ...tombstone, ...chainOf(payment), ...chainOf(settled), id }]
  }
  const kept =
    settled === undefined
      ? [...past.filter((it) => !isOld(it)), ...attempts]
      : [...past, ...attempts].filter((it) => it.isNamed && isSettled(it))
  return kept.flatMap((it): JournalRecord[] => {
    const about = { payment: name, txid: it.txid, at: it.at }
    const claimed = it.isNamed ? ({ isNamed: true } as const) : {}
    const origin = it.isBuiltElsewhere ? ({ isBuiltElsewhere: true } as const) : {}
    const record = {
      kind: it.isHandedOver || it.firstSent ? 'handed-over' : 'attempt',
      ...about,
      terms,
      request,
      hex: it.hex,
      ...named,
      ...chainOf(it),
      ...claimed,
      ...origin,
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
