// Coins that cost more than they bring, and fees out of proportion to what is moved.

import { feeAtRate } from '../chain/limits.ts'
import { AntaraError } from '../errors/antara-error.ts'
import type { Outpoint } from '../transaction/types.ts'

/** A coin that the result does not spend, because it costs more than it brings at the fee rate. */
export interface LeftOutCoin extends Outpoint {
  /** Satoshis: its value, and the reward that it has accrued. */
  readonly worth: bigint
  /** Satoshis that its input adds to the fee. */
  readonly cost: bigint
}

interface Offered extends Outpoint {
  readonly worth: bigint
  readonly bytes: number
}

/** Separates coins by whether they bring more than their input costs; with a fixed fee all do. */
export function economicCoins<Coin extends Offered>(
  offered: readonly Coin[],
  { rate }: { readonly rate?: bigint | undefined },
): { readonly economic: readonly Coin[]; readonly leftOut: readonly LeftOutCoin[] } {
  if (rate === undefined) return { economic: offered, leftOut: [] }
  const priced = offered.map((coin) => ({ coin, cost: feeAtRate(coin.bytes, rate) }))
  return {
    economic: priced.flatMap(({ coin, cost }) => (coin.worth > cost ? [coin] : [])),
    leftOut: priced.flatMap(({ coin: { txid, vout, worth }, cost }) =>
      worth > cost ? [] : [{ txid, vout, worth, cost }],
    ),
  }
}

/**
 * A fee of more than a tenth of what is moved is rarely meant.
 *
 * @throws {AntaraError} `fee_over_limit`
 */
export function requireModestFee(fee: bigint, moved: bigint): void {
  if (fee * 10n <= moved) return
  const expected = `at most ${moved / 10n}, a tenth of what is moved, unless maxFee allows more`
  throw new AntaraError('fee_over_limit', { path: 'fee', expected, actual: fee })
}
