// Parameters of methods of the wallet, by the wire's names. Amounts are satoshis.

export interface GetBalanceParams {
  /** `*` or empty for the whole wallet. */
  readonly account?: string
  readonly minconf?: number
  readonly includeWatchonly?: boolean
}

export interface AccountParams {
  readonly account?: string
}

export interface AccountNameParams {
  readonly account: string
}

export interface SetAccountParams {
  readonly address: string
  /** Default: no name. */
  readonly account?: string
}

export interface KeypoolRefillParams {
  /** Number of keys to have in reserve. */
  readonly newsize?: number
}

export interface ListShieldedParams {
  readonly includeWatchonly?: boolean
}

export interface ListOperationsParams {
  /** `queued`, `executing`, `success`, `failed` or `cancelled`; default: all. */
  readonly status?: string
}

export interface TotalBalanceParams {
  readonly minconf?: number
  readonly includeWatchonly?: boolean
}

export interface GetTransactionParams {
  readonly txid: string
  readonly includeWatchonly?: boolean
}

export interface ListTransactionsParams {
  /** Default `*`: all. */
  readonly account?: string
  /** Entries to return; default 10. */
  readonly count?: number
  /** Latest entries to leave out; default 0. */
  readonly from?: number
  readonly includeWatchonly?: boolean
}

export interface ListSinceBlockParams {
  readonly blockhash?: string
  readonly targetconfirmations?: number
  readonly includeWatchonly?: boolean
}

export interface ListReceivedByAddressParams {
  readonly minconf?: number
  readonly includeempty?: boolean
  readonly includeWatchonly?: boolean
}

export interface GetReceivedByAddressParams {
  readonly address: string
  readonly minconf?: number
}

export interface LockUnspentParams {
  /** True to unlock; then without `outputs`, all. */
  readonly unlock: boolean
  readonly outputs?: readonly { readonly txid: string; readonly vout: number }[]
}

export interface SendToAddressParams {
  readonly address: string
  readonly amount: bigint
  /** Kept in the daemon's wallet only. */
  readonly comment?: string
  readonly comment_to?: string
  /** True to take the fee from the amount. */
  readonly subtractfeefromamount?: boolean
}

export interface SendManyParams {
  /** Satoshis by address. */
  readonly amounts: Readonly<Record<string, bigint>>
  readonly minconf?: number
  readonly comment?: string
  /** Addresses whose amounts pay the fee in equal parts. */
  readonly subtractfeefrom?: readonly string[]
}

export interface SetTxFeeParams {
  /** Satoshis for 1,000 bytes. */
  readonly amount: bigint
}

export interface ImportAddressParams {
  /** Address, or script in hex. */
  readonly address: string
  readonly label?: string
  /** Default true: the daemon reads the whole chain again, which can take hours. */
  readonly rescan?: boolean
}

export interface ImportPrivKeyParams {
  readonly privkey: string
  readonly label?: string
  /** Default true: the daemon reads the whole chain again, which can take hours. */
  readonly rescan?: boolean
}

export interface AddressParams {
  readonly address: string
}

export interface AddMultisigAddressParams {
  readonly nrequired: number
  readonly keys: readonly string[]
  readonly account?: string
}

export interface SignMessageParams {
  readonly address: string
  readonly message: string
}

export interface VerifyMessageParams {
  readonly address: string
  /** Base64. */
  readonly signature: string
  readonly message: string
}

export interface SetPubkeyParams {
  readonly pubkey?: string
}
