import * as v from 'valibot'
import { count, flag, hex, type Open, optional, type Schema, text } from '../fields.ts'
import { decimal } from './decimal.ts'

/** The server's claims about a transaction: its payers and payees, and its effect on the wallet. */
interface TransactionClaims extends Open {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly total_amount: string
  readonly spent_by_me: string
  readonly received_by_me: string
  /** Negative when coins left. */
  readonly my_balance_change: string
  readonly block_height: number
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly coin: string
  readonly internal_id: string
}

const transactionClaims = {
  from: v.array(text),
  to: v.array(text),
  total_amount: decimal,
  spent_by_me: decimal,
  received_by_me: decimal,
  my_balance_change: decimal,
  block_height: count,
  timestamp: count,
  coin: text,
  internal_id: text,
}

export interface HistoryTransaction extends TransactionClaims {
  readonly tx_hash: string
  readonly confirmations?: number
}

export interface TxHistory extends Open {
  readonly coin: string
  readonly current_block: number
  readonly transactions: readonly HistoryTransaction[]
  readonly sync_status: { readonly state: string; readonly additional_info?: unknown }
  readonly limit: number
  readonly skipped: number
  readonly total: number
  readonly total_pages: number
}

export const txHistory: Schema<TxHistory> = v.looseObject({
  coin: text,
  current_block: count,
  transactions: v.array(
    v.looseObject({
      ...transactionClaims,
      tx_hash: text,
      confirmations: optional(count),
    }),
  ),
  sync_status: v.looseObject({ state: text, additional_info: v.exactOptional(v.unknown()) }),
  limit: count,
  skipped: count,
  total: count,
  total_pages: count,
})

/** The payment of a fee; for UTXO coins `{ type: 'Utxo', coin, amount }`. */
export interface FeeDetails extends Open {
  readonly type: string
  readonly coin?: string
  /** Coins, of UTXO coins. */
  readonly amount?: string
}

/** A signed transaction, with the server's claims about it. */
export interface WithdrawDetails extends TransactionClaims {
  /** Absent if another device signs. */
  readonly tx_hex?: string
  readonly tx_hash?: string
  readonly fee_details?: FeeDetails
  readonly kmd_rewards?: { readonly amount: string; readonly claimed_by_me: boolean }
  readonly transaction_type?: unknown
  readonly memo?: string | null
}

export const withdrawDetails: Schema<WithdrawDetails> = v.looseObject({
  ...transactionClaims,
  tx_hex: optional(hex),
  tx_hash: optional(text),
  fee_details: optional(
    v.looseObject({ type: text, coin: optional(text), amount: optional(decimal) }),
  ),
  kmd_rewards: optional(v.looseObject({ amount: decimal, claimed_by_me: flag })),
  transaction_type: v.exactOptional(v.unknown()),
  memo: optional(v.nullable(text)),
})

export interface SentTransaction extends Open {
  readonly tx_hash: string
}

export const sentTransaction: Schema<SentTransaction> = v.looseObject({ tx_hash: text })

export interface RawTransaction extends Open {
  readonly tx_hex: string
}

export const rawTransaction: Schema<RawTransaction> = v.looseObject({ tx_hex: hex })
