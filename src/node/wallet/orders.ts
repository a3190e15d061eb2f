// Orders: read from the chain, and put together as the assets module does.

import { assetsEvalCode, assetsGlobalPubkey, moduleOfEvalCode } from '../../chain/modules.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import { type AssetOrder, encodeAssetOrder } from '../../token/payload/asset-order.ts'
import { encodeTokenPayload } from '../../token/payload/encode.ts'
import { lastPayload } from '../../token/rules/komodo.ts'
import { slotScript, tokenEvalCodes } from '../../token/rules/slot-script.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import type { Engine } from '../engine.ts'
import { findTransaction } from '../state/view.ts'
import {
  type Builder,
  evalCodeOf,
  finalized,
  moduleFee,
  moduleOutput,
  type Selected,
  tokenInputs,
  tokenOutput,
  walletInputs,
} from './condition-builder.ts'

/** Inputs that pay the fee, tokens, or a price: at most. */
const feeInputsMax = 3
const tokenInputsMax = 60
const bidInputsMax = 64
const fillInputsMax = 60

type OpenAction = 'bid' | 'ask' | 'fillBid' | 'fillAsk'
type OpenOrder = Extract<AssetOrder, { readonly form: 'komodo'; readonly action: OpenAction }>

/** An order as a transaction of the chain or the mempool states it. */
export interface Order {
  readonly txid: string
  readonly tokenid: string
  readonly action: OpenAction
  /** Coins or units in output 0. */
  readonly amount: bigint
  /** Of a bid the units wanted, of an ask the coins. */
  readonly price: bigint
  /** Who made it. */
  readonly origin: string
}

/** @see komodo src/cc/CCassetsCore.cpp, DecodeAssetTokenOpRet */
export function orderOf(engine: Engine, txid: string): Order | undefined {
  const outputs = findTransaction(engine.state, engine.rules, txid)?.transaction.outputs ?? []
  const payload = lastPayload(outputs)
  const order = payload?.extras.find(({ kind }) => kind === 'assets')?.order
  if (payload?.kind !== 'transfer' || order?.form !== 'komodo' || !('price' in order))
    return undefined
  if (order.action === 'swap' || order.action === 'fillSwap') return undefined
  const { action, price, origin } = order
  return { txid, tokenid: payload.tokenid, action, amount: outputs[0]!.value, price, origin }
}

/** Coins of bids, and tokens of asks, wait here. */
export function orderScripts(evalCode?: number): { readonly bids: string; readonly asks: string } {
  const codes = tokenEvalCodes(assetsEvalCode, evalCode ?? 0)
  return {
    bids: slotScript([assetsGlobalPubkey], [assetsEvalCode]),
    asks: slotScript([assetsGlobalPubkey], codes),
  }
}

export function isBid({ action }: Pick<Order, 'action'>): boolean {
  return action === 'bid' || action === 'fillBid'
}

/** The output by which the maker of an order finds it. */
export function markerScript(origin: string): string {
  return slotScript([origin], [assetsEvalCode])
}

interface Offer {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis for all of them. */
  readonly coins: bigint
}

/** @see komodo src/cc/CCassetstx.cpp, CreateBuyOffer */
export function builtBid(builder: Builder, { tokenid, units, coins }: Offer): string {
  const inputs = walletInputs(builder, { total: coins + 2n * moduleFee, inputsMax: bidInputsMax })
  if (inputs.length === 0) return ''
  const outputs = [
    moduleOutput(assetsEvalCode, coins, assetsGlobalPubkey),
    moduleOutput(assetsEvalCode, moduleFee, builder.pubkey),
  ]
  const nulldata = nulldataOf(tokenid, [], open('bid', units, builder.pubkey))
  return finalized(builder, { inputs, outputs, nulldata })
}

/**
 * Gives no change where nothing is left: the daemon's variable for it has no value then.
 *
 * @see komodo src/cc/CCassetstx.cpp, CreateSell
 */
export function builtAsk(builder: Builder, { tokenid, units, coins }: Offer): string {
  const { engine, pubkey } = builder
  const fee = walletInputs(builder, { total: 2n * moduleFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return ''
  const held = tokenInputs(engine, { tokenid, pubkey, total: units, inputsMax: tokenInputsMax })
  if (held.amount < units) return ''
  const outputs = [
    { value: units, script: orderScripts(held.evalCode).asks },
    moduleOutput(assetsEvalCode, moduleFee, pubkey),
    ...tokenChange(held.evalCode, held.amount - units, pubkey),
  ]
  const nulldata = nulldataOf(tokenid, [assetsGlobalPubkey], open('ask', coins, pubkey))
  return finalized(builder, { inputs: [...fee, ...held.inputs], outputs, nulldata })
}

/** @see komodo src/cc/CCassetstx.cpp, CancelBuyOffer */
export function builtCancelBid(builder: Builder, order: Order): string {
  const fee = walletInputs(builder, { total: moduleFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return ''
  const own = pubkeyScript(builder.pubkey)
  const outputs = [
    { value: order.amount, script: own },
    { value: moduleFee, script: own },
  ]
  const nulldata = nulldataOf(order.tokenid, [], cancel('cancelBid'))
  return finalized(builder, { inputs: [...fee, coinOf(order, 0)], outputs, nulldata, moduleKeys })
}

/** @see komodo src/cc/CCassetstx.cpp, CancelSell: the marker is spent too, so its owner alone can */
export function builtCancelAsk(builder: Builder, order: Order): string {
  const { engine, pubkey } = builder
  const fee = walletInputs(builder, { total: moduleFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return ''
  const marker: Selected = {
    txid: order.txid,
    vout: order.action === 'ask' ? 1 : 3,
    value: moduleFee,
  }
  const outputs = [
    tokenOutput(evalCodeOf(engine, order.tokenid), order.amount, pubkey),
    { value: moduleFee, script: pubkeyScript(pubkey) },
  ]
  const nulldata = nulldataOf(order.tokenid, [pubkey], cancel('cancelAsk'))
  return finalized(builder, {
    inputs: [...fee, coinOf(order, 0), marker],
    outputs,
    nulldata,
    moduleKeys,
  })
}

/**
 * Buys from an ask, all of it if more is asked for.
 *
 * @see komodo src/cc/CCassetstx.cpp, FillSell; src/cc/CCassetsCore.cpp, SetAskFillamounts
 */
export function builtFillAsk(builder: Builder, order: Order, units: bigint): string {
  const { engine, pubkey } = builder
  const unitPrice = Number(order.price) / Number(order.amount)
  const wanted = BigInt(Math.trunc(unitPrice * Number(units)))
  const isWhole = wanted >= order.price
  const paid = isWhole ? order.price : wanted
  const received = isWhole ? order.amount : BigInt(Math.trunc(Number(paid) / unitPrice))
  if (paid <= 0n || received <= 0n) return ''
  const coins = walletInputs(builder, { total: paid + 2n * moduleFee, inputsMax: fillInputsMax })
  if (coins.length === 0) return ''
  const evalCode = evalCodeOf(engine, order.tokenid)
  const outputs = [
    { value: order.amount - received, script: orderScripts(evalCode).asks },
    tokenOutput(evalCode, received, pubkey),
    { value: paid, script: pubkeyScript(order.origin) },
    moduleOutput(assetsEvalCode, moduleFee, order.origin),
  ]
  const nulldata = nulldataOf(
    order.tokenid,
    [pubkey],
    open('fillAsk', order.price - paid, order.origin),
  )
  return finalized(builder, { inputs: [...coins, coinOf(order, 0)], outputs, nulldata, moduleKeys })
}

/** Sells to a bid. @see komodo src/cc/CCassetstx.cpp, FillBuyOffer; SetBidFillamounts */
export function builtFillBid(builder: Builder, order: Order, units: bigint): string {
  const { engine, pubkey } = builder
  const fee = walletInputs(builder, { total: 2n * moduleFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return noCoins
  const sold = units > order.price ? order.price : units
  const choice = { tokenid: order.tokenid, pubkey, total: sold, inputsMax: tokenInputsMax }
  const held = tokenInputs(engine, choice)
  if (held.amount < sold || held.amount === 0n) return noTokens
  const paid = sold === order.price ? order.amount : sold * (order.amount / order.price)
  const outputs = [
    moduleOutput(assetsEvalCode, order.amount - paid, assetsGlobalPubkey),
    { value: paid, script: pubkeyScript(pubkey) },
    tokenOutput(held.evalCode, sold, order.origin),
    moduleOutput(assetsEvalCode, moduleFee, order.origin),
    ...tokenChange(held.evalCode, held.amount - sold, pubkey),
  ]
  const nulldata = nulldataOf(
    order.tokenid,
    [order.origin],
    open('fillBid', order.price - sold, order.origin),
  )
  const inputs = [...fee, coinOf(order, 0), ...held.inputs]
  return finalized(builder, { inputs, outputs, nulldata, moduleKeys })
}

/** What the daemon answers in place of hex. */
const noCoins = 'no normal coins left'
const noTokens = 'dont have any assets to fill bid'

/** Published with the module: whoever spends an order signs with it. */
const moduleKeys: readonly string[] = [moduleOfEvalCode(assetsEvalCode)!.key!.privateKey]

function coinOf({ txid, amount }: Order, vout: number): Selected {
  return { txid, vout, value: amount }
}

function tokenChange(
  evalCode: number | undefined,
  change: bigint,
  pubkey: string,
): TransactionOutput[] {
  return change > 0n ? [tokenOutput(evalCode, change, pubkey)] : []
}

function open(action: OpenAction, price: bigint, origin: string): OpenOrder {
  return { form: 'komodo', evalCode: 'e3', action, price, origin } as OpenOrder
}

function cancel(action: 'cancelAsk' | 'cancelBid'): AssetOrder {
  return { form: 'komodo', evalCode: 'e3', action }
}

function nulldataOf(tokenid: string, pubkeys: readonly string[], order: AssetOrder): string {
  return encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'transfer',
    tokenid,
    pubkeys,
    extras: [{ kind: 'assets', id: 0x12, data: encodeAssetOrder(order) }],
  })
}
