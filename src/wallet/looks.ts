// Looks at the chain, shared by all payments that wait: thousands of them cause as many calls as
// one.

import type { ChainOptions, ChainSource, ChainTip, HistoryEntry } from '../chain-source/source.ts'
import type { Transaction } from '../transaction/types.ts'
import { untilAborted } from './aborting.ts'
import { keyOfOutpoint } from './outpoint-key.ts'
import type { KnownTransactions } from './transactions.ts'

/** The last block and the history at one moment. */
export interface Look {
  readonly tip: ChainTip
  readonly listed: readonly HistoryEntry[]
  /** Heights of the history, by txid; 0 in no block. */
  readonly heights: ReadonlyMap<string, number>
}

export interface Looks {
  /**
   * Resolves with a look that began at most `ageMsMax` milliseconds ago, or else with the next one.
   * It ends with the caller's signal. The source's calls end when nobody waits for them any more.
   */
  look(ageMsMax: number, options: ChainOptions): Promise<Look>
}

interface LooksContext {
  readonly chain: ChainSource
  entries(options: ChainOptions): Promise<readonly HistoryEntry[]>
}

interface Running {
  readonly looking: Promise<Look>
  readonly stop: AbortController
  waiting: number
}

export function createLooks({ chain, entries }: LooksContext): Looks {
  let last: { readonly look: Look; readonly beganAt: number } | undefined
  let running: Running | undefined

  async function take(isFirst: boolean, options: ChainOptions): Promise<Look> {
    const beganAt = performance.now()
    const tip = await chain.tip(options)
    const before = last?.look
    const isSame = before?.tip.height === tip.height && before.tip.hash === tip.hash
    // A block that is the last one still has the transactions that it had.
    const listed = isSame && !isFirst ? before.listed : await entries(options)
    const look = isSame && !isFirst ? before : { tip, listed, heights: heightsOf(listed) }
    last = { look, beganAt }
    return look
  }

  function start(isFirst: boolean): Running {
    const stop = new AbortController()
    const mine = { looking: take(isFirst, { signal: stop.signal }), stop, waiting: 0 }
    running = mine
    const over = (): void => {
      if (running === mine) running = undefined
    }
    mine.looking.then(over, over)
    return mine
  }

  return {
    async look(ageMsMax, { signal }) {
      if (last !== undefined && performance.now() - last.beganAt < ageMsMax) return last.look
      const joined = running ?? start(ageMsMax === 0)
      joined.waiting += 1
      try {
        return await untilAborted(joined.looking, signal)
      } finally {
        joined.waiting -= 1
        if (joined.waiting === 0 && running === joined) {
          running = undefined
          joined.stop.abort(signal?.reason)
        }
      }
    },
  }
}

/** Returns heights by txid; 0 in no block. */
export function heightsOf(listed: readonly HistoryEntry[]): ReadonlyMap<string, number> {
  return new Map(listed.map(({ txid, height }) => [txid, height]))
}

/** Spenders in blocks by `txid:vout`, for each list of history entries that was read. */
const spendersOf = new WeakMap<object, Promise<ReadonlyMap<string, HistoryEntry>>>()

/** Returns the transaction in a block, other than the given one, that spends one of its coins. */
export async function spenderInBlock(
  known: KnownTransactions,
  { txid, inputs }: Pick<Transaction, 'txid' | 'inputs'>,
  listed: readonly HistoryEntry[],
  { signal }: ChainOptions,
): Promise<HistoryEntry | undefined> {
  const indexed = spendersOf.get(listed) ?? indexedSpenders(known, listed)
  spendersOf.set(listed, indexed)
  indexed.catch(() => spendersOf.delete(listed))
  const spenders = await untilAborted(indexed, signal)
  for (const input of inputs) {
    const spender = spenders.get(keyOfOutpoint(input))
    if (spender !== undefined && spender.txid !== txid) return spender
  }
  return undefined
}

async function indexedSpenders(
  known: KnownTransactions,
  listed: readonly HistoryEntry[],
): Promise<ReadonlyMap<string, HistoryEntry>> {
  const mined = listed.filter(({ height }) => height > 0)
  await known.fetch(mined.map(({ txid }) => txid))
  const spenders = new Map<string, HistoryEntry>()
  for (const entry of mined) {
    for (const input of known.get(entry.txid)?.inputs ?? []) {
      spenders.set(keyOfOutpoint(input), entry)
    }
  }
  return spenders
}
