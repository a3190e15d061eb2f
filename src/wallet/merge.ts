// Merges: which transactions turn many coins into few, before a payment that needs too many inputs.

import { defaultFee } from '../chain/limits.ts'
import type { FeeTerms } from './requests/common.ts'

/**
 * As many token coins as komodod spends at once: src/cc/CCtokens.cpp, TokenTransfer. Nodes take
 * seconds to validate more, by the square of their number.
 */
export const tokenInputsMax = 60

/** Plain inputs that the usual fee relays, with room to spare: about 74 kB. */
export const plainInputsMax = 500

/**
 * Returns the coins that are worth a merge: the fee is at most a tenth of as many as one merge takes.
 * A stranger can send thousands of others. A caller who gives `maxFee` merges all.
 */
export function worthMerging<Coin extends { readonly value: bigint }>(
  coins: readonly Coin[],
  { fee = defaultFee, maxFee }: FeeTerms,
): readonly Coin[] {
  if (maxFee !== undefined) return coins
  return coins.filter(({ value }) => value * BigInt(plainInputsMax) >= 10n * fee)
}

/** One transaction that turns several coins into one. */
export interface MergeStep {
  /** Number of coins that it spends, beside the coin that pays the fee of a token merge. */
  readonly coins: number
  /** Satoshis, or token units, of the coin that it makes. */
  readonly amount: bigint
  /** Satoshis. */
  readonly fee: bigint
}

/** The merges after which a payment fits into one transaction. */
export interface MergePlan {
  /** The token whose coins are merged; absent for plain coins. */
  readonly tokenid?: string
  readonly steps: readonly MergeStep[]
  /** Satoshis for all steps. The payment's own fee comes on top. */
  readonly fee: bigint
  /** Satoshis, or token units, that one transaction can send before any merge. */
  readonly sendable: bigint
}

/** A payment needs more inputs than a transaction should have: merge coins first. */
export class NeedsMerge extends Error {
  override readonly name = 'NeedsMerge'
  readonly plan: MergePlan
  constructor(plan: MergePlan) {
    const { steps, sendable } = plan
    super(
      `needs too many inputs: at most ${sendable} can be sent at once; ` +
        `merge coins first, in ${steps.length} transactions`,
    )
    this.plan = plan
  }
}

interface MergeTerms {
  readonly tokenid?: string
  /** Coins that one transaction spends at most. */
  readonly inputs: number
  /** Satoshis for each step. */
  readonly fee: bigint
}

/**
 * Plans merges until the largest `inputs` coins reach `target`, or until so few are left.
 *
 * @returns `undefined` if no merging helps
 */
export function planMerges(
  values: readonly bigint[],
  target: bigint | 'all',
  { tokenid, inputs, fee }: MergeTerms,
): MergePlan | undefined {
  let rest = values.toSorted(downwards)
  let made: bigint[] = []
  const sendable = sum(rest.slice(0, inputs))
  const steps: MergeStep[] = []
  for (;;) {
    const all = [...rest, ...made].toSorted(downwards)
    const isEnough = target === 'all' ? all.length <= inputs : sum(all.slice(0, inputs)) >= target
    if (isEnough) {
      const fees = fee * BigInt(steps.length)
      return { ...(tokenid !== undefined && { tokenid }), steps, fee: fees, sendable }
    }
    if (rest.length < 2) {
      // The merged coins are merged again.
      if (made.length < 2) return undefined
      rest = all
      made = []
    }
    const batch = rest.splice(0, inputs)
    const amount = sum(batch) - (tokenid === undefined ? fee : 0n)
    if (amount <= 0n) return undefined
    steps.push({ coins: batch.length, amount, fee })
    made.push(amount)
  }
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

function downwards(one: bigint, other: bigint): number {
  if (one === other) return 0
  return one < other ? 1 : -1
}
