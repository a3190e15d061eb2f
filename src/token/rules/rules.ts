import type { Transaction, TransactionOutput } from '../../transaction/types.ts'
import type { CreatePayload, TokenLayout, TokenPayload } from '../payload/payload.ts'
import type { KeySet } from './key-set.ts'

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
  /**
   * The creation issues tokens in several outputs, or in one that drops what would stand for the
   * payload, or has not exactly one marker of 10000 satoshis.
   */
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

/** Token units by output. */
export type Amounts = ReadonlyMap<number, bigint>

/** A transaction with what its last output says of tokens. */
export interface Seen {
  readonly txid: string
  readonly transaction: Transaction
  readonly payload: TokenPayload | undefined
}

/** Outputs of a transaction that hold a token, if what they rest on is sound. */
export interface TokenAmounts {
  readonly amounts: Amounts
  /** A rule that the transaction breaks by itself. */
  readonly rule?: ProofRule
}

/** Who holds tokens: a public key; or of tokens v2 its hash, 20 bytes, or several keys. All hex. */
export type Holder = string | KeySet

/** Where tokens of one creation lie. */
export interface TokenPlaces {
  /**
   * Where a transfer puts what it gives to each of some holders, which are asked for together.
   *
   * @param naming - of tokens v2: the token that the outputs name themselves
   */
  scriptsOf(holders: readonly Holder[], naming?: string): string[]
  /** Tells whether an output that pays a script would be the owner's. */
  finderOf(owner: Holder): (script: string) => boolean
  /** Whether a script pays the holder, or one of its keys, but not as a transfer does. */
  isLookalike(script: string, holder: Holder): boolean
}

/** How a kind of daemon lays tokens out and counts them: all that its chains do differently. */
export interface TokenRules {
  readonly layout: TokenLayout
  /** Of the module, as fulfillments show it, hex. */
  readonly evalCode: string
  /** Where a creation leaves its marker. */
  readonly marker: string
  /** Where a creation puts the supply. @param data - of a non-fungible token, hex, or '' */
  issuanceScript(owner: string, data: string): string
  /** Satoshis that the owner's own coins must bring into a creation, as IsTokensvout counts it. */
  paidByOwner(supply: bigint): bigint
  placesOf(created: CreatedData): TokenPlaces
  /**
   * What a creation that was not given must have said for the owner's coins to be the token's.
   *
   * @param scripts - of what is spent
   */
  assumedCreation(owner: string, scripts: readonly string[]): CreatedData
  /** What a transaction says of tokens, if such a daemon reads it. */
  payloadOf(outputs: readonly TransactionOutput[]): TokenPayload | undefined
  /** The token that an output is said to hold, by its own transaction alone. */
  tokenOf(seen: Seen, vout: number): string | undefined
  /** Why an output cannot hold the token, by its own transaction alone. */
  ruleAgainst(seen: Seen, vout: number, tokenid: string): ProofRule | undefined
  /** Every token that a transaction claims to transfer, whatever its inputs bring. */
  tokensMoved(seen: Seen): readonly string[]
  /** @param inputKeys - first key of every token input, '' where there is none */
  transferred(
    seen: Seen,
    tokenid: string,
    inputKeys: readonly string[],
    created: CreatedData,
  ): TokenAmounts
  /** `required` satoshis must come from the owner that a creation names. */
  issued(outputs: readonly TransactionOutput[]): TokenAmounts & { readonly required: bigint }
}

/** What transfers have to know of their token's creation. */
export type CreatedData = Pick<CreatePayload, 'extras'>

export const fungible: CreatedData = { extras: [] }
