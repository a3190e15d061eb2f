// When a payment can be mined: its lock time, and whether it is in force.

import { finalSequence, lockedSequence, lockTimeThreshold } from '../chain/limits.ts'
import { type Network, rewardsOf } from '../chain/network.ts'
import { leastLockTime } from '../chain/reward.ts'
import type { Evidence } from '../request/case.ts'
import { type Finding, finding } from '../request/report.ts'
import type { Transaction } from '../transaction/types.ts'

/**
 * Whether a lock time that may be ahead does what it was asked for.
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

/** Seconds within which the median time of eleven blocks follows the time of the last one. */
const medianDelay = 3600

/** @see komodo src/main.cpp, IsFinalTx, CheckFinalTx: the next height, and the median time */
export function checkPaymentLockTime(
  tx: Transaction,
  asked: number | undefined,
  { tipHeight, tipTime, medianTime }: Tip,
): Finding[] {
  const { lockTime, inputs } = tx
  const findings: Finding[] = []
  const path = 'lockTime'
  if (asked !== undefined && lockTime !== asked) {
    findings.push(finding('lock_time_differs', path, { expected: asked, actual: lockTime }))
  }
  const isTime = lockTime >= lockTimeThreshold
  // final inputs wait for nothing; what else waits for a time waits for the median time
  const isFinal = inputs.every(({ sequence }) => sequence === finalSequence)
  const time = isFinal ? tipTime : (medianTime ?? tipTime)
  const tip = isTime ? time : tipHeight
  if (lockTime !== 0 && (tip === undefined || lockTime > tip)) {
    if (asked === lockTime) findings.push(...checkLock(tx))
    if (asked === undefined) {
      const expected = tip === undefined ? '0, for the tip is not known' : `at most ${tip}`
      findings.push(finding('lock_time', path, { expected, actual: lockTime }))
    }
  } else if (isTime && !isFinal && medianTime === undefined && lockTime > tip! - medianDelay) {
    if (asked === undefined)
      findings.push(finding('lock_time_not_checked', path, { actual: lockTime }))
  }
  for (const [index, { sequence }] of inputs.entries()) {
    if (sequence === finalSequence || (lockTime !== 0 && sequence === lockedSequence)) continue
    const at = `inputs[${index}].sequence`
    findings.push(finding('sequence', at, { expected: finalSequence, actual: sequence }))
  }
  return findings
}

/** A lock time that is a time may not be old where coins accrue a reward until then. */
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
