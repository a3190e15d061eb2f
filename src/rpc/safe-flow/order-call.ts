import { AntaraError } from '../../errors/antara-error.ts'
import { formatCoins } from '../../primitives/amount.ts'
import type { ReadyOrder } from '../../verification/order-intent.ts'
import type { BuildCall } from './build-call.ts'

/**
 * Returns the daemon's call for a step of an order. Tokeld reads a price exactly.
 *
 * @throws {AntaraError} as `coinsPerUnitOf`
 */
export function orderCall({
  kind,
  tokenid,
  order,
  units,
  price = 0n,
  expiryHeight,
  terms,
}: ReadyOrder): BuildCall {
  const isTokel = terms.network.conditions === 'tokel'
  const step = kind.toLowerCase() as Lowercase<typeof kind>
  const name = isTokel ? (`tokenv2${step}` as const) : (`token${step}` as const)
  const count = units.toString()
  if (step === 'ask' || step === 'bid') {
    const each = isTokel ? formatCoins(price / units) : coinsPerUnitOf(price, units)
    const end = expiryHeight === undefined ? [] : [expiryHeight.toString()]
    return { name, params: [count, tokenid, each, ...end] }
  }
  const filled = step === 'fillask' || step === 'fillbid' ? [count] : []
  return { name, params: [tokenid, order, ...filled] }
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

/** Returns the price of all units in satoshis, as komodod reads a text of coins per unit. */
export function daemonPrice(text: string, units: bigint): bigint {
  return BigInt(Math.trunc(Number(text) * Number(units) * 100_000_000 + 0.0000000049999))
}
