import { coinbaseMaturity } from '../chain/limits.ts'
import { type Network, rewardsOf } from '../chain/network.ts'
import { type Finding, finding } from '../request/report.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import type { Transaction } from '../transaction/types.ts'

/**
 * Reports coinbases that a transaction spends before they are mature, where heights show that.
 *
 * @param spent - the transaction of each input; undefined where it was not given
 * @param owner - of the inputs, before their paths
 * @param minedAt - the block of the spender, or the first that it can be in
 * @see komodo src/main.cpp, Consensus::CheckTxInputs, bad-txns-premature-spend-of-coinbase
 */
export function prematureSpends(
  spent: readonly (Transaction | undefined)[],
  owner: string,
  minedAt: number,
  chain: { readonly network: Network; heightOf(txid: string): number | undefined },
): Finding[] {
  if (rewardsOf(chain.network) !== 'komodo') return []
  return spent.flatMap((transaction, index) => {
    if (transaction === undefined || !isCoinbase(transaction)) return []
    const height = chain.heightOf(transaction.txid) ?? 0
    const actual = minedAt - height
    if (height === 0 || actual >= coinbaseMaturity) return []
    const details = { expected: `${coinbaseMaturity} blocks`, actual }
    return [finding('premature_coinbase', `${owner}inputs[${index}]`, details)]
  })
}
