import { splitTransactions } from '../engine/calls.ts'
import { splitTransactionBytes } from '../engine/records.ts'
import { resultBase, splitTransactionWords } from '../engine/words.ts'

/** The transactions of a block, with the hashes that a header commits to; display order. */
interface SplitTransactions {
  /** Raw, each a part of the given bytes. */
  readonly transactions: readonly Uint8Array[]
  readonly txids: readonly string[]
  readonly merkleRoot: string
}

const hashDigits = 64

/**
 * Splits `count` transactions that follow each other, as they follow the header of a block, and
 * hashes them in the native core.
 *
 * @throws {AntaraError} `trailing_bytes`, and as `decodeTransaction`; a transaction that is larger
 *   than any in a block is `truncated`
 */
export function transactionsOf(bytes: Uint8Array, count: number): SplitTransactions {
  const text = splitTransactions(bytes, { count })
  let at = 0
  const transactions = Array.from({ length: count }, (_, index) => {
    const start = at
    at += splitTransactionBytes(resultBase + splitTransactionWords * index)
    return bytes.subarray(start, at)
  })
  const txids = transactions.map((_, index) =>
    text.slice(hashDigits * index, hashDigits * (index + 1)),
  )
  return { transactions, txids, merkleRoot: text.slice(-hashDigits) }
}
