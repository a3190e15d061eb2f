// A payment of any operation, before it is built.

import type { UnsignedTransaction } from '../builders/unsigned.ts'
import type { ChainOptions } from '../chain-source/source.ts'
import type { Case } from '../request/case.ts'
import type { FindingCode } from '../request/report.ts'
import type { Transaction } from '../transaction/types.ts'

export interface Plan {
  /** The same for the same payment: scripts and amounts, not their spelling. */
  readonly key: string
  /** For people, and for `resume`. */
  readonly request: () => string
  /** As the option, if the caller gives none. */
  readonly repeatMs?: number
  /** Warnings that the request itself allows. */
  readonly usualWarnings?: readonly FindingCode[]
  /** True for a transaction that is submitted, and that this wallet did not prepare. */
  readonly isBuiltElsewhere?: true
  /** Returns false for a transaction that cannot be this payment. Absent if nobody is paid. */
  mayBe?(transaction: Transaction): boolean
  /** Builds the transaction from coins that nothing else has taken. */
  build(taken: Taken, limits: ChainOptions): Promise<UnsignedTransaction>
  /**
   * Makes the case that verifies a transaction that was made for this request before.
   *
   * @param state - a transaction that is in a block has not expired
   */
  caseOf(hex: string, state: 'new' | 'on-chain', given: CaseOptions): Promise<Case>
}

export interface CaseOptions extends ChainOptions {
  /** Own names of the wallet that made the transaction, which may have other keys by now. */
  readonly madeBy?: readonly string[]
}

/** Coins that a payment may not choose freely. */
export interface Taken {
  /**
   * `txid:vout` of coins of other payments that are under way or not settled, with the name of the
   * payment as errors show it.
   */
  readonly reserved: ReadonlyMap<string, string>
  /** Coins of an earlier attempt at this payment: one of them must be spent again. */
  readonly shared: ReadonlySet<string>
}
