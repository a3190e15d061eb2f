import { coinbaseMaturity } from '../chain/limits.ts'
import { type Network, rewardsOf } from '../chain/network.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import type { Transaction } from '../transaction/types.ts'

interface PrematureSpend {
  /** The index of the input. */
  readonly index: number
  readonly expected: string
  readonly actual: number
}

/**
 * Finds coinbases that a transaction spends before they are mature.
 *
 * @param spent - the transaction of each input; undefined where it was not given
 * @param minedAt - the block of the spender, or the first that it can be in; undefined if unknown
 * @see komodo src/main.cpp, Consensus::CheckTxInputs, bad-txns-premature-spend-of-coinbase
 */
export function prematureSpends(
  spent: readonly (Transaction | undefined)[],
  minedAt: number | undefined,
  chain: { readonly network: Network; heightOf(txid: string): number | undefined },
): PrematureSpend[] {
  if (rewardsOf(chain.network) !== 'komodo' || minedAt === undefined) return []
  return spent.flatMap((transaction, index) => {
    if (transaction === undefined || !isCoinbase(transaction)) return []
    const height = chain.heightOf(transaction.txid) ?? 0
    const depth = minedAt - height
    if (height === 0 || depth >= coinbaseMaturity) return []
    return [{ index, expected: `${coinbaseMaturity} blocks`, actual: depth }]
  })
}
