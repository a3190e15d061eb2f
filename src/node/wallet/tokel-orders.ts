// Orders of tokens v2: reads them from the chain, and builds each step with the coins that tokeld's
// assets module chooses.

import { defaultFee, markerSats } from '../../chain/limits.ts'
import { assetsV2EvalCode, assetsV2GlobalPubkey, moduleOfEvalCode } from '../../chain/modules.ts'
import { moduleCondition } from '../../script/condition-script.ts'
import type { OrderLayout } from '../../token/rules/order-layout.ts'
import {
  askLayoutV2,
  bidLayoutV2,
  cancelAskLayoutV2,
  cancelBidLayoutV2,
  fillAskLayoutV2,
  fillBidLayoutV2,
  fillOfV2,
  markerScriptOfV2,
  type OpenOrderV2,
  openOrderInV2,
  royaltyOf,
} from '../../token/rules/order-layout-v2.ts'
import { creationIn } from '../../token/rules/tokel-output.ts'
import type { Engine } from '../engine.ts'
import { outpointKey } from '../state/keys.ts'
import { lookUp } from '../state/ordered-map.ts'
import { findTransaction, requireWholeChain } from '../state/view.ts'
import type { Builder, Selected } from './condition-builder.ts'
import {
  anyInputs,
  finalizedTokel,
  ownInputs,
  type TokelAssembly,
  tokelInputsOf,
} from './tokel-builder.ts'

/** The module's words where it builds nothing. */
interface NotBuilt {
  readonly words: string
}

/** The hex, or the reason why there is none. */
export type Built = string | NotBuilt

const notFinal: NotBuilt = { words: 'Could not finalize tx' }

/** An order whose offer no block has spent yet. */
export interface PlacedOrder extends OpenOrderV2 {
  readonly txid: string
  readonly outputs: number
}

export interface OfferTermsV2 {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis. */
  readonly unitPrice: bigint
  readonly expiryHeight: number
}

/**
 * Returns `undefined` for an order that the chain has spent, and for a transaction that is not an
 * order of this module. No chain accepts an order whose maker is not a key.
 */
export function placedOrder(engine: Engine, txid: string): PlacedOrder | undefined {
  const { state } = engine
  requireWholeChain(state.chain)
  if (lookUp(state.chain.tables.spends, outpointKey(txid, 0)) !== undefined) return undefined
  const made = findTransaction(engine, txid)?.transaction
  const order = made && openOrderInV2(made)
  if (order === undefined || markerScriptOfV2(order.origin) === '') return undefined
  return { ...order, txid, outputs: made!.outputs.length }
}

/** @see tokel src/cc/CCassetstx_impl.h, CreateBuyOffer */
export function buildBidV2(builder: Builder, offer: OfferTermsV2): Built {
  const { engine, pubkey: from } = builder
  const { tokenid, units, unitPrice } = offer
  if (units <= 0n) return { words: 'invalid bidamount or numtokens' }
  const created = findTransaction(engine, tokenid)
  if (created === undefined) return { words: 'could not find assetid\n' }
  if (creationIn(created.transaction, 2) === undefined) {
    return { words: "assetid isn't token creation txid\n" }
  }
  const coins = ownInputs(builder, units * unitPrice + defaultFee + markerSats)
  if (coins.length === 0) return { words: 'no coins found to make buy offer' }
  return built(builder, bidLayoutV2({ ...offer, from }), { coins, spends: [] })
}

/** @see tokel src/cc/CCassetstx_impl.h, CreateSell */
export function buildAskV2(builder: Builder, offer: OfferTermsV2): Built {
  const { engine, pubkey: from } = builder
  const { tokenid, units } = offer
  const coins = ownInputs(builder, defaultFee + markerSats)
  if (coins.length === 0) return { words: 'need some native coins to place ask' }
  const held = tokelInputsOf(engine, { version: 2, tokenid, pubkey: from, total: units })
  if (held.amount === 0n) return { words: 'need some tokens to place ask' }
  if (held.amount < units) return { words: 'insufficient tokens for ask' }
  const layout = askLayoutV2({ ...offer, from, tokenChange: held.amount - units })
  return built(builder, layout, { coins, spends: held.inputs })
}

/**
 * Takes the fee from the marker. After a part of the order was filled, it looks for the marker in
 * output 3, where it is only if the token has no royalty.
 *
 * @see tokel src/cc/CCassetstx_impl.h, CancelBuyOffer, CancelSell
 */
export function buildCancelV2(builder: Builder, order: PlacedOrder, tokenid: string): Built {
  const isBid = order.action === 'bid' || order.action === 'fillBid'
  if (order.amount === 0n) return { words: isBid ? 'bid is empty' : 'ask is empty' }
  const isRest = order.action === 'fillBid' || order.action === 'fillAsk'
  const vout = isRest ? 3 : 1
  if (order.outputs <= vout) {
    return {
      words: isBid ? 'invalid bidtx or not enough vouts' : 'invalid ask tx or not enough vouts',
    }
  }
  const asked = { ...order, tokenid }
  const layout = isBid ? cancelBidLayoutV2(asked) : cancelAskLayoutV2(asked)
  const marker = { txid: order.txid, vout, value: markerSats }
  return built(builder, layout, {
    coins: [],
    spends: [offered(order), marker],
    // For everyone but the maker the module's key signs, which the network accepts after the end.
    trees: new Map([
      [1, moduleCondition([order.origin, assetsV2GlobalPubkey], { evalCodes: [assetsV2EvalCode] })],
    ]),
  })
}

interface Fill {
  readonly units: bigint
  /** Satoshis; 0 for the order's own. */
  readonly unitPrice: bigint
}

/** @see tokel src/cc/CCassetstx_impl.h, FillSell */
export function buildFillAskV2(builder: Builder, order: PlacedOrder, wanted: Fill): Built {
  const price = wanted.units * (wanted.unitPrice || order.unitPrice)
  const coins = anyInputs(builder, defaultFee + markerSats + price)
  if (coins.length === 0) return { words: 'filltx not enough normal utxos' }
  const royalty = royaltyIn(builder, order)
  const fill = fillOfV2(order, wanted.units, royalty, price)
  if (fill === undefined) return { words: 'incorrect units or price' }
  const layout = fillAskLayoutV2({ order, fill, royalty, from: builder.pubkey })
  return built(builder, layout, { coins, spends: [offered(order)] })
}

/** @see tokel src/cc/CCassetstx_impl.h, FillBuyOffer */
export function buildFillBidV2(
  builder: Builder,
  order: PlacedOrder,
  wanted: Fill & { readonly coins: readonly Selected[] },
): Built {
  const { engine, pubkey: from } = builder
  const { tokenid } = order
  const { units, coins } = wanted
  const held = tokelInputsOf(engine, { version: 2, tokenid, pubkey: from, total: units })
  if (held.amount === 0n) return { words: 'dont have any assets to fill bid' }
  if (held.amount < units) return { words: 'insufficient tokens to fill buy offer' }
  const royalty = royaltyIn(builder, order)
  const price = units * (wanted.unitPrice || order.unitPrice)
  const fill = fillOfV2(order, units, royalty, price)
  if (fill === undefined) return { words: 'incorrect units or price' }
  const tokenChange = held.amount - units
  const layout = fillBidLayoutV2({ order, fill, royalty, from, tokenChange })
  return built(builder, layout, { coins, spends: [offered(order), ...held.inputs] })
}

function royaltyIn({ engine }: Builder, { tokenid }: PlacedOrder): ReturnType<typeof royaltyOf> {
  const created = findTransaction(engine, tokenid)?.transaction
  return royaltyOf((created && creationIn(created, 2)) ?? { extras: [] })
}

function offered({ txid, amount }: PlacedOrder): Selected {
  return { txid, vout: 0, value: amount }
}

/** Published with the module; it signs for what an order holds. */
const moduleKeys: readonly string[] = [moduleOfEvalCode(assetsV2EvalCode)!.key!.privateKey]

function built(
  builder: Builder,
  { outputs, nulldata }: OrderLayout,
  inputs: Pick<TokelAssembly, 'coins' | 'spends' | 'trees'>,
): Built {
  const assembly: TokelAssembly = { version: 2, outputs, nulldata, moduleKeys, ...inputs }
  return finalizedTokel(builder, assembly) ?? notFinal
}
