// The operator's part of a guard: its record, limits, policy and confirmation.

import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { sentenceOf } from '../errors/antara-error.ts'
import type { Disk } from '../journal/disk.ts'
import { fileJournal } from '../journal/file.ts'
import type { Journal } from '../journal/journal.ts'
import { recordedTxids } from '../journal/recorded-txids.ts'
import type { DecisionEntry, DecisionRecord, Metrics, Policy, Users } from './decision.ts'
import { holding } from './policy/holding.ts'
import { Limits } from './policy/limits.ts'
import { FilePolicy } from './policy/policy.ts'
import type { Head } from './record/line.ts'
import { FileRecord } from './record/record-file.ts'
import { RefusalCounter } from './record/refusal-counter.ts'
import { passwordUsers } from './users.ts'
import { watchedJournal } from './watched-journal.ts'

interface OperatorOptions {
  /** Folder of the record, its anchor and the limits. Other users must not be able to write it. */
  readonly folder: string
  /** Text of the policy file. Without it, no rule but those of the guard applies. */
  readonly policy?: string | undefined
  /** The journal of the payments, which has to have those of the record. */
  readonly journal?: Journal | undefined
  /** Accepts that limits or journal lack payments of the record, or the reverse. */
  readonly isReconciled?: boolean
  readonly disk?: Disk
  /** The time of day. */
  readonly now?: () => number
}

/** The operator's parts of a guard, ready to be given to it. */
export interface Operator {
  /** The rules of the file, or rules that hold payments; absent if payments need none. */
  readonly policy: Policy | undefined
  /**
   * Takes the text of the policy file as it is now, and records the hashes of both files. The new
   * rules hold at once. If the line cannot be written, payments are refused until the next start.
   *
   * @throws {AntaraError} `malformed_policy`, `record_failed`, `record_malformed`
   */
  reload(text: string): Promise<void>
  readonly record: DecisionRecord
  /** Absent if the policy has no users. */
  readonly users: Users | undefined
  readonly metrics: Metrics
  /** Returns why payments stop, or why the last record was not written; else `undefined`. */
  health(): string | undefined
  /** Returns the number of lines of the record and the hash of the last one. */
  head(): Head
  /** The payment journal for the guard. `health` reports when it can no longer record. */
  readonly journal: Journal | undefined
  close(): Promise<void>
}

/** Names of the files in the folder. */
export const recordName = 'record.ndjson'
const limitsName = 'limits'

const dayMs = 86_400_000
const hourMs = 3_600_000

/**
 * Opens the limits and the record, and reads the policy.
 *
 * The limits must have the record's payments of the last day, and the journal those of the last 29.
 * A new record must have those of the limits. Otherwise a file was lost or restored, and all payments
 * are refused until `isReconciled`. Payments that were made without a policy are not in the limits.
 *
 * An older record that was restored with its anchor passes: a crash may leave limits with a payment
 * more. Only an anchor on another machine betrays it.
 *
 * @throws {AntaraError} `malformed_policy`, or as a journal and a record do
 */
export async function openOperator(options: OperatorOptions): Promise<Operator> {
  const { folder, disk, now = Date.now } = options
  const onDisk = disk === undefined ? {} : { disk }
  const { prometheusMetrics } = await import('./metrics.ts')
  const consumed = watchedJournal(fileJournal(join(folder, limitsName), onDisk))
  const payments = options.journal && watchedJournal(options.journal)
  const limits = await Limits.open(consumed.journal, { wall: now })
  let opened: FileRecord | undefined
  try {
    const text = options.policy
    const policy = text === undefined ? undefined : new FilePolicy(text, limits, now)
    const hasPolicy = policy !== undefined
    let policyHash = text === undefined ? undefined : hashOf(text)
    const recording = { ...onDisk, now, hasPolicy, policyHash }
    const record = await FileRecord.open(join(folder, recordName), recording)
    opened = record
    const apart =
      differenceOf(record, limits, now()) ?? (await lackOf(record, payments?.journal, now()))
    let held = options.isReconciled === true ? undefined : apart
    if (options.isReconciled === true) await record.reconcile()
    if (held !== undefined) policy?.hold(held)
    // A record that fails is noticed by the next payment.
    const counter = new RefusalCounter((entry) => void record.append(entry).catch(() => undefined))
    const append = async (entry: DecisionEntry) => {
      // A read is not a decision: a monitor that polls would fill the disk.
      if (entry.decision === 'passed' && entry.methodClass === 'read') return
      if (!counter.counts(entry)) await record.append(entry)
    }
    const close = () => {
      counter.flush()
      return record.close()
    }
    const health = () => {
      const failure = record.failure ?? consumed.failure() ?? payments?.failure()
      if (failure !== undefined) return sentenceOf(failure)
      return held ?? (record.lastFailure && sentenceOf(record.lastFailure))
    }
    return {
      policy: policy ?? (held === undefined ? undefined : holding(held)),
      async reload(newText) {
        if (policy === undefined || policyHash === undefined) return
        policy.reload(newText)
        const from = policyHash
        policyHash = hashOf(newText)
        try {
          await record.reloaded(from, policyHash)
        } catch (error) {
          // A disk that has room again would let payments pass by rules that no line names.
          held = unrecordedReload
          policy.hold(held)
          throw error
        }
      },
      record: { append, close },
      users:
        policy?.hasUsers === true ? passwordUsers((user) => policy.passwordOf(user)) : undefined,
      metrics: prometheusMetrics({
        recordLines: () => record.head.count,
        isHealthy: () => health() === undefined,
      }),
      health,
      head: () => record.head,
      journal: payments?.journal,
      async close() {
        await close()
        await limits.close()
      },
    }
  } catch (error) {
    await opened?.close().catch(() => undefined)
    await limits.close()
    throw error
  }
}

const unrecordedReload = 'a reload of the policy has no line in the record'

/** Returns the SHA-256 of a policy file, as sha256sum prints it. */
function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns how record and limits differ, in words; `undefined` if they do not. */
function differenceOf(record: FileRecord, limits: Limits, now: number): string | undefined {
  const known = limits.txids()
  // The limits keep a day before their own clock, which is never set back. It is ahead by some hours
  // after the time of day was set back. If it is ahead by more than a day, it followed a wrong time,
  // and a day before it would leave out the payments of today.
  const isAhead = limits.now() - now > dayMs
  // An hour is left out, because the record has the time of day, and not that of the limits.
  const since = (isAhead ? now : limits.now()) - dayMs + hourMs
  const recent = record.handedOver.filter(({ time, isLimited }) => isLimited && time > since)
  const missing = recent.filter(({ txid }) => !known.has(txid))
  if (missing.length > 0) return `the limits lack ${missing.length} payments that the record has`
  if (record.isNew && known.size > 0) return `the record lacks ${known.size} payments`
  return undefined
}

/**
 * A journal keeps what it has of a payment for 30 days, and a day less counts, as clocks differ.
 * Compaction drops some payments before: forgotten ones, and of equal ones without an id all but the
 * last few. They are then missing here, and an operator has to accept that.
 */
const journalMs = 29 * dayMs

/**
 * Returns how many payments the journal lacks, in words; `undefined` for none. Each is recorded
 * there before it is in the record, so a journal that lacks one is another or an older one.
 */
async function lackOf(
  { handedOver }: FileRecord,
  journal: Journal | undefined,
  now: number,
): Promise<string | undefined> {
  if (journal === undefined) return undefined
  // Opens the journal, so that a second guard with it ends at its start.
  const known = await recordedTxids(journal)
  const recent = handedOver.filter(({ time }) => time > now - journalMs)
  const missing = recent.filter(({ txid }) => !known.has(txid))
  if (missing.length === 0) return undefined
  return `the journal lacks ${missing.length} payments that the record has`
}
