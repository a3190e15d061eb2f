// The inputs, outputs and payload that a step of an order may have. The outputs and the payload
// come from token/rules/order-book.ts, which builders use too.

import { createdProblems } from '../request/create-problems.ts'
import { askRoyaltyProblems, fillPriceProblems } from '../request/order-problems.ts'
import { problemFindings } from '../request/problem.ts'
import { type Finding, finding } from '../request/report.ts'
import { encodeAssetOrder } from '../token/payload/asset-order.ts'
import { type MadeOffer, type OrderBook, ordersOf } from '../token/rules/order-book.ts'
import { type OrderLayout, type OrderOutputRole, soldFor } from '../token/rules/order-layout.ts'
import type { Transaction } from '../transaction/types.ts'
import type { KnownTransactions } from './evidence.ts'
import { checkTokenInputs, creationFindings, type Tokens, tokensOf } from './family.ts'
import {
  borrowedBy,
  checkInputPlaces,
  type FoundOrder,
  findOrder,
  isMarkerLeft,
  type Verification,
} from './found-order.ts'
import { checkNulldata } from './nulldata.ts'
import { checkOwnCoin, expiryOf } from './order-end.ts'
import type { ReadyOrder } from './order-intent.ts'
import { checkOutputPlaces, checkPrice, termsOf, unenforcedFindings } from './order-outputs.ts'
import type { ExpectedOutput } from './outputs.ts'
import type { Context, OperationRules } from './rules.ts'
import { tokenRules } from './token-rules.ts'

type Layout = (tokensIn: bigint) => OrderLayout

export function orderRules(intent: ReadyOrder, context: Context): OperationRules {
  const {
    tx,
    known,
    resolved: { prevouts },
    evidence: { tipHeight },
  } = context
  const { kind, tokenid, from, terms } = intent
  const book = ordersOf(terms.network)
  const movesTokens = kind !== 'bid' && kind !== 'cancelBid'
  // tokeld has orders of tokens v2 alone, and other daemons have one kind of tokens
  const holders = { owner: from, recipients: [], isV2: true }
  const tokens = tokensOf(terms.network, [tokenid], holders, known, prevouts)
  const { order, findings: orderFindings } = findOrder(intent, known, { tokens, book, tipHeight })
  const { layout, findings } = layoutFor(intent, order, { tokens, book, tx, tipHeight })
  return tokenRules({
    terms,
    isUnbound: kind === 'bid',
    pubkey: from,
    ...(movesTokens && { tokens }),
    marker: tokens.rules.marker,
    ...(order !== undefined && {
      borrowed: borrowedBy(kind, order, { from, book }),
      isLowWithoutChange: kind === 'cancelBid' && !book.ends && isMarkerLeft(tx, order),
    }),
    findings: [
      ...(kind === 'bid' ? bidFindings(tokens, known) : []),
      ...(movesTokens ? creationFindings(tokens, known) : []),
      ...unenforcedFindings(intent, book),
      ...orderFindings,
      ...findings,
    ],
    inputFindings: ({ coins }) => [
      ...checkTokenInputs(coins.tokens.length),
      ...checkOwnCoin(intent, book, coins),
    ],
    expectedOutputs: (inputs) => expectedOutputs(layout?.(inputs.tokens), intent, order, tokens),
    payloadFindings({ inputs }) {
      const wanted = layout?.(inputs.tokens)
      return [
        ...(order === undefined
          ? []
          : checkInputPlaces(tx, kind, { order, book, first: prevouts[0] })),
        ...checkOutputPlaces(tx, wanted?.outputs),
        ...checkPayload(tx, intent, { wanted, book }),
        ...checkPrice(tx, order, wanted?.outputs),
      ]
    },
  })
}

/**
 * Checks the creation, because the inputs of a bid do not show that its token exists, and that a
 * seller could move it.
 */
function bidFindings(tokens: Tokens, known: KnownTransactions): Finding[] {
  const { created } = tokens.histories.get(tokens.tokenid)!
  if (created !== undefined) {
    const problems = createdProblems(created, 'tokenCreate')
    return [...creationFindings(tokens, known), ...problemFindings(problems, 'evidence.')]
  }
  if (known.byTxid.has(tokens.tokenid)) return creationFindings(tokens, known)
  return [finding('bid_token_unknown', 'evidence.tokenCreate')]
}

interface Wanted {
  readonly layout?: Layout
  readonly findings: readonly Finding[]
}

function layoutFor(
  intent: ReadyOrder,
  order: FoundOrder | undefined,
  { tokens, book, tx, tipHeight }: Verification & { readonly tx: Transaction },
): Wanted {
  const { kind, from, units, price = 0n } = intent
  const { created } = tokens
  if (kind === 'ask' || kind === 'bid') {
    const stated = book.openOrder(tx)?.expiryHeight
    const { expiryHeight, findings } = expiryOf(intent, stated, { book, tipHeight })
    const offer: MadeOffer = { ...intent, price, expiryHeight, created }
    if (kind === 'bid') return { layout: () => book.bid(offer), findings }
    const royalty = book.royaltyMost(offer)
    return {
      layout: (tokensIn) => book.ask(offer, tokensIn - units),
      findings: [...findings, ...problemFindings(askRoyaltyProblems(price, royalty))],
    }
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
  const { coins } = fill
  const sold = { coins, payment: soldFor(fill, taken) }
  const findings = problemFindings(fillPriceProblems(sold, intent))
  if (kind === 'fillAsk') return { layout: () => book.fillAsk(taken, fill), findings }
  return { layout: (tokensIn) => book.fillBid(taken, fill, tokensIn - units), findings }
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

function checkPayload(
  tx: Transaction,
  { tokenid, terms }: ReadyOrder,
  { wanted, book }: { readonly wanted: OrderLayout | undefined; readonly book: OrderBook },
): Finding[] {
  const expected = { kind: 'transfer', layout: book.layout } as const
  if (wanted === undefined) return checkNulldata(tx, expected, terms.network)
  return checkNulldata(tx, expected, terms.network, (payload, report) => {
    const { tokenid: actual, pubkeys, extras } = payload
    if (actual !== tokenid) report('tokenid', { expected: tokenid, actual })
    if (pubkeys.join() !== wanted.pubkeys.join()) {
      const keys = wanted.pubkeys.join(', ')
      report('nulldata_pubkeys', { expected: keys, actual: pubkeys.join(', ') })
    }
    const stated = encodeAssetOrder(wanted.order)
    const order = extras.find(({ kind }) => kind === 'assets')
    if (order?.data !== stated) {
      report('order_terms', { expected: stated, actual: order?.data ?? 'no order' })
    }
    if (order !== undefined && 'legacy' in order) {
      report('nulldata_legacy', { expected: '12 before the order' })
    }
    return order
  })
}
