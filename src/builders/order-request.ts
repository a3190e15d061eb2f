// Reads requests for orders: their coins, their token, and the order that is spent.

import { AntaraError } from '../errors/antara-error.ts'
import { argumentError } from '../primitives/arguments.ts'
import { requireRequest } from '../request/members.ts'
import {
  type OrderRequests,
  orderRequestForms,
  type TokenAskRequest,
  type TokenBidRequest,
  type TokenCancelRequest,
  type TokenFillBidRequest,
  type TokenOrderIntent,
  type TokenOrderRequest,
} from '../request/order.ts'
import {
  type AskedOrder,
  endedProblems,
  fillPriceProblems,
  orderProblems,
} from '../request/order-problems.ts'
import { throwFirst } from '../request/problem.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import { type OrderBook, ordersOf, type TakenOrder } from '../token/rules/order-book.ts'
import { type CreatedToken, type Fill, isBid, soldFor } from '../token/rules/order-layout.ts'
import { orderBlocksV2 } from '../token/rules/order-layout-v2.ts'
import type { RequestedPrice } from '../token/rules/order-price.ts'
import { fungible } from '../token/rules/rules.ts'
import { type CommonTerms, readTerms, readUnits } from './assemble.ts'
import { type CoinSources, readCoin, readCoins, readNativeCoins, readSources } from './coins.ts'
import {
  checkTokens,
  type FoundCreation,
  findCreation,
  heldBy,
  requireMovable,
} from './moved-token.ts'
import { requireV2 } from './transfer-request.ts'
import type { SpentCoin } from './unsigned.ts'

export interface ReadyRequest {
  readonly request: TokenOrderRequest
  readonly terms: CommonTerms
  readonly book: OrderBook
  /** The requested step, with nothing left to defaults. */
  readonly asked: AskedOrder & { readonly order: string; readonly units: bigint }
  readonly tokenid: string
  readonly from: string
  readonly sources: CoinSources
  readonly creation: FoundCreation | undefined
  /** The token's creation; that of a fungible token where it is not needed. */
  readonly created: CreatedToken
  readonly native: readonly SpentCoin[]
}

export function readRequest<Kind extends keyof OrderRequests>(
  request: OrderRequests[Kind],
  kind: Kind,
): ReadyRequest {
  requireRequest<TokenOrderRequest>(request, orderRequestForms[kind])
  const terms = readTerms(request)
  const { network } = terms
  const book = ordersOf(network)
  const asked = readAsked(request, kind)
  throwFirst(orderProblems(asked, network))
  const { tokenid, from } = asked
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
    asked: { ...asked, order: asked.order ?? '', units: asked.units ?? 0n },
    tokenid,
    from,
    sources,
    creation,
    created: creation?.payload ?? fungible,
    native: readNativeCoins(request.coins, from, sources),
  }
}

const endMember = 'orderExpiryHeight'
const amounts = ['units', 'price', 'priceMax', 'priceMin'] as const

function readAsked(request: TokenOrderRequest, kind: TokenOrderIntent['kind']): AskedOrder {
  const given = request as Partial<TokenBidRequest & TokenCancelRequest> & RequestedPrice
  const { tokenid, from, order, allowUnenforcedPrice, orderExpiryHeight } = given
  const { tipHeight = 0 } = request
  const read = amounts.map((name) => {
    const amount = given[name]
    return [name, amount === undefined ? undefined : readUnits(amount, name)]
  })
  return {
    ...Object.fromEntries(read),
    kind,
    tokenid: tokenid!.toLowerCase(),
    from: from!.toLowerCase(),
    order: order?.toLowerCase(),
    allowUnenforcedPrice,
    ...(orderExpiryHeight !== undefined && {
      end: { height: orderExpiryHeight, path: endMember, tipHeight },
    }),
  }
}

/** Returns the height at which an offer ends; 0 where offers have no end. */
export function readEnd({ request, book, asked: { end } }: ReadyRequest): number {
  const { tipHeight } = request
  if (!book.ends) return 0
  if (end !== undefined) return end.height
  if (tipHeight !== undefined) return tipHeight + orderBlocksV2
  throw argumentError('tipHeight', `a number, or ${endMember} instead`, tipHeight)
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
  { asked, tokenid, from, sources, creation, created, book }: ReadyRequest,
  wanted: 'ask' | 'bid',
): FoundOrder {
  const path = 'order'
  const txid = asked.order
  const coin = readCoin({ txid, vout: 0 }, 'order', sources, path)
  const order = book.openOrder(sources.get(txid)!)
  if (order === undefined || isBid(order) !== (wanted === 'bid')) {
    throw malformedOrder(path, wanted, order?.action ?? 'no order')
  }
  if (order.tokenid !== tokenid) throw malformedOrder(path, tokenid, order.tokenid)
  if (!isCompressedPoint(order.origin)) throw malformedOrder(path, 'a public key', order.origin)
  const script = book.offeredScript(order, created)
  if (coin.script !== script) throw malformedOrder(path, script, coin.script)
  const { outputs } = sources.get(txid)!
  const marker = book.missingMarker(order, outputs)
  if (marker !== undefined) {
    throw malformedOrder(path, marker.expected, marker.actual)
  }
  // The coins of a bid are coins; the units of an ask may be false.
  const unproven =
    wanted === 'ask'
      ? checkTokens(
          [coin],
          { creation: creation!, own: script, isOwn: (it) => it === script },
          sources,
          () => path,
        )
      : []
  return { order, from, created, txid, coin, unproven }
}

export function malformedOrder(
  path: string,
  expected: string,
  actual: string | bigint,
): AntaraError {
  return new AntaraError('order_malformed', { path, expected, actual })
}

/** Returns the amounts that a fill exchanges. */
export function readFill(
  taken: TakenOrder,
  { book, asked, request: { tipHeight } }: ReadyRequest,
): Fill {
  const { order } = taken
  const { units } = asked
  if (order.expiryHeight !== undefined && tipHeight !== undefined) {
    throwFirst(endedProblems(order.expiryHeight, tipHeight, 'order'))
  }
  const fill = book.fill(taken, units)
  if (fill === undefined) {
    const [all, worth] = isBid(order) ? [order.price, order.amount] : [order.amount, order.price]
    throw new AntaraError('order_fill', {
      path: 'units',
      expected: `a part of ${all} units for ${worth} satoshis`,
      actual: units,
    })
  }
  throwFirst(fillPriceProblems({ coins: fill.coins, payment: soldFor(fill, taken) }, asked))
  return fill
}
