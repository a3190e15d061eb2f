import * as v from 'valibot'
import { isJsonObject, isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import { count, field, flag, hex, type Open, optional, type Schema, text } from '../fields.ts'

// Results keep the wire's member names. Amounts stay decimal texts: each coin has its own number of
// decimals, up to 18 and more, and the server prints them exactly.

/** A decimal amount of coins, exactly as printed. */
const decimal = field('a decimal amount', (value) => {
  const digits = isLosslessNumber(value) ? value.value : value
  return typeof digits === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits)
    ? digits
    : undefined
})

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
  /** These two with `get_balances`. */
  readonly balance?: Balance
  readonly tokens_balances?: Balances
  /** This one without, in no order. */
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

/** Of an address, or of a whole account: by ticker, or bare from older servers. */
export type BalanceReply = Balance | Balances

const balanceReply: Schema<BalanceReply> = v.lazy((value) =>
  isJsonObject(value as JsonValue) && typeof (value as Open).spendable === 'string'
    ? balance
    : balances,
) as Schema<BalanceReply>

/** Shape by how the server was started, with one key or as an HD wallet. */
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

/** What `task::enable_bch` ends with. */
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
  /** In place of balances, and of SLP addresses only. */
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
  /** By address. */
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

/** What a server says of a transaction: who paid whom, and what that was to the wallet. */
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

/** What a fee was paid with: of UTXO coins `{ type: 'Utxo', coin, amount }`. */
export interface FeeDetails extends Open {
  readonly type: string
  readonly coin?: string
  /** Coins, of UTXO coins. */
  readonly amount?: string
}

/** A transaction that was made and signed, and what the server says of it. */
export interface WithdrawDetails extends TransactionClaims {
  /** Absent where something else signs. */
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

export interface ServerVersion extends Open {
  /** Such as `2.5.1-beta_<hash>`. */
  readonly result: string
  readonly datetime?: string
}

export const serverVersion: Schema<ServerVersion> = v.looseObject({
  result: text,
  datetime: optional(text),
})

export const taskId: Schema<{ readonly task_id: number }> = v.looseObject({ task_id: count })

export const accepted: Schema<'success'> = v.literal('success')

/** Where an activation stands; servers may know more names. */
export type InProgressName =
  | 'ActivatingCoin'
  | 'RequestingWalletBalance'
  | 'Finishing'
  | 'WaitingForTrezorToConnect'
  | 'FollowHwDeviceInstructions'
  // Any other name, without losing completion of the known ones.
  | (string & {})

/** A name, or one with data: `SyncingBlockHeaders`, `TemporaryError`, … */
export type InProgressDetails =
  | InProgressName
  | {
      readonly SyncingBlockHeaders: {
        readonly current_scanned_block: number
        readonly last_block: number
      }
    }
  | { readonly TemporaryError: string }
  | { readonly [name: string]: unknown }

/** What the device wants to know. */
export type UserActionNeed = 'EnterTrezorPin' | 'EnterTrezorPassphrase' | (string & {})

/** Why a task failed. */
export interface TaskErrorDetails extends Open {
  readonly error: string
  readonly error_type: string
  readonly error_data?: unknown
  readonly error_path?: string
  readonly error_trace?: string
}

/** One answer of a task's status method. */
export type TaskStatus<T = unknown> =
  | { readonly status: 'Ok'; readonly details: T }
  | { readonly status: 'Error'; readonly details: TaskErrorDetails }
  | { readonly status: 'InProgress'; readonly details: InProgressDetails }
  | { readonly status: 'UserActionRequired'; readonly details: UserActionNeed }

const inProgressDetails: Schema<InProgressDetails> = v.lazy((value) =>
  typeof value === 'string'
    ? text
    : v.looseObject({
        SyncingBlockHeaders: v.exactOptional(
          v.looseObject({ current_scanned_block: count, last_block: count }),
        ),
      }),
) as Schema<InProgressDetails>

const taskErrorDetails = v.looseObject({
  error: text,
  error_type: text,
  error_path: optional(text),
  error_trace: optional(text),
})

/** Status of a task whose result is read by `details`. */
export function taskStatus<T>(details: Schema<T>): Schema<TaskStatus<T>> {
  return v.variant('status', [
    v.object({ status: v.literal('Ok'), details: unwrapped(details) }),
    v.object({ status: v.literal('Error'), details: unwrapped(taskErrorDetails) }),
    v.object({ status: v.literal('InProgress'), details: inProgressDetails }),
    v.object({ status: v.literal('UserActionRequired'), details: text }),
  ]) as unknown as Schema<TaskStatus<T>>
}

/** The documentation puts the details of an ended task under one more `result`. */
function unwrapped<T>(details: Schema<T>): Schema<T> {
  return v.pipe(
    v.unknown(),
    v.transform((value) => {
      const inner = isJsonObject(value as JsonValue) ? (value as Open).result : undefined
      return isJsonObject(inner as JsonValue) ? inner : value
    }),
    details,
  )
}
