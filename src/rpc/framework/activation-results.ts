// Results of the methods that activate coins.

import * as v from 'valibot'
import { isJsonObject, type JsonValue } from '../../primitives/json.ts'
import { count, hex, type Open, optional, type Schema, text } from '../fields.ts'
import { decimal } from './decimal.ts'

export interface Balance extends Open {
  readonly spendable: string
  readonly unspendable: string
}

const balance: Schema<Balance> = v.looseObject({ spendable: decimal, unspendable: decimal })

/** Balances by ticker. */
export type Balances = Readonly<Record<string, Balance>>

const balances: Schema<Balances> = v.record(v.string(), balance)

export interface TendermintActivation extends Open {
  readonly ticker: string
  readonly address: string
  readonly current_block: number
  /** Present, like the next member, with `get_balances`. */
  readonly balance?: Balance
  readonly tokens_balances?: Balances
  /** Present without `get_balances`, in no order. */
  readonly tokens_tickers?: readonly string[]
}

export const tendermintActivation: Schema<TendermintActivation> = v.looseObject({
  ticker: text,
  address: text,
  current_block: count,
  balance: optional(balance),
  tokens_balances: optional(balances),
  tokens_tickers: optional(v.array(text)),
})

/**
 * The balance of an address or of a whole account: by ticker, or a bare balance from older servers.
 */
export type BalanceReply = Balance | Balances

const balanceReply: Schema<BalanceReply> = v.lazy((value) =>
  isJsonObject(value as JsonValue) && typeof (value as Open).spendable === 'string'
    ? balance
    : balances,
) as Schema<BalanceReply>

/** The balance of a wallet. Its shape depends on whether the server has one key or an HD wallet. */
export type WalletBalance =
  | {
      readonly wallet_type: 'Iguana'
      readonly address: string
      readonly balance: BalanceReply
    }
  | { readonly wallet_type: 'HD'; readonly accounts: readonly HdAccount[] }

export interface HdAccount extends Open {
  readonly account_index: number
  readonly derivation_path: string
  readonly total_balance: BalanceReply
  readonly addresses: readonly HdAddress[]
}

export interface HdAddress extends Open {
  readonly address: string
  readonly derivation_path: string
  readonly chain: 'External' | 'Internal'
  readonly balance: BalanceReply
}

const hdAddress = v.looseObject({
  address: text,
  derivation_path: text,
  chain: v.picklist(['External', 'Internal']),
  balance: balanceReply,
})

const walletBalance: Schema<WalletBalance> = v.variant('wallet_type', [
  v.looseObject({ wallet_type: v.literal('Iguana'), address: text, balance: balanceReply }),
  v.looseObject({
    wallet_type: v.literal('HD'),
    accounts: v.array(
      v.looseObject({
        account_index: count,
        derivation_path: text,
        total_balance: balanceReply,
        addresses: v.array(hdAddress),
      }),
    ),
  }),
])

/** The result of `task::enable_bch`. */
export interface UtxoActivation extends Open {
  /** Absent from some older servers. */
  readonly ticker?: string
  readonly current_block: number
  readonly wallet_balance: WalletBalance
}

export const utxoActivation: Schema<UtxoActivation> = v.looseObject({
  ticker: optional(text),
  current_block: count,
  wallet_balance: walletBalance,
})

export interface AddressInfo<Amounts> extends Open {
  readonly derivation_method:
    | { readonly type: 'Iguana' }
    | { readonly type: 'HDWallet'; readonly data: string }
  readonly pubkey: string
  readonly balances?: Amounts
  /** Replaces the balances; SLP addresses only. */
  readonly tickers?: readonly string[]
}

function addressInfos<Amounts>(
  amounts: Schema<Amounts>,
): Schema<Readonly<Record<string, AddressInfo<Amounts>>>> {
  return v.record(
    v.string(),
    v.looseObject({
      derivation_method: v.variant('type', [
        v.looseObject({ type: v.literal('Iguana') }),
        v.looseObject({ type: v.literal('HDWallet'), data: text }),
      ]),
      pubkey: text,
      balances: optional(amounts),
      tickers: optional(v.array(text)),
    }),
  )
}

export interface BchActivation extends Open {
  readonly current_block: number
  readonly bch_addresses_infos: Readonly<Record<string, AddressInfo<Balance>>>
  readonly slp_addresses_infos: Readonly<Record<string, AddressInfo<Balances>>>
}

export const bchActivation: Schema<BchActivation> = v.looseObject({
  current_block: count,
  bch_addresses_infos: addressInfos(balance),
  slp_addresses_infos: addressInfos(balances),
})

export interface SlpActivation extends Open {
  /** Balances of the address. */
  readonly balances: Balances
  readonly token_id: string
  readonly platform_coin: string
  readonly required_confirmations: number
}

export const slpActivation: Schema<SlpActivation> = v.looseObject({
  balances,
  token_id: hex,
  platform_coin: text,
  required_confirmations: count,
})

export interface TendermintTokenActivation extends Open {
  /** By address. */
  readonly balances: Balances
  readonly platform_coin: string
}

export const tendermintTokenActivation: Schema<TendermintTokenActivation> = v.looseObject({
  balances,
  platform_coin: text,
})

export interface EnabledCoins extends Open {
  readonly coins: readonly { readonly ticker: string }[]
}

export const enabledCoins: Schema<EnabledCoins> = v.looseObject({
  coins: v.array(v.looseObject({ ticker: text })),
})

export interface CoinBalance extends Open {
  readonly coin: string
  readonly address: string
  readonly balance: string
  readonly unspendable_balance?: string
}

export const coinBalance: Schema<CoinBalance> = v.looseObject({
  coin: text,
  address: text,
  balance: decimal,
  unspendable_balance: optional(decimal),
})
