import { defaultFee, defaultMaxFee, dustThreshold, relayFee } from '../chain/limits.ts'
import type { PaymentIntent } from '../intent/intent.ts'
import { satsMax } from '../primitives/amount.ts'
import type { Transaction } from '../transaction/types.ts'
import { feeOf } from './judgement.ts'
import { type Finding, finding } from './report.ts'
import type { Reward } from './reward.ts'

/** What a payment may cost. */
export interface PaymentFee {
  /** Satoshis. */
  readonly least?: bigint
  /** Satoshis; what would be dust as change may be on top of it where the fee is exact. */
  readonly most: bigint
  readonly isExact: boolean
  /** Satoshis per 1000 bytes, where it is not known before the size is. */
  readonly rate?: bigint
}

/** Bounds of the fee, and what is wrong with them. */
export function paymentFee({ fee, maxFee, feeRate }: PaymentIntent): {
  readonly fee: PaymentFee
  readonly findings: readonly Finding[]
} {
  const most = maxFee ?? fee ?? defaultMaxFee(defaultFee)
  const isWrong =
    [fee, maxFee, feeRate].some((it) => it !== undefined && it < 0n) ||
    (fee !== undefined && (feeRate !== undefined || most < fee))
  const findings = isWrong
    ? [finding('intent_fee', 'intent.fee', { actual: [fee, maxFee, feeRate].join(', ') })]
    : []
  const isExact = fee !== undefined && maxFee === undefined
  if (feeRate === undefined) {
    return { findings, fee: { most, isExact, ...(fee !== undefined && { least: fee }) } }
  }
  // a rate is a bound by itself
  return { findings, fee: { most: maxFee ?? satsMax, isExact: false, rate: feeRate } }
}

interface PaidFee {
  readonly findings: readonly Finding[]
  /** Satoshis; absent where something is not known. */
  readonly paid?: bigint
  /** Whether a reward is part of it: that is the word of whoever gave heights and time. */
  readonly isAsserted: boolean
}

/** What nodes would not relay as change. */
const dust = dustThreshold(34)

/** A signature is up to this much longer than others: r and s may be short, or have a zero before. */
const bytesSpread = 8

export function checkPaymentFee(
  tx: Transaction,
  bounds: PaymentFee,
  {
    bytes,
    total,
    reward,
    hasChange,
  }: {
    readonly bytes: number
    readonly total: bigint | undefined
    readonly reward: Pick<Reward, 'amount' | 'late'>
    readonly hasChange: boolean
  },
): PaidFee {
  const path = 'fee'
  const without = feeOf(tx, total)
  if (without === undefined) return { findings: [finding('fee_unknown', path)], isAsserted: false }
  const { least, most } = ofRate(bounds, bytes, tx.inputs.length)
  const isClaimed = reward.amount > 0n && without < (least ?? relayFee(bytes))
  const paid = isClaimed ? without + reward.amount : without
  // nobody could claim what has only come since
  const allowed = isClaimed ? most + reward.late : most
  const spare = bounds.isExact && !hasChange ? dust - 1n : 0n
  const findings: Finding[] = []
  if (reward.amount > 0n) {
    const actual = reward.amount
    findings.push(finding(isClaimed ? 'reward_claimed' : 'reward_unclaimed', 'inputs', { actual }))
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
  return { findings, paid, isAsserted: isClaimed }
}

function ofRate(
  { least, most, rate }: PaymentFee,
  bytes: number,
  inputs: number,
): { readonly least?: bigint; readonly most: bigint } {
  if (rate === undefined) return { most, ...(least !== undefined && { least }) }
  const upper = (rate * BigInt(bytes + bytesSpread * inputs) + 999n) / 1000n + dust
  return { least: (rate * BigInt(bytes)) / 1000n, most: upper < most ? upper : most }
}
