// The plans of payments and of merges.

import { buildConsolidation, buildPayment } from '../builders/payment.ts'
import { defaultFee, lockTimeThreshold } from '../chain/limits.ts'
import { mayAccrue } from '../chain/reward.ts'
import { AntaraError, isAntaraError } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { argumentError, requireString } from '../primitives/arguments.ts'
import type { Evidence } from '../request/evidence.ts'
import { requireRequest } from '../request/members.ts'
import type { PaymentIntent } from '../request/payment.ts'
import { pubkeyHashScript } from '../script/key-script.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import { scriptOfAddress } from '../script/script.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import type { Outpoint } from '../transaction/types.ts'
import { evidenceOf, feesOf, keysOf, requestText, spending } from './case-terms.ts'
import {
  byValue,
  changeMargin,
  feeMargin,
  type PlanContext,
  plainCoins,
  spendableCoins,
  spendingKeys,
  withEarlier,
  withSharedCoins,
} from './choice.ts'
import { heightsOf } from './looks.ts'
import { NeedsMerge, plainInputsMax, planMerges, worthMerging } from './merge.ts'
import { possiblePlace } from './places.ts'
import type { CaseOptions, Plan } from './plan.ts'
import type { FeeTerms } from './requests/common.ts'
import { type MergeRequest, mergeForms } from './requests/merge.ts'
import { type PaidOutput, type PayRequest, payForms } from './requests/pay.ts'
import type { View, WalletCoin } from './view.ts'

/** Terms of a payment that another machine built. The wallet's own requests do not have them. */
export interface BuiltPayment {
  readonly lockTime?: number | undefined
  readonly expiryHeight?: number | undefined
  readonly expiryBlocksMax?: number | undefined
  readonly maxChangeOutputs?: number | undefined
  /** Scripts behind addresses that the caller named as own. */
  readonly redeemScripts?: readonly string[] | undefined
}

/** @throws {TypeError} for members that a request does not have, or of the wrong type */
export function payPlan(
  context: PlanContext,
  request: PayRequest,
  builtTerms: BuiltPayment = {},
): Plan {
  const { network } = context
  requireRequest(request, payForms)
  const { fee, maxFee, feeRate, nulldata } = request
  const readRecipients = () =>
    recipientsOf(request).map(({ to, amount }, at) => {
      const path = request.recipients === undefined ? 'to' : `recipients[${at}].to`
      return { script: scriptPaid(to, path, context), amount }
    })
  const recipients = readRecipients()
  const terms = {
    network,
    recipients,
    ...(fee !== undefined && { fee }),
    ...(maxFee !== undefined && { maxFee }),
    ...(feeRate !== undefined && { feeRate }),
    ...(nulldata !== undefined && { nulldata }),
  }
  const paid = recipients.map(({ script, amount }) => `${script} ${amount}`).toSorted()
  return {
    key: JSON.stringify(['pay', ...paid, nulldata?.toLowerCase() ?? '']),
    request: () => requestText(context, { wallet: 'pay', ...request, ...builtTerms }),
    mayBe: ({ outputs }) =>
      recipients.every(({ script, amount }) =>
        outputs.some((it) => it.script === script && (amount === 'max' || it.value === amount)),
      ),
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree, isShared) => {
        const view = await context.sync(limits)
        // A payee may be the token address of a key that was found just now.
        readRecipients()
        const needed = sumPaid(recipients)
        const all = spendableCoins(context, view, isFree, { needed })
        const isMany = needed === 'max' && all.length > plainInputsMax
        // Merges of the others would cost too much. `maxFee` limits the fee of this payment, and does
        // not ask for them.
        const offered = isMany ? worthMerging(all, {}) : all
        const earlier = plainCoins(context, view, isShared)
        const paidFee = fee ?? (feeRate === undefined ? defaultFee : feeMargin)
        const sum = (needed === 'max' ? 0n : needed) + paidFee + changeMargin
        const { coins, spend = 'selected' } = withEarlier(earlier, offered, sum)
        try {
          const own = spendingKeys(context.changeKey(), coins)
          return buildPayment({ ...terms, own, spend, ...spending(context, view, coins) })
        } catch (error) {
          throw needsMergeError(error, plainCoins(context, view, isFree), needed, request) ?? error
        }
      }),
    caseOf: paymentCases(context, terms, builtTerms),
  }
}

/** Returns the cases of a payment that has no more terms than these. */
function paymentCases(
  context: PlanContext,
  terms: Omit<PaymentIntent, 'own'>,
  builtTerms: BuiltPayment,
): Plan['caseOf'] {
  return async (hex, state, options) => ({
    operation: 'payment',
    intent: { ...terms, ...builtIn(hex, state, builtTerms), own: keysOf(context, options) },
    hex,
    evidence: await paymentEvidence(context, hex, state, options),
  })
}

/**
 * Returns the built terms of one transaction. A lock time or an expiry height of another one is left
 * out: this transaction must have those that the wallet gives. In a block, any expiry height will do.
 */
function builtIn(
  hex: string,
  state: 'new' | 'on-chain',
  { lockTime, expiryHeight, expiryBlocksMax, maxChangeOutputs, redeemScripts }: BuiltPayment,
): Partial<PaymentIntent> {
  const made = decodeTransaction(hex)
  const isEnd = state === 'on-chain' || expiryHeight === made.expiryHeight
  return {
    ...(lockTime !== undefined && lockTime === made.lockTime && { lockTime }),
    ...(isEnd && made.expiryHeight !== undefined && { expiryHeight: made.expiryHeight }),
    ...(expiryBlocksMax !== undefined && { expiryBlocksMax }),
    ...(maxChangeOutputs !== undefined && { maxChangeOutputs }),
    ...(redeemScripts !== undefined && { redeemScripts }),
  }
}

/**
 * Returns the evidence of a payment. If a block has it, the tip is the last block before its expiry
 * height. If it has no expiry height, the tip is the block that has it. The reward is that of the lock
 * time.
 */
async function paymentEvidence(
  context: PlanContext,
  hex: string,
  state: 'new' | 'on-chain',
  options: CaseOptions,
): Promise<Evidence> {
  if (state === 'new') return evidenceOf(context, hex, 'new', options)
  const transaction = decodeTransaction(hex)
  const { lockTime, expiryHeight = 0, inputs } = transaction
  const hasExpiry = expiryHeight > 0
  // One call may verify thousands, so the chain is asked only if there is no expiry height.
  const evidence = await evidenceOf(context, hex, hasExpiry ? 'on-chain' : 'new', options)
  const { tipHeight: tip = 0, tipTime: _, ...lasting } = evidence
  const blockHeight = async (): Promise<number> => {
    const { listed } = await context.historyOf(transaction, options)
    return possiblePlace(transaction, heightsOf(listed), tip).height ?? tip
  }
  return {
    ...lasting,
    tipHeight: hasExpiry ? expiryHeight - 1 : await blockHeight(),
    ...(lockTime >= lockTimeThreshold && { tipTime: rewardTime(context, lockTime, inputs) }),
  }
}

/**
 * Returns the lock time of a payment, or that of a coin if it is later: the coin then has no reward.
 * Coins that never accrue a reward do not count, because anyone can make them with a lock time in the
 * future.
 */
function rewardTime({ known }: PlanContext, lockTime: number, inputs: readonly Outpoint[]): number {
  return inputs.reduce((latest, { txid, vout }) => {
    const made = known.get(txid)
    const value = made?.outputs[vout]?.value ?? 0n
    return made !== undefined && mayAccrue(value, made.lockTime)
      ? Math.max(latest, made.lockTime)
      : latest
  }, lockTime)
}

/** Errors of builders that fewer inputs can prevent. */
const tooMany: readonly ErrorCode[] = ['input_count', 'transaction_too_large', 'fee_below_relay']

/** Returns an error with the required merges, if the payment failed because it has too many inputs. */
function needsMergeError(
  error: unknown,
  coins: readonly WalletCoin[],
  needed: bigint | 'max',
  { fee = defaultFee }: FeeTerms,
): NeedsMerge | undefined {
  if (!isAntaraError(error) || !tooMany.includes(error.code)) return undefined
  if (coins.length <= plainInputsMax) return undefined
  const target = needed === 'max' ? 'all' : needed + fee
  const values = worthMerging(coins, {}).map(({ value }) => value)
  const plan = planMerges(values, target, { inputs: plainInputsMax, fee: defaultFee })
  // A plan without a step helps nobody, and the error itself names the way on.
  return plan && plan.steps.length > 0 ? new NeedsMerge(plan) : undefined
}

/** Returns a plan that merges the smallest coins into one. */
export function mergePlan(
  context: PlanContext,
  request: MergeRequest,
  builtTerms: BuiltPayment = {},
): Plan {
  requireRequest(request, mergeForms)
  const { maxInputs = plainInputsMax, ...fees } = request
  const [to] = context.publicKeys
  const choose = (view: View, isFree: IsFree) => {
    // The journal may have such a merge, which this check does not keep from being settled.
    if (maxInputs < 2) throw argumentError('maxInputs', 'at least 2', maxInputs)
    const coins = worthMerging(plainCoins(context, view, isFree), fees)
    return coins.toSorted(byValue).slice(0, maxInputs)
  }
  return {
    ...consolidationOf(context, fees, choose, builtTerms),
    key: JSON.stringify(['merge', to]),
    // A mined merge is finished: a repeated call merges other coins.
    repeatMs: 0,
    request: () => requestText(context, { wallet: 'merge', ...request, ...builtTerms }),
  }
}

type IsFree = (coin: WalletCoin) => boolean

/**
 * Merges the coins that `choose` returns, at most 1024. It refuses fewer than two, because merging one
 * coin only pays a fee.
 */
export function consolidationOf(
  context: PlanContext,
  { fee, maxFee }: FeeTerms,
  choose: (view: View, isFree: IsFree) => readonly WalletCoin[],
  builtTerms: BuiltPayment = {},
): Pick<Plan, 'build' | 'caseOf'> {
  const { network, publicKeys } = context
  const terms = { network, ...feesOf({ fee, maxFee }) }
  const [to] = publicKeys
  const recipients = [{ script: pubkeyHashScript(to!), amount: 'max' as const }]
  return {
    build: (taken, limits) =>
      withSharedCoins(taken, async (isFree, isShared) => {
        const view = await context.sync(limits)
        const earlier = choose(view, isShared)
        const coins = earlier.length < 2 ? choose(view, isFree) : earlier
        const [expected, actual] = ['at least 2 coins to merge', coins.length]
        if (actual < 2)
          throw new AntaraError('insufficient_coins', { path: 'coins', expected, actual })
        const own = spendingKeys(to!, coins)
        const built = { ...terms, own, ...spending(context, view, coins) }
        return buildConsolidation({ ...built, maxInputs: coins.length })
      }),
    caseOf: paymentCases(context, { ...terms, recipients }, builtTerms),
  }
}

function recipientsOf({ to, amount, recipients }: PayRequest): readonly PaidOutput[] {
  if (recipients !== undefined) {
    if (to !== undefined || amount !== undefined) {
      throw argumentError('recipients', 'recipients, or to and amount, not both', recipients)
    }
    return recipients
  }
  if (to === undefined || amount === undefined) {
    throw argumentError(to === undefined ? 'to' : 'amount', 'a recipient and an amount', undefined)
  }
  return [{ to, amount }]
}

function sumPaid(recipients: readonly { readonly amount: bigint | 'max' }[]): bigint | 'max' {
  let sum = 0n
  for (const { amount } of recipients) {
    if (amount === 'max') return 'max'
    sum += amount
  }
  return sum
}

/** A public key and its address have the same locking script, so they are one payee. */
function scriptPaid(to: string, path: string, { network, own }: PlanContext): string {
  requireString(to, path)
  // On komodod's chains a token address has the form of a key's address, and no key can spend from it.
  if (own.addresses.some(({ tokenAddresses }) => tokenAddresses.includes(to))) {
    throw new TypeError(`${path}: ${to} is a token address of this wallet; it holds no coins`)
  }
  const key = to.toLowerCase()
  if (isCompressedPoint(key)) return pubkeyHashScript(key)
  try {
    return scriptOfAddress(to, network)
  } catch (error) {
    if (!isAntaraError(error, 'unknown_address')) throw error
    // The path shows which of thousands of recipients has the wrong address.
    throw new AntaraError('unknown_address', { ...error.context, path })
  }
}
