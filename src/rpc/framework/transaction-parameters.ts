// Parameters of the methods about transactions and balances.

import { argumentError, requireString } from '../../primitives/arguments.ts'

export interface MyTxHistoryParams {
  readonly coin: string
  /** Default 10. */
  readonly limit?: number
  readonly paging_options?: { readonly PageNumber: number } | { readonly FromId: string }
  readonly target?:
    | { readonly type: 'iguana' }
    | { readonly type: 'account_id'; readonly account_id: number }
    | {
        readonly type: 'address_id'
        readonly account_id: number
        readonly chain: 'External' | 'Internal'
        readonly address_id: number
      }
}

export interface MyBalanceParams {
  readonly coin: string
}

/** The fee of a withdrawal, in coins; UTXO coins take the first two forms. */
export type WithdrawFee =
  | { readonly type: 'UtxoFixed' | 'UtxoPerKbyte'; readonly amount: string }
  | { readonly type: 'EthGas'; readonly gas_price: string; readonly gas: number }
  | {
      readonly type: 'EthGasEip1559'
      readonly max_priority_fee_per_gas: string
      readonly max_fee_per_gas: string
      readonly gas_option: unknown
    }
  | { readonly type: 'Qrc20Gas'; readonly gas_limit: number; readonly gas_price: number }
  | { readonly type: 'CosmosGas'; readonly gas_limit: number; readonly gas_price: number }

export interface WithdrawParams {
  /** Ticker. */
  readonly coin: string
  /** Address of the recipient. */
  readonly to: string
  /** Coins, as decimal text. Give either this or `max`. */
  readonly amount?: string
  /** Default false. True pays the whole balance, less the fee. */
  readonly max?: boolean
  readonly fee?: WithdrawFee
  /** The paying address of an HD wallet. */
  readonly from?:
    | { readonly derivation_path: string }
    | {
        readonly account_id: number
        readonly chain: 'External' | 'Internal'
        readonly address_id: number
      }
  /** A memo, for Tendermint and some other coins. */
  readonly memo?: string
  /** The channel of an IBC transfer, for Tendermint. */
  readonly ibc_source_channel?: number
  /**
   * Default false. Wallets that sign elsewhere broadcast at once, so nothing can be verified then.
   */
  readonly broadcast?: boolean
  /** The client of the event stream that a task notifies; the `events` option sets it. */
  readonly client_id?: number
}

export interface SendRawTransactionParams {
  readonly coin: string
  /** Hex. */
  readonly tx_hex: string
}

export interface GetRawTransactionParams {
  readonly coin: string
  readonly tx_hash: string
}

export function coinParams<Params extends { readonly coin: string }>(params: Params): Params {
  requireString(params.coin, 'coin')
  return params
}

/** @see komodo-defi-framework coins/lp_coins.rs, WithdrawRequest */
const withdrawMembers: readonly string[] = [
  'coin',
  'to',
  'amount',
  'max',
  'fee',
  'from',
  'memo',
  'ibc_source_channel',
  'broadcast',
  'client_id',
]

/** Refuses unknown members, which a server would silently ignore in a payment. */
export function withdrawParams(params: WithdrawParams): WithdrawParams {
  requireString(params.coin, 'coin')
  requireString(params.to, 'to')
  const unknown = Object.keys(params).find((name) => !withdrawMembers.includes(name))
  if (unknown !== undefined)
    throw argumentError(unknown, `one of ${withdrawMembers.join(', ')}`, unknown)
  const { amount, max } = params
  if (amount !== undefined) requireString(amount, 'amount')
  if ((amount === undefined) !== (max === true)) {
    throw argumentError('amount', 'an amount or max: true, one of both', amount)
  }
  return params
}

export function sendRawTransactionParams(
  params: SendRawTransactionParams,
): SendRawTransactionParams {
  requireString(params.tx_hex, 'tx_hex')
  return coinParams(params)
}

export function getRawTransactionParams(params: GetRawTransactionParams): GetRawTransactionParams {
  requireString(params.tx_hash, 'tx_hash')
  return coinParams(params)
}
