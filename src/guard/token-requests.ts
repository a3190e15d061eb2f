// The requests that calls of token methods make: one row per method, from its parameters to a request.

import type { JsonValue } from '../primitives/json.ts'
import type { AskedFor } from '../request/case.ts'
import { refusedParameter } from './refusals.ts'
import { create, createTokel } from './token-creations.ts'
import type { RequestTerms, TokenMethod } from './token-method.ts'
import { cancelAsk, cancelBid, fillAsk, fillBid, offer } from './token-orders.ts'
import {
  burn,
  transferMany,
  transferToHolder,
  transferToKey,
  transferToKeys,
} from './token-transfers.ts'

/**
 * Returns the request that a call of a token method makes.
 *
 * @throws {RpcFailure} for parameters that the guard does not read as the daemon does
 */
export function tokenRequest(
  method: string,
  params: readonly JsonValue[],
  terms: RequestTerms,
): AskedFor {
  const { counts, request } = tokenMethods[method]!
  const [min, max] = counts
  if (params.length >= min && params.length <= max) return request(params, terms)
  const range = max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`
  throw refusedParameter('params', min === max ? `${min}` : range)
}

/** Every token method that a guard verifies. */
export const tokenMethods: Readonly<Record<string, TokenMethod>> = {
  tokencreate: create(1),
  tokencreatetokel: createTokel(1),
  tokentransfer: transferToKey,
  tokenburn: burn,
  tokenask: offer('ask'),
  tokenbid: offer('bid'),
  tokenfillask: fillAsk,
  tokenfillbid: fillBid,
  tokencancelask: cancelAsk,
  tokencancelbid: cancelBid,
  tokenv2create: create(2),
  tokenv2createtokel: createTokel(2),
  tokenv2transfer: transferToHolder,
  tokenv2transfermany: transferMany,
  tokenv2transferMofN: transferToKeys,
  tokenv2burn: burn,
  tokenv2ask: { ...offer('ask'), isBare: true },
  tokenv2bid: { ...offer('bid'), isBare: true },
  tokenv2fillask: { ...fillAsk, isBare: true },
  tokenv2fillbid: { ...fillBid, isBare: true },
  tokenv2cancelask: { ...cancelAsk, isBare: true },
  tokenv2cancelbid: { ...cancelBid, isBare: true },
}
