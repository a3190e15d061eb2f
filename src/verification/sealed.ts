import type { VerifiedTransaction } from '../request/report.ts'

const sealed = new WeakSet<object>()

/** For verifiers only: whoever calls this vouches for the bytes. */
export function seal(hex: string, txid: string): VerifiedTransaction {
  const transaction = Object.freeze({ hex, txid })
  sealed.add(transaction)
  return transaction
}

/**
 * Returns true if a verifier of this library made `value`; false for a look-alike or a copy.
 *
 * @example
 * const { verified } = verifyTokenTransfer(hex, intent, evidence)
 * isVerifiedTransaction(verified) // true, unless the report has a reject
 */
export function isVerifiedTransaction(value: unknown): value is VerifiedTransaction {
  // it has nothing that is no object
  return sealed.has(value as object)
}
