// A chain gives each output, note and block reward to one transaction alone.

import { coinbaseHeight, isCoinbase, isNullOutpoint } from '../transaction/coinbase.ts'
import type { Transaction } from '../transaction/types.ts'

interface Taking {
  /** The same for all transactions that take it. */
  readonly name: string
  /** The path within the transaction. */
  readonly member: string
}

/**
 * Returns the outputs and the notes that a transaction spends, and the block whose reward it pays
 * out.
 *
 * @see komodo src/main.cpp, UpdateCoins; src/coins.cpp, SetNullifiers, which keeps those of each
 *   pool apart; ContextualCheckBlock, by which a coinbase names its block
 */
export function takingsOf(transaction: Transaction): Taking[] {
  const { inputs, shieldedSpends, joinSplits } = transaction
  const outputs = inputs.flatMap((input, index) =>
    isNullOutpoint(input)
      ? []
      : [{ name: `${input.txid}:${input.vout}`, member: `inputs[${index}]` }],
  )
  const sapling = shieldedSpends.map(({ nullifier }, index) => ({
    name: `the Sapling note of nullifier ${nullifier}`,
    member: `shieldedSpends[${index}].nullifier`,
  }))
  const sprout = joinSplits.flatMap(({ nullifiers }, index) =>
    nullifiers.map((nullifier, position) => ({
      name: `the Sprout note of nullifier ${nullifier}`,
      member: `joinSplits[${index}].nullifiers[${position}]`,
    })),
  )
  const height = isCoinbase(transaction) ? coinbaseHeight(transaction) : undefined
  const reward =
    height === undefined ? [] : [{ name: `the reward of block ${height}`, member: 'inputs[0]' }]
  return [...outputs, ...sapling, ...sprout, ...reward]
}
