// A chain source whose answers have the right form, and whose slow answers are named.

import type { ChainOptions, ChainSource, ChainTip } from '../chain-source/source.ts'
import type { Findings } from '../chain-source/source-findings.ts'
import { RpcError } from '../rpc/errors.ts'

/** Milliseconds after which a call counts as slow. The wallet waits on: a signal ends a call. */
const slowMs = 10_000

/** Blocks that tips may rise faster than their times allow, all together. */
const risenAtOnceMax = 144
/**
 * Blocks for each second between two tips. The median time of eleven blocks has to rise, and six of
 * eleven decide it: komodo src/main.cpp, ContextualCheckBlockHeader, `time-too-old`.
 */
const blocksPerSecondMax = 6

/**
 * Wraps a source and checks the form of its answers: lists are lists, and a last block has a height
 * and a time. The entries of a list are checked where they are used.
 *
 * An answer of another form rejects with an `RpcError` of kind `shape`: an empty list would look
 * like an empty wallet.
 *
 * A tip whose height rises faster than its time, or than the clock of this machine, is named, and
 * the tip before is used: payments expire by its height.
 */
export function checkedSource(chain: ChainSource, findings: Findings): ChainSource {
  const { name } = chain
  let lastTip: ChainTip | undefined
  /** The local time at the first answer, and the time of its tip; seconds. */
  let first: { readonly here: number; readonly there: number } | undefined
  /** The least of all believed tips: their heights, less the blocks that their times allow. */
  let leastAhead = Number.POSITIVE_INFINITY

  /**
   * A block is not from the future. The local clock may be slow, so the time that passed here since
   * the first answer counts too.
   */
  function possibleTime({ time }: ChainTip): number {
    const here = Date.now() / 1000
    first ??= { here, there: time }
    return Math.min(time, Math.max(here, first.there + here - first.here))
  }

  /**
   * A tip that rises too fast is not believed at all. The bound follows from the believed tip that
   * allows the least, so no number of small steps exceeds it.
   */
  function believedTip(tip: ChainTip): ChainTip {
    const allowed = blocksPerSecondMax * possibleTime(tip)
    const highest = Math.floor(leastAhead + allowed + risenAtOnceMax)
    if (lastTip !== undefined && tip.height > highest) {
      const [expected, actual] = [`at most ${highest}`, `${tip.height}`]
      findings.add({ code: 'source_tip_ahead', expected, actual })
      return lastTip
    }
    leastAhead = Math.min(leastAhead, tip.height - allowed)
    lastTip = tip
    return tip
  }

  async function timed<Answer>(method: string, work: Promise<Answer>): Promise<Answer> {
    const timer = setTimeout(() => {
      const expected = `an answer within ${slowMs / 1000} s`
      findings.add({ code: 'source_slow', expected, actual: method })
    }, slowMs)
    try {
      return await work
    } finally {
      clearTimeout(timer)
    }
  }

  async function listed<Item>(
    method: string,
    work: Promise<readonly Item[]>,
  ): Promise<readonly Item[]> {
    const answer: unknown = await timed(method, work)
    if (Array.isArray(answer)) return answer
    throw wrongForm(name, method, 'a list')
  }

  return {
    name,
    tip: async (options) => believedTip(checkedTip(name, await timed('tip', chain.tip(options)))),
    unspent: (scripts, options) => listed('unspent', chain.unspent(scripts, options)),
    history: (scripts, options) => listed('history', chain.history(scripts, options)),
    transactions: (txids, options) => listed('transactions', chain.transactions(txids, options)),
    broadcast: (hex, options) => timed('broadcast', chain.broadcast(hex, options)),
    ...(chain.chain !== undefined && {
      chain: (options?: ChainOptions) => timed('chain', chain.chain!(options)),
    }),
  }
}

function checkedTip(source: string, given: unknown): ChainTip {
  const { height, time, hash } = (given ?? {}) as Partial<ChainTip>
  if (!isHeight(height) || !isHeight(time)) {
    throw wrongForm(source, 'tip', '{ height, time }, whole numbers below 2^32')
  }
  return { height, time, ...(typeof hash === 'string' && { hash }) }
}

export function isHeight(value: unknown): value is number {
  return typeof value === 'number' && value >>> 0 === value
}

function wrongForm(source: string, method: string, expected: string): RpcError {
  const message = `${source}: the answer to ${method} has another form; expected ${expected}`
  return new RpcError('shape', message, { method, reason: 'unexpected_value', expected })
}
