// The outputs and the payload of each transaction of a komodod's order: all but the inputs and the
// change in coins, in the daemon's order. Builders, the verifier and the development node share
// them. `order-layout-v2.ts` has those of tokeld.

import { markerSats } from '../../chain/limits.ts'
import { assetsEvalCode, assetsGlobalPubkey, tokensEvalCode } from '../../chain/modules.ts'
import { byteHex } from '../../primitives/wire.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { type AssetOrder, encodeAssetOrder } from '../payload/asset-order.ts'
import { encodeTokenPayload } from '../payload/encode.ts'
import { assetsExtraId, type CreatePayload } from '../payload/payload.ts'
import { lastPayload } from './komodo.ts'
import { conditionKey, slotScript, tokenEvalCodes } from './slot-script.ts'

/** The actions that leave an order open, wholly or in part. */
export type OpenAction = 'bid' | 'ask' | 'fillBid' | 'fillAsk'
/** The eval code of the assets module as payloads have it, hex. */
const evalCode = byteHex(assetsEvalCode)

type KomodoOrder = Extract<AssetOrder, { readonly form: 'komodo' }>

/** An open order, as the last transaction of it states it. */
export interface OpenOrder {
  readonly tokenid: string
  readonly action: OpenAction
  /** The amount still offered, which is the value of output 0: satoshis for a bid, else units. */
  readonly amount: bigint
  /** The price that the maker asks for all of `amount`: units for a bid, satoshis for an ask. */
  readonly price: bigint
  /** The public key of the maker, hex. */
  readonly origin: string
  /** Satoshis per unit; only tokeld's orders have it. */
  readonly unitPrice?: bigint
  /** From this height on, nobody can fill the order. Only tokeld's orders have it. */
  readonly expiryHeight?: number
}

/**
 * The role of an output in a transaction of an order. The value of `order-tokens`, `destination` and
 * `token-change` counts units of the token, that of the other roles counts satoshis.
 */
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
  /** All outputs but the change in coins and the last one, which has the payload. */
  readonly outputs: readonly OrderOutput[]
  /** The keys that the payload names as owners of the token outputs. */
  readonly pubkeys: readonly string[]
  /** The order as the payload states it. */
  readonly order: AssetOrder
  /** The script of the last output, which has the payload; hex. */
  readonly nulldata: string
}

/** The parts of a token's creation that orders need. `owner` is absent if it is not known. */
export type CreatedToken = Pick<CreatePayload, 'extras'> & { readonly owner?: string }

/**
 * Reads an open order of a komodod's from the outputs of its last transaction. Returns `undefined`
 * for any other transaction, and for swaps.
 *
 * @see komodo src/cc/CCassetsCore.cpp, DecodeAssetTokenOpRet
 */
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

/**
 * Returns the index of the marker, the output by which the maker finds the order. Only the maker can
 * spend it.
 */
export function markerVoutOf({ action }: Pick<OpenOrder, 'action'>): number {
  return action === 'bid' || action === 'ask' ? 1 : 3
}

/**
 * Returns the scripts that hold coins of bids and tokens of asks.
 *
 * @param dataEvalCode - eval code of the token's data
 */
export function orderScripts(dataEvalCode?: number): {
  readonly bids: string
  readonly asks: string
} {
  return {
    bids: slotScript([assetsGlobalPubkey], [assetsEvalCode]),
    asks: slotScript([assetsGlobalPubkey], tokenEvalCodes(assetsEvalCode, dataEvalCode ?? 0)),
  }
}

/** Returns the script that the daemon makes of the bytes that an order names as its maker. */
export function markerScriptOf(origin: string): string {
  return slotScript([conditionKey(origin) ?? origin], [assetsEvalCode])
}

function tokensScript(owner: string, dataEvalCode: number | undefined): string {
  const codes = tokenEvalCodes(dataEvalCode ?? tokensEvalCode)
  return slotScript([owner], codes)
}

interface Offer {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis for all units. */
  readonly price: bigint
  /** The public key of the maker. */
  readonly from: string
}

interface TokenOffer extends Offer {
  /** Eval code of the token's data; absent for a fungible token. */
  readonly dataEvalCode?: number | undefined
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
 * Has an output for token change only if there is some.
 *
 * @see komodo src/cc/CCassetstx.cpp, CreateSell
 */
export function askLayout(offer: TokenOffer): OrderLayout {
  const { tokenid, units, price, from, dataEvalCode, tokenChange } = offer
  return layoutOf(tokenid, [assetsGlobalPubkey], opened('ask', price, from), [
    { role: 'order-tokens', value: units, script: orderScripts(dataEvalCode).asks },
    markerOf(from),
    ...changeOf(tokenChange, from, dataEvalCode),
  ])
}

/** The amounts that a fill exchanges. */
export interface Fill {
  readonly units: bigint
  /** Satoshis. */
  readonly coins: bigint
  /** Satoshis without the royalty; absent under rules without royalties. */
  readonly payment?: bigint
}

/** Returns true if the seller is the token's creator, who gets the royalty too. */
export function isCreator({ owner }: CreatedToken, seller: string): boolean {
  return owner === seller
}

/**
 * Returns the coins that the filler of a bid gets.
 *
 * @see tokel src/cc/CCassetstx_impl.h, FillBuyOffer: the royalty is paid to the creator's key
 */
export function soldFor(
  { coins, payment = coins }: Fill,
  { created, from }: { readonly created: CreatedToken; readonly from: string },
): bigint {
  return isCreator(created, from) ? coins : payment
}

interface Filling {
  readonly order: Omit<OpenOrder, 'action'>
  readonly fill: Fill
  /** The public key of the filler, or of the maker who cancels. */
  readonly from: string
  readonly dataEvalCode?: number | undefined
}

/** @see komodo src/cc/CCassetstx.cpp, FillSell */
export function fillAskLayout({ order, fill, from, dataEvalCode }: Filling): OrderLayout {
  const { tokenid, amount, price, origin } = order
  const left = opened('fillAsk', price - fill.coins, origin)
  return layoutOf(tokenid, [from], left, [
    {
      role: 'order-tokens',
      value: amount - fill.units,
      script: orderScripts(dataEvalCode).asks,
    },
    { role: 'destination', value: fill.units, script: tokensScript(from, dataEvalCode) },
    { role: 'payment', value: fill.coins, script: pubkeyScript(origin) },
    markerOf(origin),
  ])
}

/** @see komodo src/cc/CCassetstx.cpp, FillBuyOffer */
export function fillBidLayout(filling: Filling & { readonly tokenChange: bigint }): OrderLayout {
  const { order, fill, from, dataEvalCode, tokenChange } = filling
  const { tokenid, amount, price, origin } = order
  return layoutOf(tokenid, [origin], opened('fillBid', price - fill.units, origin), [
    { role: 'order-coins', value: amount - fill.coins, script: orderScripts().bids },
    { role: 'payment', value: fill.coins, script: pubkeyScript(from) },
    { role: 'destination', value: fill.units, script: tokensScript(origin, dataEvalCode) },
    markerOf(origin),
    ...changeOf(tokenChange, from, dataEvalCode),
  ])
}

type Cancelling = Omit<Filling, 'fill'>

/** @see komodo src/cc/CCassetstx.cpp, CancelBuyOffer */
export function cancelBidLayout({ order, from }: Cancelling): OrderLayout {
  const own = pubkeyScript(from)
  return layoutOf(order.tokenid, [], { form: 'komodo', evalCode, action: 'cancelBid' }, [
    { role: 'payment', value: order.amount, script: own },
    { role: 'payment', value: markerSats, script: own },
  ])
}

/** @see komodo src/cc/CCassetstx.cpp, CancelSell */
export function cancelAskLayout({ order, from, dataEvalCode }: Cancelling): OrderLayout {
  return layoutOf(order.tokenid, [from], { form: 'komodo', evalCode, action: 'cancelAsk' }, [
    { role: 'destination', value: order.amount, script: tokensScript(from, dataEvalCode) },
    { role: 'payment', value: markerSats, script: pubkeyScript(from) },
  ])
}

function markerOf(origin: string): OrderOutput {
  return { role: 'order-marker', value: markerSats, script: markerScriptOf(origin) }
}

function changeOf(
  value: bigint,
  owner: string,
  dataEvalCode: number | undefined,
): readonly OrderOutput[] {
  if (value <= 0n) return []
  return [{ role: 'token-change', value, script: tokensScript(owner, dataEvalCode) }]
}

function opened(action: OpenAction, price: bigint, origin: string): KomodoOrder {
  // The compiler cannot tell the members of the union apart by an action that is not known yet.
  return { form: 'komodo', evalCode, action, price, origin } as KomodoOrder
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
    extras: [{ kind: 'assets', id: assetsExtraId, data: encodeAssetOrder(order) }],
  })
  return { outputs, pubkeys, order, nulldata }
}
