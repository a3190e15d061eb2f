import type { Network } from '../../chain/network.ts'
import type { ProofRule } from '../rules/rules.ts'

/** Whether an output holds tokens: shown, refuted, or not to be told from what was given. */
export type TokenProof =
  | { readonly verdict: 'proven'; readonly amount: bigint }
  | {
      readonly verdict: 'disproven'
      /** Where the rule is broken: the transaction itself or an ancestor. */
      readonly txid: string
      readonly rule: ProofRule
      readonly expected?: unknown
      readonly actual?: unknown
    }
  | {
      readonly verdict: 'incomplete'
      /** In the order they were met. */
      readonly missing: readonly string[]
    }

/** A proof that does not say what is missing, which takes another walk. */
export type BareProof =
  | Exclude<TokenProof, { verdict: 'incomplete' }>
  | { readonly verdict: 'incomplete' }

export type Disproof = Omit<Extract<TokenProof, { verdict: 'disproven' }>, 'verdict'>

export interface ProofOptions {
  /**
   * Whether signatures must be right as well, of every input that brings tokens or pays for the
   * creation: then only who holds the keys can have made a history up. Default: false, because
   * what a chain has taken in was signed.
   */
  readonly signatures?: boolean
  /** The chain that the token is on: tokeld's have tokens v2. Default: `assetChain`. */
  readonly network?: Network
}
