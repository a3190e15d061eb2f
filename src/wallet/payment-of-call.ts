// One call of the wallet as a payment of the safe flow: how it is built, verified, found and sent.

import type { ChainOptions } from '../chain-source/source.ts'
import { type Report, unverifiedReport } from '../request/report.ts'
import { type Moment, momentNow } from '../rpc/clock.ts'
import type { Payment } from '../rpc/safe-flow/flow.ts'
import type { UnsettledEqual } from '../rpc/safe-flow/options.ts'
import { readTransaction } from '../rpc/safe-flow/transaction.ts'
import { runCallback } from '../rpc/safe-flow/turns.ts'
import { isComparedLongAgo } from '../rpc/safe-flow/unrecorded.ts'
import { signCaseWith, verifyOnDemand } from '../verification/on-demand.ts'
import { untilAborted } from './aborting.ts'
import { broadcast, broadcastAgain } from './broadcast.ts'
import { withClaims } from './claims.ts'
import { isDeadAttempt } from './dead-attempt.ts'
import { isHeldByWarning } from './held-warnings.ts'
import { holdingSpends, noSpends } from './holding-spends.ts'
import type { SendOptions } from './options.ts'
import { type LooksContext, looksOf } from './payment-looks.ts'
import type { Plan } from './plan.ts'
import { withNames } from './recorded-request.ts'
import type { CheckedCase, Reasons } from './send-result.ts'
import type { WalletSigner } from './signer.ts'
import type { TakenCoins } from './taken-coins.ts'
import type { Compared, UnrecordedSpend } from './unrecorded.ts'

export interface SenderContext extends LooksContext {
  /** Returns the signers of the keys that the coins of a transaction belong to. */
  signersOf(coins: readonly { readonly script: string }[]): readonly WalletSigner[]
  /** True if the user gave the journal. */
  readonly isDurable: boolean
  /** True if the user names the chain, which the source then compares. */
  readonly isChainNamed: boolean
  /** True if the user runs the source. Its claims about depth may then end an attempt. */
  readonly trustSource: boolean
  /** Returns the wallet's keys that a transaction pays, and then those whose coins it spends. */
  keysIn(hex: string): readonly string[]
  /** Returns spends of the wallet's coins that the journal does not have. */
  unrecorded(
    compared: Omit<Compared, 'journal' | 'blocksBack'>,
    options: ChainOptions,
  ): Promise<readonly UnrecordedSpend[]>
}

interface SendCall {
  readonly plan: Plan
  readonly options: SendOptions
  /** Hex that another machine signed; nothing is built then. */
  readonly signed: string | undefined
  /** The name of the payment in the journal. */
  readonly name: string
}

interface CallPayment {
  readonly payment: Payment
  reasons(): Reasons
  /** Returns the report of what the call was about to send; `undefined` if nothing was verified. */
  confirmed(): Report | undefined
}

export function paymentOfCall(
  context: SenderContext,
  choose: TakenCoins['choose'],
  { plan, options, signed, name }: SendCall,
): CallPayment {
  const { chain, journal } = context
  const limits = { signal: options.signal }
  const { confirm, allow: _, acknowledged = [], ...flowOptions } = options
  let spends = noSpends
  let comparedAt: Moment | undefined
  let isWarned = false
  let lastReport: Report | undefined
  /** False once the transaction is a new one. */
  let isRecorded = true
  let chainId: string | undefined
  /** The keys of the new transaction. */
  let usedKeys: readonly string[] = []
  const looks = looksOf(context, plan, name, limits)
  const { verified, verifiedByKnownKeys, requestBefore, lookUp, place, spender } = looks

  async function isConfirmed(report: Report, equal: readonly UnsettledEqual[]): Promise<boolean> {
    lastReport = report
    const { usualWarnings } = plan
    isWarned = isHeldByWarning(report, { ...options, usualWarnings, isRecorded })
    if (isWarned) return false
    if (confirm !== undefined && (await confirm(report, equal)) !== true) return false
    const own = report.verified?.txid
    return !(isComparedLongAgo(comparedAt) && (await isHeldBySpends(isRecorded, own)))
  }

  /**
   * Resolves with true if spends that the journal does not have hold the payment.
   *
   * @param isEqualOnly - true for bytes that were recorded: what the caller acknowledged then is not
   *   known any more
   * @param own - txid of the transaction that is about to be recorded: a signer may have sent it
   */
  async function isHeldBySpends(isEqualOnly: boolean, own?: string): Promise<boolean> {
    const submitted = signed === undefined ? own : (await readTransaction(signed))?.txid
    comparedAt = momentNow()
    const compared = { chain: chainId, terms: plan.key, isEqualOnly }
    spends = await holdingSpends(await context.unrecorded(compared, limits), {
      plan,
      acknowledged,
      submitted,
      verify: (hex) => verifiedByKnownKeys(hex, 'on-chain'),
    })
    return spends.unrecorded.length > 0
  }

  async function newTransaction(): Promise<CheckedCase> {
    isRecorded = false
    if (await isHeldBySpends(false)) return { report: unverifiedReport }
    if (signed !== undefined) {
      const given = await plan.caseOf(signed, 'new', limits)
      usedKeys = context.keysIn(signed)
      return { report: withClaims(await verifyOnDemand(given, limits), chain.name) }
    }
    const built = await choose(name, plan, options.signal)
    usedKeys = context.keysIn(built.hex)
    const signers = context.signersOf(built.coins)
    // A signer may be a person with a device, or a program that calls the wallet.
    const report = await runCallback(journal, name, () =>
      untilAborted(signCaseWith(built, signers), options.signal),
    )
    return { report: withClaims(report, chain.name), case: built }
  }

  async function check(hex: string, state?: 'on-chain'): Promise<CheckedCase> {
    if (state === 'on-chain') return { report: await verified(hex, state) }
    if (await isHeldBySpends(true)) return { report: unverifiedReport }
    return { report: withClaims(await verified(hex, 'new'), chain.name) }
  }

  const payment: Payment = {
    client: chain,
    key: plan.key,
    options: {
      ...(plan.repeatMs !== undefined && { repeatMs: plan.repeatMs }),
      ...flowOptions,
      confirm: isConfirmed,
      journal,
      trustServer: context.trustSource,
    },
    request: () => withNames(plan.request(), { used: usedKeys, before: requestBefore() }),
    refusal: 'daemon',
    newTransaction,
    check,
    ...{ lookUp, place, spender },
    ...(plan.isBuiltElsewhere && { isBuiltElsewhere: true }),
    async chain() {
      chainId = await chain.chain?.(limits)
      return chainId
    },
    ...(context.isChainNamed && { requireChain: async () => chain.chain?.(limits) }),
    tip: async () => (await chain.tip(limits)).height,
    isDead: (attempt) => isDeadAttempt(context, attempt, limits),
    send: (attempt) => broadcast(chain, attempt, limits),
    sendAgain: (attempt) => broadcastAgain(chain, attempt, limits),
  }
  return { payment, reasons: () => ({ spends, isWarned }), confirmed: () => lastReport }
}
