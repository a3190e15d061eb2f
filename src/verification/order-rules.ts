// What a step of an order may spend, and must pay and say. The outputs and the payload are those of
// token/rules/order-book.ts, which builders use as well.

import { isCompressedPoint } from '../script/public-key.ts'
import { encodeAssetOrder } from '../token/payload/asset-order.ts'
import { paysToCondition } from '../token/rules/condition-script.ts'
import { type MadeOffer, type OrderBook, ordersOf } from '../token/rules/order-book.ts'
import {
  isBid,
  type OpenOrder,
  type OrderLayout,
  type OrderOutput,
  type OrderOutputRole,
} from '../token/rules/order-layout.ts'
import { unenforcedSats } from '../token/rules/order-price.ts'
import type { Transaction } from '../transaction/types.ts'
import { checkBound } from './chain-binding.ts'
import type { KnownTransactions } from './evidence.ts'
import { checkTokenInputs, creationFindings, type Tokens, tokensOf } from './family.ts'
import type { ResolvedInputs } from './inputs.ts'
import { checkNulldata } from './nulldata.ts'
import type { LentInput, OperationRules } from './operation.ts'
import { checkOrderEnd, checkOwnCoin, expiryOf } from './order-end.ts'
import type { ReadyOrder } from './order-intent.ts'
import type { ExpectedOutput } from './outputs.ts'
import { type Finding, finding } from './report.ts'

/** The order that is filled or cancelled, as its own transaction states it. */
interface FoundOrder extends OpenOrder {
  readonly txid: string
  /** Where its maker's marker is. */
  readonly marker: number
}

/** What an order's step comes to, once the units that its inputs hold are known. */
type Layout = (tokensIn: bigint) => OrderLayout

/** What there is to be known beside the transaction. */
interface Circumstances {
  readonly tx: Transaction
  readonly known: KnownTransactions
  readonly prevouts: ResolvedInputs['prevouts']
  readonly tipHeight: number | undefined
}

export function orderRules(intent: ReadyOrder, given: Circumstances): OperationRules {
  const { tx, known, prevouts, tipHeight } = given
  const { kind, tokenid, from, terms } = intent
  const book = ordersOf(terms.network)
  const movesTokens = kind !== 'bid' && kind !== 'cancelBid'
  // tokeld has orders of tokens v2 alone, and other daemons have one kind of tokens
  const holders = { owner: from, recipients: [], isV2: true }
  const tokens = tokensOf(terms.network, [tokenid], holders, known, prevouts)
  const { order, findings: orderFindings } = findOrder(intent, known, { tokens, book, tipHeight })
  const { layout, findings } = layoutFor(intent, order, { tokens, book, tx, tipHeight })
  return {
    terms,
    pubkey: from,
    ...(movesTokens && { tokens }),
    marker: tokens.rules.marker,
    ...(order !== undefined && { lent: lentBy(kind, order, { from, book }) }),
    findings: [
      ...(kind === 'bid' ? [...checkBound(terms), ...bidFindings(tokens, known)] : []),
      ...(movesTokens ? creationFindings(tokens, known) : []),
      ...unenforcedFindings(intent, book),
      ...orderFindings,
      ...findings,
    ],
    inputFindings: ({ coins }) => [
      ...checkTokenInputs(coins.tokens.length),
      ...checkOwnCoin(intent, book, coins),
    ],
    expectedOutputs: (tokensIn) => expectedOutputs(layout?.(tokensIn), intent, order, tokens),
    judgePayload: () => [
      ...checkPlaces(tx, intent, order, { layout, book, first: prevouts[0] }),
      ...checkPayload(tx, intent, { wanted: layout?.(0n), book }),
      ...checkPrice(tx, order, layout?.(0n).outputs),
    ],
  }
}

/** A part of a price that is too small to mention: under one in a hundred. */
const unmentionedShare = 100n

/** What the chain lets others take of an offer, in spite of its price. */
function unenforcedFindings({ kind, units, price = 0n }: ReadyOrder, book: OrderBook): Finding[] {
  if (kind !== 'ask' && kind !== 'bid') return []
  const lost = unenforcedSats({ kind, units, price }, book)
  if (lost * unmentionedShare <= price) return []
  const code = kind === 'bid' ? 'bid_price_unenforced' : 'ask_price_unenforced'
  const details = { expected: `${price} satoshis`, actual: `up to ${lost} of them can be lost` }
  return [finding(code, 'intent.price', details)]
}

/** The token of a bid is nowhere in its inputs. */
function bidFindings(tokens: Tokens, known: KnownTransactions): Finding[] {
  if (known.byTxid.has(tokens.tokenid)) return creationFindings(tokens, known)
  return [finding('bid_token_unknown', 'evidence.tokenCreate')]
}

interface Found {
  readonly order?: FoundOrder
  readonly findings: readonly Finding[]
}

interface Judging {
  readonly tokens: Tokens
  readonly book: OrderBook
  readonly tipHeight: number | undefined
}

function findOrder(
  { kind, order: txid, tokenid, from }: ReadyOrder,
  { byTxid }: KnownTransactions,
  { tokens, book, tipHeight }: Judging,
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
  // anybody can write anything there, and what is no key cannot be paid
  if (!isCompressedPoint(order.origin)) return wrong('a public key', order.origin)
  const script = book.offeredScript(order, tokens.created)
  const offered = made.outputs[0]!.script
  if (offered !== script) return wrong(script, offered)
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

/** Anybody can sign for what the order offers; the marker is its maker's. */
function lentBy(
  kind: ReadyOrder['kind'],
  order: FoundOrder,
  { from, book }: { readonly from: string; readonly book: OrderBook },
): ReadonlyMap<string, LentInput> {
  const holds = isBid(order) ? 'coins' : 'units'
  const lent = new Map<string, LentInput>([[`${order.txid}:0`, { holds, signer: book.moduleKey }]])
  if (kind === 'cancelAsk' || kind === 'cancelBid') {
    lent.set(markerOf(order), { holds: 'coins', signer: from })
  }
  return lent
}

function markerOf({ txid, marker }: FoundOrder): string {
  return `${txid}:${marker}`
}

interface Wanted {
  readonly layout?: Layout
  readonly findings: readonly Finding[]
}

function layoutFor(
  intent: ReadyOrder,
  order: FoundOrder | undefined,
  { tokens, book, tx, tipHeight }: Judging & { readonly tx: Transaction },
): Wanted {
  const { kind, from, units, price = 0n } = intent
  const { created } = tokens
  if (kind === 'ask' || kind === 'bid') {
    const stated = book.openOrder(tx)?.expiryHeight
    const { expiryHeight, findings } = expiryOf(intent, stated, { book, tipHeight })
    const offer: MadeOffer = { ...intent, price, expiryHeight, created }
    if (kind === 'bid') return { layout: () => book.bid(offer), findings }
    return { layout: (tokensIn) => book.ask(offer, tokensIn - units), findings }
  }
  if (order === undefined) return { findings: [] }
  const taken = { order, from, created }
  if (kind === 'cancelAsk') return { layout: () => book.cancelAsk(taken), findings: [] }
  if (kind === 'cancelBid') return { layout: () => book.cancelBid(taken), findings: [] }
  if (book.ends && created.owner === undefined)
    return { findings: [finding('royalty_unknown', 'evidence.tokenCreate')] }
  const fill = book.fill(taken, units, intent.price)
  if (fill === undefined) {
    const expected = `a part of ${termsOf(order)}`
    return { findings: [finding('order_fill', 'intent.units', { expected, actual: units })] }
  }
  const isDear = intent.price !== undefined && intent.price !== fill.coins
  const details = { expected: intent.price, actual: fill.coins }
  const findings = isDear ? [finding('order_price', 'intent.price', details)] : []
  if (kind === 'fillAsk') return { layout: () => book.fillAsk(taken, fill), findings }
  return { layout: (tokensIn) => book.fillBid(taken, fill, tokensIn - units), findings }
}

function termsOf(order: OpenOrder): string {
  const [units, coins] = isBid(order) ? [order.price, order.amount] : [order.amount, order.price]
  return `${units} units for ${coins} satoshis`
}

const codesOf: { readonly [Role in OrderOutputRole]: ExpectedOutput['codes'] } = {
  'order-tokens': { missing: 'order_output', value: 'order_amount' },
  'order-coins': { missing: 'order_output', value: 'order_amount' },
  'order-marker': { missing: 'order_marker', value: 'order_marker' },
  destination: { missing: 'destination', value: 'amount', lookalike: 'destination_condition' },
  payment: { missing: 'payment', value: 'payment_amount' },
  royalty: { missing: 'royalty', value: 'royalty' },
  'token-change': { missing: 'token_change_destination', value: 'token_change' },
}

function expectedOutputs(
  layout: OrderLayout | undefined,
  { kind, from }: ReadyOrder,
  order: FoundOrder | undefined,
  tokens: Tokens,
): ExpectedOutput[] {
  const paid = kind === 'fillBid' && order !== undefined ? order.origin : from
  return (layout?.outputs ?? []).map(({ role, script, value }) => ({
    role,
    script,
    value,
    codes: codesOf[role],
    ...(role === 'destination' && {
      isLookalike: (other: string) => tokens.isLookalike(other, paid),
    }),
  }))
}

/**
 * Where the module looks for what, so that somebody could fill or cancel what is left: outputs stand
 * in one order.
 *
 * @see komodo src/cc/assets.cpp, AssetsValidate; tokel the same
 */
function checkPlaces(
  tx: Transaction,
  { kind }: ReadyOrder,
  order: FoundOrder | undefined,
  { layout, book, first }: Places & { readonly layout: Layout | undefined },
): Finding[] {
  const findings = order === undefined ? [] : checkInputPlaces(tx, kind, { order, book, first })
  const scripts = tx.outputs.map(({ script }) => script)
  // any change: only that there may be some tells where the rest is
  for (const [at, { script: expected }] of (layout?.(0n).outputs ?? []).entries()) {
    const actual = scripts[at]
    if (actual === expected || !scripts.includes(expected)) continue
    const details = { expected, actual: actual ?? 'no such output' }
    findings.push(finding('order_position', `outputs[${at}].script`, details))
  }
  return findings
}

interface Places {
  readonly book: OrderBook
  /** What the first input spends, if that is known. */
  readonly first: ResolvedInputs['prevouts'][number]
}

/** The order, and right after it in a cancellation the marker. */
function checkInputPlaces(
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
  if (!spent.includes(marker)) {
    // no tokeld takes a cancellation without it
    const code = book.ends ? 'order_input' : 'order_marker_left'
    findings.push(finding(code, 'inputs', { expected: marker }))
  } else if (actual !== marker) {
    findings.push(finding('order_input', `inputs[${place + 1}]`, { expected: marker, actual }))
  }
  return findings
}

function checkPayload(
  tx: Transaction,
  { tokenid, terms }: ReadyOrder,
  { wanted, book }: { readonly wanted: OrderLayout | undefined; readonly book: OrderBook },
): Finding[] {
  const expected = { kind: 'transfer', layout: book.layout } as const
  const { payload, findings, path } = checkNulldata(tx, expected, terms.network)
  if (payload === undefined || wanted === undefined) return [...findings]
  const checked = [...findings]
  const where = `${path}.script`
  if (payload.tokenid !== tokenid) {
    checked.push(finding('tokenid', where, { expected: tokenid, actual: payload.tokenid }))
  }
  if (payload.pubkeys.join() !== wanted.pubkeys.join()) {
    const details = { expected: wanted.pubkeys.join(', '), actual: payload.pubkeys.join(', ') }
    checked.push(finding('nulldata_pubkeys', where, details))
  }
  const stated = encodeAssetOrder(wanted.order)
  const order = payload.extras.find(({ kind }) => kind === 'assets')
  if (order?.data !== stated) {
    const actual = order?.data ?? 'no order'
    checked.push(finding('order_terms', where, { expected: stated, actual }))
  }
  for (const extra of payload.extras) {
    if (extra === order) continue
    checked.push(finding('nulldata_extra', where, { actual: `${extra.kind} ${extra.data}` }))
  }
  return checked
}

/** What changes hands in a fill, as its outputs have it, beside what the order asks. */
function checkPrice(
  { outputs }: Transaction,
  order: FoundOrder | undefined,
  wanted: readonly OrderOutput[] = [],
): Finding[] {
  const places = (role: OrderOutputRole) =>
    wanted.flatMap((it, at) => (it.role === role ? [at] : []))
  const sum = (role: OrderOutputRole) =>
    places(role).reduce((all, at) => all + (outputs[at]?.value ?? 0n), 0n)
  const units = sum('destination')
  const paid = sum('payment')
  const royalty = sum('royalty')
  const coins = paid + royalty
  const isFill = wanted.some(({ role }) => role === 'order-tokens' || role === 'order-coins')
  if (order === undefined || !isFill || units < 1n || paid < 0n || royalty < 0n) return []
  const [unitsLeft, coinsLeft] = isBid(order)
    ? [order.price - units, order.amount - coins]
    : [order.amount - units, order.price - coins]
  const stays = unitsLeft > 0n ? `; ${unitsLeft} for ${coinsLeft} stay` : ''
  const share = royalty > 0n ? `, ${royalty} of them royalty` : ''
  const actual = `${units} units for ${coins} satoshis, ${perUnit(coins, units)} each${share}${stays}`
  const asked = isBid(order)
    ? perUnit(order.amount, order.price)
    : perUnit(order.price, order.amount)
  const each = order.unitPrice ?? asked
  const expected = `${termsOf(order)}, ${each} each`
  const [at] = [...places('payment'), ...places('royalty')]
  return [finding('fill_price', `outputs[${at}].value`, { expected, actual })]
}

/** Satoshis with up to four digits after the point, cut. @param units - at least one */
function perUnit(coins: bigint, units: bigint): string {
  const digits = ((coins * 10_000n) / units).toString().padStart(5, '0')
  const fraction = digits.slice(-4).replace(/0+$/, '')
  return `${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`
}
