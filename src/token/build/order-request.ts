// Requests for orders, and what is read of them: coins, the token, the order that is spent.

import { AntaraError } from '../../errors/antara-error.ts'
import { requireObject } from '../../primitives/misuse.ts'
import type { Outpoint } from '../../transaction/types.ts'
import { fixedHex } from '../payload/bytes.ts'
import { nonFungibleEvalCode } from '../rules/komodo.ts'
import { exactFill, tradedSatsMin } from '../rules/order-fill.ts'
import {
  type Fill,
  isBid,
  type OpenOrder,
  openOrderIn,
  orderScripts,
} from '../rules/order-layout.ts'
import { slotScript } from '../rules/slot-script.ts'
import {
  type CommonRequest,
  type CommonTerms,
  readPubkey,
  readTerms,
  readUnits,
} from './assemble.ts'
import { requireSpend, type Spend } from './choose.ts'
import { type CoinSources, readCoins, readNativeCoins, readSources } from './coins.ts'
import {
  checkTokens,
  type FoundCreation,
  findCreation,
  readTokenid,
  transferableEvalCodes,
} from './held.ts'
import type { SpentCoin } from './unsigned.ts'

/** What requests for any step of an order have in common. */
interface TokenOrderRequest extends CommonRequest {
  readonly tokenid: string
  /** One's own compressed public key: it pays, and gets what comes back. */
  readonly from: string
  /** Native coins that may be spent: pay to the own public key or its hash. */
  readonly coins: readonly Outpoint[]
  /** Raw transactions of all coins and of the order. With ancestors, tokens are proven as well. */
  readonly previousTransactions: readonly string[]
  /** The transaction that created the token, unless it is among the previous ones. */
  readonly tokenCreate?: string
  /** If absent, coins are selected unless, in the order given, there are none to spare. */
  readonly spend?: Spend
  /** As for `buildTokenTransfer`. */
  readonly dataCodes?: readonly number[]
}

export interface TokenBidRequest extends TokenOrderRequest {
  /** Token units that are wanted: bigint, or decimal digits. */
  readonly units: bigint | string
  /** Satoshis for all of them. */
  readonly price: bigint | string
}

export interface TokenAskRequest extends TokenOrderRequest {
  /** Token units that are offered: bigint, or decimal digits. */
  readonly units: bigint | string
  /** Satoshis for all of them. */
  readonly price: bigint | string
  /** Token coins that may be spent. */
  readonly tokenCoins: readonly Outpoint[]
}

export interface TokenFillAskRequest extends TokenOrderRequest {
  /** Id of the transaction that has the order, which is among the previous ones. */
  readonly order: string
  /** Token units to buy, or to sell. */
  readonly units: bigint | string
  /** Satoshis that they should cost, or bring: another price is an error. */
  readonly price?: bigint | string
}

export interface TokenFillBidRequest extends TokenFillAskRequest {
  /** Token coins that may be spent. */
  readonly tokenCoins: readonly Outpoint[]
}

export interface TokenCancelRequest extends TokenOrderRequest {
  /** Id of the transaction that has the order, which is among the previous ones. */
  readonly order: string
}

export interface ReadyRequest {
  readonly request: TokenOrderRequest
  readonly terms: CommonTerms
  readonly tokenid: string
  readonly from: string
  readonly sources: CoinSources
  readonly creation: FoundCreation | undefined
  readonly nonFungible: number | undefined
  /** Of the key's own tokens. */
  readonly own: string
  readonly native: readonly SpentCoin[]
}

export function readRequest(request: TokenOrderRequest, needsCreation = true): ReadyRequest {
  requireObject(request, 'request')
  requireSpend(request.spend)
  const terms = readTerms(request)
  const tokenid = readTokenid(request.tokenid)
  const from = readPubkey(request.from, 'from')
  const sources = readSources(request.previousTransactions)
  const creation = needsCreation ? findCreation(request, tokenid, sources) : undefined
  const evalCodes = creation && transferableEvalCodes(creation, request.dataCodes)
  return {
    request,
    terms,
    tokenid,
    from,
    sources,
    creation,
    nonFungible: creation && nonFungibleEvalCode(creation.payload),
    own: evalCodes === undefined ? '' : slotScript([from], evalCodes),
    native: readNativeCoins(request.coins, from, sources),
  }
}

export function readOffer(request: TokenBidRequest): { units: bigint; price: bigint } {
  const units = readUnits(request.units, 'units')
  const price = readUnits(request.price, 'price')
  if (price >= tradedSatsMin) return { units, price }
  throw new AntaraError('amount_out_of_range', {
    path: 'price',
    expected: `at least ${tradedSatsMin}`,
    actual: price,
  })
}

export function readTokens(
  { tokenCoins }: TokenAskRequest | TokenFillBidRequest,
  { own, creation, sources }: ReadyRequest,
): { tokens: SpentCoin[]; unproven: readonly SpentCoin[] } {
  const tokens = readCoins(tokenCoins, 'token', sources, 'tokenCoins')
  return { tokens, unproven: checkTokens(tokens, own, creation!, sources) }
}

interface FoundOrder {
  readonly order: OpenOrder
  readonly txid: string
  readonly coin: SpentCoin
  readonly unproven: readonly SpentCoin[]
}

/** The order as its own transaction states it, which is hashed. */
export function readOrder(
  given: TokenCancelRequest,
  { tokenid, sources, creation, nonFungible }: ReadyRequest,
  wanted: 'ask' | 'bid',
): FoundOrder {
  const path = 'order'
  const txid = fixedHex(given.order, 32, path)
  const [coin] = readCoins([{ txid, vout: 0 }], 'order', sources, path)
  const order = openOrderIn(sources.get(txid)!.outputs)
  if (order === undefined || isBid(order) !== (wanted === 'bid')) {
    throw malformedOrder(path, wanted, order?.action ?? 'no order')
  }
  if (order.tokenid !== tokenid) throw malformedOrder(path, tokenid, order.tokenid)
  const scripts = orderScripts(nonFungible)
  const script = wanted === 'bid' ? scripts.bids : scripts.asks
  if (coin!.script !== script) throw malformedOrder(path, script, coin!.script)
  // coins of a bid are coins; units of an ask may be none
  const isOfAsk = wanted === 'ask' && creation !== undefined
  const unproven = isOfAsk ? checkTokens([coin!], script, creation, sources, path) : []
  return { order, txid, coin: coin!, unproven }
}

export function malformedOrder(path: string, expected: string, actual: string): AntaraError {
  return new AntaraError('order_malformed', { path, expected, actual })
}

export function readFill(request: TokenFillAskRequest, order: OpenOrder): Fill {
  const units = readUnits(request.units, 'units')
  const fill = exactFill(order, units)
  const all = isBid(order) ? order.price : order.amount
  if (fill === undefined) {
    const worth = isBid(order) ? order.amount : order.price
    throw new AntaraError('order_fill', {
      path: 'units',
      expected: `a part of ${all} units for ${worth} satoshis`,
      actual: units,
    })
  }
  if (request.price === undefined) return fill
  const price = readUnits(request.price, 'price')
  if (price === fill.coins) return fill
  throw new AntaraError('order_price', { path: 'price', expected: price, actual: fill.coins })
}
