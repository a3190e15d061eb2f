// The rewards that unspent coins of KMD accrue. Only KMD pays them, and only for coins whose
// transaction has a time as its lock time.

import { lockTimeThreshold } from './limits.ts'
import { coin } from './network.ts'

/** komodo src/komodo_defs.h, KOMODO_MAXMEMPOOLTIME, in minutes */
const waitMinutes = 60
const minutesPerYear = 365 * 24 * 60
const minutesPerMonth = 31 * 24 * 60
/** komodo src/komodo_interest.h, KOMODO_ENDOFERA */
const eraEnd = 7_777_777
/** From this height on a coin accrues for a month instead of a year. */
const monthHeight = 1_000_000
/** Before this height the hour of waiting is counted as well. */
const waitHeight = 250_000
/**
 * From here on KIP-0001 reduces 5 percent a year to 0.01: komodo src/komodo_hardfork.cpp,
 * nS7HardforkHeight
 */
const season7Height = 3_484_958
/**
 * The time at which that block was expected, June 30, 2023: komodo src/komodo_hardfork.cpp,
 * nS7Timestamp
 */
const season7Time = 1_688_132_253
/** The largest assumed distance between that block's actual and expected time: two weeks. */
const season7Spread = 14 * 24 * 3600
/**
 * A tenth of a block's expected time, which is 60 seconds: komodo src/chainparams.cpp,
 * nPowTargetSpacing
 */
const blockSecondsMin = 6
/** About a week of blocks. A shorter run of blocks may have been faster than that minimum. */
const steadyBlocks = 10_000
/** komodo src/komodo_defs.h, KOMODO_MAXMEMPOOLTIME, in seconds */
const lockTimeAgeMax = 3600

/** A coin with the data that determine its age. */
interface AgingCoin {
  /** Satoshis. */
  readonly value: bigint
  /** Height of the block that contains it. */
  readonly height: number
  /** Lock time of the transaction that created it. */
  readonly lockTime: number
}

/** Returns whether a coin can accrue a reward at all. */
export function mayAccrue(value: bigint, lockTime: number): boolean {
  return value >= 10n * coin && lockTime >= lockTimeThreshold
}

/**
 * Returns the satoshis that spending a coin of KMD yields in addition to its value, if they are
 * claimed in the block after the one of `tipTime`.
 *
 * The daemon grants more to a dozen coins of blocks 116,607 to 157,927, which it lists by name. For
 * them, this function returns the regular reward.
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
  // The rate is a twentieth a year, by the minute.
  const reward = (value / BigInt(20 * minutesPerYear)) * minutes
  return height < season7Height ? reward : reward / 500n
}

/**
 * Returns the lowest lock time, if it is a time, with which nodes of KMD still accept a
 * transaction.
 *
 * @param tipTime - of the last block, whose time a later block should not precede
 * @param medianTime - of the last eleven blocks, against which nodes measure waiting transactions
 * @see komodo src/main.cpp, AcceptToMemoryPool, CheckBlock; src/komodo_interest.cpp,
 */
export function leastLockTime(
  tipTime: number | undefined,
  medianTime: number | undefined,
): number | undefined {
  const ofPool = medianTime === undefined ? 0 : medianTime + 777 - lockTimeAgeMax
  const ofBlock = tipTime === undefined ? 0 : tipTime - lockTimeAgeMax
  return tipTime === undefined && medianTime === undefined ? undefined : Math.max(ofPool, ofBlock)
}

/** A height or time that a caller gave and that cannot be true, and the possible values. */
export interface Contradiction {
  readonly member: 'heights' | 'tipTime' | 'medianTime'
  /** The coin's transaction, if the member is a height. */
  readonly txid?: string
  readonly expected: string
  readonly actual: number | string
}

/**
 * Returns how a coin contradicts the given height and times in a way that would change its reward.
 * Nodes refuse lock times an hour before a block's time, so the lock time shows when the block was
 * made. The number of blocks since then gives a minimum for the elapsed time.
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
  {
    tipTime,
    tipHeight = 0,
  }: { readonly tipTime?: number | undefined; readonly tipHeight?: number | undefined },
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
 * Returns true if a coin's reward is unknown, for one of three reasons. Its height is not given. Or
 * the coin is reported as unconfirmed but is older than any waiting transaction. Or its height is
 * past the last reward and no tip height limits it.
 */
export function isRewardUnknown(
  { height, lockTime }: { readonly height: number | undefined; readonly lockTime: number },
  { tipTime, tipHeight }: { readonly tipTime?: number; readonly tipHeight?: number },
): boolean {
  if (height === undefined || tipTime === undefined) return true
  if (height === 0) return tipTime - lockTime >= lockTimeAgeMax
  return height >= eraEnd && tipHeight === undefined
}

/** Returns the reward of the first blocks, which divided the yearly reward by a whole number. */
function firstReward(value: bigint, minutes: number): bigint {
  const parts = BigInt(Math.max(1, Math.floor(minutesPerYear / minutes)))
  return value > 25_000n * coin ? value / 20n / parts : (value * 5_000_000n) / parts / coin
}
