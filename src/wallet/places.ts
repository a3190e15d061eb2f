// Where a block has a payment, as far as a source can be believed that claims it.

import { expiryDelta } from '../chain/limits.ts'
import { depthMax } from '../journal/recorded-payment.ts'
import type { Place } from '../rpc/safe-flow/place.ts'
import type { Transaction } from '../transaction/types.ts'

/**
 * Returns the reported height, or none if it is impossible: the block of a payment is not older than
 * the blocks of its coins.
 */
export function possiblePlace(
  { txid, inputs }: Pick<Transaction, 'txid' | 'inputs'>,
  heights: ReadonlyMap<string, number>,
  tip: number,
): Place {
  const height = heights.get(txid) ?? 0
  if (height === 0 || height > tip) return {}
  const isOlderThanCoin = inputs.some((input) => {
    const from = heights.get(input.txid)
    return from !== undefined && (from === 0 || from > height)
  })
  return isOlderThanCoin ? {} : { height }
}

/**
 * Returns the place of a payment that this wallet built, or none if it is impossible. The journal
 * keeps heights, so a false one would end the search for the payment.
 *
 * The block is above the last block at which the payment was made, which its expiry height shows.
 * Only a reorganization makes an exception, and then the block has to be deep.
 */
export function believedPlace(
  transaction: Pick<Transaction, 'txid' | 'inputs' | 'expiryHeight'>,
  heights: ReadonlyMap<string, number>,
  tip: number,
): Place {
  const { height = 0 } = possiblePlace(transaction, heights, tip)
  const madeAt = transaction.expiryHeight - 1 - expiryDelta
  const isOlderThanPayment = height <= madeAt && tip >= madeAt && tip < height + depthMax
  return height === 0 || isOlderThanPayment ? {} : { height }
}

/** Returns true if no block above a height will have a transaction. */
export function isExpired(transaction: Transaction | undefined, height: number): boolean {
  const { expiryHeight = 0 } = transaction ?? {}
  return expiryHeight > 0 && height >= expiryHeight + depthMax
}
