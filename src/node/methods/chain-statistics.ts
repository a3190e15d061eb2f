// Statistics of a chain: its coins, its transactions, and whether its blocks link.

import { merkleRootOf } from '../../block/merkle.ts'
import { type Block, blockHash } from '../state/block.ts'
import { blockAt } from '../state/view.ts'
import { type Answer, coins } from './answer.ts'
import { blockOfHash } from './blocks.ts'
import { type Context, type Methods, stateOf } from './context.ts'
import { failure } from './failure.ts'
import { hash, integer, text } from './params.ts'

const category = 'Blockchain'

export const statisticsMethods: Methods = {
  coinsupply: {
    usage: 'coinsupply <height>\n',
    category,
    params: [0, 1],
    answer: (context, [height]) =>
      coinSupply(context, height === undefined ? undefined : text(height)),
  },
  getchaintxstats: {
    usage: 'getchaintxstats ( nblocks blockhash )',
    category,
    params: [0, 2],
    answer(context, [count, which]) {
      const { tip } = stateOf(context).chain
      const last = which === undefined ? tip : blockOfHash(context, hash(which, 'blockhash'))
      return transactionStatistics(
        last,
        count === undefined ? Math.max(0, last.height - 1) : integer(count),
      )
    },
  },
  verifychain: {
    usage: 'verifychain ( checklevel numblocks )',
    category,
    params: [0, 2],
    answer(context, [, count]) {
      const most =
        count === undefined || integer(count) === 0 ? Number.POSITIVE_INFINITY : integer(count)
      return holdsTogether(stateOf(context).chain.tip, most)
    },
  },
}

/** @see komodo src/rpc/blockchain.cpp, coinsupply */
function coinSupply(context: Context, height: string | undefined): Answer {
  const { tip } = stateOf(context).chain
  const wanted = height === undefined ? tip.height : Number.parseInt(height, 10) || 0
  if (wanted < 0) return { error: 'invalid height' }
  const block = wanted === 0 ? undefined : blockAt(stateOf(context), context.engine.rules, wanted)
  if (block === undefined) return { error: 'couldnt calculate supply' }
  return {
    result: 'success',
    coin: context.engine.rules.profile.name,
    height: wanted,
    supply: coins(block.supply),
    zfunds: coins(0n),
    sprout: coins(0n),
    total: coins(block.supply),
  }
}

/** @see komodo src/rpc/blockchain.cpp, getchaintxstats */
function transactionStatistics(last: Block, count: number): Answer {
  if (count < 0 || (count > 0 && count >= last.height)) {
    throw failure(
      'parameter',
      "Invalid block count: should be between 0 and the block's height - 1",
    )
  }
  let first = last
  let inWindow = 0
  for (let taken = 0; taken < count; taken += 1) {
    inWindow += first.transactions.length
    first = first.previous!
  }
  let all = inWindow
  for (let block: Block | undefined = first; block !== undefined; block = block.previous) {
    all += block.transactions.length
  }
  const interval = last.time - first.time
  return {
    time: last.time,
    txcount: all,
    window_final_block_hash: last.hash,
    window_final_block_count: last.height,
    window_block_count: count,
    window_tx_count: inWindow,
    window_interval: interval,
    txrate: interval > 0 ? inWindow / interval : undefined,
  }
}

/**
 * Tells whether each block is the one that the next names, and has the transactions of its root.
 */
function holdsTogether(tip: Block, most: number): boolean {
  let left = most
  for (let block = tip; block.previous !== undefined && left > 0; block = block.previous) {
    const root = merkleRootOf(block.transactions.map(({ txid }) => txid))
    if (blockHash(block) !== block.hash || root !== block.merkleRoot) return false
    if (block.previousHash !== block.previous.hash) return false
    left -= 1
  }
  return true
}
