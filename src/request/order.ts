// Requests for the steps of an order: their types, and the forms of their members.

import type { Outpoint } from '../transaction/types.ts'
import { type TokenRequest, tokenCreate, tokenForms } from './common.ts'
import { type Form, member, optional, type RequestForms, unless } from './form-table.ts'
import { flag, height, only, outpoints, pubkey, txid, units, unitsOrText } from './forms.ts'
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
 * A wallet fills the order of another party: it buys units from an ask, or sells them to a bid. The
 * intent bounds the price, because the order's own price is whatever its maker wrote.
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
  /**
   * Satoshis that all units must cost, or bring before any royalty. The report warns of a royalty
   * that a seller pays, and rejects one that leaves nothing.
   */
  readonly price: bigint
}

/** Instead of the price. */
type FillBound<Kind extends 'fillAsk' | 'fillBid'> = Kind extends 'fillAsk'
  ? {
      /** Satoshis that all units may cost at most. */
      readonly priceMax: bigint
    }
  : {
      /** Satoshis that all units must bring the seller at least, without a royalty to others. */
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

/** The members that requests for all steps of an order have. */
export interface TokenOrderRequest extends TokenRequest {
  readonly tokenid: string
  /** Your own compressed public key, which pays and gets what comes back. */
  readonly from: string
  /** Raw transactions of all coins and of the order. With ancestors, tokens are proven as well. */
  readonly previousTransactions: readonly string[]
  /** The transaction that created the token, unless it is among the previous ones. */
  readonly tokenCreate?: string
}

interface TokenOfferRequest extends TokenOrderRequest {
  /** Token units that are wanted, or offered: bigint, or decimal digits. */
  readonly units: bigint | string
  /**
   * Satoshis for all of them. The price of an ask is a multiple of the units, because no chain
   * enforces any other price. On tokeld's chains this holds for a bid, too, and each unit costs
   * more than 500.
   */
  readonly price: bigint | string
  /**
   * On tokeld's chains: from which height on nobody can fill the order. If absent, four weeks of
   * blocks after the tip: 40320.
   */
  readonly orderExpiryHeight?: number
}

export interface TokenBidRequest extends TokenOfferRequest {
  /**
   * Must be true to bid for more than one unit on komodod's chains. They do not enforce the price
   * of such a bid: a single unit may take all of its coins.
   */
  readonly allowUnenforcedPrice?: boolean
}

export interface TokenAskRequest extends TokenOfferRequest {
  /** Token coins that may be spent. */
  readonly tokenCoins: readonly Outpoint[]
}

interface TokenFillRequest extends TokenOrderRequest {
  /** Id of the transaction that has the order, which is among the previous ones. */
  readonly order: string
  /** Token units to buy, or to sell. */
  readonly units: bigint | string
}

interface FillPriceRequest {
  /**
   * Satoshis that all units must cost, or bring: any other price is an error. In a sale, a royalty to
   * another party is an error too. Either this or a bound must be there, because the order's own
   * price is whatever its maker wrote.
   */
  readonly price: bigint | string
}

export type TokenFillAskRequest = TokenFillRequest &
  (
    | FillPriceRequest
    | {
        /** Satoshis that all units may cost at most. */
        readonly priceMax: bigint | string
      }
  )

export type TokenFillBidRequest = TokenFillRequest & {
  /** Token coins that may be spent. */
  readonly tokenCoins: readonly Outpoint[]
} & (
    | FillPriceRequest
    | {
        /** Satoshis that all units must bring the seller at least, without a royalty to others. */
        readonly priceMin: bigint | string
      }
  )

export interface TokenCancelRequest extends TokenOrderRequest {
  /** Id of the transaction that has the order, which is among the previous ones. */
  readonly order: string
}

/**
 * A wallet may offer the same coins to every step, and may request a step with the members of its
 * intent. Token coins are ignored where no tokens are spent. The kind must be the builder's.
 */
interface AnyOrderRequest extends TokenOrderRequest {
  readonly kind?: TokenOrderIntent['kind']
  readonly tokenCoins?: readonly Outpoint[]
}

/** The request to the builder of each kind of step. */
export type OrderRequests = {
  readonly ask: TokenAskRequest
  readonly bid: TokenBidRequest
  readonly fillAsk: TokenFillAskRequest
  readonly fillBid: TokenFillBidRequest
  readonly cancelAsk: TokenCancelRequest
  readonly cancelBid: TokenCancelRequest
}

/** The operation of a case for each step of an order, named as the daemon's method. */
export const orderOperations = {
  ask: 'tokenask',
  bid: 'tokenbid',
  fillAsk: 'tokenfillask',
  fillBid: 'tokenfillbid',
  cancelAsk: 'tokencancelask',
  cancelBid: 'tokencancelbid',
} as const

export type OrderIntents = {
  readonly [Kind in TokenOrderIntent['kind']]: Extract<TokenOrderIntent, { readonly kind: Kind }>
}

const kindOf = <Kind extends TokenOrderIntent['kind']>(kind: Kind) =>
  member('the step of an order', only(kind))
const tokenid = member('the token', txid)
const from = member('your own public key, which pays and gets what comes back', pubkey)
const order = member('txid of the transaction that has the order', txid)
const counted = member('token units', units)
const priced = <Value>(form: Form<Value>) => member('satoshis for all units', form)
const sold = <Value>(form: Form<Value>) =>
  member('satoshis for all units, of which a royalty is a part', form)
const atMost = <Value>(form: Form<Value>) =>
  member('in place of the price: satoshis for all units, at most', optional(form))
const atLeast = <Value>(form: Form<Value>) =>
  member(
    'in place of the price: satoshis that you get, without a royalty, at least',
    optional(form),
  )
const end = member(
  "on tokeld's chains: height from which nobody can fill the order",
  optional(height),
)
const allowUnenforcedPrice = member(
  "allow a bid for several units, whose price komodod's chains do not enforce",
  optional(flag),
)
const anOffer = { tokenid, units: counted, price: priced(units), from, expiryHeight: end }
const buying = { price: priced(unless('priceMax', units)), priceMax: atMost(units) }
const selling = { price: sold(unless('priceMin', units)), priceMin: atLeast(units) }
const ofOrder = { tokenid, order }

export const orderForms: { readonly [Kind in keyof OrderIntents]: Forms<OrderIntents[Kind]> } = {
  ask: { kind: kindOf('ask'), ...anOffer },
  bid: { kind: kindOf('bid'), ...anOffer, allowUnenforcedPrice },
  fillAsk: { kind: kindOf('fillAsk'), ...ofOrder, units: counted, ...buying, from },
  fillBid: { kind: kindOf('fillBid'), ...ofOrder, units: counted, ...selling, from },
  cancelAsk: { kind: kindOf('cancelAsk'), ...ofOrder, from },
  cancelBid: { kind: kindOf('cancelBid'), ...ofOrder, from },
}

const anyStep = {
  ...tokenForms,
  tokenid,
  from,
  tokenCreate,
  tokenCoins: member('token coins that may be spent', optional(outpoints)),
}
const spending = { ...anyStep, tokenCoins: member('token coins that may be spent', outpoints) }
const amount = member('token units', unitsOrText)
const offered = { units: amount, price: priced(unitsOrText), orderExpiryHeight: end }
const { ask, bid, fillAsk, fillBid, cancelAsk, cancelBid } = orderForms

export const orderRequestForms: {
  readonly [Kind in keyof OrderRequests]: RequestForms<OrderRequests[Kind] & AnyOrderRequest>
} = {
  ask: { ...spending, kind: ask.kind, ...offered },
  bid: { ...anyStep, kind: bid.kind, ...offered, allowUnenforcedPrice },
  fillAsk: {
    ...anyStep,
    kind: fillAsk.kind,
    order,
    units: amount,
    price: priced(unless('priceMax', unitsOrText)),
    priceMax: atMost(unitsOrText),
  },
  fillBid: {
    ...spending,
    kind: fillBid.kind,
    order,
    units: amount,
    price: sold(unless('priceMin', unitsOrText)),
    priceMin: atLeast(unitsOrText),
  },
  cancelAsk: { ...anyStep, kind: cancelAsk.kind, order },
  cancelBid: { ...anyStep, kind: cancelBid.kind, order },
}
