// The lock time of a payment, and the sequences that put it in force.

import { finalSequence, lockedSequence, lockTimeThreshold } from '../chain/limits.ts'
import { type Network, rewardsOf } from '../chain/network.ts'
import { leastLockTime } from '../chain/reward.ts'
import type { Evidence } from '../request/evidence.ts'
import { type Finding, finding } from '../request/report.ts'
import type { Transaction } from '../transaction/types.ts'

/**
 * Checks that a requested lock time in the future has an effect, and ends before the expiry.
 *
 * @see komodo src/main.cpp, IsFinalTx, IsExpiredTx
 */
function checkLock({ lockTime, expiryHeight, inputs }: Transaction): Finding[] {
  if (inputs.every(({ sequence }) => sequence === finalSequence)) {
    const details = { expected: lockedSequence, actual: finalSequence }
    return [finding('lock_time_open', 'inputs', details)]
  }
  if (expiryHeight === 0 || lockTime >= lockTimeThreshold || lockTime < expiryHeight) return []
  const details = { expected: `below ${expiryHeight}`, actual: lockTime }
  return [finding('lock_time_late', 'lockTime', details)]
}

type Tip = Pick<Evidence, 'tipHeight' | 'tipTime' | 'medianTime'>

/** Seconds by which the median time of eleven blocks may trail the time of the last one. */
const medianDelay = 3600

/**
 * Checks a lock time against the request, or against the tip without one. Nodes compare it with the
 * next height or the median time.
 *
 * @see komodo src/main.cpp, IsFinalTx, CheckFinalTx
 */
export function checkPaymentLockTime(
  tx: Transaction,
  requested: number | undefined,
  { tipHeight, tipTime, medianTime }: Tip,
): Finding[] {
  const { lockTime, inputs } = tx
  const findings: Finding[] = []
  const path = 'lockTime'
  if (requested !== undefined && lockTime !== requested) {
    findings.push(finding('lock_time_differs', path, { expected: requested, actual: lockTime }))
  }
  const isTime = lockTime >= lockTimeThreshold
  // nodes compare with the median time, unless every input is final
  const isFinal = inputs.every(({ sequence }) => sequence === finalSequence)
  const time = isFinal ? tipTime : (medianTime ?? tipTime)
  const tip = isTime ? time : tipHeight
  if (lockTime !== 0 && (tip === undefined || lockTime > tip)) {
    if (requested === lockTime) findings.push(...checkLock(tx))
    if (requested === undefined) {
      const expected = tip === undefined ? '0, because the tip is not known' : `at most ${tip}`
      findings.push(finding('lock_time', path, { expected, actual: lockTime }))
    }
  } else if (isTime && !isFinal && medianTime === undefined && lockTime > tip! - medianDelay) {
    if (requested === undefined)
      findings.push(finding('lock_time_not_checked', path, { actual: lockTime }))
  }
  for (const [index, { sequence }] of inputs.entries()) {
    if (sequence === finalSequence || (lockTime !== 0 && sequence === lockedSequence)) continue
    const at = `inputs[${index}].sequence`
    findings.push(finding('sequence', at, { expected: finalSequence, actual: sequence }))
  }
  return findings
}

/** Checks the age of a lock time on KMD, whose nodes reject old times because of the reward. */
export function checkLockTimeAge(
  { lockTime }: Transaction,
  network: Network,
  { tipTime, medianTime }: Tip,
): Finding[] {
  if (rewardsOf(network) !== 'komodo' || lockTime < lockTimeThreshold) return []
  const least = leastLockTime(tipTime, medianTime)
  if (least === undefined || lockTime >= least) return []
  const details = { expected: `at least ${least}`, actual: lockTime }
  return [finding('lock_time_stale', 'lockTime', details)]
}
