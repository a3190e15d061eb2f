import { member, type RequestForms } from '../../request/form-table.ts'
import { txid, units } from '../../request/forms.ts'
import { orderForms } from '../../request/order.ts'
import { type FeeTerms, feeForms, tokenid, tokenUnits } from './common.ts'

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
  /** Satoshis for EACH unit: the most that you pay, or the least that you get. */
  readonly price: bigint
}

/** Cancels an order of the wallet. */
export interface CancelRequest extends FeeTerms {
  /** The txid of the transaction that has the order. */
  readonly order: string
}

const order = member('the transaction that has the order', txid)
const price = member('satoshis for each unit', units)

export const offerForms: RequestForms<OfferRequest> = {
  tokenid,
  amount: tokenUnits,
  price,
  ...feeForms,
}

export const bidForms: RequestForms<BidRequest> = {
  ...offerForms,
  allowUnenforcedPrice: orderForms.bid.allowUnenforcedPrice,
}

export const fillForms: RequestForms<FillRequest> = {
  order,
  amount: tokenUnits,
  price,
  ...feeForms,
}

export const cancelForms: RequestForms<CancelRequest> = { order, ...feeForms }
