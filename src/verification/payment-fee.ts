// The range in which the fee of a payment may be.

import { defaultFee, defaultMaxFee, dustThreshold, feeAtRate, relayFee } from '../chain/limits.ts'
import type { PaymentIntent } from '../request/payment.ts'
import { type Finding, finding } from '../request/report.ts'
import type { Transaction } from '../transaction/types.ts'
import { type CheckedFee, feeOf } from './fee.ts'
import { allBytes, neededBytes, type PaymentSize } from './payment-size.ts'
import type { Reward } from './reward.ts'

export interface PaymentFee {
  /** Satoshis. */
  readonly least?: bigint
  /**
   * Satoshis. Where the fee is exact, change that would be dust may be added to it. Undefined
   * where the request has only a rate.
   */
  readonly most: bigint | undefined
  readonly isExact: boolean
  /** Satoshis per 1000 bytes, where the fee follows from the size. */
  readonly rate?: bigint
}

export function paymentFee({ fee, maxFee, feeRate }: PaymentIntent): PaymentFee {
  if (feeRate !== undefined) return { most: maxFee, isExact: false, rate: feeRate }
  const isExact = fee !== undefined && maxFee === undefined
  return { most: maxFee ?? fee ?? usualMaxFee, isExact, ...(fee !== undefined && { least: fee }) }
}

/** The fee limit of a payment whose request has none. */
export const usualMaxFee: bigint = defaultMaxFee(defaultFee)

/** The fee that a request allows, once the size is known; satoshis. */
interface FeeRange {
  readonly least?: bigint
  readonly most: bigint
}

/**
 * Applies a rate to the size that the payment needs. Further inputs, which the server chose, may
 * raise the fee up to `maxFee`, or up to the default limit.
 */
export function feeRange({ least, most, rate }: PaymentFee, size: PaymentSize): FeeRange {
  if (rate === undefined) {
    return { most: most ?? usualMaxFee, ...(least !== undefined && { least }) }
  }
  const feeFor = (bytes: number) => feeAtRate(bytes, rate)
  const ofAll = feeFor(allBytes(size)) + dust
  const bounded = smaller(ofAll, most ?? usualMaxFee)
  const needed = most === undefined ? feeFor(neededBytes(size, feeFor)) + dust : 0n
  return {
    least: (rate * BigInt(size.signed)) / 1000n,
    most: needed > bounded ? needed : bounded,
  }
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}

interface PaidFee extends Omit<CheckedFee, 'least'> {
  /** The fee, satoshis, including a part that a reward pays; absent if it is not known. */
  readonly paid?: bigint
}

/** The dust threshold of a change output, satoshis. */
const dust = dustThreshold(34)

export function checkPaymentFee(
  tx: Transaction,
  { least, most }: FeeRange,
  {
    bytes,
    isExact,
    total,
    reward,
    hasChange,
  }: {
    /** The size of the transaction as it is, signed. */
    readonly bytes: number
    readonly isExact: boolean
    readonly total: bigint | undefined
    readonly reward: Pick<Reward, 'amount' | 'late'>
    readonly hasChange: boolean
  },
): PaidFee {
  const path = 'fee'
  const difference = feeOf(tx, total)
  if (difference === undefined) {
    return { findings: [finding('fee_unknown', path)], isRewardClaimed: false }
  }
  const isClaimed = reward.amount > 0n && difference < 0n
  // If the coins alone do not pay the fee, the reward does.
  const isRewardPaid = reward.amount > 0n && difference < (least ?? relayFee(bytes))
  const paid = isRewardPaid ? difference + reward.amount : difference
  // The part that accrued later could not be claimed yet.
  const allowed = isRewardPaid ? most + reward.late : most
  const spare = isExact && !hasChange ? dust - 1n : 0n
  const findings: Finding[] = []
  if (reward.amount > 0n) {
    const ofReward = isRewardPaid ? 'reward_in_fee' : 'reward_unclaimed'
    const code = isClaimed ? 'reward_claimed' : ofReward
    findings.push(finding(code, 'inputs', { actual: reward.amount }))
  }
  if (paid < (least ?? 0n)) {
    findings.push(finding('fee_too_low', path, { expected: least ?? 0n, actual: paid }))
  } else if (paid > allowed + spare) {
    findings.push(finding('fee_too_high', path, { expected: allowed, actual: paid }))
  } else if (paid > allowed) {
    findings.push(finding('fee_rounding', path, { expected: allowed, actual: paid }))
  }
  if (paid >= 0n && paid < relayFee(bytes)) {
    const details = { expected: relayFee(bytes), actual: paid }
    findings.push(finding('fee_below_relay', path, details))
  }
  return { findings, paid, isRewardClaimed: isClaimed, inputsMinusOutputs: difference }
}
