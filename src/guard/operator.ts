import { join } from 'node:path'
import { sentenceOf } from '../errors/antara-error.ts'
import type { Disk } from '../journal/disk.ts'
import { fileJournal } from '../journal/file.ts'
import type { DecisionEntry, DecisionRecord, Metrics, Users } from './decision.ts'
import { Limits } from './policy/limits.ts'
import { FilePolicy } from './policy/policy.ts'
import type { Head } from './record/line.ts'
import { FileRecord } from './record/record-file.ts'
import { passwordUsers } from './users.ts'

interface OperatorOptions {
  /** Folder of the record, its anchor and the limits. Other users must not be able to write it. */
  readonly folder: string
  /** Text of the policy file. Without it, no rule but those of the guard applies. */
  readonly policy?: string | undefined
  /** Accepts that the limits lack payments of the record, or the reverse. */
  readonly isReconciled?: boolean
  readonly disk?: Disk
  /** The time of day. */
  readonly now?: () => number
}

/** The operator's parts of a guard, ready to be given to it. */
export interface Operator {
  readonly policy: FilePolicy | undefined
  readonly record: DecisionRecord
  /** Absent if the policy has no users. */
  readonly users: Users | undefined
  readonly metrics: Metrics
  /** Returns why no payment is possible; `undefined` while they are. */
  health(): string | undefined
  /** Returns the number of lines of the record and the hash of the last one. */
  head(): Head
  close(): Promise<void>
}

/** Names of the files in the folder. */
const recordName = 'record.ndjson'
const limitsName = 'limits'

const dayMs = 86_400_000
const hourMs = 3_600_000

/**
 * Opens the limits and the record, and reads the policy.
 *
 * If limits and record do not have the same payments of the last day, one of them was lost or
 * restored: then the policy refuses all payments until `isReconciled`. Payments that were made
 * without a policy are in the record only.
 *
 * @throws {AntaraError} `malformed_policy`, or as a journal and a record do
 */
export async function openOperator(options: OperatorOptions): Promise<Operator> {
  const { folder, disk, now = Date.now } = options
  const onDisk = disk === undefined ? {} : { disk }
  const { prometheusMetrics } = await import('./metrics.ts')
  const limits = await Limits.open(fileJournal(join(folder, limitsName), onDisk), { wall: now })
  try {
    const text = options.policy
    const policy = text === undefined ? undefined : new FilePolicy(text, limits, now)
    const hasPolicy = policy !== undefined
    const record = await FileRecord.open(join(folder, recordName), { ...onDisk, now, hasPolicy })
    const apart = differenceOf(record, limits, now())
    if (apart !== undefined && options.isReconciled !== true) policy?.hold(apart)
    const health = () => {
      const { failure } = record
      return failure === undefined ? policy?.held : sentenceOf(failure)
    }
    return {
      policy,
      record: { append: (entry) => appendDecision(record, entry), close: () => record.close() },
      users:
        policy?.hasUsers === true ? passwordUsers((user) => policy.passwordOf(user)) : undefined,
      metrics: prometheusMetrics({
        recordLines: () => record.head.count,
        isHealthy: () => health() === undefined,
      }),
      health,
      head: () => record.head,
      async close() {
        await record.close()
        await limits.close()
      },
    }
  } catch (error) {
    await limits.close()
    throw error
  }
}

/** A read is no decision: a monitor that polls would fill the disk. */
async function appendDecision(record: FileRecord, entry: DecisionEntry): Promise<void> {
  if (entry.decision === 'passed' && entry.methodClass === 'read') return
  await record.append(entry)
}

/** Returns how record and limits differ, in words; `undefined` if they do not. */
function differenceOf(record: FileRecord, limits: Limits, now: number): string | undefined {
  const known = limits.txids()
  // An hour less than a day, as the two files have clocks of their own.
  const recent = record.handedOver.filter(
    ({ time, isLimited }) => isLimited && time > now - dayMs + hourMs,
  )
  const missing = recent.filter(({ txid }) => !known.has(txid)).length
  if (missing > 0) return `the limits lack ${missing} payments that the record has`
  if (record.isNew && known.size > 0) return `the record lacks ${known.size} payments`
  return undefined
}
