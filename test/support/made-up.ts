import type { TransactionFields } from '../../src/index.ts'

/** Spends a transaction that no test gives, so no verifier can tell whether it may. */
export const madeUpInputs: TransactionFields['inputs'] = [
  { txid: 'ee'.repeat(32), vout: 0, scriptSig: '00', sequence: 0xffffffff },
]

/** Spends the same, and pays nobody. */
export const madeUpFields: TransactionFields = {
  version: 4,
  overwintered: true,
  versionGroupId: 0x892f2085,
  inputs: madeUpInputs,
  outputs: [],
  lockTime: 0,
  expiryHeight: 0,
}
