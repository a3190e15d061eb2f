import { type Network, networks } from '../chain/network.ts'
import { accruedReward, mayAccrue } from '../chain/reward.ts'
import type { Evidence } from '../intent/case.ts'
import type { SpentOutput } from './inputs.ts'
import { type Finding, finding } from './report.ts'

interface Reward {
  /** Satoshis, by the heights and the time given. */
  readonly amount: bigint
  readonly findings: readonly Finding[]
}

/** What the coins that are spent have accrued, on the one chain where coins do. */
export function judgeReward(
  prevouts: readonly (SpentOutput | undefined)[],
  network: Network,
  { tipTime, heights = {} }: Pick<Evidence, 'tipTime' | 'heights'>,
): Reward {
  if (network.name !== networks.komodo.name) return { amount: 0n, findings: [] }
  let amount = 0n
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
      amount += accruedReward({ value, height, lockTime }, tipTime)
    }
  }
  return { amount, findings: unknown }
}
