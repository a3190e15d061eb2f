// Statistics of a chain: its coins, its transactions, and whether its blocks link.

import { merkleRootOf } from '../../block/merkle.ts'
import { type Block, blockHash, medianTime } from '../state/block.ts'
import { genesisValue } from '../state/genesis.ts'
import { blockAt, requireWholeChain } from '../state/view.ts'
import { type Answer, coins } from './answer.ts'
import { blockOfHash } from './blocks.ts'
import { type Context, type Methods, method, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { hash, integer, leadingInteger, text } from './params.ts'

export const statisticsMethods: Methods = methodsIn('Blockchain', [
  method('coinsupply <height>\n', [0, 1], (context, [height]) =>
    coinSupply(context, height === undefined ? undefined : text(height)),
  ),
  method(
    'getchaintxstats ( nblocks blockhash )',
    [0, 2],
    (context, [count = null, which = null]) => {
      requireWholeChain(context.state.chain)
      const { tip } = context.state.chain
      const last = which === null ? tip : blockOfHash(context, hash(which, 'blockhash'))
      return transactionStatistics(
        last,
        count === null ? Math.max(0, last.height - 1) : integer(count),
      )
    },
  ),
  method('verifychain ( checklevel numblocks )', [0, 2], (context, [level, count]) => {
    if (level !== undefined) integer(level)
    const most =
      count === undefined || integer(count) === 0 ? Number.POSITIVE_INFINITY : integer(count)
    requireWholeChain(context.state.chain)
    return holdsTogether(context.state.chain.tip, most)
  }),
])

/** @see komodo src/rpc/blockchain.cpp, coinsupply */
function coinSupply(context: Context, height: string | undefined): Answer {
  requireWholeChain(context.state.chain)
  const { tip } = context.state.chain
  const wanted = height === undefined ? tip.height : Number(leadingInteger(height))
  if (wanted < 0 || wanted > tip.height) return { error: 'invalid height' }
  if (wanted === 0) return { error: 'couldnt calculate supply' }
  const block = blockAt(context, wanted)!
  const supply = coins(block.supply - genesisValue)
  return {
    result: 'success',
    coin: context.rules.profile.name,
    height: wanted,
    supply,
    zfunds: coins(0n),
    sprout: coins(0n),
    total: supply,
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
  const interval = medianTime(last) - medianTime(first)
  return {
    time: last.time,
    txcount: all,
    window_final_block_hash: last.hash,
    window_block_count: count,
    ...(count > 0 && { window_tx_count: inWindow, window_interval: interval }),
    ...(interval > 0 && { txrate: inWindow / interval }),
  }
}

/** Returns whether each block has the hash that the next one names, and the root of its transactions. */
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
