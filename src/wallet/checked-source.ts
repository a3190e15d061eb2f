// A chain source whose answers have the right form, and whose slow answers are named.

import { requireFewEntries } from '../chain-source/limits.ts'
import type { ChainOptions, ChainSource, ChainTip } from '../chain-source/source.ts'
import type { Findings } from '../chain-source/source-findings.ts'
import { RpcError } from '../rpc/errors.ts'
import { blockText, nameChain, requireFirstBlock } from '../rpc/first-block.ts'

/** Milliseconds after which a call counts as slow. The wallet waits on: a signal ends a call. */
const slowMs = 10_000

/** Blocks that a tip may rise between two answers, whatever their times are. */
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
 * An answer of another form, or with more entries than the wallet takes, rejects with an `RpcError`
 * of kind `shape`: an empty list would look like an empty wallet.
 *
 * A tip whose height rises faster than its time is named, and the height before is used: payments
 * expire by it. A source that shows another chain than before rejects with kind `shape`, too. If
 * `firstBlock` names the chain, each reading of the last block or of a history compares it first.
 */
export function checkedSource(
  chain: ChainSource,
  findings: Findings,
  { entriesMax, firstBlock }: { entriesMax: number; firstBlock: string | undefined },
): ChainSource {
  const { name } = chain
  let lastTip: ChainTip | undefined
  /** Block 1 of the chain, as it is named, or as the source showed it first. */
  let known = firstBlock

  /**
   * A tip that rises too fast is not believed at all. Small steps, and a false time, can still raise
   * it. Payments then live longer, and nothing else happens.
   */
  function believedTip(tip: ChainTip): ChainTip {
    const { height, time } = lastTip ?? tip
    const seconds = Math.max(0, tip.time - time)
    const highest = height + risenAtOnceMax + blocksPerSecondMax * seconds
    if (tip.height > highest) {
      const [expected, actual] = [`at most ${highest}`, `${tip.height}`]
      findings.add({ code: 'source_tip_ahead', expected, actual })
      return { ...tip, height }
    }
    lastTip = tip
    return tip
  }

  /**
   * The same keys have coins on other chains. A payment there would be of the wrong chain, and would
   * be missing here.
   */
  async function sameChain(options?: ChainOptions): Promise<string | undefined> {
    const received = await timed('chain', chain.chain!({ ...options, firstBlock }))
    // The one source of a quorum that names its chain may be away for some time.
    requireFirstBlock(firstBlock, { by: name, hash: received })
    known ??= received
    if (received === known || received === undefined) return received
    const message = `${name} shows ${blockText(received)}, and showed ${blockText(known)} before; if you changed the chain, open the wallet again. ${nameChain}`
    const details = { method: 'chain', expected: known, received } as const
    throw new RpcError('shape', message, { ...details, reason: 'unexpected_value' })
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
    most?: number,
  ): Promise<readonly Item[]> {
    const answer: unknown = await timed(method, work)
    if (!Array.isArray(answer)) throw wrongForm(name, method, 'a list')
    requireFewEntries(name, method, { found: answer.length, most })
    return answer
  }

  async function requireNamed(options?: ChainOptions): Promise<void> {
    if (firstBlock !== undefined) await sameChain(options)
  }

  return {
    name,
    async tip(options) {
      await requireNamed(options)
      return believedTip(checkedTip(name, await timed('tip', chain.tip(options))))
    },
    unspent: (scripts, options) =>
      listed('unspent', chain.unspent(scripts, { ...options, entriesMax }), entriesMax),
    async history(scripts, options) {
      await requireNamed(options)
      return listed('history', chain.history(scripts, { ...options, entriesMax }), entriesMax)
    },
    transactions: (txids, options) => listed('transactions', chain.transactions(txids, options)),
    broadcast: (hex, options) => timed('broadcast', chain.broadcast(hex, options)),
    ...(chain.chain !== undefined && {
      chain: sameChain,
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
