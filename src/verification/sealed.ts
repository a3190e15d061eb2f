import type { VerifiedTransaction } from '../request/report.ts'

const sealed = new WeakSet<object>()

/** Seals verified bytes. Only verifiers may call this. */
export function seal(hex: string, txid: string): VerifiedTransaction {
  const transaction = Object.freeze({ hex, txid })
  sealed.add(transaction)
  return transaction
}

/**
 * Returns true if a verifier of this library created `value`; false for a copy.
 *
 * @example
 * const { verified } = verifyTokenTransfer(hex, intent, evidence)
 * isVerifiedTransaction(verified) // true, unless the report has a reject
 */
export function isVerifiedTransaction(value: unknown): value is VerifiedTransaction {
  // `has` returns false for a value that is not an object
  return sealed.has(value as object)
}
