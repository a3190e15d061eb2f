// Options of the safe flows, and their checks.

import type { Journal } from '../../journal/journal.ts'
import { argumentError, requireBoolean, requireMilliseconds } from '../../primitives/arguments.ts'
import { isHex32 } from '../../primitives/hex-forms.ts'
import {
  type MemberTable,
  memberNames,
  requireKnownMembers,
} from '../../primitives/known-members.ts'
import { notified, notify } from '../../primitives/observers.ts'
import type { FindingCode, Report } from '../../request/report.ts'
import { Stopped, untilStopped } from '../clock.ts'
import { abortedBy } from '../errors.ts'
import { type FirstBlockOptions, readFirstBlock } from '../first-block.ts'
import type { CallOptions } from '../options.ts'

/** The progress of a flow. */
export type SafeFlowProgress =
  | { readonly step: 'looking-up-earlier'; readonly txid: string }
  /**
   * The server does not list all that the wallet spent, so the chain was not searched for the
   * payment.
   */
  | { readonly step: 'not-compared' }
  | { readonly step: 'asking' }
  | { readonly step: 'fetching'; readonly done: number; readonly total: number }
  | { readonly step: 'verified'; readonly report: Report }
  | { readonly step: 'broadcasting'; readonly report: Report }

/** An equal payment of another id, of which no block is known to have a transaction. */
export interface UnsettledEqual {
  readonly id: string
  /** Its transaction, which may have been refused. */
  readonly txid: string
}

/** Options of a flow. `signal` and the limits apply to each call of the flow. */
export interface SafeFlowOptions extends CallOptions, FirstBlockOptions {
  /** Verifies and stops before the broadcast. */
  readonly dryRun?: boolean
  /**
   * Called before the broadcast with a copy of the report, if nothing is wrong. Any result but true
   * stops the flow. A call for the same payment is held as `under-way` meanwhile.
   *
   * Without it, warnings hold the transaction as `warned`. A report that is `your-decision` for
   * another reason is sent: return `report.broadcast === 'yes'` from `confirm` to hold that too.
   *
   * `equal` names equal payments of other ids that are not settled and could be mined beside this one.
   * If this is one of them, return false, and repeat the call with its id.
   */
  readonly confirm?: (
    report: Report,
    equal: readonly UnsettledEqual[],
  ) => boolean | Promise<boolean>
  /**
   * Codes of warnings that do not hold the transaction although there is no `confirm`, such as
   * `fee_high`.
   */
  readonly allow?: readonly FindingCode[]
  /**
   * Called at each step; its errors are ignored. The flow waits for its promise at `broadcasting`,
   * so you can record the transaction durably before it is sent.
   */
  readonly onProgress?: (progress: SafeFlowProgress) => unknown
  /**
   * Idempotency key: one id is one payment. A call with the id of a settled payment returns its
   * txid and pays nothing; an id of another request is an error, `id_conflict`. At most 200
   * characters.
   */
  readonly id?: string
  /**
   * Journal that records attempts before they are sent; default: the memory of the client. With a
   * journal of yours, a payment is settled when a block has it, not when the server accepts it, and
   * its chain is compared with the recorded one.
   */
  readonly journal?: Journal
  /**
   * Time in milliseconds for which a settled payment without an id answers the same request, so
   * that a call that is repeated after a crash does not pay twice. Default 600,000 with a journal
   * of yours. Later the same request is a new payment. For that time it also holds an equal
   * payment, unless both have an id.
   */
  readonly repeatMs?: number
  /**
   * Settles the recorded attempts at this payment, and makes no new one. It looks for what a guard
   * handed to a program, and sends none of it but `handedOver`.
   */
  readonly resumeOnly?: boolean
  /** Txids of transactions that a guard handed over, and that `resumeOnly` is to send. */
  readonly handedOver?: readonly string[]
  /**
   * The server is your own: its claims about its chain may end an attempt. An attempt can never be
   * mined if it expired 100 blocks ago and an input is still unspent, or if a transaction 100 blocks
   * deep spends one of its inputs. Otherwise only a transaction that shares an input may follow it.
   */
  readonly trustServer?: boolean
  /**
   * Hex of earlier attempts at the same payment by another process. The attempts of this client are
   * remembered until one succeeds. If one is on the chain and makes another payment, the call stops
   * with `rejected`. One that could be mined beside an attempt that was recorded before is not sent.
   */
  readonly earlier?: string | readonly string[]
  /**
   * Txids of transactions that the journal does not have, and that do not hold the payment: it is
   * made once more beside them.
   */
  readonly acknowledged?: readonly string[]
  /**
   * Txid of a transaction that made this payment, and that the journal does not have. If it is what
   * the call requests, at whatever fee, the journal records it under this `id`, and nothing else is
   * sent.
   */
  readonly paidBy?: string
  /** Number of ancestors to fetch for the proof of the tokens; default 300, 0 for none. */
  readonly ancestorsMax?: number
  /**
   * Allows a transaction that could be mined beside an earlier attempt, so that both take effect.
   * Otherwise it is not sent.
   */
  readonly differentInputs?: boolean
}

const flowMembers: MemberTable<SafeFlowOptions> = {
  signal: true,
  timeoutMs: true,
  attemptTimeoutMs: true,
  retry: true,
  maxResponseBytes: true,
  dryRun: true,
  confirm: true,
  allow: true,
  onProgress: true,
  id: true,
  journal: true,
  repeatMs: true,
  resumeOnly: true,
  handedOver: true,
  trustServer: true,
  earlier: true,
  acknowledged: true,
  paidBy: true,
  ancestorsMax: true,
  differentInputs: true,
  firstBlock: true,
}

/**
 * Refuses misspelt options before anything is sent, because a flow with `dryrun` would broadcast,
 * and so would one with `dryRun: 'yes'`.
 *
 * @throws {TypeError} by rejection, with the name of the option, or of the intended one
 */
export async function requireFlowOptions(
  options: object,
  further: readonly string[] = [],
): Promise<void> {
  requireKnownMembers(options, [...memberNames(flowMembers), ...further], 'options')
  const given = options as Readonly<Record<string, unknown>>
  for (const name of switches) if (given[name] !== undefined) requireBoolean(given[name], name)
  for (const name of callbacks) {
    const callback = given[name]
    if (callback === undefined || typeof callback === 'function') continue
    throw argumentError(name, 'a function', callback)
  }
  if (given.repeatMs !== undefined) requireMilliseconds(given.repeatMs, 'repeatMs')
  if (given.handedOver !== undefined) requireTxids(given.handedOver, 'handedOver')
  if (given.paidBy !== undefined && !isTxid(given.paidBy)) {
    throw new TypeError('paidBy: expected a txid of 64 hex digits')
  }
  readFirstBlock(given.firstBlock)
  if (given.allow === undefined) return
  const { requireWarnings } = await import('../../request/allowed-warnings.ts')
  requireWarnings(given.allow, 'allow')
}

function isTxid(value: unknown): boolean {
  return typeof value === 'string' && isHex32(value.toLowerCase())
}

function requireTxids(value: unknown, name: string): void {
  if (Array.isArray(value) && value.every(isTxid)) return
  throw new TypeError(`${name}: expected an array of txids, each of 64 hex digits`)
}

const switches = ['dryRun', 'resumeOnly', 'trustServer', 'differentInputs']
const callbacks = ['confirm', 'onProgress']

/** Returns only the limits, for one call of the flow. */
export function callOptions(options: CallOptions): CallOptions {
  const { signal, timeoutMs, attemptTimeoutMs, retry } = options
  return { signal, timeoutMs, attemptTimeoutMs, retry }
}

export function reportProgress({ onProgress }: SafeFlowOptions, progress: SafeFlowProgress): void {
  notify(onProgress, copyFor(progress))
}

/** Copies the progress for an observer, which may modify it; the flow keeps its own report. */
function copyFor(progress: SafeFlowProgress): SafeFlowProgress {
  if (progress.step !== 'verified' && progress.step !== 'broadcasting') return progress
  return { ...progress, report: copyOf(progress.report) }
}

function copyOf(report: Report): Report {
  const { effects, spends } = report
  return {
    ...report,
    findings: report.findings.map((finding) => ({ ...finding })),
    effects: structuredClone(effects),
    ...(spends !== undefined && { spends: structuredClone(spends) }),
  }
}

/**
 * Asks the caller's `confirm` with a copy of the report. True without one.
 *
 * @throws {RpcError} of kind `aborted` if the signal aborts while it is at work
 */
export async function confirmed(
  { confirm, signal }: SafeFlowOptions,
  report: Report,
  equal: readonly UnsettledEqual[],
): Promise<boolean> {
  if (confirm === undefined) return true
  return (await untilAborted(Promise.resolve(confirm(copyOf(report), equal)), signal)) === true
}

/** @throws {RpcError} of kind `aborted` if the signal aborts while the observer is at work */
export async function reportAndWait(
  { onProgress, signal }: SafeFlowOptions,
  progress: SafeFlowProgress,
): Promise<void> {
  await untilAborted(notified(onProgress, copyFor(progress)), signal)
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return untilStopped(work, signal).catch((error: unknown) => {
    throw error instanceof Stopped ? abortedBy(signal) : error
  })
}
