import { formatCoins } from '../primitives/amount.ts'
import type { AskedFor } from '../request/case.ts'
import { feeBounds } from '../request/terms.ts'
import { paymentFee, usualMaxFee } from './payment-fee.ts'

export function requestedFee({ operation, intent }: AskedFor): string {
  if (operation !== 'payment') {
    const { fee, maxFee } = feeBounds(intent)
    return range(fee, maxFee)
  }
  const { least, most, rate } = paymentFee(intent)
  if (rate === undefined) return range(least, most ?? usualMaxFee)
  const perKilobyte = `${formatCoins(rate)} per 1000 bytes`
  return most === undefined ? perKilobyte : `${perKilobyte}, at most ${formatCoins(most)}`
}

function range(least: bigint | undefined, most: bigint): string {
  if (least === undefined) return `at most ${formatCoins(most)}`
  return least === most ? formatCoins(least) : `${formatCoins(least)} to ${formatCoins(most)}`
}
