// Blocks by their times, as a daemon with -timestampindex finds them. Insight shows the blocks of
// a day with it.

import type { Block } from '../state/block.ts'
import { ordinal, wireKey } from '../state/keys.ts'
import { blockAt, knownBlocks, requireWholeChain } from '../state/view.ts'
import type { Answer } from './answer.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { integer, type Params } from './params.ts'

/** The daemon ignores what follows the options. */
const paramsMax = 1000

export const blockTimeMethods: Methods = methodsIn('Blockchain', [
  method('getblockhashes timestamp', [2, paramsMax], hashesBetween),
])

/** @see komodo src/rpc/blockchain.cpp, getblockhashes; src/txdb.cpp, ReadTimestampIndex */
function hashesBetween(context: Context, [high, low, options]: Params): Answer {
  const [before, from] = [integer(high), integer(low)]
  const wanted = typeof options === 'object' ? (options as Readonly<Record<string, unknown>>) : {}
  requireWholeChain(context.state.chain)
  const times = logicalTimes(knownBlocks(context))
  return [...times]
    .filter(([, time]) => time >= from && time < before)
    .filter(([block]) => wanted?.noOrphans !== true || isActive(context, block))
    .map(([block, time]) => ({ key: ordinal(time) + wireKey(block.hash), hash: block.hash, time }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ hash, time }) =>
      wanted?.logicalTimes === true ? { blockhash: hash, logicalts: time } : hash,
    )
}

function isActive(context: Context, { height, hash }: Block): boolean {
  return blockAt(context, height)?.hash === hash
}

/**
 * Returns the time of each block, at least one second after that of its parent. The genesis block has
 * none.
 *
 * @param blocks - parents come before children
 * @see komodo src/main.cpp, ConnectBlock
 */
function logicalTimes(blocks: readonly Block[]): Map<Block, number> {
  const times = new Map<Block, number>()
  for (const block of blocks) {
    if (block.previous === undefined) continue
    const before = times.get(block.previous) ?? 0
    times.set(block, Math.max(block.time, before + 1))
  }
  return times
}
