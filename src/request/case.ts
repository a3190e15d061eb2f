import type { Outpoint } from '../transaction/types.ts'
import type { CreateIntent } from './create.ts'
import type { TokenCancelIntent, TokenFillIntent, TokenOfferIntent } from './order.ts'
import type { PaymentIntent } from './payment.ts'
import type { TransferIntent } from './transfer.ts'

/** The evidence that a request is verified with. */
export interface Evidence {
  /**
   * Whole raw transactions, hex: those that the inputs spend from, and any ancestors. Each is
   * hashed; amounts and scripts are read from them and never taken on trust.
   */
  readonly previousTransactions: readonly string[]
  /** The raw transaction that created the token; it may also be among the previous ones. */
  readonly tokenCreate?: string
  /** Height of the chain's last block; needed to check the expiry height. */
  readonly tipHeight?: number
  /** Time of the chain's last block, seconds since 1970; needed to check a lock time and rewards. */
  readonly tipTime?: number
  /**
   * Median time of the chain's last eleven blocks, `mediantime` of a daemon's block; nodes compare
   * lock times with it.
   */
  readonly medianTime?: number
  /**
   * Heights of the blocks that transactions are in, by txid in either case of letters; 0 for one
   * that is in none yet.
   */
  readonly heights?: Readonly<Record<string, number>>
  /**
   * Claimed values of outputs, satoshis. A claim proves nothing; but where it differs from a whole
   * transaction, one of them is false.
   */
  readonly amounts?: readonly ClaimedAmount[]
}

export const evidenceMembers: readonly (keyof Evidence)[] = [
  'previousTransactions',
  'tokenCreate',
  'tipHeight',
  'tipTime',
  'medianTime',
  'heights',
  'amounts',
]

export interface ClaimedAmount extends Outpoint {
  readonly value: bigint
}

/** Every operation, and what is asked for in it; `src/verification/operations` says all else of them. */
export interface Intents {
  readonly tokentransfer: TransferIntent
  readonly tokencreate: CreateIntent
  readonly payment: PaymentIntent
  readonly tokenask: TokenOfferIntent<'ask'>
  readonly tokenbid: TokenOfferIntent<'bid'>
  readonly tokenfillask: TokenFillIntent<'fillAsk'>
  readonly tokenfillbid: TokenFillIntent<'fillBid'>
  readonly tokencancelask: TokenCancelIntent<'cancelAsk'>
  readonly tokencancelbid: TokenCancelIntent<'cancelBid'>
}

export type OperationName = keyof Intents

/** An operation, and what was asked of it. */
export type AskedFor<Name extends OperationName = OperationName> = {
  readonly [One in Name]: { readonly operation: One; readonly intent: Intents[One] }
}[Name]

/** A case to verify: the request, the hex that came back, and the evidence. */
export type Case<Name extends OperationName = OperationName> = AskedFor<Name> & {
  readonly hex: string
  readonly evidence: Evidence
}
