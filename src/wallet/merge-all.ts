// Merges of thousands of coins, one transaction after another.

import { sumOf } from '../builders/coins.ts'
import { defaultFee, inputsMax as transactionInputsMax } from '../chain/limits.ts'
import { argumentError } from '../primitives/arguments.ts'
import { requireRequest } from '../request/members.ts'
import { untilAborted } from './aborting.ts'
import { feesOf } from './case-terms.ts'
import {
  byValue,
  byValueDown,
  isOf,
  type PlanContext,
  payingKey,
  plainCoins,
  provenUnits,
} from './choice.ts'
import { plainInputsMax, tokenInputsMax, worthMerging } from './merge.ts'
import { mergeStepPlan } from './merge-step-plan.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import type { Plan, Taken } from './plan.ts'
import { type MergeAllRequest, mergeAllForms } from './requests/merge.ts'
import type { Sent } from './send-result.ts'
import type { View, WalletCoin } from './view.ts'

/** The result of merging many coins. */
export interface Merged {
  /**
   * `merged` if nothing is left to merge. `stopped` if a step was not accepted, failed, or was made
   * before; a step that was made before is not in `sent` again. Later steps spend no coins of an
   * uncertain step.
   */
  readonly status: 'merged' | 'stopped'
  readonly sent: readonly Sent[]
  /** Coins that are left, as far as they can be spent. */
  readonly coins: number
  /** Why a step after the first could not be made, such as a lack of coins for its fee. */
  readonly error?: unknown
}

/**
 * Milliseconds for which one look at the chain serves all steps, because a look reads all coins. A
 * signer may take minutes for each step, and a payment that counts from an old look expires early.
 */
const lookMsMax = 30_000

/** A look at the chain, and the coins that steps have spent since. */
interface Look {
  readonly view: View
  readonly beganAt: number
  readonly spent: Set<string>
  steps: number
}

interface MergeContext {
  readonly plans: PlanContext
  readonly signal: AbortSignal | undefined
  taken(): Promise<Taken>
  send(plan: Plan): Promise<Sent>
}

/** Merges until a payment of `amount` fits, or until one coin is left. */
export async function mergeAll(
  { plans, signal, taken, send }: MergeContext,
  request: MergeAllRequest,
): Promise<Merged> {
  requireRequest(request, mergeAllForms)
  const { amount, fee, maxFee } = request
  const tokenid = request.tokenid?.toLowerCase()
  const inputsMax = tokenid === undefined ? plainInputsMax : tokenInputsMax
  const { maxInputs = inputsMax } = request
  if (maxInputs < 2 || (tokenid !== undefined && maxInputs > tokenInputsMax)) {
    const most = tokenid === undefined ? 'at least 2' : `2 to ${tokenInputsMax}`
    throw argumentError('maxInputs', most, maxInputs)
  }
  const made = new Set<string>()
  // Only a new look shows the change for the next fee of a token, and the coin that makes the amount.
  const ageMsMax = (tokenid ?? amount) === undefined ? lookMsMax : 0
  let look: Look | undefined

  /** Returns the next merge, if there is one, and the number of coins before it. */
  async function nextStep(): Promise<{ readonly left: number; readonly plan?: Plan }> {
    if (look === undefined || performance.now() - look.beganAt >= ageMsMax) {
      const view = await plans.sync({ signal })
      look = { view, beganAt: performance.now(), spent: new Set(), steps: 0 }
    }
    const { view, spent, steps } = look
    const { reserved } = await taken()
    const isFree = (coin: WalletCoin) => {
      const key = keyOfOutpoint(coin)
      return !reserved.has(key) && !spent.has(key)
    }
    const coins =
      tokenid === undefined
        ? worthMerging(plainCoins(plans, view, isFree), feesOf({ fee, maxFee }))
        : await untilAborted(provenUnits(plans, view, tokenid, isFree), signal)
    const group = tokenid === undefined ? coins : ofOneKey(plans, coins, amount)
    const terms = {
      amount,
      inputs: Math.min(maxInputs, transactionInputsMax),
      made,
      fee: fee ?? defaultFee,
      tokenid,
    }
    const batch = batchOf(group, terms)
    const left = coins.length + steps
    if (batch.length < 2) {
      if (steps === 0) return { left }
      look = undefined
      return nextStep()
    }
    const keys = batch.map(keyOfOutpoint)
    const [first] = keys.toSorted() as [string]
    const units =
      tokenid === undefined ? {} : { tokenid, to: batch[0]!.publicKey, amount: sumOf(batch) }
    const step = { first, ...units, ...feesOf({ fee, maxFee }) }
    const context = ageMsMax === 0 ? plans : { ...plans, sync: async () => view }
    for (const key of keys) spent.add(key)
    look.steps += 1
    return { left, plan: mergeStepPlan(context, step, keys) }
  }

  const sent: Sent[] = []
  let coins = 0
  try {
    for (;;) {
      const { left, plan } = await nextStep()
      coins = left
      if (plan === undefined) return { status: 'merged', sent, coins }
      const result = await send(plan)
      const { txid } = result
      // A step that was made before changes nothing, and neither would the steps after it.
      if (txid !== undefined && made.has(txid)) return { status: 'stopped', sent, coins }
      sent.push(result)
      if (result.status !== 'accepted' || txid === undefined) {
        return { status: 'stopped', sent, coins }
      }
      made.add(txid)
    }
  } catch (error) {
    // An error of a later step does not hide the steps that were sent.
    if (sent.length === 0) throw error
    return { status: 'stopped', sent, coins, error }
  }
}

/** The units of the key that pays the amount, or else of the key with the most coins. */
function ofOneKey(
  plans: PlanContext,
  coins: readonly WalletCoin[],
  amount: bigint | undefined,
): readonly WalletCoin[] {
  if (amount !== undefined) return coins.filter(isOf(payingKey(plans, coins, amount)))
  const groups = plans.publicKeys.map((key) => coins.filter(isOf(key)))
  return groups.toSorted((one, other) => other.length - one.length)[0]!
}

interface BatchTerms {
  readonly amount: bigint | undefined
  readonly inputs: number
  readonly made: ReadonlySet<string>
  readonly fee: bigint
  readonly tokenid: string | undefined
}

/** Chooses the coins of the next step. Empty if the amount can be sent, or one coin is left. */
function batchOf(
  coins: readonly WalletCoin[],
  { amount, inputs, made, fee, tokenid }: BatchTerms,
): readonly WalletCoin[] {
  const sorted = coins.toSorted(byValueDown)
  const needed = amount === undefined || tokenid !== undefined ? amount : amount + fee
  if (needed !== undefined && sumOf(sorted.slice(0, inputs)) >= needed) return []
  // Coins of this run come last: a step that fails would take the steps that build on it along.
  const older = sorted.filter(({ txid }) => !made.has(txid))
  const pool = older.length >= 2 ? older : sorted
  return (amount === undefined ? pool.toSorted(byValue) : pool).slice(0, inputs)
}
