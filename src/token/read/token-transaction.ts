import type { TokenLayout, TokenPayload } from '../payload/payload.ts'

/**
 * What an output of a token transaction is for.
 *
 * `order` holds what an order offers, `order-marker` the coins by which wallets find it.
 * `native-change` goes back to a key that the transaction itself shows to be the sender's;
 * `payment` is any other native output to a key or script. `unexpected` is what nothing in the
 * transaction accounts for.
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
 * What an input spends, as far as its scriptSig tells: a `condition` is that of another module,
 * `unknown` is anything that is not signed yet or not by one key.
 */
export type TokenInputRole = 'token' | 'marker' | 'order' | 'native' | 'condition' | 'unknown'

export interface TokenOutput {
  readonly role: TokenOutputRole
  /** Token units for issuance, destination and token-change; satoshis otherwise. */
  readonly value: bigint
  readonly script: string
  readonly address?: string
  /** Who can spend it, any one of them: compressed public keys. Absent when the transaction does not tell. */
  readonly pubkeys?: readonly string[]
  /** Of a condition, as far as known. */
  readonly evalCodes?: readonly number[]
  /** The token that it names itself, as outputs do that `tokenv2transfermany` makes. */
  readonly tokenid?: string
}

export interface TokenInput {
  readonly role: TokenInputRole
  readonly txid: string
  readonly vout: number
  /** Keys that the scriptSig shows, the signing one first. */
  readonly pubkeys?: readonly string[]
  /** Of a condition's fulfillment. */
  readonly evalCodes?: readonly number[]
}

export interface TokenTransaction {
  readonly kind: 'create' | 'transfer'
  readonly layout: TokenLayout
  /** The transaction's own id for a creation; the first one where outputs name theirs themselves. */
  readonly tokenid: string
  readonly txid: string
  readonly inputs: readonly TokenInput[]
  readonly outputs: readonly TokenOutput[]
  /** Units in a creation's issuance outputs. */
  readonly supply?: bigint
  /** Eval code that the data of a non-fungible token put into its conditions, where it is known. */
  readonly nonFungibleEvalCode?: number
  readonly payload: TokenPayload
}
