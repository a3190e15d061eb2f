// Orders of the assets module: reads them from the chain, and builds each step with the coins that
// the module chooses.

import { defaultFee } from '../../chain/limits.ts'
import { assetsEvalCode, moduleOfEvalCode } from '../../chain/modules.ts'
import { compressedKeyDigits } from '../../primitives/hex-forms.ts'
import { pubkeyScript } from '../../script/key-script.ts'
import { type AssetOrder, encodeAssetOrder } from '../../token/payload/asset-order.ts'
import { encodeTokenPayload } from '../../token/payload/encode.ts'
import { assetsExtraId } from '../../token/payload/payload.ts'
import { daemonFill } from '../../token/rules/order-fill.ts'
import {
  askLayout,
  bidLayout,
  cancelAskLayout,
  cancelBidLayout,
  type Fill,
  fillAskLayout,
  fillBidLayout,
  markerVoutOf,
  type OpenAction,
  type OpenOrder,
  type OrderLayout,
  openOrderIn,
} from '../../token/rules/order-layout.ts'
import { conditionKey } from '../../token/rules/slot-script.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import type { Engine } from '../engine.ts'
import { findTransaction } from '../state/view.ts'
import {
  type Builder,
  creationOf,
  evalCodeOf,
  finalized,
  type Selected,
  tokenInputs,
  walletInputs,
} from './condition-builder.ts'
import { noKey } from './loose-key.ts'

/** The most inputs that pay the fee, bring tokens, or pay a price. */
export const feeInputsMax = 3
export const tokenInputsMax = 60
const bidInputsMax = 64
const fillInputsMax = 60

/** An order as a transaction of the chain or the mempool states it. */
export interface Order extends OpenOrder {
  readonly txid: string
}

export function orderOf(engine: Engine, txid: string): Order | undefined {
  const outputs = findTransaction(engine, txid)?.transaction.outputs ?? []
  const order = openOrderIn(outputs)
  return order && { ...order, txid }
}

type Layout = Pick<OrderLayout, 'nulldata'> & { readonly outputs: readonly TransactionOutput[] }

export type LooseOrder = Omit<Order, 'action'> & { readonly action: OpenAction | undefined }

/**
 * Reads an order as the assets module does: output 0 of any known transaction, with the price and
 * the maker of its payload. If the payload lacks them, the price is 0 and the maker is empty.
 *
 * @see komodo src/cc/CCassetsCore.cpp, SetAssetOrigpubkey
 */
export function looseOrderOf(
  engine: Engine,
  tokenid: string,
  txid: string,
): LooseOrder | undefined {
  const outputs = findTransaction(engine, txid)?.transaction.outputs
  if (outputs?.[0] === undefined) return undefined
  const noOrder = { action: undefined, amount: outputs[0].value, price: 0n, origin: '' }
  return { ...(openOrderIn(outputs) ?? noOrder), tokenid, txid }
}

interface Offer {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis for all units. */
  readonly coins: bigint
}

/** @see komodo src/cc/CCassetstx.cpp, CreateBuyOffer */
export function buildBid(builder: Builder, { tokenid, units, coins: price }: Offer): string {
  if (creationOf(builder.engine, tokenid) === undefined) return ''
  const inputs = walletInputs(builder, { total: price + 2n * defaultFee, inputsMax: bidInputsMax })
  if (inputs.length === 0) return ''
  return finalized(builder, {
    ...bidLayout({ tokenid, units, price, from: builder.pubkey }),
    inputs,
  })
}

/** @see komodo src/cc/CCassetstx.cpp, CreateSell */
export function buildAsk(builder: Builder, { tokenid, units, coins: price }: Offer): string {
  const { engine, pubkey: from } = builder
  const feeInputs = walletInputs(builder, { total: 2n * defaultFee, inputsMax: feeInputsMax })
  if (feeInputs.length === 0) return ''
  const choice = { tokenid, pubkey: from, total: units, inputsMax: tokenInputsMax }
  const held = tokenInputs(engine, choice)
  if (held.amount < units) return ''
  const tokenChange = held.amount - units
  const dataEvalCode = held.evalCode
  return finalized(builder, {
    ...askLayout({ tokenid, units, price, from, dataEvalCode, tokenChange }),
    inputs: [...feeInputs, ...held.inputs],
  })
}

/**
 * Spends the marker only if the order is an ask. The marker of a bid stays unspent, so the module
 * builds the cancellation of anyone's bid.
 *
 * @see komodo src/cc/CCassetstx.cpp, CancelBuyOffer
 */
export function buildCancelBid(builder: Builder, order: LooseOrder): string {
  const feeInputs = walletInputs(builder, { total: defaultFee, inputsMax: feeInputsMax })
  if (feeInputs.length === 0) return ''
  return finalized(builder, {
    ...cancelBidLayout({ order, from: builder.pubkey }),
    inputs: [...feeInputs, coinOf(order, 0), ...markerOfAsk(order)],
    moduleKeys,
  })
}

/**
 * Spends the marker too, so only the maker can sign the cancellation.
 *
 * @see komodo src/cc/CCassetstx.cpp, CancelSell
 */
export function buildCancelAsk(builder: Builder, order: LooseOrder): string {
  const feeInputs = walletInputs(builder, { total: defaultFee, inputsMax: feeInputsMax })
  if (feeInputs.length === 0) return ''
  const dataEvalCode = evalCodeOf(builder.engine, order.tokenid)
  return finalized(builder, {
    ...cancelAskLayout({ order, from: builder.pubkey, dataEvalCode }),
    inputs: [...feeInputs, coinOf(order, 0), ...markerOfAsk(order)],
    moduleKeys,
  })
}

function markerOfAsk({ action, txid }: LooseOrder): Selected[] {
  if (action !== 'ask' && action !== 'fillAsk') return []
  return [{ txid, vout: markerVoutOf({ action }), value: defaultFee }]
}

/**
 * Buys units from an ask, all of them if `units` exceeds the offer. Coins are chosen for `units`.
 *
 * @returns `undefined` if the coins do not suffice
 * @see komodo src/cc/CCassetstx.cpp, FillSell
 */
export function buildFillAsk(
  builder: Builder,
  order: LooseOrder,
  units: bigint,
): string | undefined {
  const { engine, pubkey: from } = builder
  const fill = order.price === 0n ? noFill : daemonFill({ ...order, action: 'ask' }, units)
  const total = 2n * defaultFee + priceOf(order, units)
  const coins = walletInputs(builder, { total, inputsMax: fillInputsMax })
  if (coins.length === 0) return undefined
  const dataEvalCode = evalCodeOf(engine, order.tokenid)
  const layout = fillAskLayout({ order: payable(order), fill, from, dataEvalCode })
  return finalized(builder, {
    ...asNamed(layout, order),
    inputs: [...coins, coinOf(order, 0)],
    moduleKeys,
  })
}

/** The fill of an order without a price: nothing is exchanged. */
const noFill: Fill = { units: 0n, coins: 0n }

/** Returns satoshis for units of an ask, computed in doubles as by the daemon, also for more units than
 * the ask offers. */
function priceOf({ amount, price }: LooseOrder, units: bigint): bigint {
  if (amount === 0n) return 0n
  return BigInt(Math.trunc((Number(price) / Number(amount)) * Number(units)))
}

/**
 * Sells units to a bid. Token coins are chosen for the requested units, even if the bid buys fewer.
 *
 * @see komodo src/cc/CCassetstx.cpp, FillBuyOffer
 */
export function buildFillBid(builder: Builder, order: LooseOrder, units: bigint): string {
  const { engine, pubkey: from } = builder
  const feeInputs = walletInputs(builder, { total: 2n * defaultFee, inputsMax: feeInputsMax })
  if (feeInputs.length === 0) return noCoins
  const choice = { tokenid: order.tokenid, pubkey: from, total: units }
  const held = tokenInputs(engine, { ...choice, inputsMax: tokenInputsMax })
  if (held.amount === 0n) return noTokens
  if (held.amount < units) return ''
  const fill = order.price === 0n ? noFill : daemonFill({ ...order, action: 'bid' }, units)
  const tokenChange = held.amount - fill.units
  const dataEvalCode = held.evalCode
  const layout = fillBidLayout({ order: payable(order), fill, from, dataEvalCode, tokenChange })
  return finalized(builder, {
    ...asNamed(layout, order),
    inputs: [...feeInputs, coinOf(order, 0), ...held.inputs],
    moduleKeys,
  })
}

/**
 * Returns an order whose maker has 33 bytes, as a condition needs. If a payload names fewer, the
 * daemon uses bytes of its memory.
 */
function payable(order: LooseOrder): LooseOrder {
  const { origin } = order
  const isWhole = origin.length === compressedKeyDigits
  return { ...order, origin: isWhole ? origin : (conditionKey(origin) ?? noKey) }
}

/** Returns the layout with the maker as the order names it, if a condition holds other bytes. */
function asNamed(layout: OrderLayout, order: LooseOrder): Layout {
  const { origin, tokenid } = order
  const paid = payable(order).origin
  if (origin === paid) return layout
  const bare = (key: string): string => (key === noKey ? '' : key)
  const outputs = layout.outputs.map(({ value, script }) => ({
    value,
    script: script === pubkeyScript(paid) ? pubkeyScript(origin) : script,
  }))
  const data = encodeAssetOrder({ ...layout.order, origin } as AssetOrder)
  const nulldata = encodeTokenPayload({
    layout: 'komodo-v1',
    kind: 'transfer',
    tokenid,
    pubkeys: layout.pubkeys.map(bare),
    extras: [{ kind: 'assets', id: assetsExtraId, data }],
  })
  return { outputs, nulldata }
}

/** Answers of the daemon in place of hex. */
export const noCoins = 'no normal coins left'
const noTokens = 'dont have any assets to fill bid'

/** The module's published key, which signs every input that spends an order. */
const moduleKeys: readonly string[] = [moduleOfEvalCode(assetsEvalCode)!.key!.privateKey]

function coinOf({ txid, amount }: LooseOrder, vout: number): Selected {
  return { txid, vout, value: amount }
}
