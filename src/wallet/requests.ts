// Requests to the wallet. Amounts are bigint satoshis or token units.

import type { KeySet } from '../token/rules/key-set.ts'

/** Fees, in satoshis. */
export interface FeeTerms {
  /** The exact fee; default 10,000. */
  readonly fee?: bigint
  readonly maxFee?: bigint
}

export interface PaidOutput {
  /** An address of the network, or a compressed public key, whose address is paid. */
  readonly to: string
  /** Satoshis; `max` for everything that the wallet can spend, less the fee. */
  readonly amount: bigint | 'max'
}

export interface PayRequest extends FeeTerms {
  readonly to?: string
  readonly amount?: bigint | 'max'
  /** Instead of `to` and `amount`: several at once. */
  readonly recipients?: readonly PaidOutput[]
  /** Satoshis per 1000 bytes, instead of `fee`. */
  readonly feeRate?: bigint
  /** Data of one nulldata output, hex. */
  readonly nulldata?: string
}

export interface TransferRequest extends FeeTerms {
  readonly tokenid: string
  /**
   * A compressed public key. Of tokens v2 an address of one will do, or several keys, of which
   * `required` must sign together.
   */
  readonly to: string | KeySet
  /** Token units. */
  readonly amount: bigint
}

export interface CreateRequest extends FeeTerms {
  readonly name: string
  /** Token units. */
  readonly supply: bigint
  readonly description?: string
  /** Makes the token non-fungible: hex. */
  readonly data?: string
  /** On chains that tokeld runs: by which of its modules. Default 2. */
  readonly version?: 1 | 2
}

export interface MergeRequest extends FeeTerms {
  /** Coins that are merged at most, the smallest first. Default 500. */
  readonly maxInputs?: number
}

/** Merges in as many transactions as it takes. */
export interface MergeAllRequest extends FeeTerms {
  /** The token whose coins are merged; plain coins if absent. */
  readonly tokenid?: string
  /**
   * Satoshis or units that one transaction shall be able to send. If absent, one coin of each key
   * is left of a token, and one of all plain coins.
   */
  readonly amount?: bigint
  /** Coins that one transaction merges at most. Default 500; 60 of a token, which is the most. */
  readonly maxInputs?: number
}

/** An offer of units for coins, or with `bid` of coins for units. */
export interface OfferRequest extends FeeTerms {
  readonly tokenid: string
  /** Token units. */
  readonly amount: bigint
  /** Satoshis for EACH unit. Reports and case files state the price of all units. */
  readonly price: bigint
}

export interface BidRequest extends OfferRequest {
  /**
   * Must be true for more than one unit on komodod's chains. The chain does not enforce the price
   * of such a bid, so a single unit may take all of its coins.
   */
  readonly allowUnenforcedPrice?: boolean
}

/** Buys units of somebody's ask, or sells units to somebody's bid. */
export interface FillRequest extends FeeTerms {
  /** The txid of the transaction that has the order. */
  readonly order: string
  /** Token units. */
  readonly amount: bigint
  /** Satoshis for EACH unit that you pay at most, or get at least. */
  readonly price: bigint
}

/** Takes the wallet's own order back. */
export interface CancelRequest extends FeeTerms {
  /** The txid of the transaction that has the order. */
  readonly order: string
}
