/** Parameters of `tokenv2create`. */
export interface TokenV2CreateParams {
  /** 1 to 32 bytes of UTF-8. */
  readonly name: string
  /** Token units: one unit is one satoshi. Sent as a decimal string of coins. */
  readonly supply: bigint
  /** Up to 4096 bytes of UTF-8. */
  readonly description?: string
  /** Data of the token, hex, 1 to 10001 bytes. */
  readonly data?: string
}

export interface TokenV2CreateTokelParams {
  readonly name: string
  readonly supply: bigint
  readonly description?: string
  /** Properties of the token; the token's data keep their order. */
  readonly data?: TokelDataParams
}

/** Properties of a token, in tokeld's form. */
export interface TokelDataParams {
  readonly id?: number
  readonly url?: string
  /** Royalty in thousandths of each price paid for the token, 0 to 999. */
  readonly royalty?: number
  /** Hex. */
  readonly arbitrary?: string
}

export interface TokenV2TransferParams {
  readonly tokenid: string
  /** Compressed key of the recipient in hex, or its address; not the address of a condition. */
  readonly destination: string
  /** Token units, sent as a string of an integer. */
  readonly amount: bigint
}

export interface TokenV2TransferManyParams {
  /** Ids of the tokens; `amount` units of each are moved. */
  readonly tokenids: readonly string[]
  /** Compressed key of the recipient, hex. */
  readonly destpubkey: string
  readonly amount: bigint
}

export interface TokenV2TransferMofNParams {
  readonly tokenid: string
  /** Address of the condition that holds the tokens; default: that of the node's own key. */
  readonly ccaddressMofN?: string
  /** Compressed keys, hex, 1 to 15. tokeld accepts 128, but nobody can spend the result. */
  readonly destpubkeys: readonly string[]
  /** Number of keys that must sign. */
  readonly M: number
  readonly amount: bigint
}

export interface TokenV2BurnParams {
  readonly tokenid: string
  readonly amount: bigint
  /** True to burn the token's marker too, so that no list shows the token any more. */
  readonly remove: boolean
}

export interface TokenV2InfoParams {
  readonly tokenid: string
}

export interface TokenV2ListParams {
  readonly beginHeight?: number
  readonly endHeight?: number
  /** Compressed key in hex, to list only tokens that it created. */
  readonly pubkey?: string
  /** Address of a condition, to list only tokens created on it. */
  readonly address?: string
}

export interface TokenV2BalanceParams {
  readonly tokenid: string
  /** Compressed key, hex; default: the node's own. */
  readonly pubkey?: string
}

export interface TokenV2AllBalancesParams {
  readonly pubkey?: string
}

export interface IndexKeyParams {
  readonly pubkey: string
}

export interface TokenV2OrdersParams {
  /** Default: all tokens. */
  readonly tokenid?: string
  readonly beginHeight?: number
  readonly endHeight?: number
  /** Compressed key in hex, to list only orders that it made. */
  readonly pubkey?: string
}

export interface TokenV2OfferParams {
  /** Token units that are offered or wanted. */
  readonly numtokens: bigint
  readonly tokenid: string
  /**
   * Coins for one unit, as decimal text of up to 8 places. Chains accept only prices above
   * 0.00000500.
   */
  readonly price: string
  /** Height from which nobody can fill the order; default: four weeks of blocks after the tip. */
  readonly expiryHeight?: number
}

export interface TokenV2FillAskParams {
  readonly tokenid: string
  readonly asktxid: string
  /** Token units to buy. */
  readonly fillunits: bigint
  /** Coins for one unit; default: the order's price. May be more. */
  readonly unitPrice?: string
}

export interface TokenV2FillBidParams {
  readonly tokenid: string
  readonly bidtxid: string
  /** Token units to sell. */
  readonly fillamount: bigint
  /** Coins for one unit; default: the order's price. May be less. */
  readonly unitPrice?: string
}

export interface TokenV2CancelAskParams {
  readonly tokenid: string
  readonly asktxid: string
}

export interface TokenV2CancelBidParams {
  readonly tokenid: string
  readonly bidtxid: string
}

export interface TokenV2AddCcInputsParams {
  readonly tokenid: string
  readonly pubkey: string
  /** Least number of token units in the inputs. */
  readonly amount: bigint
}

/**
 * An input that lacks signatures, in tokeld's form: some of the keys in `condition` have signed.
 */
export interface PartialSignature {
  readonly vin: number
  readonly ccaddress: string
  /** The condition in the C library's JSON, which `conditionFromJson` reads. */
  readonly condition: object
}

export interface AddCcV2SignatureParams {
  /** The transaction, hex. */
  readonly hextx: string
  /** The `PartiallySigned` member of the answer with the transaction. */
  readonly conditions: readonly PartialSignature[]
}
