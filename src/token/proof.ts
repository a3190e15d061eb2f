import type { Network } from '../network/network.ts'

/** Why an output holds no tokens of the id it was said to hold. Words keep their meaning. */
export type ProofRule =
  /** The transaction has no such output. */
  | 'no_such_output'
  /** The last output never holds tokens. */
  | 'last_output'
  /** The output does not pay to a condition. */
  | 'not_a_condition'
  /** The output has no value. */
  | 'no_amount'
  /** The transaction's last output says nothing of tokens that the daemon could read. */
  | 'no_payload'
  /** The payload is of another token. */
  | 'other_token'
  /** The condition is none that the payload's and the inputs' keys make. */
  | 'condition_not_listed'
  /** The output is the marker of the creation. */
  | 'marker'
  /** The token's id is that of a transaction which creates no token. */
  | 'not_a_creation'
  /** The creation comes from another chain, which cannot be seen from here. */
  | 'creation_imported'
  /** The creation issues tokens in several outputs, or has not exactly one marker of 10000 satoshis. */
  | 'creation_not_single'
  /** The creation spends tokens, which no chain accepts. */
  | 'creation_spends_tokens'
  /** The owner named in the creation put in less than was issued. */
  | 'creation_not_funded'
  /** A transfer's outputs hold more or fewer tokens than its inputs. */
  | 'unequal_amounts'
  /** An input names the same output twice, or one that another ancestor spends. */
  | 'double_spend'
  /** An input that should bring tokens, or pay for their creation, is not rightly signed. */
  | 'signature_invalid'
  /** The marker of a fungible token is spent together with a burn, which no chain accepts. */
  | 'marker_spent_with_burn'

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
