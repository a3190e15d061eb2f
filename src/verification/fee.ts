import { defaultFee, defaultMaxFee, highFee } from '../chain/limits.ts'
import { type Finding, finding } from '../request/report.ts'
import type { FeeBounds } from '../request/terms.ts'
import type { Transaction } from '../transaction/types.ts'

/** The fee that a transaction pays, as far as it is known. */
export interface CheckedFee {
  readonly findings: readonly Finding[]
  /** The lowest fee that the request allows, satoshis. */
  readonly least: bigint
  /** Satoshis of the inputs less those of the outputs; absent if an amount is unknown. */
  readonly inputsMinusOutputs?: bigint | undefined
  /**
   * True if the outputs exceed the inputs, which only a reward can pay for. The fee then
   * follows from heights and times that the bytes do not prove.
   */
  readonly isRewardClaimed: boolean
}

/** Returns the inputs less the outputs. A token's units count, as satoshis of its output. */
export function feeOf({ outputs }: Transaction, total: bigint | undefined): bigint | undefined {
  if (total === undefined) return undefined
  return outputs.reduce((rest, { value }) => rest - value, total)
}

interface FeeCircumstances {
  readonly hasChange: boolean
  /** True if the daemon's builder may leave less than the fee where it gives no change. */
  readonly isLowWithoutChange?: boolean | undefined
}

/**
 * Warns of a fee above a tenth of the inputs; of one above 1 % of the coins that move and above the
 * default limit; and of any above `highFee`. A person who signs a case file sees its fee, but
 * not whether that fee is usual.
 *
 * @param paid - satoshis, like all amounts here
 * @param spent - sum of the inputs; undefined where more than a tenth of it may be the fee
 * @param moved - sum that recipients get; if absent, that of the inputs
 */
export function checkShare(
  paid: bigint | undefined,
  spent: bigint | undefined,
  moved: bigint | undefined = spent,
): Finding[] {
  if (paid === undefined || moved === undefined) return []
  if (spent !== undefined && paid * 10n > spent) {
    return [finding('fee_share', 'fee', { expected: `at most ${spent / 10n}`, actual: paid })]
  }
  const usual = defaultMaxFee(defaultFee)
  const share = moved / 100n > usual ? moved / 100n : usual
  const bound = share < highFee ? share : highFee
  if (paid <= bound) return []
  return [finding('fee_high', 'fee', { expected: `at most ${bound}`, actual: paid })]
}

/**
 * Checks the fee of an operation on tokens. komodod gives change only from two fees on, and adds a
 * smaller rest to the fee. With change, the fee is exact. source: komodo src/cc/CCtx.cpp,
 * FinalizeCCTx
 */
export function checkFee(
  paid: bigint | undefined,
  { fee, maxFee }: FeeBounds,
  { hasChange, isLowWithoutChange }: FeeCircumstances,
): Finding[] {
  const path = 'fee'
  if (paid === undefined) return [finding('fee_unknown', path, { expected: fee })]
  if (paid < fee) {
    const isUsual = isLowWithoutChange === true && !hasChange && paid >= 0n
    const code = isUsual ? 'fee_below_requested' : 'fee_too_low'
    return [finding(code, path, { expected: fee, actual: paid })]
  }
  if (paid > maxFee) return [finding('fee_too_high', path, { expected: maxFee, actual: paid })]
  if (paid === fee) return []
  if (hasChange) return [finding('fee_with_change', path, { expected: fee, actual: paid })]
  // from two fees on there would be change, unless the wallet allows for more
  const most = maxFee > 2n * fee ? maxFee : 2n * fee - 1n
  if (paid > most) return [finding('fee_too_high', path, { expected: most, actual: paid })]
  return [finding('fee_rounding', path, { expected: fee, actual: paid })]
}
