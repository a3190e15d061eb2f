import { decodeTransaction } from '../../transaction/decode.ts'
import type { Transaction } from '../../transaction/types.ts'

export { isCoinbase, isNullOutpoint } from '../../transaction/coinbase.ts'

/** A transaction as the node keeps it, without its place in the chain or the mempool. */
export interface StoredTransaction {
  readonly txid: string
  readonly hex: string
  /** Bytes. */
  readonly size: number
  readonly transaction: Transaction
}

/** @throws {AntaraError} as `decodeTransaction` */
export function storedTransaction(hex: string): StoredTransaction {
  const lower = hex.toLowerCase()
  const transaction = decodeTransaction(lower)
  return { txid: transaction.txid, hex: lower, size: lower.length / 2, transaction }
}
