// Results about the wallet of a daemon. Amounts are satoshis; what leaves the wallet is negative.

import * as v from 'valibot'
import {
  count,
  flag,
  hash256,
  hashes,
  integer,
  type Open,
  optional,
  type Schema,
  satsFromCoins,
  text,
} from '../fields.ts'
import { usableHex } from './transaction-results.ts'

/** Members that every entry of the wallet about a transaction has. */
interface WalletMembers extends Open {
  readonly txid: string
  /** Below 0: the transaction conflicts with one of the best chain. Stays at 1 until notarised. */
  readonly confirmations: number
  /** Blocks from the transaction's to the last, notarised or not. */
  readonly rawconfirmations?: number
  readonly generated?: boolean
  /** Present, like the next three, once the transaction is in a block. */
  readonly blockhash?: string
  readonly blockindex?: number
  readonly blocktime?: number
  readonly expiryheight?: number
  /** Txids of transactions that spend the same coins. */
  readonly walletconflicts: readonly string[]
  readonly time: number
  readonly timereceived: number
  readonly comment?: string
  readonly to?: string
}

const walletMembers = {
  txid: hash256,
  confirmations: integer,
  rawconfirmations: optional(integer),
  generated: optional(flag),
  blockhash: optional(hash256),
  blockindex: optional(count),
  blocktime: optional(count),
  expiryheight: optional(count),
  walletconflicts: hashes,
  time: count,
  timereceived: count,
  comment: optional(text),
  to: optional(text),
}

/** An output of a transaction that the wallet sent or received. */
export interface WalletDetail extends Open {
  readonly account?: string
  /** Absent for an output without one address. */
  readonly address?: string
  /** `send`, `receive`, `generate`, `immature` or `orphan`. */
  readonly category: string
  readonly amount: bigint
  readonly vout: number
  /** Negative; absent for what was received. */
  readonly fee?: bigint
}

const detailMembers = {
  account: optional(text),
  address: optional(text),
  category: text,
  amount: satsFromCoins,
  vout: count,
  fee: optional(satsFromCoins),
}

/** A transaction that concerns the wallet. */
export interface WalletTransaction extends WalletMembers {
  /** The change for the wallet, without the fee. */
  readonly amount: bigint
  /** Negative; absent if the wallet spent nothing. */
  readonly fee?: bigint
  readonly details: readonly WalletDetail[]
  readonly hex: string
}

export const walletTransaction: Schema<WalletTransaction> = v.looseObject({
  ...walletMembers,
  amount: satsFromCoins,
  fee: optional(satsFromCoins),
  details: v.array(v.looseObject(detailMembers)),
  hex: usableHex,
})

/** An output that was sent or received, with its transaction. */
export interface WalletEntry extends WalletMembers, WalletDetail {
  readonly size?: number
}

const walletEntry = v.looseObject({ ...walletMembers, ...detailMembers, size: optional(count) })

export const walletEntries: Schema<readonly WalletEntry[]> = v.array(walletEntry)

export interface EntriesSinceBlock extends Open {
  readonly transactions: readonly WalletEntry[]
  /** The block to ask from next time. */
  readonly lastblock: string
}

export const entriesSinceBlock: Schema<EntriesSinceBlock> = v.looseObject({
  transactions: v.array(walletEntry),
  lastblock: hash256,
})

export interface ReceivedByAddress extends Open {
  readonly address: string
  readonly account?: string
  readonly amount: bigint
  readonly confirmations: number
  readonly rawconfirmations?: number
  readonly txids: readonly string[]
}

export const receivedByAddresses: Schema<readonly ReceivedByAddress[]> = v.array(
  v.looseObject({
    address: text,
    account: optional(text),
    amount: satsFromCoins,
    confirmations: integer,
    rawconfirmations: optional(integer),
    txids: hashes,
  }),
)

/** An address, its coins in satoshis, and its account if it has one. */
export type AddressGrouping =
  | readonly [address: string, amount: bigint]
  | readonly [address: string, amount: bigint, account: string]

export const addressGroupings: Schema<readonly (readonly AddressGrouping[])[]> = v.array(
  v.array(
    v.union([v.strictTuple([text, satsFromCoins]), v.strictTuple([text, satsFromCoins, text])]),
  ),
)

export interface WalletInfo extends Open {
  readonly walletversion: number
  readonly balance: bigint
  readonly unconfirmed_balance: bigint
  readonly immature_balance: bigint
  readonly txcount: number
  readonly keypoololdest?: number
  readonly keypoolsize?: number
  readonly unlocked_until?: number
  readonly paytxfee?: bigint
  readonly seedfp?: string
}

export const walletInfo: Schema<WalletInfo> = v.looseObject({
  walletversion: integer,
  balance: satsFromCoins,
  unconfirmed_balance: satsFromCoins,
  immature_balance: satsFromCoins,
  txcount: count,
  keypoololdest: optional(integer),
  keypoolsize: optional(integer),
  unlocked_until: optional(integer),
  paytxfee: optional(satsFromCoins),
  seedfp: optional(text),
})

/** An output, by the names that methods of the wallet use. */
export interface Outpoint extends Open {
  readonly txid: string
  readonly vout: number
}

export const outpoints: Schema<readonly Outpoint[]> = v.array(
  v.looseObject({ txid: hash256, vout: count }),
)

/** The key that contract modules use. `error` if the daemon already had one. */
export interface OwnPubkey extends Open {
  readonly address?: string
  readonly pubkey?: string
  readonly error?: string
}

export const ownPubkey: Schema<OwnPubkey> = v.looseObject({
  address: optional(text),
  pubkey: optional(text),
  error: optional(text),
})

/** The daemon prints these amounts as decimal texts, in coins. */
export interface TotalBalance extends Open {
  /** Coins on addresses whose amounts anyone can read. */
  readonly transparent: bigint
  readonly interest?: bigint
  /** Coins on shielded addresses. */
  readonly private: bigint
  readonly total: bigint
}

export const totalBalance: Schema<TotalBalance> = v.looseObject({
  transparent: satsFromCoins,
  interest: optional(satsFromCoins),
  private: satsFromCoins,
  total: satsFromCoins,
})
