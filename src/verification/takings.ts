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
  const takings: Taking[] = []
  for (const [index, input] of inputs.entries()) {
    if (isNullOutpoint(input)) continue
    takings.push({ name: `${input.txid}:${input.vout}`, member: `inputs[${index}]` })
  }
  for (const [index, { nullifier }] of shieldedSpends.entries()) {
    const name = `the Sapling note of nullifier ${nullifier}`
    takings.push({ name, member: `shieldedSpends[${index}].nullifier` })
  }
  for (const [index, { nullifiers }] of joinSplits.entries()) {
    for (const [position, nullifier] of nullifiers.entries()) {
      const name = `the Sprout note of nullifier ${nullifier}`
      takings.push({ name, member: `joinSplits[${index}].nullifiers[${position}]` })
    }
  }
  const height = isCoinbase(transaction) ? coinbaseHeight(transaction) : undefined
  if (height !== undefined) {
    takings.push({ name: `the reward of block ${height}`, member: 'inputs[0]' })
  }
  return takings
}
