// Methods for orders: lists of them, and the steps that make, fill and cancel them.

import { assetsEvalCode } from '../../chain/modules.ts'
import { formatCoins } from '../../primitives/amount.ts'
import { compressedKeyDigits, zeroHex32 } from '../../primitives/hex-forms.ts'
import { isBid, orderScripts } from '../../token/rules/order-layout.ts'
import { slotScript, tokenEvalCodes } from '../../token/rules/slot-script.ts'
import { indexTypes } from '../state/script-index.ts'
import { coinsUnder } from '../state/view.ts'
import { type Builder, evalCodeOf, indexKeyOf } from '../wallet/condition-builder.ts'
import { keyBytes } from '../wallet/loose-key.ts'
import {
  buildAsk,
  buildBid,
  buildCancelAsk,
  buildCancelBid,
  buildFillAsk,
  buildFillBid,
  type LooseOrder,
  looseOrderOf,
  noCoins,
  type Order,
  orderOf,
} from '../wallet/orders.ts'
import { type Answer, moduleError } from './answer.ts'
import { type Context, type MethodRow, type Methods, methodsIn } from './context.ts'
import { failure } from './failure.ts'
import { hashOrZero, leadingInteger, leadingNumber, type Params, text } from './params.ts'
import { addressOf, tokenMethod } from './tokens.ts'

export const orderMethods: Methods = methodsIn('Tokens', [
  tokenMethod('tokenorders [tokenid]', [0, 1], (context, _, [id]) => {
    const tokenid = id === undefined ? undefined : hashOrZero(text(id))
    if (tokenid === zeroHex32) throw failure('misc', 'incorrect tokenid\n')
    return ordersOn(context, tokenid).map((order) => listed(context, order))
  }),
  tokenMethod('mytokenorders [evalcode]', [0, 1], (context, { pubkey }, [code]) => {
    const evalCode = code === undefined ? 0 : leadingByte(text(code))
    const { bids, asks } = orderScripts()
    const more = evalCode === 0 ? [] : [orderScripts(evalCode).asks]
    return [bids, asks, ...more]
      .flatMap((script) => ordersAt(context, script))
      .filter((order) => !isBid(order) && keyBytes(order.origin) === pubkey)
      .map((order) => listed(context, order))
  }),
  tokenMethod('tokenbid numtokens tokenid price', [3, 3], (_, builder, params) => {
    const offer = offerOf(params)
    if (offer.price <= 0) return moduleError('price must be positive')
    if (offer.tokenid === zeroHex32) return moduleError('invalid tokenid')
    if (offer.coins <= 0n) return moduleError('bid amount must be positive')
    return built(buildBid(builder, offer), 'couldnt create bid')
  }),
  tokenMethod('tokenask numtokens tokenid price', [3, 3], (_, builder, params) => {
    const offer = offerOf(params)
    const isWrong =
      offer.tokenid === zeroHex32 || offer.units <= 0n || offer.price <= 0 || offer.coins <= 0n
    if (isWrong) return moduleError('invalid parameter')
    return built(buildAsk(builder, offer), 'couldnt create ask')
  }),
  cancelMethod('bid', buildCancelBid),
  cancelMethod('ask', buildCancelAsk),
  tokenMethod('tokenfillbid tokenid bidtxid fillamount', [3, 3], (context, builder, params) => {
    const { order, isWrong } = orderAsked(context, params)
    const units = leadingInteger(text(params[2]))
    if (units <= 0n) return moduleError('fillamount must be positive')
    if (isWrong) return moduleError('must provide tokenid and bidtxid')
    const hex = order === undefined ? noCoins : buildFillBid(builder, order, units)
    return built(hex, 'couldnt fill bid')
  }),
  tokenMethod('tokenfillask tokenid asktxid fillunits', [3, 3], (context, builder, params) => {
    const { order, isWrong } = orderAsked(context, params)
    const units = leadingInteger(text(params[2]))
    if (units <= 0n) return moduleError('fillunits must be positive')
    if (isWrong) return { error: 'invalid parameter' }
    if (order === undefined) return moduleError('couldnt fill ask')
    const hex = buildFillAsk(builder, order, units)
    return hex === undefined
      ? moduleError('filltx not enough utxos')
      : built(hex, 'couldnt fill ask')
  }),
])

function cancelMethod(
  kind: 'bid' | 'ask',
  build: (builder: Builder, order: LooseOrder) => string,
): MethodRow {
  const usage = `tokencancel${kind} tokenid ${kind}txid`
  return tokenMethod(usage, [2, 2], (context, builder, params) => {
    const { order, isWrong } = orderAsked(context, params)
    if (isWrong) return { error: 'invalid parameter' }
    return built(order === undefined ? '' : build(builder, order), `couldnt cancel ${kind}`)
  })
}

function built(hex: string, nothingBuilt: string): Answer {
  return hex === '' ? moduleError(nothingBuilt) : { result: 'success', hex }
}

/** @see komodo src/wallet/rpcwallet.cpp, tokenbid: double arithmetic, as for supplies */
function offerOf(params: Params) {
  const units = leadingInteger(text(params[0]))
  const tokenid = hashOrZero(text(params[1]))
  const price = leadingNumber(text(params[2]))
  const coins = Math.trunc(price * Number(units) * 100_000_000 + 0.0000000049999)
  // The daemon converts more than 64 bits to a negative number. It refuses that number as it does -1.
  return { units, tokenid, price, coins: Math.abs(coins) < 2 ** 63 ? BigInt(coins) : -1n }
}

/**
 * Reads any transaction as an order of the token that was named. The daemon does not check that it
 * is an open order, or of which kind and token it is.
 */
function orderAsked(context: Context, params: Params) {
  const tokenid = hashOrZero(text(params[0]))
  const txid = hashOrZero(text(params[1]))
  return {
    order: looseOrderOf(context.engine, tokenid, txid),
    isWrong: tokenid === zeroHex32 || txid === zeroHex32,
  }
}

/** Bids, then asks, in the order of the address index. @see komodo src/cc/CCassetstx.cpp, AssetOrders */
function ordersOn(context: Context, tokenid: string | undefined): Order[] {
  const evalCode = tokenid === undefined ? undefined : evalCodeOf(context.engine, tokenid)
  const { bids, asks } = orderScripts(evalCode)
  return [bids, asks]
    .flatMap((script) => ordersAt(context, script))
    .filter((order) => tokenid === undefined || order.tokenid === tokenid)
}

/** Open orders whose coins or tokens are at the address of a script. */
function ordersAt(context: Context, script: string): Order[] {
  const key = indexKeyOf(context.engine, script, indexTypes.condition)
  const coins = [...coinsUnder(context, key)].filter(({ vout, value }) => vout === 0 && value > 0n)
  return coins.flatMap(({ txid }) => orderOf(context.engine, txid) ?? [])
}

/**
 * Reads a number of at most 64 bits as `strtol` of base 0 does: hex after 0x, octal after 0. Keeps its
 * last 8 bits.
 */
function leadingByte(digits: string): number {
  const match = /^[ \t\n\v\f\r]*([+-]?)(?:0x([0-9a-f]+)|0([0-7]*)|([1-9]\d*))/i.exec(digits)
  if (match === null) return 0
  const [, sign, hex, octal, decimal] = match
  const [base, digitsOfBase] = hex ? ['0x', hex] : octal ? ['0o', octal] : ['', decimal ?? '0']
  const value = BigInt(base + digitsOfBase)
  return Number(BigInt.asUintN(8, sign === '-' ? -value : value))
}

const funcids = { bid: 'b', ask: 's', fillBid: 'B', fillAsk: 'S' } as const

/** @see komodo src/cc/CCassetstx.cpp, AssetOrders */
function listed(context: Context, order: Order): Answer {
  const { txid, tokenid, action, amount, price, origin } = order
  const amountText = isBid(order) ? formatCoins(amount) : String(amount)
  const unitPrice = isBid(order) ? Number(amount) / Number(price) : Number(price) / Number(amount)
  return {
    funcid: funcids[action],
    txid,
    vout: 0,
    amount: amountText,
    [isBid(order) ? 'bidamount' : 'askamount']: amountText,
    ...(origin.length === compressedKeyDigits && {
      origaddress: addressOf(context, slotScript([origin], [assetsEvalCode])),
      origtokenaddress: addressOf(context, slotScript([origin], tokenEvalCodes(0xf2))),
    }),
    tokenid,
    ...(price > 0n && {
      totalrequired: isBid(order) ? price : formatCoins(price),
      price: (unitPrice / 100_000_000).toFixed(8),
    }),
  }
}
