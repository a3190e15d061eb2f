// What a step of an order may spend, and must pay and say. The outputs and the payload are those of
// token/rules/order-layout.ts, which builders use as well.

import { assetsGlobalPubkey } from '../chain/modules.ts'
import { encodeAssetOrder } from '../token/payload/asset-order.ts'
import { nonFungibleEvalCode } from '../token/rules/komodo.ts'
import { rulesOf } from '../token/rules/network.ts'
import { exactFill } from '../token/rules/order-fill.ts'
import {
  askLayout,
  bidLayout,
  cancelAskLayout,
  cancelBidLayout,
  fillAskLayout,
  fillBidLayout,
  isBid,
  markerVoutOf,
  type OpenOrder,
  type OrderLayout,
  type OrderOutputRole,
  openOrderIn,
  orderScripts,
} from '../token/rules/order-layout.ts'
import type { Transaction } from '../transaction/types.ts'
import { checkBound } from './chain-binding.ts'
import type { KnownTransactions } from './evidence.ts'
import { checkTokenInputs, creationFindings, type Tokens, tokensOf } from './family.ts'
import type { ResolvedInputs } from './inputs.ts'
import { checkNulldata } from './nulldata.ts'
import type { LentInput, OperationRules } from './operation.ts'
import type { ReadyOrder } from './order-intent.ts'
import type { ExpectedOutput } from './outputs.ts'
import { type Finding, finding } from './report.ts'

/** The order that is filled or cancelled, as its own transaction states it. */
interface FoundOrder extends OpenOrder {
  readonly txid: string
}

/** What an order's step comes to, once the units that its inputs hold are known. */
type Layout = (tokensIn: bigint) => OrderLayout

export function orderRules(
  intent: ReadyOrder,
  known: KnownTransactions,
  prevouts: ResolvedInputs['prevouts'],
): OperationRules {
  const { kind, tokenid, from, terms } = intent
  const rules = rulesOf(terms.network)
  const movesTokens = kind !== 'bid' && kind !== 'cancelBid'
  const tokens = tokensOf(rules, tokenid, { owner: from, recipients: [] }, known, prevouts)
  const { order, findings: orderFindings } = findOrder(intent, known, tokens)
  const { layout, findings } = layoutFor(intent, order, tokens)
  return {
    terms,
    pubkey: from,
    ...(movesTokens && { tokens }),
    marker: rules.marker,
    ...(order !== undefined && { lent: lentBy(kind, order, from) }),
    findings: [
      ...(kind === 'bid' ? [...checkBound(terms), ...bidFindings(tokens, known)] : []),
      ...(movesTokens ? creationFindings(tokens, known) : []),
      ...orderFindings,
      ...findings,
    ],
    inputFindings: ({ coins }) => checkTokenInputs(coins.tokens.length),
    expectedOutputs: (tokensIn) => expectedOutputs(layout?.(tokensIn), intent, order, tokens),
    judgePayload: (tx) => [
      ...checkPlaces(tx, intent, order, layout),
      ...checkPayload(tx, intent, layout?.(0n)),
      ...checkPrice(tx, kind, order),
    ],
  }
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

function findOrder(
  { kind, order: txid, tokenid, from }: ReadyOrder,
  { byTxid }: KnownTransactions,
  { created }: Tokens,
): Found {
  if (kind === 'ask' || kind === 'bid') return { findings: [] }
  const path = 'intent.order'
  const outputs = byTxid.get(txid)?.outputs
  if (outputs === undefined) return { findings: [finding('order_missing', path)] }
  const wrong = (expected: string, actual: unknown): Found => ({
    findings: [finding('order_malformed', path, { expected, actual })],
  })
  const wanted = kind === 'fillBid' || kind === 'cancelBid' ? 'bid' : 'ask'
  const order = openOrderIn(outputs)
  if (order === undefined || isBid(order) !== (wanted === 'bid')) {
    return wrong(wanted, order?.action ?? 'no order')
  }
  if (order.tokenid !== tokenid) return wrong(tokenid, order.tokenid)
  const { bids, asks } = orderScripts(nonFungibleEvalCode(created))
  const script = wanted === 'bid' ? bids : asks
  if (outputs[0]!.script !== script) return wrong(script, outputs[0]!.script)
  const isCancel = kind === 'cancelAsk' || kind === 'cancelBid'
  const isOthers = isCancel && order.origin !== from
  const notOwn = { expected: from, actual: order.origin }
  return {
    order: { ...order, txid },
    findings: isOthers ? [finding('order_not_own', path, notOwn)] : [],
  }
}

/** Anybody can sign for what the order offers; the marker is its maker's. */
function lentBy(
  kind: ReadyOrder['kind'],
  order: FoundOrder,
  from: string,
): ReadonlyMap<string, LentInput> {
  const holds = isBid(order) ? 'coins' : 'units'
  const lent = new Map<string, LentInput>([
    [`${order.txid}:0`, { holds, signer: assetsGlobalPubkey }],
  ])
  if (kind === 'cancelAsk' || kind === 'cancelBid') {
    lent.set(markerOf(order), { holds: 'coins', signer: from })
  }
  return lent
}

function markerOf(order: FoundOrder): string {
  return `${order.txid}:${markerVoutOf(order)}`
}

interface Wanted {
  readonly layout?: Layout
  readonly findings: readonly Finding[]
}

function layoutFor(intent: ReadyOrder, order: FoundOrder | undefined, tokens: Tokens): Wanted {
  const { kind, tokenid, from, units, price = 0n } = intent
  const nonFungible = nonFungibleEvalCode(tokens.created)
  const offer = { tokenid, units, price, from, nonFungible }
  const change = (tokensIn: bigint) => ({ tokenChange: tokensIn - units })
  if (kind === 'ask') {
    return { layout: (tokensIn) => askLayout({ ...offer, ...change(tokensIn) }), findings: [] }
  }
  if (kind === 'bid') return { layout: () => bidLayout(offer), findings: [] }
  if (order === undefined) return { findings: [] }
  const taken = { order, from, nonFungible }
  if (kind === 'cancelAsk') return { layout: () => cancelAskLayout(taken), findings: [] }
  if (kind === 'cancelBid') return { layout: () => cancelBidLayout(taken), findings: [] }
  const fill = exactFill(order, units)
  if (fill === undefined) {
    const expected = `a part of ${termsOf(order)}`
    return { findings: [finding('order_fill', 'intent.units', { expected, actual: units })] }
  }
  const isDear = intent.price !== undefined && intent.price !== fill.coins
  const details = { expected: intent.price, actual: fill.coins }
  const findings = isDear ? [finding('order_price', 'intent.price', details)] : []
  const filling = { ...taken, fill }
  if (kind === 'fillAsk') return { layout: () => fillAskLayout(filling), findings }
  return { layout: (tokensIn) => fillBidLayout({ ...filling, ...change(tokensIn) }), findings }
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
 * Where the module looks for what: the order is the second input, after one without a condition;
 * its outputs stand in one order. Elsewhere nobody could fill or cancel what is left.
 *
 * @see komodo src/cc/assets.cpp, AssetsValidate
 */
function checkPlaces(
  tx: Transaction,
  { kind }: ReadyOrder,
  order: FoundOrder | undefined,
  layout: Layout | undefined,
): Finding[] {
  const findings = order === undefined ? [] : checkInputPlaces(tx, kind, order)
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

function checkInputPlaces(
  { inputs }: Transaction,
  kind: ReadyOrder['kind'],
  order: FoundOrder,
): Finding[] {
  const findings: Finding[] = []
  const spent = inputs.map(({ txid, vout }) => `${txid}:${vout}`)
  const expected = `${order.txid}:0`
  if (spent[1] !== expected) {
    const actual = spent[1] ?? 'no such input'
    findings.push(finding('order_input', 'inputs[1]', { expected, actual }))
  }
  if (kind === 'fillAsk' || kind === 'fillBid') return findings
  const marker = markerOf(order)
  if (!spent.includes(marker)) {
    findings.push(finding('order_marker_left', 'inputs', { expected: marker }))
  } else if (spent[2] !== marker) {
    findings.push(finding('order_input', 'inputs[2]', { expected: marker, actual: spent[2] }))
  }
  return findings
}

function checkPayload(
  tx: Transaction,
  { tokenid, terms }: ReadyOrder,
  wanted: OrderLayout | undefined,
): Finding[] {
  const expected = { kind: 'transfer', layout: 'komodo-v1' } as const
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
  kind: ReadyOrder['kind'],
  order: FoundOrder | undefined,
): Finding[] {
  if (order === undefined || (kind !== 'fillAsk' && kind !== 'fillBid')) return []
  const [unitsAt, coinsAt] = kind === 'fillAsk' ? [1, 2] : [2, 1]
  const units = outputs[unitsAt]?.value ?? 0n
  const coins = outputs[coinsAt]?.value ?? 0n
  if (units < 1n || coins < 0n) return []
  const [unitsLeft, coinsLeft] = isBid(order)
    ? [order.price - units, order.amount - coins]
    : [order.amount - units, order.price - coins]
  const stays = unitsLeft > 0n ? `; ${unitsLeft} for ${coinsLeft} stay` : ''
  const actual = `${units} units for ${coins} satoshis, ${perUnit(coins, units)} each${stays}`
  const asked = isBid(order)
    ? perUnit(order.amount, order.price)
    : perUnit(order.price, order.amount)
  const expected = `${termsOf(order)}, ${asked} each`
  return [finding('fill_price', `outputs[${coinsAt}].value`, { expected, actual })]
}

/** Satoshis with up to four digits after the point, cut. */
function perUnit(coins: bigint, units: bigint): string {
  if (units < 1n) return 'none'
  const digits = ((coins * 10_000n) / units).toString().padStart(5, '0')
  const fraction = digits.slice(-4).replace(/0+$/, '')
  return `${digits.slice(0, -4)}${fraction === '' ? '' : `.${fraction}`}`
}
