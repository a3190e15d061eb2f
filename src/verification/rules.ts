// The data that checks read, and the parts of the checks that an operation supplies.

import type { Steps } from '../primitives/steps.ts'
import type { Evidence } from '../request/evidence.ts'
import type { Effect, Finding } from '../request/report.ts'
import type { ReadyTerms } from '../request/terms.ts'
import type { Transaction } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import type { CheckedFee } from './fee.ts'
import type { CheckedInputs, OwnCoins } from './inputs.ts'
import type { ExpectedOutput, Matching } from './outputs.ts'
import type { ResolvedInputs, SpentOutput } from './previous-outputs.ts'
import type { Signer } from './signatures.ts'

/** The given transactions that proofs of inclusion bind to a chain. */
export interface CheckedInclusion {
  readonly findings: readonly Finding[]
  /** Their txids. */
  readonly bound: ReadonlySet<string>
}

export const noInclusion: CheckedInclusion = { findings: [], bound: new Set() }

/** Checks proofs of inclusion. A page that has none of them does without the code for it. */
export type InclusionCheck = (
  evidence: Evidence,
  terms: ReadyTerms,
  known: KnownTransactions,
  spent: Transaction['inputs'],
) => Steps<CheckedInclusion>

/** A transaction, and what the evidence shows of it. */
export interface Context {
  readonly tx: Transaction
  /** Size of the transaction. */
  readonly bytes: number
  readonly evidence: Evidence
  readonly known: KnownTransactions
  readonly resolved: ResolvedInputs
}

/** A context with the inputs and outputs classified by the rules of an operation. */
export interface Classified extends Context {
  readonly inputs: CheckedInputs
  readonly expected: readonly ExpectedOutput[]
  readonly effects: readonly Effect[]
}

/** The parts that an operation supplies to the checks of `checks.ts`. */
export interface OperationRules {
  /**
   * Tokens move in version 4 alone, without a lock time. Coins may move in any version that chains
   * have mined, and after a requested lock time.
   */
  readonly moves: 'tokens' | 'coins'
  readonly terms: ReadyTerms
  /** True if nothing that the request names is on one chain alone, as a token is. */
  readonly isUnbound?: boolean
  /** The requested lock time of a payment. */
  readonly lockTime?: number
  /** The requested expiry height of a payment. */
  readonly expiryHeight?: number
  /** Findings about the request that only the evidence shows. */
  readonly findings: readonly Finding[]
  /** Outputs that may be spent. */
  readonly own: OwnCoins
  /** How outputs may deviate from the expected ones; by default not at all. */
  readonly matching?: Matching
  inputFindings(inputs: CheckedInputs): readonly Finding[]
  /** Returns outputs in the daemon's order, before native change. */
  expectedOutputs(inputs: CheckedInputs): readonly ExpectedOutput[]
  changeFindings(classified: Classified): readonly Finding[]
  /** Returns findings about the nulldata output and the recipients. */
  payloadFindings(classified: Classified): readonly Finding[]
  fee(classified: Classified): CheckedFee
  /** Returns the required signer of an input whose signature is checked. */
  signerOf(spent: SpentOutput): Signer
}
