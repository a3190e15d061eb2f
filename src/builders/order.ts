// Orders of komodod's assets module, unsigned: what the daemon's builders mean, without their bugs.
// An ask of all units has no change, and a cancelled bid gives its marker back. A price that does
// not divide evenly is rounded once, for the seller, instead of costing the buyer units. On
// tokeld's chains, orders are those of tokens v2, as tokeld makes them.

import { markerSats } from '../chain/limits.ts'
import { AntaraError } from '../errors/antara-error.ts'
import {
  orderOperations,
  type TokenAskRequest,
  type TokenBidRequest,
  type TokenCancelRequest,
  type TokenFillAskRequest,
  type TokenFillBidRequest,
  type TokenOrderIntent,
} from '../request/order.ts'
import { askRoyaltyProblems } from '../request/order-problems.ts'
import { throwFirst } from '../request/problem.ts'
import type { SpelledOut } from '../request/terms.ts'
import { expectedMarker } from '../token/rules/order-book.ts'
import {
  markerScriptOf,
  type OpenOrder,
  type OrderLayout,
  soldFor,
} from '../token/rules/order-layout.ts'
import { markerScriptOfV2 } from '../token/rules/order-layout-v2.ts'
import { assemble } from './assemble.ts'
import {
  type ChosenCoins,
  chooseForFee,
  chooseForTransfer,
  chooseNative,
  type Purpose,
} from './choose.ts'
import { readCoin, sumOf } from './coins.ts'
import {
  malformedOrder,
  type ReadyRequest,
  readEnd,
  readFill,
  readOrder,
  readRequest,
  readTokens,
} from './order-request.ts'
import { type SpentCoin, type UnsignedOrder, withEvidence } from './unsigned.ts'

/**
 * Builds an offer of token units for coins as komodod would, unsigned.
 *
 * @param request - `units` of the token, `price` in satoshis for all of them
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} as `buildTokenTransfer`; `amount_out_of_range` also for a price that is too
 *   little to be relayed, or that no chain enforces: one that is not a multiple of the units
 * @throws {AntaraError} `order_price` for a price of which a royalty leaves nothing
 * @see komodo src/cc/CCassetstx.cpp, CreateSell; tokel src/cc/CCassetstx_impl.h
 * @example
 * buildTokenAsk({
 *   tokenid, units: 100n, price: 1_000_000n, from, tokenCoins, coins, previousTransactions,
 *   tokenCreate, tipHeight: 98,
 * }).hex
 */
export function buildTokenAsk(request: TokenAskRequest): UnsignedOrder<'ask'> {
  const ready = readRequest(request, 'ask')
  const { tokenid, from, created, book } = ready
  const { units, price = 0n } = ready.asked
  const expiryHeight = readEnd(ready)
  const offer = { tokenid, units, price, from, created, expiryHeight }
  const problems = askRoyaltyProblems(price, book.royaltyMost(offer))
  throwFirst(problems.filter(({ code }) => code === 'orderPrice'))
  const { tokens, unproven } = readTokens(request, ready)
  const draft = draftOf(book.ask(offer, 0n), ready)
  const chosen = chooseTokens({ tokens, native: ready.native }, units, draft, ready)
  const layout = book.ask(offer, sumOf(chosen.tokens) - units)
  const ends = { ...(book.ends && { expiryHeight }) }
  const intent = { kind: 'ask', tokenid, units, price, ...ends } as const
  return finished(ready, intent, layout, { ...chosen, order: [] }, unproven)
}

/**
 * Builds an offer of coins for token units as komodod would, unsigned.
 *
 * @param request - units of the token, satoshis for all of them
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} as `buildTokenAsk`, except the codes about token coins;
 * `amount_out_of_range`
 *   on komodod's chains for more than one unit without `allowUnenforcedPrice`
 * @see komodo src/cc/CCassetstx.cpp, CreateBuyOffer
 * @example
 * buildTokenBid({
 *   tokenid, units: 10n, price: 1_000_000n, allowUnenforcedPrice: true, from, coins,
 *   previousTransactions, tokenCreate, tipHeight: 101,
 * }).hex
 */
export function buildTokenBid(request: TokenBidRequest): UnsignedOrder<'bid'> {
  const ready = readRequest(request, 'bid')
  const { tokenid, from, created, book } = ready
  const { units, price = 0n } = ready.asked
  const expiryHeight = readEnd(ready)
  const { allowUnenforcedPrice } = request
  const layout = book.bid({ tokenid, units, price, from, created, expiryHeight })
  const native = choose(price + markerSats, layout, ready)
  const spendable = native.map(({ txid, vout }) => ({ txid, vout }))
  const terms = {
    ...(book.ends && { expiryHeight }),
    ...(allowUnenforcedPrice !== undefined && { allowUnenforcedPrice }),
  }
  const intent = { kind: 'bid', tokenid, units, price, ...terms, spendable } as const
  return finished(ready, intent, layout, { tokens: [], native, order: [] }, [])
}

/**
 * Builds the purchase of units from an ask, unsigned. The cost is rounded up to whole satoshis. If
 * nothing is rounded, the transaction equals komodod's.
 *
 * @param request - `units` to buy, at most those that the ask still offers
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {TypeError} without a `price` or `priceMax`
 * @throws {AntaraError} as `buildTokenBid`; `order_malformed`, `order_fill`, `order_price`,
 *   `token_disproven`
 * @see komodo src/cc/CCassetstx.cpp, FillSell
 * @example
 * buildTokenFillAsk({
 *   tokenid, order: ask, units: 30n, priceMax: 300_000n, from, coins, previousTransactions,
 *   tokenCreate, tipHeight: 99,
 * }).hex
 */
export function buildTokenFillAsk(request: TokenFillAskRequest): UnsignedOrder<'fillAsk'> {
  const ready = readRequest(request, 'fillAsk')
  const { tokenid, book } = ready
  const { coin, txid, unproven, ...taken } = readOrder(ready, 'ask')
  const fill = readFill(taken, ready)
  const layout = book.fillAsk(taken, fill)
  const native = choose(fill.coins + markerOf(layout), layout, ready)
  const intent = { kind: 'fillAsk', tokenid, order: txid, units: fill.units, price: fill.coins }
  return finished(
    ready,
    intent as Bare<'fillAsk'>,
    layout,
    { tokens: [], native, order: [coin] },
    unproven,
  )
}

/**
 * Builds the sale of units to a bid as komodod would, unsigned.
 *
 * @param request - `units` to sell, at most those that the bid still wants
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {TypeError} without a `price` or `priceMin`
 * @throws {AntaraError} as `buildTokenAsk`; `order_malformed`, `order_fill`, `order_price`
 * @see komodo src/cc/CCassetstx.cpp, FillBuyOffer
 * @example
 * buildTokenFillBid({
 *   tokenid, order: bid, units: 4n, priceMin: 40_000n, from, tokenCoins, coins,
 *   previousTransactions, tokenCreate, tipHeight: 102,
 * }).hex
 */
export function buildTokenFillBid(request: TokenFillBidRequest): UnsignedOrder<'fillBid'> {
  const ready = readRequest(request, 'fillBid')
  const { tokenid, book } = ready
  const { coin, txid, ...taken } = readOrder(ready, 'bid')
  const fill = readFill(taken, ready)
  const { tokens, unproven } = readTokens(request, ready)
  const draft = draftOf(book.fillBid(taken, fill, 0n), ready)
  const chosen = chooseTokens({ tokens, native: ready.native }, fill.units, draft, ready)
  const layout = book.fillBid(taken, fill, sumOf(chosen.tokens) - fill.units)
  const { units, coins } = fill
  const sold = soldFor(fill, taken)
  // A seller who pays a royalty gets less than the price, so the request states what arrives.
  const price = sold === coins ? { price: coins } : { priceMin: sold }
  const intent = { kind: 'fillBid', tokenid, order: txid, units, ...price }
  return finished(ready, intent as Bare<'fillBid'>, layout, { ...chosen, order: [coin] }, unproven)
}

/**
 * Builds the cancellation of your own ask as komodod would, unsigned.
 *
 * @param request - `order` is the txid of the offer; the fee in satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} as `buildTokenFillAsk`, except the codes about prices; `order_not_own`
 * @see komodo src/cc/CCassetstx.cpp, CancelSell
 * @example
 * buildTokenCancelAsk({
 *   tokenid, order: ask, from, coins, previousTransactions, tokenCreate, tipHeight: 100,
 * }).hex
 */
export function buildTokenCancelAsk(request: TokenCancelRequest): UnsignedOrder<'cancelAsk'> {
  return buildCancel(request, 'cancelAsk')
}

/**
 * Builds the cancellation of your own bid, unsigned. Unlike komodod, it spends the marker too and
 * returns its coins.
 *
 * @param request - `order` is the txid of the offer; the fee in satoshis
 * @returns hex without signatures, with what is needed to verify and sign it anywhere
 * @throws {AntaraError} as `buildTokenCancelAsk`; the creation of the token is not needed
 * @see komodo src/cc/CCassetstx.cpp, CancelBuyOffer
 * @example
 * buildTokenCancelBid({
 *   tokenid, order: bid, from, coins, previousTransactions, tipHeight: 103,
 * }).hex
 */
export function buildTokenCancelBid(request: TokenCancelRequest): UnsignedOrder<'cancelBid'> {
  return buildCancel(request, 'cancelBid')
}

function buildCancel<Kind extends 'cancelAsk' | 'cancelBid'>(
  request: TokenCancelRequest,
  kind: Kind,
): UnsignedOrder<Kind> {
  const isOfAsk = kind === 'cancelAsk'
  const ready = readRequest(request, kind)
  const { tokenid, from, book } = ready
  const { coin, txid, unproven, ...taken } = readOrder(ready, isOfAsk ? 'ask' : 'bid')
  const { origin } = taken.order
  if (origin !== from) {
    throw new AntaraError('order_not_own', { path: 'order', expected: from, actual: origin })
  }
  const marker = readMarker(taken.order, txid, ready)
  const layout = isOfAsk ? book.cancelAsk(taken) : book.cancelBid(taken)
  const native = chooseBeside(coin.value + marker.value, layout, ready)
  const chosen = { tokens: [], native, order: [coin, marker] }
  return finished(ready, { kind, tokenid, order: txid } as Bare<Kind>, layout, chosen, unproven)
}

/**
 * Reads the marker of an order, by which its maker finds it. On komodod's chains only the maker can
 * spend it. tokeld lets the module's key spend it too, in the cancellation of any order that has
 * ended.
 */
function readMarker(order: OpenOrder, txid: string, { book, sources }: ReadyRequest): SpentCoin {
  const path = 'order'
  const { outputs } = sources.get(txid)!
  const script = (book.ends ? markerScriptOfV2 : markerScriptOf)(order.origin)
  const found = book.markerVout(order, outputs)
  const vout = found >= 0 ? found : outputs.findIndex((it) => it.script === script)
  if (vout < 0) throw malformedOrder(path, expectedMarker, 'no such output')
  const marker = readCoin({ txid, vout }, 'order', sources, path)
  if (marker.script !== script) throw malformedOrder(path, expectedMarker, marker.script)
  if (marker.value !== markerSats) throw malformedOrder(path, expectedMarker, marker.value)
  return marker
}

function draftOf({ outputs, nulldata }: OrderLayout, { from, book }: ReadyRequest): Purpose {
  return { outputs, nulldata, changeKey: from, layout: book.layout }
}

/** Chooses token coins for the units, and native coins for the marker and the fee. */
function chooseTokens(
  offered: ChosenCoins,
  units: bigint,
  purpose: Purpose,
  { terms, request }: ReadyRequest,
): ChosenCoins {
  const paying = { ...terms, fee: terms.fee + markerOf(purpose) }
  return chooseForTransfer(offered, units, purpose, paying, request.spend)
}

/** Returns the satoshis of the order's marker output; 0n if this step makes none. */
function markerOf({ outputs }: Pick<OrderLayout, 'outputs'> | Purpose): bigint {
  const markers = outputs.filter((it) => 'role' in it && it.role === 'order-marker')
  return sumOf(markers)
}

/** Chooses native coins for `amount` and the fee. */
function choose(amount: bigint, layout: OrderLayout, ready: ReadyRequest): readonly SpentCoin[] {
  const { native, terms, request } = ready
  return chooseNative(native, amount, draftOf(layout, ready), terms, request.spend)
}

/**
 * Chooses native coins for the part of the fee that `brought` does not pay; none if it pays all.
 */
function chooseBeside(
  brought: bigint,
  layout: OrderLayout,
  ready: ReadyRequest,
): readonly SpentCoin[] {
  const { native, terms, request } = ready
  const fee = terms.fee - (brought - sumOf(layout.outputs))
  if (fee <= 0n) return []
  return chooseForFee(native, draftOf(layout, ready), { ...terms, fee }, request.spend)
}

type Bare<Kind extends TokenOrderIntent['kind']> = Omit<
  Extract<TokenOrderIntent, { readonly kind: Kind }>,
  'from' | 'network' | 'fee' | 'maxFee'
>

interface Inputs extends ChosenCoins {
  /** The spent output of the order; it comes after the first native coin. */
  readonly order: readonly SpentCoin[]
}

function finished<Kind extends TokenOrderIntent['kind']>(
  ready: ReadyRequest,
  intent: Bare<Kind>,
  layout: OrderLayout,
  { native, tokens, order }: Inputs,
  unproven: readonly SpentCoin[],
): UnsignedOrder<Kind> {
  const { request, terms, from, creation } = ready
  const draft = { ...draftOf(layout, ready), native, tokens: [...order, ...tokens] }
  const { hex, coins, fee } = assemble(draft, terms)
  const { network, maxFee } = terms
  const { tipHeight, previousTransactions } = request
  const kind = (intent as { kind: Kind }).kind
  const asked = { ...intent, from, network, fee: terms.fee, maxFee }
  return withEvidence({
    operation: orderOperations[kind],
    intent: asked as unknown as SpelledOut<Extract<TokenOrderIntent, { readonly kind: Kind }>>,
    hex,
    previousTransactions: previousTransactions.map((it) => it.toLowerCase()),
    ...(creation !== undefined && { tokenCreate: creation.hex }),
    ...(tipHeight !== undefined && { tipHeight }),
    coins,
    fee,
    unproven: unproven
      .filter((it) => coins.some(({ txid, vout }) => txid === it.txid && vout === it.vout))
      .map(({ txid, vout }) => ({ txid, vout })),
  }) as unknown as UnsignedOrder<Kind>
}
