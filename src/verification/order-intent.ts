// Checks requests for orders before any transaction is read.

import { orderHeightMax } from '../chain/limits.ts'
import { satsMax } from '../primitives/amount.ts'
import { argumentError, requireObject } from '../primitives/arguments.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { requireIntent } from '../request/members.ts'
import { orderForms, type TokenOrderIntent } from '../request/order.ts'
import { type Finding, finding } from '../request/report.ts'
import { checkTerms, type IntentTerms, type ReadyTerms } from '../request/terms.ts'
import { type OrderBook, ordersOf } from '../token/rules/order-book.ts'
import { tradedSatsMin } from '../token/rules/order-fill.ts'
import { priceRefusal, requireFillPrice } from '../token/rules/order-price.ts'
import { type Checked, checkAmount, checkOwnKey, checkTokenid } from './check-intent.ts'

type Kind = TokenOrderIntent['kind']

/**
 * A step of an order that was asked for, spelled out: hex in lower case, nothing left to defaults.
 */
export interface ReadyOrder<One extends Kind = Kind> {
  readonly kind: One
  readonly tokenid: string
  readonly from: string
  /** Id of the transaction that has the order; '' for an offer. */
  readonly order: string
  /** 0 to cancel. */
  readonly units: bigint
  /** Satoshis; absent in a cancellation, and where a fill has a bound instead. */
  readonly price?: bigint
  readonly priceMax?: bigint
  readonly priceMin?: bigint
  /** The requested end of an offer; absent if the request has none. */
  readonly expiryHeight?: number
  readonly terms: ReadyTerms
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function checkOrderIntent(given: TokenOrderIntent): Checked<ReadyOrder> {
  const members = requireMembers(given)
  const { terms, findings } = checkTerms(given)
  const tokenid = given.tokenid.toLowerCase()
  const from = given.from.toLowerCase()
  const { order = '', units, price, priceMax, priceMin, expiryHeight } = members
  return {
    intent: {
      kind: given.kind,
      tokenid,
      from,
      order: order.toLowerCase(),
      units: units ?? 0n,
      ...(price !== undefined && { price }),
      ...(priceMax !== undefined && { priceMax }),
      ...(priceMin !== undefined && { priceMin }),
      ...(expiryHeight !== undefined && { expiryHeight }),
      terms,
    },
    findings: [
      ...findings,
      ...checkTokenid(tokenid),
      ...checkOwnKey(given.from, 'from'),
      ...(members.order === undefined ? [] : checkOrderId(order)),
      ...(units === undefined ? [] : checkAmount(units, 'units')),
      ...checkPrice(price, 'price'),
      ...checkPrice(priceMax, 'priceMax'),
      ...checkPrice(priceMin, 'priceMin'),
      ...checkOffer(given.kind, members, terms),
    ],
  }
}

interface OrderMembers {
  readonly order?: string
  readonly units?: bigint
  readonly price?: bigint
  readonly priceMax?: bigint
  readonly priceMin?: bigint
  readonly expiryHeight?: number
  readonly allowUnenforcedPrice?: boolean
}

/** Returns the members that the kind of the step has, each of the right type. */
function requireMembers(given: TokenOrderIntent): OrderMembers {
  requireObject(given, 'intent')
  const { kind } = given
  if (!Object.hasOwn(orderForms, kind)) {
    throw argumentError('intent.kind', Object.keys(orderForms).join(', '), kind)
  }
  const forms = orderForms[kind]
  requireIntent<IntentTerms>(given, forms)
  if (kind === 'fillAsk' || kind === 'fillBid') requireFillPrice(kind, given, 'intent.')
  return Object.fromEntries(
    Object.keys(forms).map((name) => [name, given[name as keyof typeof given]]),
  )
}

/** Returns findings about an offer by the order rules of the network. */
function checkOffer(kind: Kind, members: OrderMembers, { network }: ReadyTerms): Finding[] {
  if (kind !== 'ask' && kind !== 'bid') return []
  const book = ordersOf(network)
  const { expiryHeight } = members
  return [...checkEnd(expiryHeight, book.ends), ...checkOfferedPrice(kind, members, book)]
}

/** Only tokeld's offers have an end. */
function checkEnd(expiryHeight: number | undefined, ends: boolean): Finding[] {
  if (expiryHeight === undefined || (ends && expiryHeight <= orderHeightMax)) return []
  const expected = ends ? `at most ${orderHeightMax}` : 'no end, on this network'
  return [finding('order_expiry', 'intent.expiryHeight', { expected, actual: expiryHeight })]
}

function checkOfferedPrice(
  kind: 'ask' | 'bid',
  { units = 0n, price = 0n, allowUnenforcedPrice }: OrderMembers,
  book: OrderBook,
): Finding[] {
  // Prices that are wrong on every network have a finding already.
  if (units < 1n || price < tradedSatsMin) return []
  const refused = priceRefusal({ kind, units, price, allowUnenforcedPrice }, book)
  if (refused === undefined) return []
  const { isUnenforced, member, expected, actual } = refused
  const code = isUnenforced === true ? 'intent_price_unenforced' : 'intent_price'
  return [finding(code, `intent.${member}`, { expected, actual })]
}

function checkOrderId(order: string): Finding[] {
  if (/^[0-9a-f]{64}$/i.test(order)) return []
  return [finding('intent_order', 'intent.order', { actual: redactKey(order) })]
}

function checkPrice(price: bigint | undefined, member: string): Finding[] {
  if (price === undefined || (price >= tradedSatsMin && price <= satsMax)) return []
  const details = { expected: `at least ${tradedSatsMin}`, actual: price }
  return [finding('intent_price', `intent.${member}`, details)]
}
