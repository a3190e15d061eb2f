// The records of a journal. Kinds and members are a file format: they are only ever added, and a
// reader refuses one that it does not know, because it could be about money.

import { AntaraError } from '../errors/antara-error.ts'

/** A transaction for a payment. It is recorded before its first byte leaves. */
export interface AttemptRecord {
  /**
   * - `attempt`      it is about to be sent
   * - `handed-over`  a guard is about to give it to a program, which may or may not send it
   */
  readonly kind: 'attempt' | 'handed-over'
  /** Name of the payment, which never changes. */
  readonly payment: string
  /** Scripts and amounts in one canonical form, however the request was spelled. */
  readonly terms: string
  /** The request as its caller wrote it, for people and for `resume`. JSON. */
  readonly request: string
  /** The idempotency key, if the caller gave one. */
  readonly id?: string
  /** Identifies the chain: the hash of block 1. */
  readonly chain?: string
  readonly txid: string
  readonly hex: string
  /** By this machine's clock, ISO 8601. */
  readonly at: string
  /** True if the caller named it as an earlier attempt; this journal did not verify it. */
  readonly isNamed?: true
  /** True if it was submitted to a wallet that did not build it. */
  readonly isBuiltElsewhere?: true
  /**
   * Milliseconds for which the same request without an id is not a new payment, if they are more
   * than the 30 days for which each payment is kept.
   */
  readonly repeatMs?: number
}

/** A change in the state of a recorded transaction. */
export interface FateRecord {
  /**
   * - `sending`   it is sent again after a refusal, or for the first time after it was handed over
   * - `refused`   each broadcast was refused, or failed before a byte left; after the first `sending`
   *               of a handed-over transaction, it counts as handed over again; after `accepted`,
   *               it changes nothing
   * - `accepted`  the server accepted it
   * - `settled`   it is in the chain
   * - `reopened`  it was in the chain, and is not any more
   * - `dead`      it can never be mined
   */
  readonly kind: 'sending' | 'refused' | 'accepted' | 'settled' | 'reopened' | 'dead'
  readonly payment: string
  readonly txid: string
  readonly at: string
  /** The height of its block, for `settled`. Absent if the server did not report it. */
  readonly height?: number
  /**
   * The txid under which a block has it, for `settled`, if a third party changed its scriptSigs.
   */
  readonly minedAs?: string
}

/** A user decided that the attempts of a payment no longer count. */
interface ForgottenRecord {
  readonly kind: 'forgotten'
  readonly payment: string
  /** The terms of the payment, because a journal may have two requests under one id. */
  readonly terms?: string
  readonly at: string
  /**
   * Compaction writes it for payments without an id: up to this height of the chain, blocks may have
   * payments whose records are gone.
   */
  readonly height?: number
  readonly chain?: string
}

/** The remainder of a settled payment with an id after compaction. */
interface TombstoneRecord {
  readonly kind: 'tombstone'
  readonly payment: string
  readonly terms: string
  readonly id: string
  readonly chain?: string
  readonly txid: string
  readonly at: string
}

export type JournalRecord = AttemptRecord | FateRecord | ForgottenRecord | TombstoneRecord

const texts = ['payment', 'at'] as const
const membersOf: Readonly<Record<JournalRecord['kind'], readonly string[]>> = {
  attempt: [...texts, 'terms', 'request', 'txid', 'hex'],
  'handed-over': [...texts, 'terms', 'request', 'txid', 'hex'],
  sending: [...texts, 'txid'],
  refused: [...texts, 'txid'],
  accepted: [...texts, 'txid'],
  settled: [...texts, 'txid'],
  reopened: [...texts, 'txid'],
  dead: [...texts, 'txid'],
  forgotten: texts,
  tombstone: [...texts, 'terms', 'id', 'txid'],
}

/** All members that a record of any kind may have. */
const known: ReadonlySet<string> = new Set([
  'kind',
  ...Object.values(membersOf).flat(),
  'chain',
  'isNamed',
  'isBuiltElsewhere',
  'repeatMs',
  'height',
  'minedAs',
])

const ownOnly =
  'only members that this version writes; a journal of your own returns each text as it got it'

export function encodeRecord(record: JournalRecord): string {
  return JSON.stringify(record)
}

/**
 * @param number - position of the record, for the error
 * @throws {AntaraError} `journal_version` for a kind or a member that this version does not know,
 *   `journal_malformed` for a text that is no record
 */
export function decodeRecord(text: string, number: number): JournalRecord {
  const path = `record ${number}`
  const record = objectOf(text)
  if (record === undefined) throw new AntaraError('journal_malformed', { path })
  const { kind } = record
  if (typeof kind !== 'string') throw new AntaraError('journal_malformed', { path })
  if (!Object.hasOwn(membersOf, kind)) {
    throw new AntaraError('journal_version', { path, actual: kind.slice(0, 40) })
  }
  const newer = Object.keys(record).find((name) => !known.has(name))
  if (newer !== undefined) {
    throw new AntaraError('journal_version', {
      path,
      expected: ownOnly,
      actual: newer.slice(0, 40),
    })
  }
  const wrong = membersOf[kind as JournalRecord['kind']].find(
    (name) => typeof record[name] !== 'string',
  )
  if (wrong !== undefined) throw new AntaraError('journal_malformed', { path: `${path}.${wrong}` })
  // A height of another type would spread into what is compared with the chain.
  const { height = 0 } = record
  if (!Number.isSafeInteger(height) || Number(height) < 0) {
    throw new AntaraError('journal_malformed', { path: `${path}.height` })
  }
  // A payment without a time would count as an old one, and be made again.
  if (Number.isNaN(Date.parse(record.at as string))) {
    throw new AntaraError('journal_malformed', { path: `${path}.at` })
  }
  return record as unknown as JournalRecord
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
