// The next block of a node: its coinbase, and the transactions of the mempool that it may have.

import { isFinal } from './consensus/check-transaction.ts'
import { type ChainProfile, subsidyOf } from './profile.ts'
import { medianTime } from './state/block.ts'
import { coinbaseOf } from './state/coinbase.ts'
import { pooledTransactions } from './state/mempool.ts'
import type { StoredTransaction } from './state/stored-transaction.ts'
import type { NodeState } from './state/view.ts'

export interface MineOptions {
  /** The scriptPubKey that gets the block's coins. */
  readonly script: string
  /** Seconds since 1970; the clock's, and more than the median of the last blocks, by default. */
  readonly time?: number
  /** Outputs that the block makes besides its reward. */
  readonly faucetOutputs?: readonly { readonly script: string; readonly value: bigint }[]
}

export interface NextBlock {
  readonly height: number
  /** Seconds since 1970. */
  readonly time: number
  readonly coinbase: StoredTransaction
  readonly others: readonly WithFee[]
}

type WithFee = StoredTransaction & { readonly fee: bigint }

export const blockBytesMax = 4_000_000
/** Room for the header and the coinbase. */
const blockBytesReserved = 2_000

export function nextBlock(
  state: NodeState,
  profile: ChainProfile,
  { script, time, faucetOutputs = [] }: MineOptions & { readonly time: number },
): NextBlock {
  const height = state.chain.tip.height + 1
  const others = transactionsFor(state, height)
  const fees = others.reduce((sum, { fee }) => sum + fee, 0n)
  const value = subsidyOf(profile, height) + fees
  return {
    height,
    time,
    others,
    coinbase: coinbaseOf({ height, time, value, script, faucetOutputs }),
  }
}

/** In order of arrival: parents come before children, as they could not have come otherwise. */
function transactionsFor({ chain, mempool }: NodeState, height: number): WithFee[] {
  const cutoff = medianTime(chain.tip)
  const chosen: WithFee[] = []
  /** Transactions that this block cannot have; it cannot have their children either. */
  const left = new Set<string>()
  let bytes = blockBytesReserved
  for (const pooled of pooledTransactions(mempool)) {
    const { expiryHeight, inputs } = pooled.transaction
    const isExpired = expiryHeight !== 0 && height > expiryHeight
    const isOrphan = inputs.some(({ txid }) => left.has(txid))
    if (isExpired || isOrphan || !isFinal(pooled.transaction, height, cutoff)) {
      left.add(pooled.txid)
      continue
    }
    if (bytes + pooled.size > blockBytesMax) break
    bytes += pooled.size
    chosen.push(pooled)
  }
  return chosen
}
