import type { Transaction, TransactionOutput } from '../transaction/types.ts'
import type { CreatePayload, TokenPayload } from './payload.ts'
import type { ProofRule } from './proof.ts'

/** Token units by output. */
export type Amounts = ReadonlyMap<number, bigint>

/** A transaction with what its last output says of tokens. */
export interface Seen {
  readonly txid: string
  readonly transaction: Transaction
  readonly payload: TokenPayload | undefined
}

/** Outputs of a transaction that hold a token, if what they rest on is sound. */
export interface Held {
  readonly amounts: Amounts
  /** A rule that the transaction breaks by itself. */
  readonly rule?: ProofRule
}

/** How a kind of daemon counts tokens: all that its chains do differently. */
export interface TokenRules {
  /** Of the module, as fulfillments show it, hex. */
  readonly evalCode: string
  /** What a transaction says of tokens, if such a daemon reads it. */
  payloadOf(outputs: readonly TransactionOutput[]): TokenPayload | undefined
  /** Why an output cannot hold the token, by its own transaction alone. */
  ruleAgainst(seen: Seen, vout: number, tokenid: string): ProofRule | undefined
  /** Whether a transaction may transfer some of the token. */
  moves(seen: Seen, tokenid: string): boolean
  /** @param inputKeys - first key of every token input, '' where there is none */
  transferred(seen: Seen, tokenid: string, inputKeys: readonly string[], created: CreatedData): Held
  /** `required` satoshis must come from the owner that a creation names. */
  issued(outputs: readonly TransactionOutput[]): Held & { readonly required: bigint }
}

/** What transfers have to know of their token's creation. */
export type CreatedData = Pick<CreatePayload, 'extras'>
