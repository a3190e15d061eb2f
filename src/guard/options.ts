import type { Network } from '../chain/network.ts'
import type { Journal } from '../journal/journal.ts'
import {
  argumentError,
  requireArray,
  requireBigint,
  requireMilliseconds,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import type { MemberTable } from '../primitives/known-members.ts'
import { requireWarnings } from '../request/allowed-warnings.ts'
import type { FindingCode } from '../request/report.ts'
import type { DaemonCredentials } from '../rpc/daemon/protocol.ts'
import type { FirstBlockOptions } from '../rpc/first-block.ts'
import type { SafeFlowOptions } from '../rpc/safe-flow/options.ts'
import type { HttpServerOptions } from '../server/http-server.ts'
import type { DecisionEntry, DecisionRecord, Metrics, Policy, Users } from './decision.ts'

/** The daemon behind a guard. */
export interface GuardedDaemon {
  readonly url: string
  /** Called when the guard starts, and again when the daemon refuses them. */
  readonly credentials: () => DaemonCredentials | Promise<DaemonCredentials>
  /** Hosts other than this machine that may receive the password. */
  readonly allowedHosts?: readonly string[] | undefined
}

export interface GuardOptions extends CommonOptions, FirstBlockOptions {
  readonly daemon: GuardedDaemon
  /**
   * The daemon's own compressed public key, its `-pubkey`: it pays, and gets the change. Without it
   * the guard only passes on calls that read.
   */
  readonly pubkey?: string | undefined
  /** Allows bids for more than one unit on komodod's chains, whose price no chain enforces. */
  readonly allowUnenforcedPrices?: boolean | undefined
  /** Option of the safe flows: see {@link SafeFlowOptions}. */
  readonly trustServer?: boolean | undefined
}

/** A transaction, and the payment that it made. */
export interface PaidBy {
  readonly txid: string
  /**
   * The `Idempotency-Key` of the payment, after `USER/` if it has a user. Without it, the payment is that
   * of a call without a name.
   */
  readonly id?: string | undefined
}

/** Options of every guard. */
export interface CommonOptions {
  /**
   * The network of the chain. Payments are refused if a daemon runs a chain of another kind.
   * Default: `networks.assetChain`.
   */
  readonly network?: Network | undefined
  /**
   * Records what was handed over and sent, so that nothing is paid twice. Default: the memory of
   * this guard, which ends with the process.
   */
  readonly journal?: Journal | undefined
  /** The highest fee in satoshis. Default: 20,000. */
  readonly maxFee?: bigint | undefined
  /** Time for which a settled payment answers the same request again: see {@link SafeFlowOptions}. */
  readonly repeatMs?: number | undefined
  /**
   * Codes of warnings that hold no payment, such as `token_parent_unproven`. Every other warning that
   * could cost money holds it, because no program reads the report.
   */
  readonly allow?: readonly FindingCode[] | undefined
  /** Option of the safe flows: see {@link SafeFlowOptions}. */
  readonly acknowledged?: readonly string[] | undefined
  /**
   * Transactions of the chain that made a payment, although the journal does not have them. A call for
   * that payment is answered with its transaction, and pays nothing.
   */
  readonly paidBy?: readonly PaidBy[] | undefined
  /** Where to listen. Default: a free port of 127.0.0.1. */
  readonly listen?:
    | Pick<
        HttpServerOptions,
        'host' | 'port' | 'exposeToNetwork' | 'allowedHosts' | 'bodyBytesMax' | 'requestMsMax'
      >
    | undefined
  /** The longest silence of the guarded server, in milliseconds. Default 120,000. */
  readonly silenceMs?: number | undefined
  /** The largest reply that is passed on, in bytes. Default 256 MiB. */
  readonly replyBytesMax?: number | undefined
  readonly policy?: Policy | undefined
  readonly record?: DecisionRecord | undefined
  /** Users of the guard. Without them, clients use the credentials of the guarded server. */
  readonly users?: Users | undefined
  readonly metrics?: Metrics | undefined
  /** Returns for `/health` why payments stop, or why the last record was not written; else `undefined`. */
  readonly health?: (() => string | undefined) | undefined
  /**
   * Called if a new payment could not be compared with all that the wallet spent: the daemon has no
   * address index, or the framework keeps no history of the coin.
   */
  readonly onNotCompared?: (() => unknown) | undefined
  /** Told of each decision; for a log. */
  readonly onDecision?: ((entry: DecisionEntry) => unknown) | undefined
  /** Told of errors that the client cannot be told in full. */
  readonly onFailure?: ((error: unknown) => unknown) | undefined
}

/** The longest time of a timer in Node: a longer one would end at once. */
const timerMsMax = 2 ** 31 - 1

/**
 * Refuses values with which a limit would never apply, such as `NaN` or a text.
 *
 * @throws {TypeError} with the name of the option
 */
export function requireCommonOptions(options: CommonOptions): void {
  const { allow, maxFee, paidBy, repeatMs, silenceMs, replyBytesMax } = options
  if (paidBy !== undefined) requirePaidBy(paidBy)
  if (allow !== undefined) requireWarnings(allow, 'options.allow')
  if (maxFee !== undefined) {
    requireBigint(maxFee, 'options.maxFee')
    if (maxFee < 0n) throw new TypeError(`options.maxFee: expected satoshis from 0, got ${maxFee}`)
  }
  if (repeatMs !== undefined) requireMilliseconds(repeatMs, 'options.repeatMs')
  if (silenceMs !== undefined) requireMilliseconds(silenceMs, 'options.silenceMs')
  // Node takes no time at all as no limit.
  if (silenceMs !== undefined && (silenceMs < 1 || silenceMs > timerMsMax)) {
    throw new TypeError(`options.silenceMs: expected 1 to ${timerMsMax}, got ${silenceMs}`)
  }
  if (replyBytesMax === undefined) return
  if (typeof replyBytesMax !== 'number' || !(replyBytesMax >= 0)) {
    throw argumentError('options.replyBytesMax', 'bytes, a number from 0', replyBytesMax)
  }
}

/** @throws {TypeError} */
function requirePaidBy(paidBy: unknown): asserts paidBy is readonly PaidBy[] {
  requireArray(paidBy, 'options.paidBy')
  const txids = new Set<string>()
  const ids = new Set<string>()
  for (const [at, one] of paidBy.entries()) {
    const path = `options.paidBy[${at}]`
    requireObject(one, path)
    const { txid: given, id } = one as Partial<PaidBy>
    const txid = String(given).toLowerCase()
    if (!isHex32(txid)) throw new TypeError(`${path}.txid: expected a txid of 64 hex digits`)
    if (txids.has(txid)) {
      throw new TypeError(`${path}.txid: expected another one, because it made one payment only`)
    }
    txids.add(txid)
    if (id === undefined) continue
    requireString(id, `${path}.id`)
    if (ids.has(id)) {
      throw new TypeError(`${path}.id: expected another one, because one name is one payment`)
    }
    ids.add(id)
  }
}

/** Returns the claims of the operator, with txids in lower case. */
export function claimsIn({ paidBy = [] }: CommonOptions): readonly PaidBy[] {
  return paidBy.map(({ txid, id }) => ({ txid: txid.toLowerCase(), id }))
}

export const commonMembers: MemberTable<CommonOptions> = {
  network: true,
  journal: true,
  maxFee: true,
  repeatMs: true,
  allow: true,
  acknowledged: true,
  paidBy: true,
  listen: true,
  silenceMs: true,
  replyBytesMax: true,
  policy: true,
  record: true,
  users: true,
  metrics: true,
  health: true,
  onNotCompared: true,
  onDecision: true,
  onFailure: true,
}
