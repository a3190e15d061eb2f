import { AntaraError } from '../../errors/antara-error.ts'
import type { ReadyOrder } from '../../verification/order-intent.ts'
import { coinsOfSats } from '../amounts.ts'

type Step = 'ask' | 'bid' | 'fillask' | 'fillbid' | 'cancelask' | 'cancelbid'

interface OrderCall {
  readonly name: `token${Step}` | `tokenv2${Step}`
  readonly params: readonly string[]
}

/** Returns the daemon's call for a step of an order. @throws {AntaraError} as `coinsPerUnitOf` */
export function orderCall(normalized: ReadyOrder): OrderCall {
  const isTokel = normalized.terms.network.conditions === 'tokel'
  return isTokel ? orderCallV2(normalized) : komodoCall(normalized)
}

/** Tokeld reads a price exactly. */
function orderCallV2({
  kind,
  tokenid,
  order,
  units,
  price = 0n,
  expiryHeight,
}: ReadyOrder): OrderCall {
  const step = kind.toLowerCase() as Step
  const name = `tokenv2${step}` as const
  if (step === 'ask' || step === 'bid') {
    const ends = expiryHeight === undefined ? [] : [expiryHeight.toString()]
    return { name, params: [units.toString(), tokenid, coinsOfSats(price / units), ...ends] }
  }
  const count = step === 'fillask' || step === 'fillbid' ? [units.toString()] : []
  return { name, params: [tokenid, order, ...count] }
}

function komodoCall({ kind, tokenid, order, units, price }: ReadyOrder): OrderCall {
  const count = units.toString()
  switch (kind) {
    case 'ask':
      return { name: 'tokenask', params: [count, tokenid, coinsPerUnitOf(price!, units)] }
    case 'bid':
      return { name: 'tokenbid', params: [count, tokenid, coinsPerUnitOf(price!, units)] }
    case 'fillAsk':
      return { name: 'tokenfillask', params: [tokenid, order, count] }
    case 'fillBid':
      return { name: 'tokenfillbid', params: [tokenid, order, count] }
    case 'cancelAsk':
      return { name: 'tokencancelask', params: [tokenid, order] }
    case 'cancelBid':
      return { name: 'tokencancelbid', params: [tokenid, order] }
  }
}

const digitsMax = 20

/**
 * Returns the coins per unit as text from which the daemon's doubles reach the total price.
 *
 * @throws {AntaraError} `order_price` if no text does
 * @see komodo src/rpc/tokensrpc.cpp, tokenask: atof(price) * COIN * numtokens, cut
 */
export function coinsPerUnitOf(price: bigint, units: bigint): string {
  // Begins with the truncated exact quotient and goes up, because the daemon truncates the product.
  for (let digits = 8; digits <= digitsMax; digits += 1) {
    const scale = 10n ** BigInt(digits - 8)
    const quotient = (price * scale) / units
    for (const each of [quotient, quotient + 1n]) {
      const text = decimal(each, digits)
      if (daemonPrice(text, units) === price) return text
    }
  }
  const actual = daemonPrice(decimal(price / units, 8), units)
  throw new AntaraError('order_price', { path: 'intent.price', expected: price, actual })
}

function decimal(value: bigint, digits: number): string {
  const text = value.toString().padStart(digits + 1, '0')
  const fraction = text.slice(-digits).replace(/0+$/, '')
  return `${text.slice(0, -digits)}${fraction === '' ? '' : `.${fraction}`}`
}

function daemonPrice(text: string, units: bigint): bigint {
  return BigInt(Math.trunc(Number(text) * Number(units) * 100_000_000 + 0.0000000049999))
}
