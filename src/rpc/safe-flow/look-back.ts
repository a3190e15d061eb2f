// How many blocks a comparison with the chain goes back: they span a given time, and reach the first
// payment of the journal.

import { depthMax } from '../../journal/recorded-payment.ts'

export interface LookBack {
  /** The least number of blocks that are compared. */
  readonly blocks: number
  /** The least time in seconds that is compared: each chain has its own time between blocks. */
  readonly seconds: number
}

/**
 * The least that a flow of a daemon and a guard compare: a day, and at least as many blocks as it has
 * where a block takes a minute. The journal may be a new one, because the other is lost or on another
 * machine.
 */
export const dayLookedBack: LookBack = { blocks: 1_440, seconds: 24 * 3600 }

/**
 * Returns the time of a block in seconds; `undefined` if the source has no times. Any failure is
 * thrown: a shorter comparison could overlook an equal payment, so the new one fails.
 */
type TimeOf = (height: number) => Promise<number | undefined>

/**
 * Returns a function that resolves with the number of blocks to compare below a height. It asks for
 * the times of blocks until one is old enough. It asks again once the tip is far from the last one,
 * because a chain may stand still for a while. It stops at a block of unknown time.
 */
export function blocksLookedBack({
  blocks,
  seconds,
}: LookBack): (tip: number, timeOf: TimeOf) => Promise<number> {
  /** A twenty-fourth of the blocks: an hour of a day. */
  const near = Math.floor(blocks / 24)
  let known = blocks
  /** A tip below which `known` blocks were old enough. */
  let enoughAt = Number.NEGATIVE_INFINITY
  return async (tip, timeOf) => {
    let back = known
    if (Math.abs(tip - enoughAt) <= near) return back
    const last = back < tip ? await timeOf(tip) : undefined
    while (back < tip) {
      const time = await timeOf(tip - back)
      if (last === undefined || time === undefined) return back
      if (last - time >= seconds) {
        enoughAt = tip
        return back
      }
      back *= 2
      known = Math.max(known, back)
    }
    return back
  }
}

/** The heights of the payments of a journal, on the chain of the payer. */
export interface RecordedHeights {
  /** The lowest height at which a block has a payment; absent if no block has one. */
  readonly first?: number | undefined
  /** The journal may have dropped the records of equal payments up to this height. Default 0. */
  readonly dropped?: number
}

/**
 * Returns the height above which blocks are compared. A record over `depthMax` blocks above the tip
 * is false, because no reorganization is that deep. So all blocks count then.
 */
export function comparedAbove(
  { first }: Pick<RecordedHeights, 'first'>,
  tip: number,
  blocksBack: number,
): number {
  if (first !== undefined && first > tip + depthMax) return 0
  return Math.max(0, Math.min(first ?? tip, tip - blocksBack))
}

/** Returns true for a spend that the journal may have dropped. */
export function isDropped(
  { height }: Pick<MinedSpend, 'height'>,
  { dropped = 0 }: Pick<RecordedHeights, 'dropped'>,
  tip: number,
): boolean {
  return height !== undefined && height <= dropped && dropped <= tip + depthMax
}

/** A transaction that spends coins or tokens of the payer, or pays a payee. */
export interface MinedSpend {
  readonly txid: string
  /** The change of its address, negative for a spend. Absent where nothing reads it. */
  readonly satoshis?: string
  /** Absent if the daemon does not report it. */
  readonly height?: number
}
