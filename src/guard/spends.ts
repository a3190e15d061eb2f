// The spends of the guard's key, for comparison with its journal. Each block is read once.

import { bookOf } from '../journal/book.ts'
import type { Journal } from '../journal/journal.ts'
import { depthMax } from '../journal/recorded-payment.ts'
import {
  blocksLookedBack,
  comparedAbove,
  dayLookedBack,
  isDropped,
  type RecordedHeights,
} from '../rpc/safe-flow/look-back.ts'
import { lagMax, lagText, type SeenSpends, type SpendReader } from '../rpc/safe-flow/own-spends.ts'
import { guardFailure } from './refusals.ts'

export interface Spends {
  /**
   * Lists the transactions that spend coins or tokens of the key.
   *
   * @param recorded - the heights of the journal's payments
   * @param seen - the daemon's answers to `questions`, if it was asked just now
   */
  list(recorded: RecordedHeights, seen?: SeenSpends): Promise<readonly string[]>
  /** Returns the questions for the next list; `undefined` before the first one. */
  questions(): ReturnType<SpendReader['questions']> | undefined
}

interface SpendsOptions {
  readonly isLookedBack?: boolean
  /** Called if the daemon refuses to list the spends of some blocks. */
  readonly onNotCompared?: () => void
}

export function spendsOf(
  journal: Journal,
  reader: SpendReader,
  { isLookedBack = true, onNotCompared }: SpendsOptions = {},
): Spends {
  const blocksBack = blocksLookedBack(dayLookedBack)
  /** By txid. One that a reorganization took out of its block stays: it may be mined again. */
  const heights = new Map<string, number>()
  /** The blocks after `from`, up to `through`, were read. */
  let from = Number.POSITIVE_INFINITY
  let through = 0

  return {
    questions() {
      return from <= through ? reader.questions(Math.max(from, through - depthMax)) : undefined
    },
    async list(recorded, seen) {
      if (recorded.first === undefined && !isLookedBack) return []
      // The mempool is read first: a block between the answers moves a transaction from it to the chain.
      const waiting = seen?.waiting ?? (await reader.waiting())
      const tip = seen?.tip ?? (await reader.tip())
      const lag = seen?.lag ?? (await reader.lag(tip))
      if (lag > lagMax) throw guardFailure(lagText(tip, lag))
      const back = isLookedBack ? await blocksBack(tip, reader.time) : 0
      const floor = comparedAbove(recorded, tip, back)
      const isContinued = from <= floor && floor <= through
      const start = isContinued ? Math.max(floor, Math.min(through, tip) - depthMax) : floor
      const isSeen = seen !== undefined && seen.above <= start
      const { spends, isWhole } = isSeen
        ? seen.mined
        : await reader.mined(start + 1, Math.max(tip, start + 1))
      for (const { txid, height = Number.POSITIVE_INFINITY } of spends) heights.set(txid, height)
      if (!isWhole) onNotCompared?.()
      // Blocks whose list the daemon refused are read again.
      if (isWhole) {
        from = isContinued ? from : floor
        through = tip
      }
      const found = [...heights].filter(
        ([, height]) => height > floor && !isDropped({ height }, recorded, tip),
      )
      forgetRecorded()
      return [...new Set([...waiting, ...found.map(([txid]) => txid)])]
    },
  }

  /** Forgets spends that the journal has, once no reorganization is as deep as their blocks. */
  function forgetRecorded(): void {
    const book = bookOf(journal)
    for (const [txid, height] of heights) {
      if (height <= through - depthMax && book.paymentsOf(txid).length > 0) heights.delete(txid)
    }
  }
}
