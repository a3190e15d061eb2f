// Parameters of methods about blocks, transactions and addresses, by the wire's names.

export interface GetBlockHashParams {
  readonly index: number
}

/** Times are seconds since 1970. */
export interface GetBlockHashesParams {
  /** The first time after the range. */
  readonly high: number
  /** The first time of the range. */
  readonly low: number
  /** True to leave out blocks that the best chain does not have. */
  readonly noOrphans?: boolean
  /** True to return the time of each block too. */
  readonly logicalTimes?: boolean
}

export interface TxNotarizedConfirmedParams {
  readonly txid: string
}

export interface GetBlockParams {
  /** Hash, or height. */
  readonly block: string | number
  /** 0 for the hex, 1 for txids (default), 2 for decoded transactions. */
  readonly verbosity?: 0 | 1 | 2
}

export interface GetBlockHeaderParams {
  readonly hash: string
  /** False for the hex; default true. */
  readonly verbose?: boolean
}

export interface GetChainTxStatsParams {
  /** Number of blocks before the last. */
  readonly nblocks?: number
  /** The last block of the window; default: the best one. */
  readonly blockhash?: string
}

export interface BlockHashParams {
  readonly hash: string
}

export interface VerifyChainParams {
  readonly checklevel?: number
  /** 0 for all blocks. */
  readonly numblocks?: number
}

export interface HeightParams {
  readonly height?: number
}

export interface GetTxOutProofParams {
  readonly txids: readonly string[]
  /** The block that has them; without it the daemon looks for one. */
  readonly blockhash?: string
}

export interface VerifyTxOutProofParams {
  /** Hex of a header with a partial Merkle tree, as `gettxoutproof` returns it. */
  readonly proof: string
}

/** Addresses, and the index that is read. */
export interface AddressIndexParams {
  readonly addresses: readonly string[]
  /** True to query the index of crypto-condition outputs, not the one of normal outputs. */
  readonly ccvout?: boolean
}

/** Heights, the first and the last included; both or neither. */
export interface AddressRangeParams extends AddressIndexParams {
  readonly start?: number
  readonly end?: number
}

export interface GetAddressDeltasParams extends AddressRangeParams {
  /** True to include the hashes of the first and the last block; needs a range. */
  readonly chainInfo?: boolean
}

export interface GetSpentInfoParams {
  readonly txid: string
  readonly index: number
}

/** An input of a transaction that is made. */
export interface RawInput {
  readonly txid: string
  readonly vout: number
  readonly sequence?: number
}

export interface CreateRawTransactionParams {
  /** Empty, if `fundrawtransaction` chooses them. */
  readonly inputs: readonly RawInput[]
  /** Satoshis by address; and by `data`, the hex of a nulldata output. */
  readonly outputs: Readonly<Record<string, bigint | string>>
  readonly locktime?: number
  /** Default: 200 blocks after the next. */
  readonly expiryheight?: number
}

export interface FundRawTransactionParams {
  readonly hex: string
}

/** An output that an input spends, for a signer that does not have it. */
export interface SpentOutput {
  readonly txid: string
  readonly vout: number
  readonly scriptPubKey: string
  readonly redeemScript?: string
  /** Satoshis; signatures of current transactions commit to it. */
  readonly amount?: bigint
}

export interface SignRawTransactionParams {
  readonly hex: string
  readonly prevtxs?: readonly SpentOutput[]
  /** Private keys; default: those of the wallet. Sent to the daemon, so give it throw-away ones. */
  readonly privkeys?: readonly string[]
  /** Default `ALL`. */
  readonly sighashtype?: string
}

export interface DecodeScriptParams {
  readonly hex: string
}

export interface CreateMultisigParams {
  readonly nrequired: number
  /** Public keys, or addresses of the wallet. */
  readonly keys: readonly string[]
}

export interface TestMempoolAcceptParams {
  /** Hex of transactions. */
  readonly rawtxs: readonly string[]
}
