/** Parameters of `tokenaddress`. */
export interface TokenAddressParams {
  readonly pubkey?: string
}

export interface TokenBalanceParams {
  readonly tokenid: string
  /**
   * Compressed key, hex; default: the node's own. The burn key, which is not on the curve, is
   * allowed.
   */
  readonly pubkey?: string
}

export interface TokenCreateParams {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string
  /** Token units: one unit is one satoshi. Sent as a decimal string of coins. */
  readonly supply: bigint
  /** Up to 4096 bytes of UTF-8. */
  readonly description?: string
  /** Data of a non-fungible token, hex, 1 to 10001 bytes; the supply must then be 1n. */
  readonly data?: string
}

export interface TokenInfoParams {
  readonly tokenid: string
}

export interface TokenTransferParams {
  readonly tokenid: string
  /** Compressed key of the recipient, hex. Tokens sent to an address would be lost. */
  readonly destpubkey: string
  /** Token units, sent as a string of an integer. */
  readonly amount: bigint
}

export interface TokenOrdersParams {
  /** Default: all tokens. */
  readonly tokenid?: string
}

export interface MyTokenOrdersParams {
  readonly evalcode?: string
}

export interface TokenOfferParams {
  /** Token units that are offered or wanted. */
  readonly numtokens: bigint
  readonly tokenid: string
  /** Coins for one unit, as decimal text. The daemon truncates the total to satoshis. */
  readonly price: string
}

export interface TokenFillAskParams {
  readonly tokenid: string
  readonly asktxid: string
  /** Token units to buy. */
  readonly fillunits: bigint
}

export interface TokenFillBidParams {
  readonly tokenid: string
  readonly bidtxid: string
  /** Token units to sell. */
  readonly fillamount: bigint
}

export interface TokenCancelAskParams {
  readonly tokenid: string
  readonly asktxid: string
}

export interface TokenCancelBidParams {
  readonly tokenid: string
  readonly bidtxid: string
}

/** One of two spellings: the daemon's help says `hexstring`, its documentation `hex`. */
export type HexParams =
  | { readonly hex: string; readonly hexstring?: never }
  | { readonly hexstring: string; readonly hex?: never }

export type SendRawTransactionParams = HexParams & { readonly allowhighfees?: boolean }

export interface GetRawTransactionParams {
  readonly txid: string
  /** 0 for the hex (default), 1 for the decoded transaction. */
  readonly verbose?: 0 | 1
}

export interface GetTxOutParams {
  readonly txid: string
  readonly n: number
  /** Default true. */
  readonly includemempool?: boolean
}

export interface GetAddressUtxosParams {
  readonly addresses: readonly string[]
  /** True to include the best block. */
  readonly chainInfo?: boolean
  /** True to query the index of crypto-condition outputs, not the one of normal outputs. */
  readonly ccvout?: boolean
}

export interface ListUnspentParams {
  readonly minconf?: number
  readonly maxconf?: number
  readonly addresses?: readonly string[]
}

export interface ValidateAddressParams {
  readonly address: string
}

export interface GetRawMempoolParams {
  readonly verbose?: boolean
}

export interface HelpParams {
  readonly command?: string
}

export type NoParams = Readonly<Record<string, never>>
