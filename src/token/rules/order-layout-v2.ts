// The outputs and payloads of tokeld's assets v2 orders, in the daemon's order: a whole transaction
// except for inputs and native change. Builders and the verifier share them.

import { markerSats } from '../../chain/limits.ts'
import { assetsV2EvalCode, assetsV2GlobalPubkey, tokensV2EvalCode } from '../../chain/modules.ts'
import { unlessMalformed } from '../../errors/malformed.ts'
import { createCache } from '../../primitives/cache.ts'
import { conditionScript, moduleCondition } from '../../script/condition-script.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import type { Transaction } from '../../transaction/types.ts'
import { type AssetOrder, encodeAssetOrder } from '../payload/asset-order.ts'
import { encodeTokenPayload } from '../payload/encode.ts'
import { tokenInputs } from './fulfillment.ts'
import { tradedSatsMin } from './order-fill.ts'
import {
  type CreatedToken,
  isBid,
  type OpenAction,
  type OpenOrder,
  type OrderLayout,
  type OrderOutput,
} from './order-layout.ts'
import { keyScriptV2, rulesV2 } from './tokens-v2.ts'

/** An order of assets v2, which has a price per unit and an expiry. */
export interface OpenOrderV2 extends OpenOrder {
  /** Satoshis. */
  readonly unitPrice: bigint
  /** From this height nobody can fill the order, and anybody can return it to its maker. */
  readonly expiryHeight: number
}

/**
 * The largest remainder of a filled order that stays with the module. source: ASSETS_NORMAL_DUST
 */
export const moduleDust = 500n

/** Chains accept no order with a lower price per unit. @see tokel src/cc/assets.cpp, unit_price */
export const unitPriceMin: bigint = moduleDust + 1n

/** The number of blocks in four weeks. @see tokel src/rpc/tokensrpc.cpp, tokenask */
export const orderBlocksV2 = 40_320

/**
 * Reads an order from its transaction. The rest of a filled order counts only if that order was
 * spent.
 *
 * @see tokel src/cc/CCassetsUtils.cpp, DecodeAssetTokenOpRetV2; src/cc/CCassetsCore_impl.h,
 *   AssetValidateCCvin
 */
export function openOrderInV2(
  made: Pick<Transaction, 'inputs' | 'outputs'>,
): OpenOrderV2 | undefined {
  const { outputs } = made
  const payload = rulesV2.payloadOf(outputs)
  const order = payload?.extras[0]?.order
  if (payload?.kind !== 'transfer' || order?.form !== 'tokel' || !('price' in order)) {
    return undefined
  }
  const { evalCode, action, price: unitPrice, origin, expiryHeight } = order
  const { value: amount } = outputs[0]!
  if (evalCode !== 'f6' || unitPrice <= 0n || amount < 0n) return undefined
  const isRest = action === 'fillAsk' || action === 'fillBid'
  if (isRest && tokenInputs(made, evalCode).length === 0) return undefined
  const price = isBid({ action }) ? amount / unitPrice : amount * unitPrice
  return { tokenid: payload.tokenid, action, amount, price, origin, unitPrice, expiryHeight }
}

/** Returns the scripts that hold the coins of bids and the tokens of asks. */
export function orderScriptsV2(): { readonly bids: string; readonly asks: string } {
  return { bids: moduleScript('bids'), asks: moduleScript('asks') }
}

/** Returns the script that both the maker of an order and the module's key can spend. */
export function markerScriptOfV2(origin: string): string {
  return moduleScript(origin)
}

const moduleScripts = createCache<string>(1024)

/** @param of - `bids`, `asks`, or the maker whose marker it is */
function moduleScript(of: string): string {
  return moduleScripts.getAll([of], () => [newModuleScript(of)])[0]!
}

function newModuleScript(of: string): string {
  const module = assetsV2GlobalPubkey
  if (of === 'asks') {
    const evalCodes = [assetsV2EvalCode, tokensV2EvalCode]
    const shown = {
      version: 2,
      evalCode: assetsV2EvalCode,
      m: 1,
      n: 1,
      pubkeys: [module],
      data: [],
    }
    return conditionScript(moduleCondition([module], { evalCodes }), { form: 'M', params: shown })
  }
  const keys = of === 'bids' ? [module] : [of, module]
  const script = unlessMalformed(() => {
    const tree = moduleCondition(keys, { evalCodes: [assetsV2EvalCode] })
    return conditionScript(tree, { form: 'M' })
  })
  // The order may name bytes that are not a key as its maker, and no output pays them.
  return script ?? ''
}

/** The creator's share of the price. */
export interface Royalty {
  /** Thousandths, 0 to 999. */
  readonly thousandths: bigint
  /** The key of the creator, hex, as the creation names it; the royalty is paid to it. */
  readonly creator: string
}

/** @see tokel src/cc/CCTokelData.cpp, GetTokelDataAsInt64 */
export function royaltyOf({ owner = '', extras }: CreatedToken): Royalty {
  return { thousandths: BigInt(extras[0]?.properties?.royalty ?? 0), creator: owner }
}

/** The division of the exchanged coins. */
interface Shares {
  readonly payment: bigint
  readonly royalty: bigint
}

/**
 * Divides coins between seller and creator. If one share would be dust, the larger one gets all.
 *
 * @param worth - the value by which chains decide whether a share is dust
 * @see tokel src/cc/CCassetsUtils.cpp, AssetsFillOrderIsDust
 */
function sharesOf(coins: bigint, worth: bigint, { thousandths }: Royalty): Shares {
  const smaller = thousandths < 500n ? thousandths : 1000n - thousandths
  if ((worth / 1000n) * smaller <= moduleDust) {
    return thousandths < 500n ? { payment: coins, royalty: 0n } : { payment: 0n, royalty: coins }
  }
  const royalty = (coins / 1000n) * thousandths
  return { payment: coins - royalty, royalty }
}

/**
 * Returns an upper bound of what fills of an ask can give to the creator. Fillers choose the parts.
 * If a rest is too small to be shared, the creator may get all of it.
 */
export function royaltyMostV2(units: bigint, unitPrice: bigint, royalty: Royalty): bigint {
  const { thousandths } = royalty
  const price = units * unitPrice
  if (thousandths < 500n) return sharesOf(price, price, royalty).royalty
  const unshared = (moduleDust / (1000n - thousandths)) * 1000n + 999n
  const rest = (unshared / unitPrice) * unitPrice
  return rest >= price ? price : rest + ((price - rest) * thousandths) / 1000n
}

/** The amounts that a fill exchanges; `coins` includes the royalty. */
export interface FillV2 extends Shares {
  readonly units: bigint
  /** Satoshis. */
  readonly coins: bigint
}

/**
 * Computes the exchange of `units`, at the order's price or at a price that is better for its
 * maker. Returns `undefined` if no node accepts the fill.
 *
 * @param price - satoshis for all units, if it differs from the order's
 * @see tokel src/cc/assets.cpp, AssetsValidateInternal; src/cc/CCassetsUtils.cpp,
 */
export function fillOfV2(
  order: OpenOrderV2,
  units: bigint,
  royalty: Royalty,
  price: bigint = units * order.unitPrice,
): FillV2 | undefined {
  const { unitPrice, amount } = order
  const listPrice = units * unitPrice
  const isOfBid = isBid(order)
  if (units < 1n || units > (isOfBid ? order.price : amount)) return undefined
  if (isOfBid ? price > listPrice : price < listPrice) return undefined
  const shares = sharesOf(price, isOfBid ? listPrice : amount * unitPrice, royalty)
  const paid = [shares.payment, shares.royalty].filter((it) => it !== 0n)
  const isSplit = paid.length === 2 || !mustSplit(isOfBid ? listPrice : amount * unitPrice, royalty)
  if (!isSplit || paid.some((it) => it < tradedSatsMin)) return undefined
  return { units, coins: price, ...shares }
}

/** Returns whether there must be an output for the royalty, even if the royalty is 0. */
export function mustSplit(worth: bigint, royalty: Royalty): boolean {
  const { payment, royalty: part } = sharesOf(worth, worth, royalty)
  return payment > 0n && part > 0n
}

interface OfferV2 {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis per unit. */
  readonly unitPrice: bigint
  /** The public key of the maker. */
  readonly from: string
  readonly expiryHeight: number
}

/** @see tokel src/cc/CCassetstx_impl.h, CreateBuyOffer */
export function bidLayoutV2(offer: OfferV2): OrderLayout {
  const { tokenid, units, unitPrice, from } = offer
  return layoutOf(tokenid, opened('bid', { ...offer, origin: from }), [
    { role: 'order-coins', value: units * unitPrice, script: orderScriptsV2().bids },
    markerOf(from),
  ])
}

/** @see tokel src/cc/CCassetstx_impl.h, CreateSell */
export function askLayoutV2(offer: OfferV2 & { readonly tokenChange: bigint }): OrderLayout {
  const { tokenid, units, from, tokenChange } = offer
  return layoutOf(tokenid, opened('ask', { ...offer, origin: from }), [
    { role: 'order-tokens', value: units, script: orderScriptsV2().asks },
    markerOf(from),
    ...changeOf(tokenChange, from),
  ])
}

interface FillingV2 {
  readonly order: OpenOrderV2
  readonly fill: FillV2
  readonly royalty: Royalty
  /** The public key of the filler. */
  readonly from: string
}

/** @see tokel src/cc/CCassetstx_impl.h, FillSell */
export function fillAskLayoutV2({ order, fill, royalty, from }: FillingV2): OrderLayout {
  const left = order.amount - fill.units
  return layoutOf(order.tokenid, opened('fillAsk', order), [
    { role: 'order-tokens', value: left, script: orderScriptsV2().asks },
    { role: 'destination', value: fill.units, script: keyScriptV2(from) },
    ...paidTo(order.origin, fill, royalty),
    ...(left > 0n ? [markerOf(order.origin)] : []),
  ])
}

/** @see tokel src/cc/CCassetstx_impl.h, FillBuyOffer */
export function fillBidLayoutV2(
  filling: FillingV2 & { readonly tokenChange: bigint },
): OrderLayout {
  const { order, fill, royalty, from, tokenChange } = filling
  const left = order.amount - fill.coins
  const isOpen = left >= order.unitPrice
  // A remainder that buys no units goes back to the maker, unless it is dust.
  const waits = isOpen || left <= moduleDust
  return layoutOf(order.tokenid, opened('fillBid', order), [
    {
      role: 'order-coins',
      value: left,
      script: waits ? orderScriptsV2().bids : pubkeyScript(order.origin),
    },
    ...paidTo(from, fill, royalty),
    { role: 'destination', value: fill.units, script: keyScriptV2(order.origin) },
    ...(isOpen ? [markerOf(order.origin)] : []),
    ...changeOf(tokenChange, from),
  ])
}

/** @see tokel src/cc/CCassetstx_impl.h, CancelBuyOffer */
export function cancelBidLayoutV2({ amount, origin, tokenid }: OpenOrderV2): OrderLayout {
  const script = amount > moduleDust ? pubkeyScript(origin) : orderScriptsV2().bids
  return layoutOf(tokenid, { form: 'tokel', evalCode: 'f6', action: 'cancelBid' }, [
    { role: 'payment', value: amount, script },
  ])
}

/** @see tokel src/cc/CCassetstx_impl.h, CancelSell */
export function cancelAskLayoutV2({ amount, origin, tokenid }: OpenOrderV2): OrderLayout {
  return layoutOf(tokenid, { form: 'tokel', evalCode: 'f6', action: 'cancelAsk' }, [
    { role: 'destination', value: amount, script: keyScriptV2(origin) },
  ])
}

function paidTo(owner: string, { payment, royalty }: Shares, { creator }: Royalty): OrderOutput[] {
  const outputs: OrderOutput[] = []
  if (payment > 0n) outputs.push({ role: 'payment', value: payment, script: pubkeyScript(owner) })
  if (royalty > 0n) outputs.push({ role: 'royalty', value: royalty, script: pubkeyScript(creator) })
  return outputs
}

function markerOf(origin: string): OrderOutput {
  return { role: 'order-marker', value: markerSats, script: markerScriptOfV2(origin) }
}

function changeOf(value: bigint, owner: string): readonly OrderOutput[] {
  return value > 0n ? [{ role: 'token-change', value, script: keyScriptV2(owner) }] : []
}

function opened(
  action: OpenAction,
  { unitPrice, origin, expiryHeight }: Pick<OpenOrderV2, 'unitPrice' | 'origin' | 'expiryHeight'>,
): AssetOrder {
  return { form: 'tokel', evalCode: 'f6', action, price: unitPrice, origin, expiryHeight }
}

function layoutOf(
  tokenid: string,
  order: AssetOrder,
  outputs: readonly OrderOutput[],
): OrderLayout {
  const nulldata = encodeTokenPayload({
    layout: 'tokens-v2',
    kind: 'transfer',
    tokenid,
    pubkeys: [],
    extras: [{ kind: 'assets', data: encodeAssetOrder(order) }],
  })
  return { outputs, pubkeys: [], order, nulldata }
}
