// A payment, as the records of a journal make it.

import type { AttemptRecord, FateRecord, JournalRecord } from './records.ts'

/** Blocks after which a transaction does not leave the chain any more. */
export const depthMax = 100

/** Blocks of a week, if a block takes a minute. A wallet compares at least these with its journal. */
export const weekOfBlocks = 10_080

/** A transaction that was recorded for a payment. */
export interface RecordedAttempt {
  readonly txid: string
  readonly hex: string
  readonly at: string
  /** Its chain, as the record names it: a payment without an id may be made again on another one. */
  readonly chain?: string
  /** True if the caller named it as an earlier attempt; this journal did not verify it. */
  readonly isNamed: boolean
  /** True if it was submitted to a wallet that did not build it: it may have any expiry height. */
  readonly isBuiltElsewhere?: true
  /** True if it may have been broadcast; false if each broadcast was refused, or was not begun. */
  readonly isOpen: boolean
  /** True if the server accepted it. */
  readonly isAccepted: boolean
  /** True if a guard handed it to a program, and no server is known to have accepted it. */
  readonly isHandedOver?: true
  /**
   * Outcome of the first broadcast after the transaction was handed over. After `refused`, by the
   * server or before a byte left, it counts as handed over again.
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

/** Returns a payment after a record; `undefined` if nothing is left to remember. */
export function applied(
  before: RecordedPayment | undefined,
  record: JournalRecord,
  last: number,
): RecordedPayment | undefined {
  switch (record.kind) {
    case 'attempt':
    case 'handed-over':
      return withAttempt(before, record, last)
    case 'tombstone': {
      const { payment: name, terms, id, txid, at } = record
      const settled = { txid, hex: '', at, isNamed: false, isOpen: true, isAccepted: true } as const
      const attempts = [{ ...settled, fate: 'settled', ...chainOf(record) }] as const
      return { name, terms, id, ...chainOf(record), attempts, past: [], last }
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

/** Number of settled payments with the same request that are remembered, beside those named. */
const pastMax = 16

/**
 * Drops the oldest of many. One that a caller named stays: an option may name it for ever, and would
 * make the next equal payment count as made.
 */
function remembered(past: readonly RecordedAttempt[]): readonly RecordedAttempt[] {
  const dropped = past.filter(({ isNamed }) => !isNamed).slice(0, -pastMax)
  return past.filter((it) => !dropped.includes(it))
}

/** Returns the past attempts of a full list, which has dropped the ones before them; else none. */
export function pastOfFull({ past }: Pick<RecordedPayment, 'past'>): readonly RecordedAttempt[] {
  const droppable = past.filter(({ isNamed }) => !isNamed)
  return droppable.length < pastMax ? [] : droppable
}

function withAttempt(
  before: RecordedPayment | undefined,
  record: AttemptRecord,
  last: number,
): RecordedPayment {
  const { payment: name, terms, request, id, txid, hex, at, isNamed = false } = record
  const handed = record.kind === 'handed-over' ? ({ isHandedOver: true } as const) : {}
  const origin = record.isBuiltElsewhere ? ({ isBuiltElsewhere: true } as const) : {}
  const sent = { isNamed, isOpen: true, isAccepted: false, ...handed, ...origin }
  const attempt = { txid, hex, at, ...chainOf(record), ...sent }
  const repeatMs = Math.max(before?.repeatMs ?? 0, record.repeatMs ?? 0)
  const more = {
    ...(id !== undefined && { id }),
    ...chainOf(record),
    ...(repeatMs > 0 && { repeatMs }),
  }
  const others = (before?.attempts ?? []).filter((it) => it.txid !== txid)
  const settled = others.filter(isSettled)
  // Without an id, an attempt after a settled one begins a new payment.
  const isNew = id === undefined && settled.length > 0
  const past = remembered([...(before?.past ?? []), ...(isNew ? settled : [])])
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
      // Two guards may send one transaction at once. One acceptance outweighs any refusal.
      if (attempt.isAccepted) return attempt
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

export function chainOf({ chain }: { readonly chain?: string }): { readonly chain?: string } {
  return chain === undefined ? {} : { chain }
}

type Place = Pick<FateRecord, 'height' | 'minedAs'>

export function placeOf({ height, minedAs }: Place): Place {
  return { ...(height !== undefined && { height }), ...(minedAs !== undefined && { minedAs }) }
}

export function isSettled({ fate }: RecordedAttempt): boolean {
  return fate === 'settled'
}
