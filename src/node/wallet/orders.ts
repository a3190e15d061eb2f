// Orders: read from the chain, and put together with coins as the assets module chooses them.

import { defaultFee } from '../../chain/limits.ts'
import { assetsEvalCode, moduleOfEvalCode } from '../../chain/modules.ts'
import { daemonFill } from '../../token/rules/order-fill.ts'
import {
  askLayout,
  bidLayout,
  cancelAskLayout,
  cancelBidLayout,
  fillAskLayout,
  fillBidLayout,
  markerVoutOf,
  type OpenOrder,
  openOrderIn,
} from '../../token/rules/order-layout.ts'
import type { Engine } from '../engine.ts'
import { findTransaction } from '../state/view.ts'
import {
  type Builder,
  evalCodeOf,
  finalized,
  type Selected,
  tokenInputs,
  walletInputs,
} from './condition-builder.ts'

/** Inputs that pay the fee, tokens, or a price: at most. */
export const feeInputsMax = 3
export const tokenInputsMax = 60
const bidInputsMax = 64
const fillInputsMax = 60

/** An order as a transaction of the chain or the mempool states it. */
export interface Order extends OpenOrder {
  readonly txid: string
}

export function orderOf(engine: Engine, txid: string): Order | undefined {
  const outputs = findTransaction(engine.state, engine.rules, txid)?.transaction.outputs ?? []
  const order = openOrderIn(outputs)
  return order && { ...order, txid }
}

interface Offer {
  readonly tokenid: string
  readonly units: bigint
  /** Satoshis for all of them. */
  readonly coins: bigint
}

/** @see komodo src/cc/CCassetstx.cpp, CreateBuyOffer */
export function builtBid(builder: Builder, { tokenid, units, coins: price }: Offer): string {
  const inputs = walletInputs(builder, { total: price + 2n * defaultFee, inputsMax: bidInputsMax })
  if (inputs.length === 0) return ''
  return finalized(builder, {
    ...bidLayout({ tokenid, units, price, from: builder.pubkey }),
    inputs,
  })
}

/** @see komodo src/cc/CCassetstx.cpp, CreateSell */
export function builtAsk(builder: Builder, { tokenid, units, coins: price }: Offer): string {
  const { engine, pubkey: from } = builder
  const fee = walletInputs(builder, { total: 2n * defaultFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return ''
  const choice = { tokenid, pubkey: from, total: units, inputsMax: tokenInputsMax }
  const held = tokenInputs(engine, choice)
  if (held.amount < units) return ''
  const tokenChange = held.amount - units
  const nonFungible = held.evalCode
  return finalized(builder, {
    ...askLayout({ tokenid, units, price, from, nonFungible, tokenChange }),
    inputs: [...fee, ...held.inputs],
  })
}

/**
 * Leaves the marker where it is, so anybody's is built.
 *
 * @see komodo src/cc/CCassetstx.cpp, CancelBuyOffer
 */
export function builtCancelBid(builder: Builder, order: Order): string {
  const fee = walletInputs(builder, { total: defaultFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return ''
  return finalized(builder, {
    ...cancelBidLayout({ order, from: builder.pubkey }),
    inputs: [...fee, coinOf(order, 0)],
    moduleKeys,
  })
}

/**
 * @see komodo src/cc/CCassetstx.cpp, CancelSell: the marker is spent too, so its owner alone can
 */
export function builtCancelAsk(builder: Builder, order: Order): string {
  const fee = walletInputs(builder, { total: defaultFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return ''
  const nonFungible = evalCodeOf(builder.engine, order.tokenid)
  const marker: Selected = { txid: order.txid, vout: markerVoutOf(order), value: defaultFee }
  return finalized(builder, {
    ...cancelAskLayout({ order, from: builder.pubkey, nonFungible }),
    inputs: [...fee, coinOf(order, 0), marker],
    moduleKeys,
  })
}

/** Buys from an ask, all of it if more is asked for. @see komodo src/cc/CCassetstx.cpp, FillSell */
export function builtFillAsk(builder: Builder, order: Order, units: bigint): string {
  const { engine, pubkey: from } = builder
  const fill = daemonFill(order, units)
  if (fill.coins <= 0n || fill.units <= 0n) return ''
  const total = fill.coins + 2n * defaultFee
  const coins = walletInputs(builder, { total, inputsMax: fillInputsMax })
  if (coins.length === 0) return ''
  const nonFungible = evalCodeOf(engine, order.tokenid)
  return finalized(builder, {
    ...fillAskLayout({ order, fill, from, nonFungible }),
    inputs: [...coins, coinOf(order, 0)],
    moduleKeys,
  })
}

/** Sells to a bid. @see komodo src/cc/CCassetstx.cpp, FillBuyOffer */
export function builtFillBid(builder: Builder, order: Order, units: bigint): string {
  const { engine, pubkey: from } = builder
  const fee = walletInputs(builder, { total: 2n * defaultFee, inputsMax: feeInputsMax })
  if (fee.length === 0) return noCoins
  const fill = daemonFill(order, units)
  const choice = { tokenid: order.tokenid, pubkey: from, total: fill.units }
  const held = tokenInputs(engine, { ...choice, inputsMax: tokenInputsMax })
  if (held.amount < fill.units || held.amount === 0n) return noTokens
  const tokenChange = held.amount - fill.units
  const nonFungible = held.evalCode
  return finalized(builder, {
    ...fillBidLayout({ order, fill, from, nonFungible, tokenChange }),
    inputs: [...fee, coinOf(order, 0), ...held.inputs],
    moduleKeys,
  })
}

/** The daemon's answer in place of hex. */
const noCoins = 'no normal coins left'
const noTokens = 'dont have any assets to fill bid'

/** Published with the module; it signs every input that spends an order. */
const moduleKeys: readonly string[] = [moduleOfEvalCode(assetsEvalCode)!.key!.privateKey]

function coinOf({ txid, amount }: Order, vout: number): Selected {
  return { txid, vout, value: amount }
}
