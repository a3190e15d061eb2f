// Requests for orders, and what is read of them: coins, the token, the order that is spent.

import { orderHeightMax } from '../chain/limits.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { argumentError } from '../primitives/arguments.ts'
import type { CommonRequest } from '../request/common.ts'
import { requireRequest } from '../request/members.ts'
import {
  orderRequestForms,
  type TokenAskRequest,
  type TokenBidRequest,
  type TokenCancelRequest,
  type TokenFillAskRequest,
  type TokenFillBidRequest,
  type TokenOfferRequest,
  type TokenOrderIntent,
  type TokenOrderRequest,
} from '../request/order.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import { fixedHex } from '../token/payload/bytes.ts'
import { type OrderBook, ordersOf, type TakenOrder } from '../token/rules/order-book.ts'
import { type CreatedToken, type Fill, isBid, type OpenOrder } from '../token/rules/order-layout.ts'
import { orderBlocksV2 } from '../token/rules/order-layout-v2.ts'
import {
  brokenPrice,
  type FillKind,
  type GivenPrice,
  priceRefusal,
  type RequestedPrice,
  requireFillPrice,
} from '../token/rules/order-price.ts'
import { fungible } from '../token/rules/rules.ts'
import { type CommonTerms, readPubkey, readTerms, readUnits } from './assemble.ts'
import { type CoinSources, readCoins, readNativeCoins, readSources } from './coins.ts'
import {
  checkTokens,
  type FoundCreation,
  findCreation,
  heldBy,
  readTokenid,
  requireMovable,
} from './moved-token.ts'
import { requireV2 } from './transfer-request.ts'
import type { SpentCoin } from './unsigned.ts'

export interface ReadyRequest {
  readonly request: TokenOrderRequest
  readonly terms: CommonTerms
  readonly book: OrderBook
  readonly tokenid: string
  readonly from: string
  readonly sources: CoinSources
  readonly creation: FoundCreation | undefined
  /** The token's creation; that of a fungible token where it is not needed. */
  readonly created: CreatedToken
  readonly native: readonly SpentCoin[]
}

export function readRequest(
  request: TokenOrderRequest,
  kind: TokenOrderIntent['kind'],
): ReadyRequest {
  requireRequest<TokenOrderRequest>(request, orderRequestForms[kind])
  const terms = readTerms(request)
  const { network } = terms
  const book = ordersOf(network)
  const tokenid = readTokenid(request.tokenid)
  const from = readPubkey(request.from, 'from')
  const sources = readSources(request.previousTransactions)
  const creation =
    kind !== 'cancelBid' ? findCreation(request, tokenid, sources, network) : undefined
  if (creation !== undefined) {
    // No chain has orders of tokeld's tokens v1 that could be checked here.
    if (network.conditions === 'tokel') requireV2(creation.rules.layout)
    requireMovable(creation, request.dataCodes)
  }
  return {
    request,
    terms,
    book,
    tokenid,
    from,
    sources,
    creation,
    created: creation?.payload ?? fungible,
    native: readNativeCoins(request.coins, from, sources),
  }
}

interface ReadOffer {
  readonly units: bigint
  readonly price: bigint
  /** 0 where orders have no end. */
  readonly expiryHeight: number
}

export function readOffer(
  request: TokenAskRequest | TokenBidRequest,
  { book }: ReadyRequest,
  kind: 'ask' | 'bid',
): ReadOffer {
  const { allowUnenforcedPrice } = request as TokenBidRequest
  const units = readUnits(request.units, 'units')
  const price = readUnits(request.price, 'price')
  const refused = priceRefusal({ kind, units, price, allowUnenforcedPrice }, book)
  if (refused !== undefined) {
    const { member: path, expected, actual } = refused
    throw new AntaraError('amount_out_of_range', { path, expected, actual })
  }
  return { units, price, expiryHeight: readOrderExpiry(request, book) }
}

function readOrderExpiry(
  { orderExpiryHeight, tipHeight }: TokenOfferRequest,
  { ends }: OrderBook,
): number {
  const path = 'orderExpiryHeight'
  if (!ends) {
    if (orderExpiryHeight === undefined) return 0
    throw argumentError(path, "nothing but on tokeld's chains", orderExpiryHeight)
  }
  if (orderExpiryHeight === undefined) {
    if (tipHeight === undefined)
      throw argumentError('tipHeight', `a number, or ${path} instead`, tipHeight)
    return tipHeight + orderBlocksV2
  }
  const least = (tipHeight ?? 0) + 1
  if (orderExpiryHeight > least && orderExpiryHeight <= orderHeightMax) return orderExpiryHeight
  throw new AntaraError('expiry_height', {
    path,
    expected: `over ${least}, at most ${orderHeightMax}`,
    actual: orderExpiryHeight,
  })
}

export function readTokens(
  { tokenCoins }: TokenAskRequest | TokenFillBidRequest,
  { from, creation, sources }: ReadyRequest,
): { tokens: SpentCoin[]; unproven: readonly SpentCoin[] } {
  const tokens = readCoins(tokenCoins, 'token', sources, 'tokenCoins')
  return { tokens, unproven: checkTokens(tokens, heldBy(from, creation!), sources) }
}

interface FoundOrder extends TakenOrder {
  readonly txid: string
  readonly coin: SpentCoin
  readonly unproven: readonly SpentCoin[]
}

/** The order as its own transaction states it, which is hashed. */
export function readOrder(
  given: TokenCancelRequest,
  { tokenid, from, sources, creation, created, book }: ReadyRequest,
  wanted: 'ask' | 'bid',
): FoundOrder {
  const path = 'order'
  const txid = fixedHex(given.order, 32, path)
  const [coin] = readCoins([{ txid, vout: 0 }], 'order', sources, path)
  const order = book.openOrder(sources.get(txid)!)
  if (order === undefined || isBid(order) !== (wanted === 'bid')) {
    throw malformedOrder(path, wanted, order?.action ?? 'no order')
  }
  if (order.tokenid !== tokenid) throw malformedOrder(path, tokenid, order.tokenid)
  if (!isCompressedPoint(order.origin)) throw malformedOrder(path, 'a public key', order.origin)
  const script = book.offeredScript(order, created)
  if (coin!.script !== script) throw malformedOrder(path, script, coin!.script)
  const { outputs } = sources.get(txid)!
  const marker = book.missingMarker(order, outputs)
  if (marker !== undefined) {
    throw malformedOrder(path, marker, outputs[1]!.script)
  }
  // The coins of a bid are coins; the units of an ask may be false.
  const unproven =
    wanted === 'ask'
      ? checkTokens(
          [coin!],
          { creation: creation!, own: script, isOwn: (it) => it === script },
          sources,
          path,
        )
      : []
  return { order, from, created, txid, coin: coin!, unproven }
}

export function malformedOrder(path: string, expected: string, actual: string): AntaraError {
  return new AntaraError('order_malformed', { path, expected, actual })
}

/** Where orders end, not at that height and later. */
export function readFill(
  kind: FillKind,
  request: TokenFillAskRequest | TokenFillBidRequest,
  taken: TakenOrder,
  { book }: ReadyRequest,
): Fill {
  const { order } = taken
  const asked = readPrice(kind, request)
  requireOpen(order, request)
  const units = readUnits(request.units, 'units')
  const fill = book.fill(taken, units)
  const all = isBid(order) ? order.price : order.amount
  if (fill === undefined) {
    const worth = isBid(order) ? order.amount : order.price
    throw new AntaraError('order_fill', {
      path: 'units',
      expected: `a part of ${all} units for ${worth} satoshis`,
      actual: units,
    })
  }
  const broken = brokenPrice(fill.coins, asked)
  if (broken === undefined) return fill
  const { member: path, expected } = broken
  throw new AntaraError('order_price', { path, expected, actual: fill.coins })
}

function readPrice(
  kind: FillKind,
  request: TokenFillAskRequest | TokenFillBidRequest,
): RequestedPrice {
  const given = requireFillPrice(kind, request)
  return { [given]: readUnits((request as GivenPrice)[given] as bigint | string, given) }
}

/** @see tokel src/cc/assets.cpp, AssetsValidateInternal: order is expired */
function requireOpen({ expiryHeight }: OpenOrder, { tipHeight }: CommonRequest): void {
  if (expiryHeight === undefined || tipHeight === undefined || tipHeight + 1 < expiryHeight) return
  const details = { path: 'order', expected: `over ${tipHeight + 1}`, actual: expiryHeight }
  throw new AntaraError('expiry_height', details)
}
