import type { Journal } from '../../journal/journal.ts'
import {
  type MemberTable,
  memberNames,
  requireKnownMembers,
} from '../../primitives/known-members.ts'
import { notified, notify } from '../../primitives/observers.ts'
import type { Report } from '../../request/report.ts'
import { untilStopped } from '../clock.ts'
import { abortedBy } from '../errors.ts'
import type { CallOptions } from '../options.ts'

/** How far a transfer or a creation is. */
export type SafeFlowProgress =
  | { readonly step: 'looking-up-earlier'; readonly txid: string }
  | { readonly step: 'asking' }
  | { readonly step: 'fetching'; readonly done: number; readonly total: number }
  | { readonly step: 'verified'; readonly report: Report }
  | { readonly step: 'broadcasting'; readonly report: Report }

/** `signal` and the limits hold for each call of the flow. */
export interface SafeFlowOptions extends CallOptions {
  /** Judges and stops. */
  readonly dryRun?: boolean
  /** Asked once everything agrees, before the broadcast; anything but true stops. */
  readonly confirm?: (report: Report) => boolean | Promise<boolean>
  /**
   * Called at each step. What it throws or rejects with is ignored. The flow waits for its promise
   * at `broadcasting`, so you can record the transaction durably before it is sent.
   */
  readonly onProgress?: (progress: SafeFlowProgress) => unknown
  /**
   * Idempotency key: one id is one payment, for ever. A call with an id that was settled answers
   * with its txid and pays nothing; an id with another request is an error, `id_conflict`. At most
   * 200 characters.
   */
  readonly id?: string
  /**
   * Where attempts are recorded before they are sent; default: the memory of the client. With a
   * journal that you give, a payment counts as settled when a block has it, not when the server
   * accepts it, and its chain is compared with the recorded one.
   */
  readonly journal?: Journal
  /**
   * Without an id: how long a payment that was settled answers the same request, in milliseconds,
   * so that a call that is repeated after a crash does not pay twice. Default 600,000 with a journal
   * that you give. Later the same request is a payment of its own.
   */
  readonly repeatMs?: number
  /** Settles what the journal has of this payment, and makes nothing new. */
  readonly resumeOnly?: boolean
  /**
   * The server is your own: what it claims about the depth of blocks may end an attempt. An attempt
   * can never be mined if it expired 100 blocks ago, or if a transaction 100 blocks deep spends one
   * of its inputs. Otherwise only a transaction that shares an input may follow it.
   */
  readonly trustServer?: boolean
  /**
   * Hex of earlier attempts at the same thing whose fate is not known. Attempts of this client are
   * remembered until one succeeds; this is for those of another process. One that is on the chain
   * and is something else holds the call: `rejected`.
   */
  readonly earlier?: string | readonly string[]
  /**
   * How many transactions of the tokens' history to fetch for the proof that they are genuine;
   * default 300, 0 for none.
   */
  readonly ancestorsMax?: number
  /**
   * Allows a transaction that could be mined beside an earlier attempt, so that both take effect.
   * Otherwise such a one is held.
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
  onProgress: true,
  id: true,
  journal: true,
  repeatMs: true,
  resumeOnly: true,
  trustServer: true,
  earlier: true,
  ancestorsMax: true,
  differentInputs: true,
}

/**
 * Refuses misspelt options before anything is sent: a flow with `dryrun` would broadcast.
 *
 * @throws {TypeError} that names the option that was meant
 */
export function requireFlowOptions(options: object, further: readonly string[] = []): void {
  requireKnownMembers(options, [...memberNames(flowMembers), ...further], 'options')
}

/** The limits alone, for a call of the flow. */
export function callOptions(options: CallOptions): CallOptions {
  const { signal, timeoutMs, attemptTimeoutMs, retry } = options
  return { signal, timeoutMs, attemptTimeoutMs, retry }
}

export function reportProgress({ onProgress }: SafeFlowOptions, progress: SafeFlowProgress): void {
  notify(onProgress, copyFor(progress))
}

/** The flow goes on with its own report: an observer may overwrite what it was told. */
function copyFor(progress: SafeFlowProgress): SafeFlowProgress {
  if (progress.step !== 'verified' && progress.step !== 'broadcasting') return progress
  const { report } = progress
  const findings = report.findings.map((finding) => ({ ...finding }))
  return { ...progress, report: { ...report, findings } }
}

/** @throws {RpcError} of kind `aborted` if the caller gives up while the observer is at work */
export async function reportAndWait(
  { onProgress, signal }: SafeFlowOptions,
  progress: SafeFlowProgress,
): Promise<void> {
  const notice = notified(onProgress, copyFor(progress))
  if (signal === undefined) return notice
  await untilStopped(notice, signal).catch(() => {
    throw abortedBy(signal)
  })
}
