// Which rules the orders of a network go by, and what the steps of either kind have in common.

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
  royaltyOf,
} from './order-layout-v2.ts'

/** An offer that is made. */
export interface MadeOffer {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis for all of them. */
  readonly price: bigint
  readonly from: string
  /** Of tokeld's orders. */
  readonly expiryHeight: number
  readonly created: CreatedToken
}

/** An open order that is filled or cancelled. */
export interface TakenOrder {
  readonly order: OpenOrder
  readonly from: string
  readonly created: CreatedToken
}

/** How a kind of daemon lays orders out. */
export interface OrderBook {
  readonly layout: TokenLayout
  /** Key, hex, with which anybody signs for what an order offers. */
  readonly moduleKey: string
  /** Whether its orders have an end, a royalty, and the price of a unit. */
  readonly ends: boolean
  /** Which input spends the order; undefined where that is the module's first, wherever it stands. */
  readonly orderInput?: number
  /** An order as its transaction states it. */
  openOrder(made: Pick<Transaction, 'inputs' | 'outputs'>): OpenOrder | undefined
  /** Output by which the maker of an order finds and cancels it; -1 if there is none. */
  markerVout(order: OpenOrder, outputs: readonly TransactionOutput[]): number
  /**
   * What output 1 of a bid must be and is not: no chain takes a fill or a cancellation of a bid whose
   * marker is not there. Undefined for any other order, such as what a fill leaves.
   */
  missingMarker(order: OpenOrder, outputs: readonly TransactionOutput[]): string | undefined
  /** Where what the order offers must lie. */
  offeredScript(order: Pick<OpenOrder, 'action'>, created: CreatedToken): string
  /** What changes hands; undefined where no node takes such a part. @param price - of all units */
  fill(taken: TakenOrder, units: bigint, price?: bigint): Fill | undefined
  ask(offer: MadeOffer, tokenChange: bigint): OrderLayout
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
    askLayout({ ...offer, nonFungible: nonFungibleEvalCode(created), tokenChange }),
  bid: bidLayout,
  fillAsk: (taken, fill) => fillAskLayout({ ...komodoTaken(taken), fill }),
  fillBid: (taken, fill, tokenChange) =>
    fillBidLayout({ ...komodoTaken(taken), fill, tokenChange }),
  cancelAsk: (taken) => cancelAskLayout(komodoTaken(taken)),
  cancelBid: (taken) => cancelBidLayout(komodoTaken(taken)),
}

function komodoTaken({ order, from, created }: TakenOrder) {
  return { order, from, nonFungible: nonFungibleEvalCode(created) }
}

/** What is made by one kind of book is only ever given back to it. */
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
): string | undefined {
  if (action !== 'bid') return undefined
  const script = scriptOf(origin)
  // what the order says stands in an output after the first
  const marker = outputs[1]!
  if (marker.script === script && marker.value === markerSats) return undefined
  return `a marker of ${markerSats}`
}

/** @see tokel src/cc/CCassetstx_impl.h, CreateSell: what is over is cut off */
function unitPriceOf({ price, units }: MadeOffer): bigint {
  return price / units
}

function takenV2({ order, from, created }: TakenOrder) {
  return { order: order as OpenOrderV2, from, royalty: royaltyOf(created) }
}

/** The orders of a network: on tokeld's chains those of tokens v2. */
export function ordersOf({ conditions }: Pick<Network, 'conditions'>): OrderBook {
  return conditions === 'tokel' ? ordersV2 : komodoOrders
}
