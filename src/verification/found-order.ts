// The order that a step fills or cancels: found in the evidence, and spent at the input where the
// assets module expects it.

import { type Finding, finding } from '../request/report.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import { paysToCondition } from '../token/rules/condition-script.ts'
import type { OrderBook } from '../token/rules/order-book.ts'
import { isBid, type OpenOrder } from '../token/rules/order-layout.ts'
import type { Transaction } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import type { Tokens } from './family.ts'
import { checkOrderEnd } from './order-end.ts'
import type { ReadyOrder } from './order-intent.ts'
import type { ResolvedInputs } from './previous-outputs.ts'
import type { BorrowedOutput } from './token-inputs.ts'

/** The order that is filled or cancelled, as its own transaction states it. */
export interface FoundOrder extends OpenOrder {
  readonly txid: string
  /** Index of the output that is its maker's marker. */
  readonly marker: number
}

interface Found {
  readonly order?: FoundOrder
  readonly findings: readonly Finding[]
}

export interface Verification {
  readonly tokens: Tokens
  readonly book: OrderBook
  readonly tipHeight: number | undefined
}

export function findOrder(
  { kind, order: txid, tokenid, from }: ReadyOrder,
  { byTxid }: KnownTransactions,
  { tokens, book, tipHeight }: Verification,
): Found {
  if (kind === 'ask' || kind === 'bid') return { findings: [] }
  const path = 'intent.order'
  const made = byTxid.get(txid)
  if (made === undefined) return { findings: [finding('order_missing', path)] }
  const wrong = (expected: string, actual: unknown): Found => ({
    findings: [finding('order_malformed', path, { expected, actual })],
  })
  const wanted = kind === 'fillBid' || kind === 'cancelBid' ? 'bid' : 'ask'
  const order = book.openOrder(made)
  if (order === undefined || isBid(order) !== (wanted === 'bid')) {
    return wrong(wanted, order?.action ?? 'no order')
  }
  if (order.tokenid !== tokenid) return wrong(tokenid, order.tokenid)
  // the maker may write anything as key, and only a valid key can be paid
  if (!isCompressedPoint(order.origin)) return wrong('a public key', order.origin)
  const script = book.offeredScript(order, tokens.created)
  const offered = made.outputs[0]!.script
  if (offered !== script) return wrong(script, offered)
  const marker = book.missingMarker(order, made.outputs)
  if (marker !== undefined) return wrong(marker.expected, marker.actual)
  const isCancel = kind === 'cancelAsk' || kind === 'cancelBid'
  const isOthers = isCancel && order.origin !== from
  const notOwn = { expected: from, actual: order.origin }
  return {
    order: { ...order, txid, marker: book.markerVout(order, made.outputs) },
    findings: [
      ...(isOthers ? [finding('order_not_own', path, notOwn)] : []),
      ...(isCancel ? [] : checkOrderEnd(order, tipHeight)),
    ],
  }
}

/**
 * Returns the outputs of an order that a step spends. Anyone can sign for the offer, but before its
 * end only the maker can sign for the marker of a cancellation.
 */
export function borrowedBy(
  kind: ReadyOrder['kind'],
  order: FoundOrder,
  { from, book }: { readonly from: string; readonly book: OrderBook },
): ReadonlyMap<string, BorrowedOutput> {
  const holds = isBid(order) ? 'coins' : 'units'
  const borrowed = new Map<string, BorrowedOutput>([
    [`${order.txid}:0`, { holds, signer: book.moduleKey }],
  ])
  if (kind === 'cancelAsk' || kind === 'cancelBid') {
    borrowed.set(markerOf(order), { holds: 'coins', signer: from })
  }
  return borrowed
}

/**
 * Returns true if the marker is not spent. komodod leaves the marker of a bid, but still pays out
 * its coins, from the coin for the fee. Without change the fee is the rest of that coin, possibly
 * zero.
 *
 * @see komodo src/cc/CCassetstx.cpp, CancelBuyOffer
 */
export function isMarkerLeft({ inputs }: Pick<Transaction, 'inputs'>, order: FoundOrder): boolean {
  return !inputs.some(({ txid, vout }) => txid === order.txid && vout === order.marker)
}

function markerOf({ txid, marker }: FoundOrder): string {
  return `${txid}:${marker}`
}

interface Places {
  readonly book: OrderBook
  /** The output that the first input spends, if it is known. */
  readonly first: ResolvedInputs['prevouts'][number]
}

/**
 * Checks the place of the order among the inputs, and of the marker right after it in a
 * cancellation.
 */
export function checkInputPlaces(
  { inputs }: Transaction,
  kind: ReadyOrder['kind'],
  { order, book, first }: Places & { readonly order: FoundOrder },
): Finding[] {
  const findings: Finding[] = []
  const spent = inputs.map(({ txid, vout }) => `${txid}:${vout}`)
  const expected = `${order.txid}:0`
  // komodod: the second input, after one without a condition; tokeld: the first of the module's
  const place = book.orderInput ?? Math.max(spent.indexOf(expected), 0)
  if (spent[place] !== expected) {
    const actual = spent[place] ?? 'no such input'
    findings.push(finding('order_input', `inputs[${place}]`, { expected, actual }))
  } else if (book.orderInput !== undefined && first && paysToCondition(first.script)) {
    // komodo src/cc/assets.cpp, "illegal asset vin0"
    const details = { expected: 'an own coin', actual: spent[0] }
    findings.push(finding('order_input', 'inputs[0]', details))
  }
  if (kind === 'fillAsk' || kind === 'fillBid') return findings
  const marker = markerOf(order)
  const actual = spent[place + 1]
  if (isMarkerLeft({ inputs }, order)) {
    // tokeld rejects a cancellation without it
    const code = book.ends ? 'order_input' : 'order_marker_left'
    findings.push(finding(code, 'inputs', { expected: marker }))
  } else if (actual !== marker) {
    findings.push(finding('order_input', `inputs[${place + 1}]`, { expected: marker, actual }))
  }
  return findings
}
