// The order rules of a network, behind one interface for komodod's and tokeld's.

import { markerSats } from '../../chain/limits.ts'
import { assetsGlobalPubkey, assetsV2GlobalPubkey } from '../../chain/modules.ts'
import type { Network } from '../../chain/network.ts'
import type { Transaction, TransactionOutput } from '../../transaction/types.ts'
import type { TokenLayout } from '../payload/payload.ts'
import { nonFungibleEvalCode } from './komodo.ts'
import { exactFill } from './order-fill.ts'
import {
  askLayout,
  bidLayout,
  type CreatedToken,
  cancelAskLayout,
  cancelBidLayout,
  type Fill,
  fillAskLayout,
  fillBidLayout,
  isBid,
  isCreator,
  markerScriptOf,
  markerVoutOf,
  type OpenOrder,
  type OrderLayout,
  openOrderIn,
  orderScripts,
} from './order-layout.ts'
import {
  askLayoutV2,
  bidLayoutV2,
  cancelAskLayoutV2,
  cancelBidLayoutV2,
  type FillV2,
  fillAskLayoutV2,
  fillBidLayoutV2,
  fillOfV2,
  markerScriptOfV2,
  type OpenOrderV2,
  openOrderInV2,
  orderScriptsV2,
  royaltyMostV2,
  royaltyOf,
} from './order-layout-v2.ts'

/** The terms of a new offer. */
export interface MadeOffer {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis for all units. */
  readonly price: bigint
  readonly from: string
  /** Only tokeld's orders use it. */
  readonly expiryHeight: number
  readonly created: CreatedToken
}

/** An open order that is filled or cancelled. */
export interface TakenOrder {
  readonly order: OpenOrder
  readonly from: string
  readonly created: CreatedToken
}

/** The marker that an order needs, and what it has instead, as errors and findings name them. */
interface MissingMarker {
  readonly expected: string
  /** The value of an output that only lacks the right value; otherwise the script of the output. */
  readonly actual: string | bigint
}

export const expectedMarker: string = `a marker of ${markerSats}`

/** The order layouts of one kind of daemon. */
export interface OrderBook {
  readonly layout: TokenLayout
  /** The module's published key, hex, which signs for the contents of any order. */
  readonly moduleKey: string
  /** Tells whether its orders have an expiry, a royalty, and a price per unit. */
  readonly ends: boolean
  /**
   * The input that spends the order; `undefined` if that is the module's first input, at any
   * position.
   */
  readonly orderInput?: number
  /** Reads an order from the transaction that made it. */
  openOrder(made: Pick<Transaction, 'inputs' | 'outputs'>): OpenOrder | undefined
  /** Returns the output by which the maker finds and cancels an order; -1 if there is none. */
  markerVout(order: OpenOrder, outputs: readonly TransactionOutput[]): number
  /**
   * Describes the marker that output 1 of a bid lacks: without it no chain accepts a fill or a
   * cancellation. Returns `undefined` for other orders, such as the rest of a filled one.
   */
  missingMarker(order: OpenOrder, outputs: readonly TransactionOutput[]): MissingMarker | undefined
  /** Returns the script that holds the offered coins or tokens. */
  offeredScript(order: Pick<OpenOrder, 'action'>, created: CreatedToken): string
  /**
   * Returns the exchanged amounts; `undefined` if no node accepts such a fill.
   *
   * @param price - satoshis for all units
   */
  fill(taken: TakenOrder, units: bigint, price?: bigint): Fill | undefined
  ask(offer: MadeOffer, tokenChange: bigint): OrderLayout
  /**
   * Returns a bound on the part of an ask's price that its fills can give to the creator instead of
   * the maker.
   */
  royaltyMost(offer: Pick<MadeOffer, 'units' | 'price' | 'from' | 'created'>): bigint
  bid(offer: MadeOffer): OrderLayout
  fillAsk(taken: TakenOrder, fill: Fill): OrderLayout
  fillBid(taken: TakenOrder, fill: Fill, tokenChange: bigint): OrderLayout
  cancelAsk(taken: TakenOrder): OrderLayout
  cancelBid(taken: TakenOrder): OrderLayout
}

const komodoOrders: OrderBook = {
  layout: 'komodo-v1',
  moduleKey: assetsGlobalPubkey,
  ends: false,
  orderInput: 1,
  openOrder: ({ outputs }) => openOrderIn(outputs),
  markerVout: markerVoutOf,
  missingMarker: (order, outputs) => missingMarker(order, outputs, markerScriptOf),
  offeredScript(order, created) {
    const { bids, asks } = orderScripts(nonFungibleEvalCode(created))
    return isBid(order) ? bids : asks
  },
  fill: ({ order }, units) => exactFill(order, units),
  ask: ({ created, ...offer }, tokenChange) =>
    askLayout({ ...offer, dataEvalCode: nonFungibleEvalCode(created), tokenChange }),
  royaltyMost: () => 0n,
  bid: bidLayout,
  fillAsk: (taken, fill) => fillAskLayout({ ...komodoTaken(taken), fill }),
  fillBid: (taken, fill, tokenChange) =>
    fillBidLayout({ ...komodoTaken(taken), fill, tokenChange }),
  cancelAsk: (taken) => cancelAskLayout(komodoTaken(taken)),
  cancelBid: (taken) => cancelBidLayout(komodoTaken(taken)),
}

function komodoTaken({ order, from, created }: TakenOrder) {
  return { order, from, dataEvalCode: nonFungibleEvalCode(created) }
}

/** Orders of one kind of book are only ever passed back to that book. */
const ordersV2: OrderBook = {
  layout: 'tokens-v2',
  moduleKey: assetsV2GlobalPubkey,
  ends: true,
  openOrder: openOrderInV2,
  markerVout: ({ origin }, outputs) => {
    const script = markerScriptOfV2(origin)
    return outputs.findIndex((it) => it.script === script && it.value === markerSats)
  },
  missingMarker: (order, outputs) => missingMarker(order, outputs, markerScriptOfV2),
  offeredScript: (order) => (isBid(order) ? orderScriptsV2().bids : orderScriptsV2().asks),
  fill: ({ order, created }, units, price) =>
    fillOfV2(order as OpenOrderV2, units, royaltyOf(created), price),
  ask: (offer, tokenChange) =>
    askLayoutV2({ ...offer, unitPrice: unitPriceOf(offer), tokenChange }),
  royaltyMost: ({ units, price, from, created }) =>
    isCreator(created, from)
      ? 0n
      : royaltyMostV2(units, unitPriceOf({ units, price }), royaltyOf(created)),
  bid: (offer) => bidLayoutV2({ ...offer, unitPrice: unitPriceOf(offer) }),
  fillAsk: (taken, fill) => fillAskLayoutV2({ ...takenV2(taken), fill: fill as FillV2 }),
  fillBid: (taken, fill, tokenChange) =>
    fillBidLayoutV2({ ...takenV2(taken), fill: fill as FillV2, tokenChange }),
  cancelAsk: ({ order }) => cancelAskLayoutV2(order as OpenOrderV2),
  cancelBid: ({ order }) => cancelBidLayoutV2(order as OpenOrderV2),
}

/** @see komodo src/cc/CCassetsCore.cpp, AssetValidateBuyvin; tokel src/cc/CCassetsCore_impl.h */
function missingMarker(
  { action, origin }: OpenOrder,
  outputs: readonly TransactionOutput[],
  scriptOf: (origin: string) => string,
): MissingMarker | undefined {
  if (action !== 'bid') return undefined
  const script = scriptOf(origin)
  // An order has a second output, because its terms are never in the first.
  const marker = outputs[1]!
  if (marker.script === script && marker.value === markerSats) return undefined
  return {
    expected: expectedMarker,
    actual: marker.script === script ? marker.value : marker.script,
  }
}

/** @see tokel src/cc/CCassetstx_impl.h, CreateSell, which cuts off the remainder */
function unitPriceOf({ price, units }: Pick<MadeOffer, 'price' | 'units'>): bigint {
  return price / units
}

function takenV2({ order, from, created }: TakenOrder) {
  return { order: order as OpenOrderV2, from, royalty: royaltyOf(created) }
}

/** Returns the order book of a network: tokens v2 on tokeld's chains. */
export function ordersOf({ conditions }: Pick<Network, 'conditions'>): OrderBook {
  return conditions === 'tokel' ? ordersV2 : komodoOrders
}
