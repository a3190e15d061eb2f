// The result of a call that sends.

import type { UnsignedTransaction } from '../builders/unsigned.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { type Report, unverifiedReport } from '../request/report.ts'
import { isRpcError, type UnsettledTransaction } from '../rpc/errors.ts'
import type { Checked } from '../rpc/safe-flow/check.ts'
import type { Held, SafeFlowResult } from '../rpc/safe-flow/flow.ts'
import { paysOther } from '../rpc/safe-flow/pays-other.ts'
import type { HoldingSpends } from './holding-spends.ts'
import { type MergePlan, NeedsMerge } from './merge.ts'
import type { Confirmed, WaitOptions } from './wait.ts'

/** The result of everything that sends. */
export interface Sent extends SendResult {
  /**
   * Resolves when the payment is deep enough, as `waitFor` does.
   *
   * @throws {NotMined} when it can no longer be mined, was not sent, or is not what was requested
   */
  confirmed(options?: WaitOptions): Promise<Confirmed>
}

/** The outcome of a payment. */
export interface SendResult {
  /**
   * - `accepted`   the source has it; only a block settles it
   * - `uncertain`  it may have been sent; repeat the same call, which sends no other. With `held:
   *                'rejected'`, what may have been sent has expired, or is not what was requested, as
   *                far as the keys of this wallet show. With `held: 'unrecorded-spends'`, the call
   *                ends like this until it is repeated as described there
   * - `held`       this call sent nothing, and `held` says why. `unsettled` names what an earlier
   *                one may have sent
   * - `rejected`   what was built, or recorded before, is not what was requested
   */
  readonly status: 'accepted' | 'uncertain' | 'held' | 'rejected'
  readonly txid?: string
  /** The token that a `createToken` made. */
  readonly tokenid?: string
  /**
   * The report of the transaction that this call made, found or sent again. With `unverified`, the
   * call verified none. If the payment is `uncertain`, `txid` may have been sent all the same.
   */
  readonly report: Report
  /** The built transaction; absent if an earlier attempt was found or sent again. */
  readonly case?: UnsignedTransaction
  /**
   * Why this call sent nothing; an earlier one may have sent what `unsettled` names. `under-way`:
   * another call waits for its `confirm` or its signer, and may make the same payment. `warned`:
   * the report warns of something that could cost the money; the codes in `allow` let it pass.
   * `unrecorded-spends`: the chain shows spends of the wallet's coins that its journal does not
   * have. The journal may be an old copy, and this payment may be made already. `unrecorded` names
   * the spends, and `acknowledged` lets them pass, except those of `paidBy`. `needs-merge`: the
   * payment needs more inputs than a transaction should have, and `merge` says which merges help.
   */
  readonly held?: Held | 'needs-merge'
  readonly merge?: MergePlan
  readonly unrecorded?: readonly string[]
  /**
   * The txids of `unrecorded` that make this very payment, oldest first and 16 at most. Name one as
   * the option `paidBy`, with the `id` that it paid: the journal then has it.
   */
  readonly paidBy?: readonly string[]
  /** The payment was made before: this call found it and made nothing new. */
  readonly repeated?: true
  /**
   * True if the call has an `id` and the wallet has no `journal`. Only the memory of this process
   * then has the payment: after a restart, the same `id` pays again.
   */
  readonly onlyInMemory?: true
  /** Transactions that may have been sent for the same request before. */
  readonly unsettled?: readonly UnsettledTransaction[]
  /** The failure that leaves a payment uncertain. */
  readonly error?: unknown
}

/**
 * Returns true if a transaction, by the keys of this wallet at least, is not the requested one. One
 * that has expired may still be it.
 */
export function isOtherPayment({ report }: Checked): boolean {
  const findings = report.findings.filter(({ code }) => code !== 'expired')
  return paysOther({ report: { ...report, findings } })
}

export interface CheckedCase extends Checked {
  readonly case?: UnsignedTransaction
}

/** The reasons of the wallet to hold a payment, beside those of the flow. */
export interface Reasons {
  readonly spends: HoldingSpends
  /** True if the report has a warning that the caller did not allow. */
  readonly isWarned: boolean
}

/** @param isForgotten - true if only the memory of this process has the `id` */
export function resultOf(
  paid: SafeFlowResult,
  { spends: { unrecorded, equal }, isWarned }: Reasons,
  isForgotten: boolean,
): SendResult {
  // A payment that was confirmed is declined for spends that came meanwhile.
  const isUnsent = ['rejected', 'unsettled', 'declined'].includes(`${paid.held}`)
  if (isUnsent && unrecorded.length > 0) {
    const made = equal.length > 0 ? { paidBy: equal } : {}
    const held = { ...paid, held: 'unrecorded-spends', unrecorded, ...made } as const
    const [latest] = paid.unsettled ?? []
    if (latest === undefined) return { ...held, status: 'held' }
    const { txid, hex } = latest
    return { ...held, status: 'uncertain', txid, report: { ...unverifiedReport, hex } }
  }
  const why = isWarned && paid.held === 'declined' ? { held: 'warned' as const } : {}
  const kept = isForgotten && paid.txid !== undefined ? { onlyInMemory: true as const } : {}
  const result = { ...paid, ...why, ...kept }
  const { txid: sent } =
    paid.unsettled?.find(({ hex }) => hex === paid.report.hex.toLowerCase()) ?? {}
  if (paid.held === 'rejected' && sent !== undefined) {
    return { ...result, status: 'uncertain', txid: sent }
  }
  return { ...result, status: statusOf(paid) }
}

function statusOf({ txid, held }: SafeFlowResult): SendResult['status'] {
  if (txid !== undefined) return 'accepted'
  return held === 'rejected' ? 'rejected' : 'held'
}

/**
 * @param earlier - the attempts that an earlier call may have sent
 * @param confirmed - the report of what this call was about to send
 * @throws everything that does not leave the payment held or uncertain
 */
export function failedResult(
  error: unknown,
  earlier: readonly UnsettledTransaction[],
  confirmed?: Report,
): SendResult {
  if (error instanceof NeedsMerge) {
    const held = { status: 'held', held: 'needs-merge', merge: error.plan } as const
    return { ...held, report: unverifiedReport, ...(earlier.length > 0 && { unsettled: earlier }) }
  }
  // A source that hides an earlier attempt can show its coins as spent, or its order as taken.
  const isOfBuild = isAntaraError(error) && !/^(?:id_conflict$|journal_)/.test(error.code)
  const isUncertain = isOfBuild ? earlier.length > 0 : isRpcError(error) && error.uncertain === true
  if (!isUncertain) throw error
  const { txid, unsettled = [] } = isRpcError(error)
    ? error
    : { txid: earlier[0]?.txid, unsettled: earlier }
  const hex = unsettled[0]?.hex ?? ''
  const isVerified = confirmed !== undefined && confirmed.verified?.hex === hex
  const report = isVerified ? confirmed : { ...unverifiedReport, hex }
  return { status: 'uncertain', ...(txid && { txid }), report, unsettled, error }
}
