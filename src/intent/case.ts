import type { CreateIntent, TransferIntent } from './intent.ts'

/** What an intent is judged by. */
export interface Evidence {
  /**
   * Whole raw transactions, hex: those that the inputs spend from, and any ancestors. Each is
   * hashed; amounts and scripts are read from them and never taken on trust.
   */
  readonly previousTransactions: readonly string[]
  /** The raw transaction that created the token; it may also be among the previous ones. */
  readonly tokenCreate?: string
  /** Height of the chain's last block; needed to judge the expiry height. */
  readonly tipHeight?: number
}

/** Every operation, and what is asked for in it; `src/verification/operations` says all else of them. */
export interface Intents {
  readonly tokentransfer: TransferIntent
  readonly tokencreate: CreateIntent
}

export type OperationName = keyof Intents

/** An operation, and what was asked of it. */
export type AskedFor<Name extends OperationName = OperationName> = {
  readonly [One in Name]: { readonly operation: One; readonly intent: Intents[One] }
}[Name]

/** A case to verify: what was asked for, what came back, and what it is judged by. */
export type Case<Name extends OperationName = OperationName> = AskedFor<Name> & {
  readonly hex: string
  readonly evidence: Evidence
}
