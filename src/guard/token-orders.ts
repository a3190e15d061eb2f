// The requests that calls for orders of tokens make.

import { satsMax } from '../primitives/amount.ts'
import type { JsonValue } from '../primitives/json.ts'
import { daemonPrice } from '../rpc/safe-flow/order-call.ts'
import { tradedSatsMin } from '../token/rules/order-fill.ts'
import { commonTerms, type RequestTerms, type TokenMethod } from './token-method.ts'
import { coins, matching, txid, units } from './token-parameters.ts'

function priceOf(params: readonly JsonValue[], { network }: RequestTerms): bigint {
  const count = units(params, 0)
  if (network.conditions === 'tokel') return coins(params, 2) * count
  const each = matching(/^\d{1,10}(?:\.\d{1,24})?$/, 'coins per unit in decimal digits')(params, 2)
  return daemonPrice(each, count)
}

export const offer = (kind: 'ask' | 'bid'): TokenMethod => ({
  counts: [3, 3],
  request(params, terms) {
    const intent = {
      tokenid: txid(params, 1),
      units: units(params, 0),
      price: priceOf(params, terms),
      from: terms.pubkey,
      ...commonTerms(terms),
    }
    if (kind === 'ask') return { operation: 'tokenask', intent: { kind, ...intent } }
    const allowance = terms.allowsUnenforcedPrices ? { allowUnenforcedPrice: true } : {}
    return { operation: 'tokenbid', intent: { kind, ...intent, ...allowance } }
  },
})

const ofOrder = (params: readonly JsonValue[], terms: RequestTerms) => ({
  tokenid: txid(params, 0),
  order: txid(params, 1),
  from: terms.pubkey,
  ...commonTerms(terms),
})

// The order names its price in bytes that nobody can change, so the id in the call bounds it.
const anyPrice = satsMax
const leastPrice = tradedSatsMin

export const fillAsk: TokenMethod = {
  counts: [3, 3],
  request: (params, terms) => ({
    operation: 'tokenfillask',
    intent: {
      kind: 'fillAsk',
      ...ofOrder(params, terms),
      units: units(params, 2),
      priceMax: anyPrice,
    },
  }),
}

export const fillBid: TokenMethod = {
  counts: [3, 3],
  request: (params, terms) => ({
    operation: 'tokenfillbid',
    intent: {
      kind: 'fillBid',
      ...ofOrder(params, terms),
      units: units(params, 2),
      priceMin: leastPrice,
    },
  }),
}

export const cancelAsk: TokenMethod = {
  counts: [2, 2],
  request: (params, terms) => ({
    operation: 'tokencancelask',
    intent: { kind: 'cancelAsk', ...ofOrder(params, terms) },
  }),
}

export const cancelBid: TokenMethod = {
  counts: [2, 2],
  request: (params, terms) => ({
    operation: 'tokencancelbid',
    intent: { kind: 'cancelBid', ...ofOrder(params, terms) },
  }),
}
