// The requests that calls of token methods make: one row per method, from its parameters to an
// intent. A text that the daemon could read differently is refused. Sources: komodo
// src/wallet/rpcwallet.cpp, tokel src/rpc/tokensrpc.cpp (atoll, atof, Parseuint256, ParseHex).

import { burnKeysOf } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { parseCoins, satsMax } from '../primitives/amount.ts'
import { isCompressedKey, isHex32 } from '../primitives/hex-forms.ts'
import type { JsonValue } from '../primitives/json.ts'
import type { AskedFor } from '../request/case.ts'
import { daemonPrice } from '../rpc/safe-flow/order-call.ts'
import { refusedParameter } from './refusals.ts'

/** Facts that a guard has besides the parameters. */
export interface RequestTerms {
  readonly network: Network
  /** The key of the daemon, which pays and gets the change. */
  readonly pubkey: string
  readonly allowsUnenforcedPrices: boolean
  readonly maxFee: bigint | undefined
}

interface TokenMethod {
  /** Numbers of parameters that the method takes. */
  readonly counts: readonly [min: number, max: number]
  /** True for methods of tokeld whose answer has no member `result`. */
  readonly isBare?: true
  /** @throws {RpcFailure} for parameters that the guard does not read */
  request(params: readonly string[], terms: RequestTerms): AskedFor
}

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
  if (params.length < min || params.length > max) {
    throw refusedParameter('params', min === max ? `${min}` : `${min} to ${max}`)
  }
  // komodo: get_str() refuses everything else, too.
  const texts = params.map((value, at) => {
    if (typeof value === 'string') return value
    throw refusedParameter(`params[${at}]`, 'a text')
  })
  return request(texts, terms)
}

/** Reads the parameter at a place; the parameter is there, because the row counts them. */
type Read<Value> = (params: readonly string[], at: number) => Value

const matching =
  (pattern: RegExp, expected: string): Read<string> =>
  (params, at) => {
    const text = params[at]!
    if (pattern.test(text)) return text
    throw refusedParameter(`params[${at}]`, expected)
  }

/** Reads hex of one form, in lower case. */
const hexOf =
  (isOfForm: (text: string) => boolean, expected: string): Read<string> =>
  (params, at) => {
    const text = params[at]!.toLowerCase()
    if (isOfForm(text)) return text
    throw refusedParameter(`params[${at}]`, expected)
  }

const txid = hexOf(isHex32, 'a txid of 64 hex digits')
const key = hexOf(isCompressedKey, 'a compressed public key')
const hex = matching(/^(?:[0-9a-fA-F]{2})+$/, 'hex')
/** atoll would also take `1e3`, ` 5`, `1.5` and `0x10`, as other numbers than they look. */
const units: Read<bigint> = (params, at) => {
  const amount = BigInt(matching(/^[1-9]\d{0,18}$/, 'whole units in digits')(params, at))
  if (amount <= satsMax) return amount
  throw refusedParameter(`params[${at}]`, 'at most 9223372036854775807 units')
}
/** The daemon reads coins as a double; the verifier compares its transaction with the exact value. */
const coins: Read<bigint> = (params, at) => {
  const text = matching(/^(?:0|[1-9]\d{0,9})(?:\.\d{1,8})?$/, 'coins in decimal digits')(params, at)
  return parseCoins(text)
}
/** The address of a key, or a key. The verifier looks at it closer. */
const holder = matching(/^[0-9a-zA-Z]{26,66}$/, 'a public key or its address')
const text: Read<string> = (params, at) => params[at] ?? ''

const common = ({ network, maxFee }: RequestTerms) => ({
  network,
  ...(maxFee !== undefined && { maxFee }),
})

const transfer = (
  terms: RequestTerms,
  [tokenid, destination, amount]: readonly [tokenid: string, destination: string, amount: bigint],
): AskedFor => {
  const { network, pubkey } = terms
  const isBurn = (burnKeysOf[network.conditions ?? 'komodo'] ?? []).includes(destination)
  const intent = { tokenid, destination, amount, from: pubkey, ...common(terms) }
  return {
    operation: 'tokentransfer',
    intent: { ...intent, ...(isBurn && { burn: true }) },
  }
}

const create =
  (version: 1 | 2): TokenMethod['request'] =>
  (params, terms) => ({
    operation: 'tokencreate',
    intent: {
      name: text(params, 0),
      supply: coins(params, 1),
      description: text(params, 2),
      ...(params[3] !== undefined && { data: hex(params, 3) }),
      ...(terms.network.conditions === 'tokel' && { version }),
      owner: terms.pubkey,
      ...common(terms),
    },
  })

const priceOf = (params: readonly string[], { network }: RequestTerms): bigint => {
  const count = units(params, 0)
  if (network.conditions === 'tokel') return coins(params, 2) * count
  const each = matching(/^\d{1,10}(?:\.\d{1,24})?$/, 'coins per unit in decimal digits')(params, 2)
  return daemonPrice(each, count)
}

const offer = (kind: 'ask' | 'bid'): TokenMethod => ({
  counts: [3, 3],
  request(params, terms) {
    const intent = {
      tokenid: txid(params, 1),
      units: units(params, 0),
      price: priceOf(params, terms),
      from: terms.pubkey,
      ...common(terms),
    }
    if (kind === 'ask') return { operation: 'tokenask', intent: { kind, ...intent } }
    const allowance = terms.allowsUnenforcedPrices ? { allowUnenforcedPrice: true } : {}
    return { operation: 'tokenbid', intent: { kind, ...intent, ...allowance } }
  },
})

// The order names its price in bytes that nobody can change, so the id in the call bounds it.
const anyPrice = satsMax
const leastPrice = 1n

const fillAsk: TokenMethod = {
  counts: [3, 3],
  request: (params, terms) => ({
    operation: 'tokenfillask',
    intent: {
      kind: 'fillAsk',
      tokenid: txid(params, 0),
      order: txid(params, 1),
      units: units(params, 2),
      priceMax: anyPrice,
      from: terms.pubkey,
      ...common(terms),
    },
  }),
}

const fillBid: TokenMethod = {
  counts: [3, 3],
  request: (params, terms) => ({
    operation: 'tokenfillbid',
    intent: {
      kind: 'fillBid',
      tokenid: txid(params, 0),
      order: txid(params, 1),
      units: units(params, 2),
      priceMin: leastPrice,
      from: terms.pubkey,
      ...common(terms),
    },
  }),
}

const ofOrder = (params: readonly string[], terms: RequestTerms) => ({
  tokenid: txid(params, 0),
  order: txid(params, 1),
  from: terms.pubkey,
  ...common(terms),
})

const cancelAsk: TokenMethod = {
  counts: [2, 2],
  request: (params, terms) => ({
    operation: 'tokencancelask',
    intent: { kind: 'cancelAsk', ...ofOrder(params, terms) },
  }),
}

const cancelBid: TokenMethod = {
  counts: [2, 2],
  request: (params, terms) => ({
    operation: 'tokencancelbid',
    intent: { kind: 'cancelBid', ...ofOrder(params, terms) },
  }),
}

/** Every token method that a guard verifies. */
export const tokenMethods: Readonly<Record<string, TokenMethod>> = {
  tokencreate: { counts: [2, 4], request: create(1) },
  tokentransfer: {
    counts: [3, 3],
    request: (params, terms) =>
      transfer(terms, [txid(params, 0), key(params, 1), units(params, 2)]),
  },
  tokenask: offer('ask'),
  tokenbid: offer('bid'),
  tokenfillask: fillAsk,
  tokenfillbid: fillBid,
  tokencancelask: cancelAsk,
  tokencancelbid: cancelBid,
  tokenv2create: { counts: [2, 4], request: create(2) },
  tokenv2transfer: {
    counts: [3, 3],
    request: (params, terms) =>
      transfer(terms, [txid(params, 0), holder(params, 1), units(params, 2)]),
  },
  tokenv2ask: { ...offer('ask'), isBare: true },
  tokenv2bid: { ...offer('bid'), isBare: true },
  tokenv2fillask: { ...fillAsk, isBare: true },
  tokenv2fillbid: { ...fillBid, isBare: true },
  tokenv2cancelask: { ...cancelAsk, isBare: true },
  tokenv2cancelbid: { ...cancelBid, isBare: true },
}
