// What coins of KMD itself accrue while they lie: only there, and only if the transaction that they
// are in has a time for its lock time.

import { lockTimeThreshold } from './limits.ts'
import { coin } from './network.ts'

/** komodo src/komodo_defs.h, KOMODO_MAXMEMPOOLTIME, in minutes */
const waitMinutes = 60
const minutesPerYear = 365 * 24 * 60
const minutesPerMonth = 31 * 24 * 60
/** komodo src/komodo_interest.h, KOMODO_ENDOFERA */
const eraEnd = 7_777_777
/** From here on a coin accrues for a month, not for a year. */
const monthHeight = 1_000_000
/** From here on the hour of waiting is not counted. */
const waitHeight = 250_000
/** komodo src/komodo_hardfork.cpp, nS7HardforkHeight: KIP-0001 makes 5 per cent a year 0.01 */
const season7Height = 3_484_958
/** When that block was expected: komodo src/komodo_hardfork.cpp, nS7Timestamp, June 30, 2023 */
const season7Time = 1_688_132_253
/** A block comes as many seconds from when it was expected, at the very most: two weeks. */
const season7Spread = 14 * 24 * 3600
/** A tenth of what a block takes: komodo src/chainparams.cpp, nPowTargetSpacing, is 60 seconds */
const blockSecondsMin = 6
/** Fewer blocks, about a week of them, may have come faster. */
const steadyBlocks = 10_000
/** komodo src/komodo_defs.h, KOMODO_MAXMEMPOOLTIME, in seconds */
const lockTimeAgeMax = 3600

/** A coin, and when it came to be. */
interface AgingCoin {
  /** Satoshis. */
  readonly value: bigint
  /** Of the block that it is in. */
  readonly height: number
  /** Of the transaction that it is in. */
  readonly lockTime: number
}

/** Whether a coin can accrue anything at all. */
export function mayAccrue(value: bigint, lockTime: number): boolean {
  return value >= 10n * coin && lockTime >= lockTimeThreshold
}

/**
 * Satoshis that spending a coin of KMD adds to what it is worth, if they are claimed in the block
 * after the one of `tipTime`.
 *
 * The dozen coins of blocks 116,607 to 157,927 to which the daemon grants more by name have what
 * the rule says.
 *
 * @see komodo src/komodo_interest.cpp, komodo_interest; src/coins.cpp, CCoinsViewCache::GetValueIn
 */
export function accruedReward({ value, height, lockTime }: AgingCoin, tipTime: number): bigint {
  if (height <= 0 || height >= eraEnd) return 0n
  if (!mayAccrue(value, lockTime) || tipTime <= lockTime) return 0n
  const age = Math.floor((tipTime - lockTime) / 60)
  if (age < waitMinutes) return 0n
  if (height < waitHeight) return firstReward(value, Math.min(age, minutesPerYear))
  const most = height < monthHeight ? minutesPerYear : minutesPerMonth
  const minutes = BigInt(Math.min(age, most) - (waitMinutes - 1))
  if (height < monthHeight) return ((value / 20n) * minutes) / BigInt(minutesPerYear)
  // a twentieth a year, by the minute
  const reward = (value / BigInt(20 * minutesPerYear)) * minutes
  return height < season7Height ? reward : reward / 500n
}

/**
 * The least lock time, where it is a time, of a transaction that nodes of KMD still take.
 *
 * @param tipTime - of the last block, which no later block should precede
 * @param medianTime - of the last eleven blocks; what waits for a block is measured by it
 * @see komodo src/main.cpp, AcceptToMemoryPool, CheckBlock; src/komodo_interest.cpp,
 *   komodo_validate_interest
 */
export function leastLockTime(
  tipTime: number | undefined,
  medianTime: number | undefined,
): number | undefined {
  const ofPool = medianTime === undefined ? 0 : medianTime + 777 - lockTimeAgeMax
  const ofBlock = tipTime === undefined ? 0 : tipTime - lockTimeAgeMax
  return tipTime === undefined && medianTime === undefined ? undefined : Math.max(ofPool, ofBlock)
}

/** Where a height or a time that somebody gave cannot be, and what it could be. */
export interface Contradiction {
  readonly member: 'heights' | 'tipTime' | 'medianTime'
  /** Of the transaction, for a height. */
  readonly txid?: string
  readonly expected: string
  readonly actual: number | string
}

/**
 * What a coin that accrues a reward says against the height and the time that were given with it, and
 * that would change the reward. Nodes refuse lock times an hour before a block's time, so a lock time
 * tells when the block was made, and the blocks since then tell how much time has passed at least.
 */
export function rewardContradiction(
  {
    txid,
    height = 0,
    lockTime,
  }: {
    readonly txid: string
    readonly height?: number | undefined
    readonly lockTime: number
  },
  { tipTime, tipHeight = 0 }: { readonly tipTime?: number; readonly tipHeight?: number },
): Contradiction | undefined {
  if (tipTime !== undefined && tipTime < lockTime) {
    const expected = `at least ${lockTime}, the lock time of a coin`
    return { member: 'tipTime', expected, actual: tipTime }
  }
  const blocks = height === 0 ? 0 : tipHeight - height
  const least = lockTime + blocks * blockSecondsMin
  if (tipTime !== undefined && blocks > steadyBlocks && tipTime < least) {
    const expected = `at least ${least}, ${blocks} blocks after a coin`
    return { member: 'tipTime', expected, actual: tipTime }
  }
  const isBefore7 = lockTime < season7Time - season7Spread - lockTimeAgeMax
  if (!isBefore7 || height < season7Height) return undefined
  const expected = `below ${season7Height}, because the lock time is ${lockTime}`
  return { member: 'heights', txid, expected, actual: height }
}

/**
 * Whether a height leaves open what a coin has accrued: none is known, or the coin is said to be in no
 * block and is older than what waits for one, or the height is past the last reward and nothing bounds it.
 */
export function isRewardUnknown(
  { height, lockTime }: { readonly height: number | undefined; readonly lockTime: number },
  { tipTime, tipHeight }: { readonly tipTime?: number; readonly tipHeight?: number },
): boolean {
  if (height === undefined || tipTime === undefined) return true
  if (height === 0) return tipTime - lockTime >= lockTimeAgeMax
  return height >= eraEnd && tipHeight === undefined
}

/** Of the first blocks: a whole fraction of the year. */
function firstReward(value: bigint, minutes: number): bigint {
  const parts = BigInt(Math.max(1, Math.floor(minutesPerYear / minutes)))
  return value > 25_000n * coin ? value / 20n / parts : (value * 5_000_000n) / parts / coin
}
