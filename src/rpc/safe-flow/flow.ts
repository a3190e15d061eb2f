// State that the steps of a flow share: the payment, its attempts, and how it ends.

import type { Book } from '../../journal/book.ts'
import type { RpcErrorKind, UnsettledTransaction } from '../errors.ts'
import type { Attempt, Attempts, Obstacle, PaymentName } from './attempts.ts'
import type { Checked } from './check.ts'
import type { TransactionSource } from './evidence.ts'
import type { SafeFlowOptions } from './options.ts'
import type { Place } from './place.ts'

/** Why nothing was broadcast. */
export type Held =
  | 'rejected'
  | 'dry-run'
  | 'declined'
  /** With `resumeOnly`: what was recorded could not be sent, and nothing was made in its place. */
  | 'unsettled'
  | Obstacle

/** The parts in which flows differ. */
export interface Payment<Verdict extends Checked> {
  /** Owns the memory if no journal is given: a client speaks to one chain. */
  readonly client: object
  /** The scripts and amounts that are paid: the same for the same payment. */
  readonly key: string
  /** The request as JSON, for people and for `resume`. */
  readonly request: () => string
  readonly options: SafeFlowOptions
  /** The kind of error by which the server says that it will not take a transaction. */
  readonly refusal: RpcErrorKind
  /** Has the server make a transaction, and judges it. */
  ask(): Promise<Verdict>
  check(hex: string, state?: 'on-chain'): Promise<Verdict>
  readonly lookUp: TransactionSource
  /** Where the chain has what `lookUp` found. Absent: whatever was found counts as mined. */
  place?(txid: string): Promise<Place>
  /** Identifies the chain. Requested only if a journal is given. */
  chain?(): Promise<string | undefined>
  /** Height of the chain's last block. */
  tip?(): Promise<number | undefined>
  /** True if the chain shows that a transaction can never be mined. Asked of trusted servers. */
  isDead?(attempt: Attempt): Promise<boolean>
  /** Broadcasts. Fails unless the server answers with this very txid. */
  send(attempt: Attempt): Promise<void>
}

export type Paid<Verdict extends Checked> = Verdict & {
  readonly txid?: string
  readonly held?: Held
  readonly repeated?: true
  readonly unsettled?: readonly UnsettledTransaction[]
}

/** One call of a flow, and what was recorded before for the same payment. */
export interface Flow<Verdict extends Checked> {
  readonly payment: Payment<Verdict>
  readonly attempts: Attempts
  readonly book: Book
  readonly named: PaymentName
  /** The caller gave the journal: a payment is over when the chain shows it, not before. */
  readonly isDurable: boolean
}

/** `changed`: another process recorded something for this payment, so that all is looked at anew. */
export type Outcome<Verdict extends Checked> = Promise<Paid<Verdict> | 'changed' | undefined>
