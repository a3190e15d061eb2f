// Checks requests for orders before any transaction is read.

import { argumentError, requireObject } from '../primitives/arguments.ts'
import { requireIntent } from '../request/members.ts'
import { orderForms, type TokenOrderIntent } from '../request/order.ts'
import { orderProblems } from '../request/order-problems.ts'
import { problemFindings } from '../request/problem.ts'
import { checkTerms, type IntentTerms, type ReadyTerms } from '../request/terms.ts'
import { requireFillPrice } from '../token/rules/order-price.ts'
import type { Checked } from './check-intent.ts'

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
  const { kind, tokenid, from } = given
  const { order = '', units = 0n, expiryHeight: end, ...rest } = members
  const ends = end !== undefined && { end: { height: end, path: 'expiryHeight' } }
  const asked = { ...members, kind, tokenid, from, ...ends }
  return {
    intent: {
      ...rest,
      kind,
      tokenid: tokenid.toLowerCase(),
      from: from.toLowerCase(),
      order: order.toLowerCase(),
      units,
      ...(end !== undefined && { expiryHeight: end }),
      terms,
    },
    findings: [...findings, ...problemFindings(orderProblems(asked, terms.network))],
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
  const members = Object.keys(forms).map((name) => [name, given[name as keyof typeof given]])
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}
