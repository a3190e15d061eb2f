import type { TokenLayout, TokenPayload } from '../payload/payload.ts'

/**
 * The role of an output of a token transaction.
 *
 * `order` holds the coins or tokens that an order offers; `order-marker` holds the coins by which
 * wallets find it. `native-change` returns to a key that the transaction itself shows to be the
 * sender's; `payment` is any other native output to a key or script. `unexpected` is an output that
 * nothing in the transaction explains.
 */
export type TokenOutputRole =
  | 'marker'
  | 'issuance'
  | 'destination'
  | 'token-change'
  | 'order'
  | 'order-marker'
  | 'native-change'
  | 'payment'
  | 'nulldata'
  | 'unexpected'

/**
 * The role of an input, read from its scriptSig: `condition` spends a condition of another module;
 * `unknown` is unsigned, or not signed by one key.
 */
export type TokenInputRole = 'token' | 'marker' | 'order' | 'native' | 'condition' | 'unknown'

export interface TokenOutput {
  readonly role: TokenOutputRole
  /** Token units for issuance, destination and token-change; satoshis otherwise. */
  readonly value: bigint
  readonly script: string
  readonly address?: string
  /**
   * Compressed public keys that can spend the output, each of them alone unless there is `required`.
   * Absent if the transaction does not show them.
   */
  readonly pubkeys?: readonly string[]
  /** The number of keys that must sign together, if it is more than one. */
  readonly required?: number
  /** Eval codes of the output's condition, if they are known. */
  readonly evalCodes?: readonly number[]
  /** The token that the output names itself, as outputs of `tokenv2transfermany` do. */
  readonly tokenid?: string
}

export interface TokenInput {
  readonly role: TokenInputRole
  readonly txid: string
  readonly vout: number
  /** Keys that the scriptSig shows, the signing one first. */
  readonly pubkeys?: readonly string[]
  /** Eval codes of the condition that the input fulfills. */
  readonly evalCodes?: readonly number[]
}

export interface TokenTransaction {
  readonly kind: 'create' | 'transfer'
  readonly layout: TokenLayout
  /**
   * The transaction's own id for a creation; the first token if outputs name their tokens
   * themselves.
   */
  readonly tokenid: string
  readonly txid: string
  readonly inputs: readonly TokenInput[]
  readonly outputs: readonly TokenOutput[]
  /** Units in a creation's issuance outputs. */
  readonly supply?: bigint
  /** Eval code that a non-fungible token's data put into its conditions, if it is known. */
  readonly nonFungibleEvalCode?: number
  readonly payload: TokenPayload
}
