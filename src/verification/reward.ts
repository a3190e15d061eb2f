import { type Network, rewardsOf } from '../chain/network.ts'
import {
  accruedReward,
  isRewardUnknown,
  leastLockTime,
  mayAccrue,
  rewardContradiction,
} from '../chain/reward.ts'
import type { Evidence } from '../request/evidence.ts'
import { heightIn } from '../request/heights.ts'
import { type Finding, finding } from '../request/report.ts'
import { contradictionFinding } from './evidence.ts'
import type { SpentOutput } from './previous-outputs.ts'

export interface Reward {
  /** Satoshis, computed from the given heights and times. */
  readonly amount: bigint
  /** Satoshis of it that accrued after the transaction was made. */
  readonly late: bigint
  readonly findings: readonly Finding[]
}

type Given = Pick<Evidence, 'tipTime' | 'tipHeight' | 'medianTime' | 'heights'>

/**
 * Computes the reward that the spent coins have accrued, by the rules of the network.
 *
 * A claim is computed for the time that becomes the lock time. The reward grows every minute after
 * it.
 */
export function checkReward(
  prevouts: readonly (Pick<SpentOutput, 'txid' | 'value' | 'transaction'> | undefined)[],
  network: Network,
  { lockTime: madeAt = 0, ...given }: Given & { readonly lockTime?: number },
): Reward {
  const rewards = rewardsOf(network)
  if (rewards === 'none') return { amount: 0n, late: 0n, findings: [] }
  const { tipTime, medianTime } = given
  let amount = 0n
  let late = 0n
  const findings: Finding[] = []
  for (const [index, prevout] of prevouts.entries()) {
    if (prevout === undefined) continue
    const { txid, value, transaction } = prevout
    const { lockTime } = transaction
    if (!mayAccrue(value, lockTime)) continue
    const height = heightIn(given, txid)
    const contradiction =
      rewards === 'komodo' ? rewardContradiction({ txid, height, lockTime }, given) : undefined
    if (contradiction !== undefined) {
      findings.push(contradictionFinding(contradiction))
    } else if (rewards === 'unknown' || isRewardUnknown({ height, lockTime }, given)) {
      findings.push(finding('reward_unknown', `inputs[${index}]`, { actual: value }))
    } else {
      const coin = { value, height: height!, lockTime }
      const accrued = accruedReward(coin, tipTime!)
      amount += accrued
      if (madeAt >= leastLockTime(tipTime, medianTime)!) {
        late += accrued - accruedReward(coin, Math.min(madeAt, tipTime!))
      }
    }
  }
  return { amount, late, findings }
}
