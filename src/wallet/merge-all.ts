// Merges of thousands of coins, one transaction after another.

import { sumOf } from '../builders/coins.ts'
import { defaultFee } from '../chain/limits.ts'
import { argumentError } from '../primitives/arguments.ts'
import { requireRequest } from '../request/members.ts'
import {
  byValue,
  byValueDown,
  feesOf,
  isOf,
  type PlanContext,
  payingKey,
  plainCoins,
  provenUnits,
} from './choice.ts'
import { plainInputsMax, tokenInputsMax } from './merge.ts'
import { mergeStepPlan } from './merge-step-plan.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import { type MergeAllRequest, mergeAllForms } from './requests/merge.ts'
import type { Plan, Sent, Taken } from './send.ts'
import type { WalletCoin } from './view.ts'

/** The result of merging many coins. */
export interface Merged {
  /**
   * `merged` if nothing is left to merge. `stopped` if a step was not accepted: the last of `sent`
   * says why. Coins of a step that is uncertain stay reserved, and later steps spend none of them.
   */
  readonly status: 'merged' | 'stopped'
  readonly sent: readonly Sent[]
  /** Coins that are left, as far as they can be spent. */
  readonly coins: number
  /** Why a step after the first could not be made, such as a lack of coins for its fee. */
  readonly error?: unknown
}

interface MergeContext {
  readonly plans: PlanContext
  taken(): Promise<Taken>
  send(plan: Plan): Promise<Sent>
}

/** Merges until a payment of `amount` fits, or until one coin is left. */
export async function mergeAll(
  { plans, taken, send }: MergeContext,
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
  const sent: Sent[] = []
  const made = new Set<string>()
  for (;;) {
    const view = await plans.sync({})
    const { reserved } = await taken()
    const isFree = (coin: WalletCoin) => !reserved.has(keyOfOutpoint(coin))
    const coins =
      tokenid === undefined
        ? plainCoins(plans, view, isFree)
        : await provenUnits(plans, view, tokenid, isFree)
    const group = tokenid === undefined ? coins : ofOneKey(plans, coins, amount)
    const batch = batchOf(group, {
      amount,
      inputs: maxInputs,
      made,
      fee: fee ?? defaultFee,
      tokenid,
    })
    if (batch.length < 2) return { status: 'merged', sent, coins: coins.length }
    const [first] = batch.map(keyOfOutpoint).toSorted() as [string]
    const units =
      tokenid === undefined ? {} : { tokenid, to: batch[0]!.publicKey, amount: sumOf(batch) }
    const step = { first, ...units, ...feesOf({ fee, maxFee }) }
    const outpoints = batch.map(keyOfOutpoint)
    const result = await send(mergeStepPlan(plans, step, outpoints)).catch((error: unknown) => {
      // An error of a later step does not hide the steps that were sent.
      if (sent.length === 0) throw error
      return { error }
    })
    if ('error' in result && !('status' in result)) {
      return { status: 'stopped', sent, coins: coins.length, error: result.error }
    }
    sent.push(result)
    if (result.status !== 'accepted') return { status: 'stopped', sent, coins: coins.length }
    made.add(result.txid!)
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
