// Methods for orders of tokens v2.

import { defaultFee, markerSats } from '../../../chain/limits.ts'
import { zeroHex32 } from '../../../primitives/hex-forms.ts'
import type { JsonValue } from '../../../primitives/json.ts'
import { isBid } from '../../../token/rules/order-layout.ts'
import {
  markerScriptOfV2,
  type OpenOrderV2,
  openOrderInV2,
  orderBlocksV2,
  orderScriptsV2,
} from '../../../token/rules/order-layout-v2.ts'
import { keyScriptV2 } from '../../../token/rules/tokens-v2.ts'
import { outpointKey } from '../../state/keys.ts'
import { lookUp } from '../../state/ordered-map.ts'
import { indexTypes } from '../../state/script-index.ts'
import { coinsUnder, findTransaction, positionOf, requireWholeChain } from '../../state/view.ts'
import { indexKeyOf } from '../../wallet/condition-builder.ts'
import { anyInputs } from '../../wallet/tokel-builder.ts'
import {
  type Built,
  buildAskV2,
  buildBidV2,
  buildCancelV2,
  buildFillAskV2,
  buildFillBidV2,
  type OfferTermsV2,
  type PlacedOrder,
  placedOrder,
} from '../../wallet/tokel-orders.ts'
import { type Answer, coins as coinsAnswer } from '../answer.ts'
import { type Context, type MethodRow, type Methods, methodsIn } from '../context.ts'
import { failure } from '../failure.ts'
import { amount, hashOrZero, leadingInteger, type Params, text } from '../params.ts'
import { addressOf } from '../tokens.ts'
import { assetsScript, heightsOf, type ListFilter, paidBetween } from './info.ts'
import { ModuleError, quotedObject, tokelMethod } from './method.ts'

const ordersUsage = [
  "tokenv2orders [tokenid|'*']  [json-params]",
  'returns tokens orders for the tokenid or all available token orders if tokenid is not set',
  'json-params - optional json object with params limiting orders to output:',
  '  { "beginHeight": number "endHeight": number, "pubkey": hexstring }',
  '  "beginHeight", "endHeight" - height interval where to search orders, if beginHeight omitted the first block is used, if endHeight omitted the chain tip is used  "pubkey" - search orders created by a specific pubkey\n\n',
].join('\n')

export const tokelOrderMethods: Methods = methodsIn('tokens', [
  tokelMethod(ordersUsage, [0, 2], (context, _, [id, query]) => {
    const tokenid = tokenAsked(id)
    const filter = query === undefined ? {} : filterOf(query)
    return ordersOn(context, tokenid, filter)
  }),
  tokelMethod(
    'mytokenv2orders\nreturns all tokens orders for mypubkey\n\n',
    [0, 0],
    (context, { pubkey }) => ordersOn(context, undefined, { pubkey }),
  ),
  tokelMethod(
    'tokenv2bid numtokens tokenid price [expiry-height]\n',
    [3, 4],
    (context, builder, params) => {
      const offer = offerOf(context, params)
      if (offer.unitPrice <= 0n) throw new ModuleError('price must be positive')
      if (offer.tokenid === zeroHex32) throw new ModuleError('invalid tokenid')
      if (offer.units <= 0n) throw new ModuleError('bid amount must be positive')
      return answered(buildBidV2(builder, withEnd(context, offer, params[3])))
    },
  ),
  tokelMethod(
    'tokenv2ask numtokens tokenid price [expiry-height]\n',
    [3, 4],
    (context, builder, params) => {
      const offer = offerOf(context, params)
      if (offer.tokenid === zeroHex32) throw new ModuleError('tokenid invalid')
      if (offer.units <= 0n) throw new ModuleError('numtokens invalid')
      if (offer.unitPrice <= 0n) throw new ModuleError('price invalid')
      return answered(buildAskV2(builder, withEnd(context, offer, params[3])))
    },
  ),
  cancelMethod('bid', 'could not load bid tx'),
  cancelMethod('ask', 'could not get ask tx'),
  tokelMethod(
    'tokenv2fillbid tokenid bidtxid fillamount [unit_price]\n',
    [3, 4],
    (context, builder, params) => {
      const { tokenid, txid } = orderAsked(params)
      const units = leadingInteger(text(params[2]))
      if (units <= 0n) throw new ModuleError('fillamount must be positive')
      if (tokenid === zeroHex32 || txid === zeroHex32) {
        throw new ModuleError('must provide tokenid and bidtxid')
      }
      const unitPrice = params.length > 3 ? priceOf(context, text(params[3])) : 0n
      const coins = anyInputs(builder, defaultFee + markerSats)
      if (coins.length === 0) throw new ModuleError('no normal coins left')
      const order = placedOrder(builder.engine, txid)
      if (order === undefined) throw new ModuleError("can't load or bad bidtx")
      if (!isBid(order)) throw new ModuleError('not an bid order')
      requireToken(order, tokenid)
      return answered(buildFillBidV2(builder, order, { units, unitPrice, coins }))
    },
  ),
  tokelMethod(
    'tokenv2fillask tokenid asktxid fillunits [unitprice]\n',
    [3, 4],
    (context, builder, params) => {
      const { tokenid, txid } = orderAsked(params)
      const units = leadingInteger(text(params[2]))
      if (units <= 0n) throw new ModuleError('fillunits must be positive')
      if (tokenid === zeroHex32 || txid === zeroHex32) throw new ModuleError('invalid parameter')
      const unitPrice = params.length > 3 ? priceOf(context, params[3]) : 0n
      const order = placedOrder(builder.engine, txid)
      if (order === undefined) throw new ModuleError("can't get ask tx")
      if (isBid(order)) throw new ModuleError('not an ask order')
      requireToken(order, tokenid)
      return answered(buildFillAskV2(builder, order, { units, unitPrice }))
    },
  ),
])

function tokenAsked(id: JsonValue | undefined): string | undefined {
  if (id === undefined || text(id) === '*') return undefined
  const tokenid = hashOrZero(text(id))
  if (tokenid === zeroHex32) throw failure('misc', 'incorrect tokenid\n')
  return tokenid
}

const filterMembers = ['beginHeight', 'endHeight', 'pubkey']

function filterOf(given: JsonValue): ListFilter {
  const query = quotedObject(given, 'parameter 2 must be a valid json object\n')
  if (query === undefined) throw failure('misc', 'parameter 2 must be a json object')
  return heightsOf(query, filterMembers)
}

/** Answers with the hex alone: these methods report no success beside it. */
function answered(built: Built): Answer {
  if (typeof built === 'string') return { hex: built }
  throw new ModuleError(built.words)
}

function priceOf({ engine }: Context, value: JsonValue | undefined): bigint {
  return amount(value, engine.rules.network.maxMoney)
}

function offerOf(context: Context, params: Params): Omit<OfferTermsV2, 'expiryHeight'> {
  return {
    units: leadingInteger(text(params[0])),
    tokenid: hashOrZero(text(params[1])),
    unitPrice: priceOf(context, params[2]),
  }
}

function withEnd(
  context: Context,
  offer: Omit<OfferTermsV2, 'expiryHeight'>,
  given: JsonValue | undefined,
): OfferTermsV2 {
  const { height } = context.state.chain.tip
  if (given === undefined) return { ...offer, expiryHeight: height + orderBlocksV2 }
  // The daemon keeps 32 bits of what it read.
  const expiryHeight = Number(BigInt.asIntN(32, leadingInteger(text(given))))
  if (expiryHeight < height) throw new ModuleError('expiry height invalid')
  return { ...offer, expiryHeight }
}

function orderAsked(params: Params): { readonly tokenid: string; readonly txid: string } {
  return { tokenid: hashOrZero(text(params[0])), txid: hashOrZero(text(params[1])) }
}

function requireToken(order: PlacedOrder, tokenid: string): void {
  if (order.tokenid !== tokenid) throw new ModuleError('invalid tokenid')
}

function cancelMethod(kind: 'bid' | 'ask', notFound: string): MethodRow {
  const usage = `tokenv2cancel${kind} tokenid ${kind}txid\n`
  return tokelMethod(usage, [2, 2], (_, builder, params) => {
    const { tokenid, txid } = orderAsked(params)
    if (tokenid === zeroHex32 || txid === zeroHex32) throw new ModuleError('invalid parameter')
    const order = placedOrder(builder.engine, txid)
    if (order === undefined) throw new ModuleError(notFound)
    return answered(buildCancelV2(builder, order, tokenid))
  })
}

/** Bids, then asks; of one maker, in the order of the markers. @see tokel src/cc/CCassetstx_impl.h, AssetOrders */
function ordersOn(context: Context, tokenid: string | undefined, filter: ListFilter): Answer {
  const { bids, asks } = orderScriptsV2()
  const scripts = filter.pubkey === undefined ? [bids, asks] : [markerScriptOfV2(filter.pubkey)]
  const ends = new Map<string, string>()
  return scripts
    .flatMap((script) => {
      const key = indexKeyOf(context.engine, script, indexTypes.condition)
      return paidBetween(context, key, filter) ?? [...coinsUnder(context, key)]
    })
    .flatMap(({ txid }) => {
      const at = latest(context, txid, ends)
      const order = openOrderInV2(findTransaction(context, at)!.transaction)
      const isAsked = tokenid === undefined || order?.tokenid === tokenid
      return order !== undefined && isAsked && order.amount > 0n ? [listed(context, order, at)] : []
    })
}

/**
 * Returns the transaction that holds what blocks have left of an order.
 *
 * @param ends - of orders that were followed before, so that none is followed twice
 */
function latest(context: Context, txid: string, ends: Map<string, string>): string {
  requireWholeChain(context.state.chain)
  const passed = [txid]
  for (;;) {
    const at = passed.at(-1)!
    const end = ends.get(at)
    const spending = lookUp(context.state.chain.tables.spends, outpointKey(at, 0))
    if (end === undefined && spending !== undefined) {
      passed.push(spending.txid)
      continue
    }
    for (const one of passed) ends.set(one, end ?? at)
    return end ?? at
  }
}

const funcids = { bid: 'b', ask: 's', fillBid: 'B', fillAsk: 'S' } as const

function listed(context: Context, order: OpenOrderV2, txid: string): Answer {
  const { action, amount: value, origin, tokenid, unitPrice, expiryHeight } = order
  const isKey = markerScriptOfV2(origin) !== ''
  return {
    funcid: funcids[action],
    txid,
    ...(isBid(order) ? { bidamount: coinsAnswer(value) } : { askamount: value }),
    ...(isKey && {
      origaddress: addressOf(context, assetsScript(origin)),
      origtokenaddress: addressOf(context, keyScriptV2(origin)),
    }),
    tokenid,
    totalrequired: isBid(order) ? value / unitPrice : coinsAnswer(unitPrice * value),
    price: coinsAnswer(unitPrice),
    blockHeight: positionOf(context.state, txid)?.height,
    ExpiryHeight: expiryHeight > 0 ? expiryHeight : undefined,
  }
}
