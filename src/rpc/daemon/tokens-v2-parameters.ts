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
  /** Properties of the token; their order is kept, and is that of the token's data. */
  readonly data?: TokelDataParams
}

/** Properties of a token as tokeld takes them. */
export interface TokelDataParams {
  readonly id?: number
  readonly url?: string
  /** Thousandths of what is paid for the token, 0 to 999. */
  readonly royalty?: number
  /** Hex. */
  readonly arbitrary?: string
}

export interface TokenV2TransferParams {
  readonly tokenid: string
  /** Compressed key of the receiver, hex, or the address of one: never a condition's. */
  readonly destination: string
  /** Token units, sent as a string of an integer. */
  readonly amount: bigint
}

export interface TokenV2TransferManyParams {
  /** Tokens, of each of which `amount` units are moved. */
  readonly tokenids: readonly string[]
  /** Compressed key of the receiver, hex. */
  readonly destpubkey: string
  readonly amount: bigint
}

export interface TokenV2TransferMofNParams {
  readonly tokenid: string
  /** Where the tokens lie, if not with the node's own key: the address of their condition. */
  readonly ccaddressMofN?: string
  /** Compressed keys, hex: 1 to 15. tokeld takes 128, but nobody can spend what it makes of them. */
  readonly destpubkeys: readonly string[]
  /** How many of them must sign. */
  readonly M: number
  readonly amount: bigint
}

export interface TokenV2BurnParams {
  readonly tokenid: string
  readonly amount: bigint
  /** True if the token's marker is burned too, so that no list shows the token any more. */
  readonly remove: boolean
}

export interface TokenV2InfoParams {
  readonly tokenid: string
}

export interface TokenV2ListParams {
  readonly beginHeight?: number
  readonly endHeight?: number
  /** Tokens that this key created: hex. */
  readonly pubkey?: string
  /** Tokens created on this condition's address. */
  readonly address?: string
}

export interface TokenV2BalanceParams {
  readonly tokenid: string
  /** Compressed key, hex; the node's own if absent. */
  readonly pubkey?: string
}

export interface TokenV2AllBalancesParams {
  readonly pubkey?: string
}

export interface IndexKeyParams {
  readonly pubkey: string
}

export interface TokenV2OrdersParams {
  /** All tokens if absent. */
  readonly tokenid?: string
  readonly beginHeight?: number
  readonly endHeight?: number
  /** Orders that this key made: hex. */
  readonly pubkey?: string
}

export interface TokenV2OfferParams {
  /** Token units that are offered, or wanted. */
  readonly numtokens: bigint
  readonly tokenid: string
  /** Coins for one unit, decimal text of up to 8 places. Chains take none of 0.00000500 or less. */
  readonly price: string
  /** Height from which on nobody can fill the order; four weeks of blocks after the tip if absent. */
  readonly expiryHeight?: number
}

export interface TokenV2FillAskParams {
  readonly tokenid: string
  readonly asktxid: string
  /** Token units to buy. */
  readonly fillunits: bigint
  /** Coins for one unit, if more than the order asks. */
  readonly unitPrice?: string
}

export interface TokenV2FillBidParams {
  readonly tokenid: string
  readonly bidtxid: string
  /** Token units to sell. */
  readonly fillamount: bigint
  /** Coins for one unit, if less than the order offers. */
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
  /** Token units that the inputs have at least. */
  readonly amount: bigint
}

/** An input that lacks signatures, as tokeld has it: some of the keys in `condition` have signed. */
export interface PartialSignature {
  readonly vin: number
  readonly ccaddress: string
  /** The condition in the C library's JSON: `conditionFromJson` reads it. */
  readonly condition: object
}

export interface AddCcV2SignatureParams {
  /** The transaction, hex. */
  readonly hextx: string
  /** `PartiallySigned` of the answer that had the transaction. */
  readonly conditions: readonly PartialSignature[]
}
