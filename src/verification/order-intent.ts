// Checks requests for orders before any transaction is read.

import { argumentError, requireObject } from '../primitives/arguments.ts'
import { requireIntent } from '../request/members.ts'
import { orderForms, type TokenOrderIntent } from '../request/order.ts'
import { type AskedOrder, orderProblems } from '../request/order-problems.ts'
import { problemFindings } from '../request/problem.ts'
import { checkTerms, type IntentTerms, type ReadyTerms } from '../request/terms.ts'
import type { Checked } from './check-intent.ts'

/**
 * A requested step of an order, normalized: hex in lower case, and every default filled in.
 */
export interface ReadyOrder extends Omit<AskedOrder, 'end'> {
  /** Id of the transaction that has the order; '' for an offer. */
  readonly order: string
  /** 0 to cancel. */
  readonly units: bigint
  /** The requested end of an offer; absent if the request has none. */
  readonly expiryHeight?: number | undefined
  readonly terms: ReadyTerms
}

/** @throws {TypeError} for members of the wrong type; wrong values are findings */
export function checkOrderIntent(given: TokenOrderIntent): Checked<ReadyOrder> {
  requireObject(given, 'intent')
  const { kind } = given
  if (!Object.hasOwn(orderForms, kind)) {
    throw argumentError('intent.kind', Object.keys(orderForms).join(', '), kind)
  }
  requireIntent<IntentTerms>(given, orderForms[kind])
  const { terms, problems } = checkTerms(given)
  const { expiryHeight, ...members } = given as AskedOrder & { readonly expiryHeight?: number }
  const end =
    expiryHeight === undefined ? undefined : { height: expiryHeight, path: 'expiryHeight' }
  const { tokenid, from, order = '', units = 0n } = members
  return {
    intent: {
      ...members,
      tokenid: tokenid.toLowerCase(),
      from: from.toLowerCase(),
      order: order.toLowerCase(),
      units,
      expiryHeight,
      terms,
    },
    findings: problemFindings([...problems, ...orderProblems({ ...members, end }, terms.network)]),
  }
}
