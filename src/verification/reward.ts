import { type Network, networks } from '../chain/network.ts'
import { accruedReward, mayAccrue } from '../chain/reward.ts'
import type { Evidence } from '../intent/case.ts'
import type { SpentOutput } from './inputs.ts'
import { type Finding, finding } from './report.ts'

export interface Reward {
  /** Satoshis, by the heights and the time given. */
  readonly amount: bigint
  /** What of it came only since the transaction was made. */
  readonly late: bigint
  readonly findings: readonly Finding[]
}

/**
 * Seconds by which a transaction that claims a reward may be older than the tip.
 *
 * @see komodo src/komodo_defs.h, KOMODO_MAXMEMPOOLTIME; src/komodo_interest.cpp,
 *   komodo_validate_interest
 */
const claimSecondsMax = 3600

/**
 * What the coins that are spent have accrued, on the one chain where coins do.
 *
 * Whoever claims reckons at the time that becomes the lock time, and it goes on by the minute.
 */
export function judgeReward(
  prevouts: readonly (Pick<SpentOutput, 'txid' | 'value' | 'transaction'> | undefined)[],
  network: Network,
  {
    tipTime,
    heights = {},
    lockTime: madeAt = 0,
  }: Pick<Evidence, 'tipTime' | 'heights'> & { readonly lockTime?: number },
): Reward {
  if (network.name !== networks.komodo.name) return { amount: 0n, late: 0n, findings: [] }
  let amount = 0n
  let late = 0n
  const unknown: Finding[] = []
  for (const [index, prevout] of prevouts.entries()) {
    if (prevout === undefined) continue
    const { txid, value, transaction } = prevout
    const { lockTime } = transaction
    if (!mayAccrue(value, lockTime)) continue
    const height = Object.hasOwn(heights, txid) ? heights[txid] : undefined
    if (height === undefined || tipTime === undefined) {
      unknown.push(finding('reward_unknown', `inputs[${index}]`, { actual: value }))
    } else {
      const coin = { value, height, lockTime }
      const accrued = accruedReward(coin, tipTime)
      amount += accrued
      if (madeAt >= tipTime - claimSecondsMax) {
        late += accrued - accruedReward(coin, Math.min(madeAt, tipTime))
      }
    }
  }
  return { amount, late, findings: unknown }
}
