import { priceBounds } from '../token/rules/order-price.ts'
import { flag, height, only, optional, pubkey, txid, units, unless } from './forms.ts'
import type { Forms } from './members.ts'
import type { IntentTerms } from './terms.ts'

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
   * Must be true for a bid for more than one unit on komodod's chains. The chain does not enforce
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

function offerForms<Kind extends 'ask' | 'bid'>(kind: Kind): Forms<TokenOfferIntent<Kind>> {
  const forms = {
    kind: only(kind),
    tokenid: txid,
    units,
    price: units,
    from: pubkey,
    expiryHeight: optional(height),
    ...(kind === 'bid' && { allowUnenforcedPrice: optional(flag) }),
  }
  return forms as unknown as Forms<TokenOfferIntent<Kind>>
}

function fillForms<Kind extends 'fillAsk' | 'fillBid'>(kind: Kind): Forms<TokenFillIntent<Kind>> {
  const order = txid
  const forms = {
    kind: only(kind),
    tokenid: txid,
    order,
    units,
    price: unless(priceBounds[kind], units),
    [priceBounds[kind]]: optional(units),
    from: pubkey,
  }
  return forms as unknown as Forms<TokenFillIntent<Kind>>
}

function cancelForms<Kind extends 'cancelAsk' | 'cancelBid'>(
  kind: Kind,
): Forms<TokenCancelIntent<Kind>> {
  const forms = { kind: only(kind), tokenid: txid, order: txid, from: pubkey }
  return forms as unknown as Forms<TokenCancelIntent<Kind>>
}

export const orderForms: {
  readonly [Kind in TokenOrderIntent['kind']]: Forms<
    Extract<TokenOrderIntent, { readonly kind: Kind }>
  >
} = {
  ask: offerForms('ask'),
  bid: offerForms('bid'),
  fillAsk: fillForms('fillAsk'),
  fillBid: fillForms('fillBid'),
  cancelAsk: cancelForms('cancelAsk'),
  cancelBid: cancelForms('cancelBid'),
}
