// `TokenRules`, the interface behind which komodod's tokens and both kinds of tokeld's differ.

import type { Transaction, TransactionOutput } from '../../transaction/types.ts'
import type { CreatePayload, TokenLayout, TokenPayload } from '../payload/payload.ts'
import type { KeySet } from './key-set.ts'

/** The reason why an output holds no tokens of the claimed id. Codes keep their meaning. */
export type ProofRule =
  /** The transaction has no such output. */
  | 'no_such_output'
  /** The last output never holds tokens. */
  | 'last_output'
  /** The output does not pay to a condition. */
  | 'not_a_condition'
  /** The output has no value. */
  | 'no_amount'
  /** The transaction's last output holds no token payload that the daemon could read. */
  | 'no_payload'
  /** The payload names another token. */
  | 'other_token'
  /** The keys of the payload and the inputs do not make this condition. */
  | 'condition_not_listed'
  /** The output is the marker of the creation. */
  | 'marker'
  /** The token's id is that of a transaction which creates no token. */
  | 'not_a_creation'
  /** The creation imports coins from another chain, so its funding cannot be checked here. */
  | 'creation_imported'
  /**
   * The creation issues tokens in several outputs, or in an output that drops data in place of the
   * payload, or it does not have exactly one marker of 10000 satoshis.
   */
  | 'creation_not_single'
  /** The creation spends tokens, which no chain accepts. */
  | 'creation_spends_tokens'
  /** The owner named in the creation paid less than was issued. */
  | 'creation_not_funded'
  /** A transfer's outputs hold more or fewer tokens than its inputs. */
  | 'unequal_amounts'
  /** An input names the same output twice, or one that another ancestor spends. */
  | 'double_spend'
  /** An input that brings tokens, or pays for their creation, has no valid signature. */
  | 'signature_invalid'
  /** The marker of a fungible token is spent together with a burn, which no chain accepts. */
  | 'marker_spent_with_burn'
  /** The transaction creates a token by another module, whose tokens a ledger does not follow. */
  | 'other_module'

/** Token units by output. */
export type Amounts = ReadonlyMap<number, bigint>

export function total(amounts: Amounts): bigint {
  let sum = 0n
  for (const amount of amounts.values()) sum += amount
  return sum
}

/** A transaction with the token payload of its last output. */
export interface Seen {
  readonly txid: string
  readonly transaction: Transaction
  readonly payload: TokenPayload | undefined
}

/** The token amounts of a transaction's outputs, which count if its ancestors are sound. */
export interface TokenAmounts {
  readonly amounts: Amounts
  /** The rule that the transaction breaks by itself. */
  readonly rule?: ProofRule
}

/**
 * A holder of tokens: a public key, or in tokens v2 also a key's hash of 20 bytes, or several keys.
 * All hex.
 */
export type Holder = string | KeySet

/** Scripts for the tokens of one creation. */
export interface TokenPlaces {
  /**
   * Returns the scripts to which a transfer pays some holders, all in one call of the native core.
   *
   * @param naming - the token that the outputs name themselves, in tokens v2
   */
  scriptsOf(holders: readonly Holder[], naming?: string): string[]
  /** Returns a function that recognizes the scripts that pay an owner. */
  finderOf(owner: Holder): (script: string) => boolean
  /**
   * Returns true if a script pays one of the holder's keys in any way. Asked about a script that is
   * not the holder's own, the answer says that the two are easily confused.
   */
  isLookalike(script: string, holder: Holder): boolean
}

/**
 * The layout and accounting rules of tokens on one kind of daemon: all that differs between
 * daemons.
 */
export interface TokenRules {
  readonly layout: TokenLayout
  /** The module's eval code as fulfillments show it, hex. */
  readonly evalCode: string
  /** The script of the marker that a creation makes. */
  readonly marker: string
  /** Returns the script of the issued supply. @param data - of a non-fungible token, hex, or '' */
  issuanceScript(owner: string, data: string): string
  /** Returns the satoshis that the owner must pay into a creation, as IsTokensvout counts them. */
  paidByOwner(supply: bigint): bigint
  placesOf(created: CreatedData): TokenPlaces
  /**
   * Deduces the contents of a missing creation, assuming that the owner's coins hold its tokens.
   *
   * @param scripts - of the spent outputs
   */
  assumedCreation(owner: string, scripts: readonly string[]): CreatedData
  /** Returns the token payload of a transaction, if the daemon can read it. */
  payloadOf(outputs: readonly TransactionOutput[]): TokenPayload | undefined
  /** Returns the token that an output claims to hold, by its own transaction alone. */
  tokenOf(seen: Seen, vout: number): string | undefined
  /** Returns the rule that keeps an output from holding the token, by its own transaction alone. */
  ruleAgainst(seen: Seen, vout: number, tokenid: string): ProofRule | undefined
  /** Returns every token that a transaction claims to transfer, whatever its inputs bring. */
  tokensMoved(seen: Seen): readonly string[]
  /**
   * Returns the token amounts of a transfer.
   * @param inputKeys - first key of every token input, '' if there is none
   */
  transferred(
    seen: Seen,
    tokenid: string,
    inputKeys: readonly string[],
    created: CreatedData,
  ): TokenAmounts
  /** Returns the token amounts of a creation; the owner must have paid `required` satoshis. */
  issued(outputs: readonly TransactionOutput[]): TokenAmounts & { readonly required: bigint }
}

/** The parts of a creation that its transfers depend on. */
export type CreatedData = Pick<CreatePayload, 'extras'>

export const fungible: CreatedData = { extras: [] }
