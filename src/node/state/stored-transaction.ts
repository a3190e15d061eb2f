import { decodeTransaction } from '../../transaction/decode.ts'
import type { Transaction } from '../../transaction/types.ts'

/** A transaction as the node keeps it: by what it is, not by where it stands. */
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

const zeroTxid = '0'.repeat(64)
const nullIndex = 0xffffffff

/** @see komodo src/primitives/transaction.h, IsCoinBase */
export function isCoinbase({ inputs }: Transaction): boolean {
  return inputs.length === 1 && isNullOutpoint(inputs[0]!)
}

export function isNullOutpoint({ txid, vout }: { txid: string; vout: number }): boolean {
  return vout === nullIndex && txid === zeroTxid
}
