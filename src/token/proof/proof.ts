import type { Network } from '../../chain/network.ts'
import type { ProofRule } from '../rules/rules.ts'

/**
 * The verdict on whether an output holds tokens: proven, disproven, or open because transactions
 * are missing.
 */
export type TokenProof =
  | { readonly verdict: 'proven'; readonly amount: bigint }
  | {
      readonly verdict: 'disproven'
      /** The transaction that breaks the rule: the output's own or an ancestor. */
      readonly txid: string
      readonly rule: ProofRule
      readonly expected?: unknown
      readonly actual?: unknown
    }
  | {
      readonly verdict: 'incomplete'
      /** Missing transactions, in the order of the walk. */
      readonly missing: readonly string[]
    }

/** A proof without the list of missing transactions, which takes another walk. */
export type BareProof =
  | Exclude<TokenProof, { verdict: 'incomplete' }>
  | { readonly verdict: 'incomplete' }

export type Disproof = Omit<Extract<TokenProof, { verdict: 'disproven' }>, 'verdict'>

export interface ProofOptions {
  /**
   * Requires valid signatures on every input that brings tokens or pays for the creation. Then only
   * the holders of the keys can have invented a history. Default: `false`, because a chain checked
   * the signatures of the transactions that it holds.
   */
  readonly signatures?: boolean
  /** The token's chain; tokeld's chains have tokens v2. Default: `assetChain`. */
  readonly network?: Network
}
