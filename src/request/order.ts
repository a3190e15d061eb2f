import type { IntentTerms } from './intent.ts'

interface OrderTerms extends IntentTerms {
  readonly tokenid: string
  /** The wallet's own compressed public key. */
  readonly from: string
}

/** An offer of a wallet: units of a token for coins, `ask`, or coins for units, `bid`. */
export interface TokenOfferIntent<Kind extends 'ask' | 'bid'> extends OrderTerms {
  readonly kind: Kind
  /** Token units that are offered, or wanted. */
  readonly units: bigint
  /** Satoshis for all of them; on tokeld's chains a multiple of the units. */
  readonly price: bigint
  /**
   * Must be true for a bid for more than one unit on komodod's chains: the chain does not enforce
   * the price of such a bid, so a single unit may take all of its coins. Reports warn of it.
   */
  readonly allowUnenforcedPrice?: Kind extends 'bid' ? boolean : never
  /**
   * On tokeld's chains: from which height nobody can fill the order any more. If absent, the four
   * weeks of blocks that tokeld gives, 40320 above the tip, and 400 more or fewer at most, or
   * `expiryBlocksMax` if that is less.
   */
  readonly expiryHeight?: number
}

/**
 * What a wallet takes of somebody's order: it buys units from an ask, or sells them to a bid. It says
 * what they must cost or bring, because the order's own price is whatever its maker wrote.
 */
export type TokenFillIntent<Kind extends 'fillAsk' | 'fillBid'> = FillTerms<Kind> &
  (FillPrice | FillBound<Kind>)

interface FillTerms<Kind extends 'fillAsk' | 'fillBid'> extends OrderTerms {
  readonly kind: Kind
  /** Id of the transaction that has the order. */
  readonly order: string
  /** Token units that are bought or sold: not more than the order has. */
  readonly units: bigint
}

interface FillPrice {
  /** Satoshis that all units must cost, or bring before any royalty. */
  readonly price: bigint
}

/** Instead of the price. */
type FillBound<Kind extends 'fillAsk' | 'fillBid'> = Kind extends 'fillAsk'
  ? {
      /** Satoshis that all units may cost at most. */
      readonly priceMax: bigint
    }
  : {
      /** Satoshis that all units must bring at least, before any royalty. */
      readonly priceMin: bigint
    }

/** The wallet's own order, taken back. */
export interface TokenCancelIntent<Kind extends 'cancelAsk' | 'cancelBid'> extends OrderTerms {
  readonly kind: Kind
  /** Id of the transaction that has the order. */
  readonly order: string
}

/** The order step that a wallet requested from a daemon's assets module. */
export type TokenOrderIntent =
  | TokenOfferIntent<'ask'>
  | TokenOfferIntent<'bid'>
  | TokenFillIntent<'fillAsk'>
  | TokenFillIntent<'fillBid'>
  | TokenCancelIntent<'cancelAsk'>
  | TokenCancelIntent<'cancelBid'>
