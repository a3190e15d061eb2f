// The state that the steps of a flow share: the payment, its attempts and its outcome.

import type { Book } from '../../journal/book.ts'
import type { Journal } from '../../journal/journal.ts'
import type { RecordedAttempt, RecordedPayment } from '../../journal/recorded-payment.ts'
import type { FindingCode } from '../../request/report.ts'
import type { Transaction } from '../../transaction/types.ts'
import type { Moment } from '../clock.ts'
import type { RpcErrorKind, UnsettledTransaction } from '../errors.ts'
import type { Attempt, Attempts, Obstacle, PaymentName } from './attempts.ts'
import type { Checked } from './check.ts'
import type { TransactionSource } from './evidence.ts'
import type { RecordedHeights } from './look-back.ts'
import type { SafeFlowOptions } from './options.ts'
import type { Place } from './place.ts'

/** The reason why nothing was broadcast. */
export type Held =
  | 'rejected'
  | 'dry-run'
  | 'declined'
  /** The report warns of something that could cost money, and nobody was asked. */
  | 'warned'
  /** With `resumeOnly`: no recorded attempt could be sent, and no new one was made. */
  | 'unsettled'
  /** Another call waits for its `confirm` or `onProgress`, and may make the same payment. */
  | 'under-way'
  /** The chain has the same payment, and the journal has not: it may be an old copy. */
  | 'unrecorded-spends'
  | Obstacle

/** The parts in which flows differ. */
export interface Payment {
  /** Key of the journal in memory if the caller gives none. A client speaks to one chain. */
  readonly client: object
  /** Canonical text of the scripts and amounts that are paid: equal for equal payments. */
  readonly key: string
  /** The request as JSON, for people and for `resume`. */
  readonly request: () => string
  readonly options: SafeFlowOptions
  /** Warnings that hold nothing, beside those of the option `allow`. */
  readonly usualWarnings?: readonly FindingCode[] | undefined
  /** The kind of error with which the server refuses a transaction. */
  readonly refusal: RpcErrorKind
  /**
   * Builds a new transaction, or requests it from the server, and verifies it. The result of the flow
   * has further members of this result, too.
   */
  newTransaction(): Promise<Checked>
  /**
   * True if `newTransaction` reserves nothing and sends nothing, so that it may run beside the
   * comparison with the payer's spends. Its result is dropped if that finds the payment.
   */
  readonly isBuiltBeside?: boolean
  check(hex: string, state?: 'on-chain'): Promise<Checked>
  readonly lookUp: TransactionSource
  /** True for a new transaction that was submitted to a wallet, which did not build it. */
  readonly isBuiltElsewhere?: boolean
  /**
   * Returns the place of a found transaction. Only one with a height is settled.
   *
   * @param attempt - the attempt that it is, or of which it is a copy
   */
  place(txid: string, attempt: RecordedAttempt): Promise<Place>
  /** Returns the txid of the transaction that spends an output, `txid:vout`, if there is one. */
  spender?(outpoint: string): Promise<string | undefined>
  /**
   * Returns false for a transaction that lacks an output of this payment. Only the other ones that
   * `spends` finds are verified.
   */
  mayBe?(tx: Transaction): boolean
  /**
   * Returns txids of transactions that spend coins of the payer: those that wait for a block, and
   * those in the blocks that are compared with the journal.
   */
  spends?(recorded: RecordedHeights): Promise<readonly string[]>
  /** Returns the bytes of a transaction that `spends` has found. If absent, `lookUp` is used. */
  readonly readSpend?: TransactionSource
  /** Identifies the chain. Requested only if a journal is given, with what it has of the payment. */
  chain?(known: RecordedPayment | undefined): Promise<string | undefined>
  /**
   * Rejects if the server does not show the named chain any more. It runs right before a transaction
   * is recorded, because the server may be another one since the payment began.
   */
  requireChain?(): Promise<unknown>
  /** Returns the height of the chain's last block. */
  tip?(): Promise<number | undefined>
  /** Returns true if the chain shows that no block has a transaction. */
  isUnmined?(attempt: Attempt): Promise<boolean>
  /**
   * Returns true if the chain shows that a transaction can never be mined. Called only for trusted
   * servers.
   */
  isDead?(attempt: Attempt): Promise<boolean>
  /** True if a guard recorded it for a user: one that no server accepted may be in none of its limits. */
  readonly isOfUser?: boolean
  /**
   * Returns true if the journal has another payment that holds a transaction. It reads the journal at
   * the very step that records the transaction, since another process may append just before.
   */
  isHeld?(txid: string): boolean
  /** Returns false for an attempt that is not looked for, and not sent again. Default: true. */
  isSought?(attempt: RecordedAttempt): boolean
  /** True if `send` broadcasts nothing, and gives the bytes to a program that may do so. */
  readonly isHandOver?: boolean
  /** Runs once the attempt is recorded, before `send`. If it rejects, no byte has left. */
  beforeSend?(attempt: Attempt): Promise<void>
  /** Broadcasts a transaction. Rejects unless the server answers with its txid. */
  send(attempt: Attempt): Promise<void>
  /**
   * Sends a recorded transaction again. Resolves with false if the server refuses it because it has
   * it. If absent, a server that shows the bytes is believed.
   */
  sendAgain?(attempt: Attempt): Promise<boolean>
}

export interface SafeFlowResult extends Checked {
  /**
   * Txid of the transaction, once the daemon has accepted it. For a creation it is also the
   * tokenid.
   */
  readonly txid?: string
  /** The reason why nothing was broadcast, if there is no txid. */
  readonly held?: Held
  /**
   * With `unrecorded-spends`: transactions that make the same payment, and that the journal does
   * not have. Name one as `paidBy` to record that it made this payment. Passed as `acknowledged`,
   * they let the payment be made again.
   */
  readonly unrecorded?: readonly string[]
  /** True if the payment was made before: this call found it and sent nothing new. */
  readonly repeated?: true
  /**
   * True if the call has an `id` and no `journal`. Only the memory of this process then has the
   * payment: after a restart, the same `id` pays again.
   */
  readonly onlyInMemory?: true
  /**
   * Transactions that may have been broadcast for the same intent before, if nothing was broadcast
   * now. A block may have one that is held as `different-inputs`.
   */
  readonly unsettled?: readonly UnsettledTransaction[]
}

/** One call of a flow, with the earlier records of its payment. */
export interface Flow {
  readonly payment: Payment
  readonly attempts: Attempts
  readonly journal: Journal
  readonly book: Book
  readonly named: PaymentName
  /**
   * True if the caller gave the journal. A payment is then settled when the chain shows it, not
   * before.
   */
  readonly isDurable: boolean
  /** When the payment was last compared with the chain. */
  comparedAt?: Moment
}

/**
 * The result; `changed` if another process recorded something for this payment, so that the flow
 * starts again.
 */
export type Outcome = Promise<SafeFlowResult | 'changed' | undefined>
