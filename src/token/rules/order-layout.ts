// What the steps of an order pay and say, in the daemon's order: all of a transaction but inputs and
// native change. Builders, the verifier and the development node have it from here.

import { markerSats } from '../../chain/limits.ts'
import { assetsEvalCode, assetsGlobalPubkey, tokensEvalCode } from '../../chain/modules.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { type AssetOrder, encodeAssetOrder } from '../payload/asset-order.ts'
import { encodeTokenPayload } from '../payload/encode.ts'
import type { CreatePayload } from '../payload/payload.ts'
import { lastPayload } from './komodo.ts'
import { conditionKey, slotScript, tokenEvalCodes } from './slot-script.ts'

export type OpenAction = 'bid' | 'ask' | 'fillBid' | 'fillAsk'
type KomodoOrder = Extract<AssetOrder, { readonly form: 'komodo' }>

/** An order as its transaction states it. What it offers is output 0. */
export interface OpenOrder {
  readonly tokenid: string
  readonly action: OpenAction
  /** Of a bid satoshis, of an ask units. */
  readonly amount: bigint
  /** Of a bid the units that are wanted, of an ask satoshis: for all of it. */
  readonly price: bigint
  /** The public key, hex, that made it. */
  readonly origin: string
  /** Of tokeld's orders: satoshis. */
  readonly unitPrice?: bigint
  /** Of tokeld's orders: from this height nobody can fill it. */
  readonly expiryHeight?: number
}

/** What an output of such a step is for; its value counts what the name says. */
export type OrderOutputRole =
  | 'order-tokens'
  | 'order-coins'
  | 'order-marker'
  | 'destination'
  | 'payment'
  | 'royalty'
  | 'token-change'

export interface OrderOutput extends TransactionOutput {
  readonly role: OrderOutputRole
}

export interface OrderLayout {
  readonly outputs: readonly OrderOutput[]
  /** Keys that the payload names for the token outputs. */
  readonly pubkeys: readonly string[]
  readonly order: AssetOrder
  /** The script of the last output, hex. */
  readonly nulldata: string
}

/** What orders have to know of their token's creation; `owner` is absent where that is not known. */
export type CreatedToken = Pick<CreatePayload, 'extras'> & { readonly owner?: string }

/** @see komodo src/cc/CCassetsCore.cpp, DecodeAssetTokenOpRet */
export function openOrderIn(outputs: readonly TransactionOutput[]): OpenOrder | undefined {
  const payload = lastPayload(outputs)
  const order = payload?.extras.find(({ kind }) => kind === 'assets')?.order
  if (payload?.kind !== 'transfer' || order?.form !== 'komodo' || !('price' in order)) {
    return undefined
  }
  if (order.action === 'swap' || order.action === 'fillSwap') return undefined
  const { action, price, origin } = order
  return { tokenid: payload.tokenid, action, amount: outputs[0]!.value, price, origin }
}

export function isBid({ action }: Pick<OpenOrder, 'action'>): boolean {
  return action === 'bid' || action === 'fillBid'
}

/** Output by which the maker of an order finds it, and that only the maker can spend. */
export function markerVoutOf({ action }: Pick<OpenOrder, 'action'>): number {
  return action === 'bid' || action === 'ask' ? 1 : 3
}

/** Where coins of bids, and tokens of asks, wait. @param nonFungible - eval code of a token's data */
export function orderScripts(nonFungible?: number): {
  readonly bids: string
  readonly asks: string
} {
  return {
    bids: slotScript([assetsGlobalPubkey], [assetsEvalCode]),
    asks: slotScript([assetsGlobalPubkey], tokenEvalCodes(assetsEvalCode, nonFungible ?? 0)),
  }
}

/** Pays whatever the daemon makes of bytes that an order names as its maker. */
export function markerScriptOf(origin: string): string {
  return slotScript([conditionKey(origin) ?? origin], [assetsEvalCode])
}

function tokensScript(owner: string, nonFungible: number | undefined): string {
  const codes = tokenEvalCodes(nonFungible ?? tokensEvalCode)
  return slotScript([owner], codes)
}

interface Offer {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis for all of them. */
  readonly price: bigint
  /** Who makes it. */
  readonly from: string
}

interface TokenOffer extends Offer {
  readonly nonFungible?: number | undefined
  /** Units that the inputs hold beyond the offer. */
  readonly tokenChange: bigint
}

/** @see komodo src/cc/CCassetstx.cpp, CreateBuyOffer */
export function bidLayout({ tokenid, units, price, from }: Offer): OrderLayout {
  return layoutOf(tokenid, [], opened('bid', units, from), [
    { role: 'order-coins', value: price, script: orderScripts().bids },
    markerOf(from),
  ])
}

/**
 * Without change where nothing is left: the daemon's variable for it has no value then.
 *
 * @see komodo src/cc/CCassetstx.cpp, CreateSell
 */
export function askLayout(offer: TokenOffer): OrderLayout {
  const { tokenid, units, price, from, nonFungible, tokenChange } = offer
  return layoutOf(tokenid, [assetsGlobalPubkey], opened('ask', price, from), [
    { role: 'order-tokens', value: units, script: orderScripts(nonFungible).asks },
    markerOf(from),
    ...changeOf(tokenChange, from, nonFungible),
  ])
}

/** What changes hands when an order is filled. */
export interface Fill {
  readonly units: bigint
  /** Satoshis. */
  readonly coins: bigint
}

interface Filling {
  readonly order: OpenOrder
  readonly fill: Fill
  /** Who fills it. */
  readonly from: string
  readonly nonFungible?: number | undefined
}

/** @see komodo src/cc/CCassetstx.cpp, FillSell */
export function fillAskLayout({ order, fill, from, nonFungible }: Filling): OrderLayout {
  const { tokenid, amount, price, origin } = order
  const left = opened('fillAsk', price - fill.coins, origin)
  return layoutOf(tokenid, [from], left, [
    {
      role: 'order-tokens',
      value: amount - fill.units,
      script: orderScripts(nonFungible).asks,
    },
    { role: 'destination', value: fill.units, script: tokensScript(from, nonFungible) },
    { role: 'payment', value: fill.coins, script: pubkeyScript(origin) },
    markerOf(origin),
  ])
}

/** @see komodo src/cc/CCassetstx.cpp, FillBuyOffer */
export function fillBidLayout(filling: Filling & { readonly tokenChange: bigint }): OrderLayout {
  const { order, fill, from, nonFungible, tokenChange } = filling
  const { tokenid, amount, price, origin } = order
  return layoutOf(tokenid, [origin], opened('fillBid', price - fill.units, origin), [
    { role: 'order-coins', value: amount - fill.coins, script: orderScripts().bids },
    { role: 'payment', value: fill.coins, script: pubkeyScript(from) },
    { role: 'destination', value: fill.units, script: tokensScript(origin, nonFungible) },
    markerOf(origin),
    ...changeOf(tokenChange, from, nonFungible),
  ])
}

interface Cancelling {
  readonly order: OpenOrder
  readonly from: string
  readonly nonFungible?: number | undefined
}

/** @see komodo src/cc/CCassetstx.cpp, CancelBuyOffer */
export function cancelBidLayout({ order, from }: Cancelling): OrderLayout {
  const own = pubkeyScript(from)
  return layoutOf(order.tokenid, [], { form: 'komodo', evalCode: 'e3', action: 'cancelBid' }, [
    { role: 'payment', value: order.amount, script: own },
    { role: 'payment', value: markerSats, script: own },
  ])
}

/** @see komodo src/cc/CCassetstx.cpp, CancelSell */
export function cancelAskLayout({ order, from, nonFungible }: Cancelling): OrderLayout {
  return layoutOf(order.tokenid, [from], { form: 'komodo', evalCode: 'e3', action: 'cancelAsk' }, [
    { role: 'destination', value: order.amount, script: tokensScript(from, nonFungible) },
    { role: 'payment', value: markerSats, script: pubkeyScript(from) },
  ])
}

function markerOf(origin: string): OrderOutput {
  return { role: 'order-marker', value: markerSats, script: markerScriptOf(origin) }
}

function changeOf(
  value: bigint,
  owner: string,
  nonFungible: number | undefined,
): readonly OrderOutput[] {
  if (value <= 0n) return []
  return [{ role: 'token-change', value, script: tokensScript(owner, nonFungible) }]
}

function opened(action: OpenAction, price: bigint, origin: string): KomodoOrder {
  return { form: 'komodo', evalCode: 'e3', action, price, origin } as KomodoOrder
}

function layoutOf(
  tokenid: string,
  pubkeys: readonly string[],
  order: AssetOrder,
  outputs: readonly OrderOutput[],
): OrderLayout {
  const nulldata = encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'transfer',
    tokenid,
    pubkeys,
    extras: [{ kind: 'assets', id: 0x12, data: encodeAssetOrder(order) }],
  })
  return { outputs, pubkeys, order, nulldata }
}
