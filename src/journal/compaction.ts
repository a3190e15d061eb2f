// Chooses the records that a shorter journal keeps.

import {
  chainOf,
  isSettled,
  placeOf,
  type RecordedAttempt,
  type RecordedPayment,
  weekOfBlocks,
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
  forgotten: Heights,
  options: CompactOptions,
): readonly JournalRecord[] {
  const isOldOf = oldness(highestOf(payments), options)
  const kept = payments.flatMap((it) => recordsOf(it, isOldOf(it)))
  if (kept.length === 0) return []
  // Whatever is paid after this is in later blocks than what is dropped.
  return [...kept, ...forgottenRecords(payments, forgotten, isOldOf, options.at)]
}

/** The height of the last block with a payment, by chain. */
type Heights = ReadonlyMap<string | undefined, number>

function highestOf(payments: readonly RecordedPayment[]): Heights {
  const highest = new Map<string | undefined, number>()
  for (const { attempts, past } of payments) {
    for (const { chain, height = 0 } of [...attempts, ...past]) {
      highest.set(chain, Math.max(highest.get(chain) ?? 0, height))
    }
  }
  return highest
}

type IsOldOf = (payment: RecordedPayment) => (attempt: RecordedAttempt) => boolean

/** Returns whether compaction drops a settled attempt of a payment, or leaves only its txid. */
function oldness(highest: Heights, { at, keepMs, repeatMs = 0 }: CompactOptions): IsOldOf {
  return ({ id, repeatMs: ownMs = 0 }) => {
    const keptMs = id === undefined ? Math.max(keepMs, repeatMs, ownMs) : keepMs
    return (it) => {
      // Without an id, no tombstone would keep the txid of what a caller named.
      if (!isSettled(it) || (id === undefined && it.isNamed)) return false
      if (it.hex === '') return true
      // An attempt without a height may have been seen in a mempool only: its bytes are needed again.
      // To a clock that is ahead, all attempts look old, so the height decides, too. A repeated call or
      // a reorganization may need the last ones. A comparison with the chain passes over the blocks up
      // to the last dropped payment, so that one is below the blocks that are compared.
      const isDeep = it.height !== undefined && it.height <= highest.get(it.chain)! - weekOfBlocks
      return isDeep && Date.parse(at) - Date.parse(it.at) > keptMs
    }
  }
}

/** Returns records of the heights up to which the chains have payments that compaction drops. */
function forgottenRecords(
  payments: readonly RecordedPayment[],
  before: Heights,
  isOldOf: IsOldOf,
  at: string,
): JournalRecord[] {
  const heights = new Map(before)
  for (const payment of payments) {
    const { id, attempts, past } = payment
    const isOld = isOldOf(payment)
    for (const it of id === undefined ? [...past, ...attempts] : past) {
      if (it.height === undefined || !isOld(it)) continue
      heights.set(it.chain, Math.max(heights.get(it.chain) ?? 0, it.height))
    }
  }
  return [...heights].map(([chain, height]) => {
    return { kind: 'forgotten', payment: '', at, height, ...(chain !== undefined && { chain }) }
  })
}

/** Returns the records that a compacted journal keeps for a payment. */
function recordsOf(
  payment: RecordedPayment,
  isOld: (attempt: RecordedAttempt) => boolean,
): JournalRecord[] {
  const { name, terms, request = '', id, attempts, past } = payment
  const { repeatMs: ownMs = 0 } = payment
  const named = id === undefined ? {} : { id }
  const settled = attempts.find(isOld)
  if (settled !== undefined && id !== undefined) {
    const { txid: sent, minedAs: txid = sent } = settled
    const tombstone = { kind: 'tombstone', payment: name, terms, txid, at: settled.at } as const
    return [{ ...tombstone, ...chainOf(payment), ...chainOf(settled), id }]
  }
  // An old payment keeps only what a caller named.
  const [before, now] =
    settled === undefined
      ? [past.filter((it) => !isOld(it)), attempts]
      : [[...past, ...attempts].filter((it) => it.isNamed && isSettled(it)), []]
  const aboutOf = ({ txid, at }: RecordedAttempt) => ({ payment: name, txid, at })
  const recordOf = (it: RecordedAttempt): JournalRecord => ({
    kind: it.isHandedOver || it.firstSent ? 'handed-over' : 'attempt',
    ...aboutOf(it),
    terms,
    request,
    hex: it.hex,
    ...named,
    ...chainOf(it),
    ...(it.isNamed ? ({ isNamed: true } as const) : {}),
    ...(it.isBuiltElsewhere ? ({ isBuiltElsewhere: true } as const) : {}),
    ...(ownMs > 0 && { repeatMs: ownMs }),
  })
  const fateRecordsOf = (it: RecordedAttempt): JournalRecord[] =>
    fatesOf(it).map((fate) => ({ ...fate, ...aboutOf(it) }))
  return [
    ...before.flatMap((it) => [recordOf(it), ...fateRecordsOf(it)]),
    // Without an id, an attempt after a settled one would begin a new payment.
    ...now.map(recordOf),
    ...now.flatMap(fateRecordsOf),
  ]
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
