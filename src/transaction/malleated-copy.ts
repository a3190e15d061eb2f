import { encodeTransaction } from './encode.ts'
import type { Transaction } from './types.ts'

/**
 * Returns true if two transactions differ in their scriptSigs at most. A third party can change a
 * scriptSig without the key, for example the sign of s in a signature or the encoding of a
 * fulfillment, and the txid with it. Both spend the same outputs, so only one of them can be mined.
 */
export function isMalleatedCopy(one: Transaction, other: Transaction): boolean {
  return (
    one.inputs.length === other.inputs.length && withoutScriptSigs(one) === withoutScriptSigs(other)
  )
}

/** Returns the bytes that a transaction and all of its malleated copies have in common. */
export function withoutScriptSigs(tx: Transaction): string {
  return encodeTransaction({ ...tx, inputs: tx.inputs.map((it) => ({ ...it, scriptSig: '' })) })
}
