// The options of the wallet's calls, checked before anything is read or sent: a misspelt one would
// leave its limit at the default, and `dryRun: 'yes'` would send.

import {
  argumentError,
  requireArray,
  requireBoolean,
  requireMilliseconds,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { type MemberTable, memberNames, requireKnownMembers } from '../primitives/known-members.ts'
import { redactKey } from '../primitives/redact-key.ts'
import type { FindingCode } from '../request/report.ts'
import type { SafeFlowOptions } from '../rpc/safe-flow/options.ts'

/** Options of everything that sends. */
export interface SendOptions
  extends Pick<
    SafeFlowOptions,
    'id' | 'confirm' | 'dryRun' | 'repeatMs' | 'resumeOnly' | 'signal'
  > {
  /**
   * Warnings that do not hold the payment. `payee_module_key`: everybody knows the private key.
   * `payee_open`: everybody can spend it. `payee_burn`: nobody can spend it. These three hold it
   * even where `confirm` agrees. Without `confirm`, so does `token_parent_unproven`: the source
   * leaves open whether the units of an order are real.
   */
  readonly allow?: readonly FindingCode[]
  /**
   * Txids of spends that the journal does not have, and that do not hold the payment. One that makes
   * this very payment holds it all the same: name it as `paidBy`.
   */
  readonly acknowledged?: readonly string[]
  /**
   * The txid of a transaction that made this payment, and that the journal does not have. If it is
   * what the call requests, at whatever fee, the journal records it under this `id`, and nothing else
   * is sent.
   */
  readonly paidBy?: string
}

/**
 * Checks the options of a call that reads.
 *
 * @param further - names of options beside `signal`
 * @throws {TypeError} for unknown options
 */
export function requireReadOptions(options: object, further: readonly string[] = []): void {
  requireObject(options, 'options')
  requireKnownMembers(options, ['signal', ...further], 'options')
  requireSignal((options as { readonly signal?: unknown }).signal)
}

export interface SubmitOptions extends SendOptions {
  /**
   * Keys, addresses and scripts of your own that this wallet does not have, such as a cold one that
   * gets the change. No others that a case names as own are believed.
   */
  readonly own?: readonly string[]
}

const sendMembers: MemberTable<SendOptions> = {
  id: true,
  confirm: true,
  dryRun: true,
  repeatMs: true,
  resumeOnly: true,
  signal: true,
  allow: true,
  acknowledged: true,
  paidBy: true,
}

/**
 * @throws {TypeError} by rejection, for unknown options, and for values that would be read as another
 *   one
 */
export async function requireSendOptions(options: SendOptions): Promise<void> {
  requireObject(options, 'options')
  requireKnownMembers(options, memberNames(sendMembers), 'options')
  const { signal, confirm, dryRun, resumeOnly, repeatMs, allow } = options
  const { acknowledged, paidBy } = options
  requireSignal(signal)
  if (dryRun !== undefined) requireBoolean(dryRun, 'dryRun')
  if (resumeOnly !== undefined) requireBoolean(resumeOnly, 'resumeOnly')
  if (confirm !== undefined && typeof confirm !== 'function') {
    throw argumentError('confirm', 'a function', confirm)
  }
  if (repeatMs !== undefined) requireMilliseconds(repeatMs, 'repeatMs')
  if (acknowledged !== undefined) requireArray(acknowledged, 'acknowledged')
  for (const [at, txid] of (acknowledged ?? []).entries()) readTxid(txid, `acknowledged[${at}]`)
  if (paidBy !== undefined) readTxid(paidBy, 'paidBy')
  if (allow === undefined) return
  const { requireWarnings } = await import('../request/allowed-warnings.ts')
  requireWarnings(allow, 'allow')
}

/** @throws {TypeError} for anything but an AbortSignal or nothing */
export function requireSignal(signal: unknown): void {
  const { aborted, addEventListener } = (signal ?? {}) as Partial<AbortSignal>
  if (signal === undefined) return
  if (typeof aborted === 'boolean' && typeof addEventListener === 'function') return
  throw argumentError('signal', 'an AbortSignal', signal)
}

/**
 * Returns a txid or tokenid in lower case.
 *
 * @throws {TypeError} for anything else than 64 digits of hex
 */
export function readTxid(txid: unknown, name: string): string {
  requireString(txid, name)
  const lower = txid.toLowerCase()
  if (isHex32(lower)) return lower
  throw new TypeError(`${name}: expected 64 digits of hex, got ${redactKey(txid)}`)
}
