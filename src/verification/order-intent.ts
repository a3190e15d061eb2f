// What wallets ask of orders, judged before any transaction is looked at.

import { moduleNames } from '../chain/modules.ts'
import type { IntentTerms } from '../intent/intent.ts'
import type { TokenOrderIntent } from '../intent/order.ts'
import { satsMax } from '../primitives/amount.ts'
import { requireBigint, requireObject, requireString } from '../primitives/misuse.ts'
import { tellableKey } from '../primitives/tellable-key.ts'
import { tradedSatsMin } from '../token/rules/order-fill.ts'
import { type Judged, judgeAmount, judgeOwnKey, judgeTokenid } from './judge-intent.ts'
import { judgeTerms, type ReadyTerms } from './judge-terms.ts'
import { type Finding, finding } from './report.ts'

type Kind = TokenOrderIntent['kind']

/** A step of an order that was asked for, spelled out: hex in lower case, nothing left to defaults. */
export interface ReadyOrder<One extends Kind = Kind> {
  readonly kind: One
  readonly tokenid: string
  readonly from: string
  /** Id of the transaction that has the order; '' for an offer. */
  readonly order: string
  /** 0 to cancel. */
  readonly units: bigint
  /** Satoshis; absent where they follow from the order. */
  readonly price?: bigint
  readonly terms: ReadyTerms
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function judgeOrderIntent(given: TokenOrderIntent): Judged<ReadyOrder> {
  requireObject(given, 'intent')
  requireString(given.tokenid, 'intent.tokenid')
  requireString(given.from, 'intent.from')
  const members = requireMembers(given)
  const { terms, findings } = judgeTerms(given)
  const tokenid = given.tokenid.toLowerCase()
  const from = given.from.toLowerCase()
  const { order = '', units, price } = members
  return {
    intent: {
      kind: given.kind,
      tokenid,
      from,
      order: order.toLowerCase(),
      units: units ?? 0n,
      ...(price !== undefined && { price }),
      terms,
    },
    findings: [
      ...findings,
      ...judgeTokenid(tokenid),
      ...judgeMaker(given.from),
      ...judgeChain(terms),
      ...(members.order === undefined ? [] : judgeOrderId(order)),
      ...(units === undefined ? [] : judgeAmount(units, 'intent.units')),
      ...(price === undefined ? [] : judgePrice(price)),
    ],
  }
}

interface OrderMembers {
  readonly order?: string
  readonly units?: bigint
  readonly price?: bigint
}

/** Members by kind, as a caller in plain JavaScript may have left them. */
function requireMembers(given: TokenOrderIntent & IntentTerms): OrderMembers {
  const { kind } = given
  if (kind === 'ask' || kind === 'bid') {
    requireBigint(given.units, 'intent.units')
    requireBigint(given.price, 'intent.price')
    return { units: given.units, price: given.price }
  }
  requireString(given.order, 'intent.order')
  if (kind === 'cancelAsk' || kind === 'cancelBid') return { order: given.order }
  requireBigint(given.units, 'intent.units')
  if (given.price !== undefined) requireBigint(given.price, 'intent.price')
  const { order, units, price } = given
  return { order, units, ...(price !== undefined && { price }) }
}

/** Orders by a module's key would be anybody's to cancel. */
function judgeMaker(from: string): Finding[] {
  const path = 'intent.from'
  const module = moduleNames.get(from.toLowerCase())
  if (module !== undefined) return [finding('intent_module_key', path, { actual: module })]
  return judgeOwnKey(from, path)
}

/** The rules here are komodod's; tokeld's orders are laid out otherwise. */
function judgeChain({ network }: ReadyTerms): Finding[] {
  if (network.conditions !== 'tokel') return []
  const details = { expected: "a chain with komodod's orders", actual: network.name }
  return [finding('intent_network', 'intent.network', details)]
}

function judgeOrderId(order: string): Finding[] {
  if (/^[0-9a-f]{64}$/i.test(order)) return []
  return [finding('intent_order', 'intent.order', { actual: tellableKey(order) })]
}

function judgePrice(price: bigint): Finding[] {
  if (price >= tradedSatsMin && price <= satsMax) return []
  const details = { expected: `at least ${tradedSatsMin}`, actual: price }
  return [finding('intent_price', 'intent.price', details)]
}
