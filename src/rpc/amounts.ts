import { satsMax } from '../primitives/amount.ts'

/** Satoshis in a coin; a token unit is one satoshi of its output's value. */
const coinDigits = 8

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Converts a decimal text in coins to satoshis, exactly. Returns `undefined` if the text is not a
 * decimal number, has a fraction of a satoshi, or exceeds a signed 64-bit integer.
 *
 * The daemon prints 8 decimals. The documentation's samples went through a tool that prints `10.0`
 * and `1e-06`, so exponents are read too.
 */
export function satsOfCoins(text: string): bigint | undefined {
  const match = decimal.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  const shift = Number(exponent) - fraction.length + coinDigits
  // Longer than any amount. The limit also bounds the cost of the arithmetic.
  if (digits.length > 64 || Math.abs(shift) > 64) return undefined
  const scale = 10n ** BigInt(Math.abs(shift))
  const value = BigInt(digits)
  if (shift < 0 && value % scale !== 0n) return undefined
  const sats = shift < 0 ? value / scale : value * scale
  if (sats > satsMax) return undefined
  return sign === '-' ? -sats : sats
}

/** Returns the integer of a JSON number without fraction and exponent; otherwise `undefined`. */
export function integerOf(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined
  const value = BigInt(text)
  return BigInt.asIntN(64, value) === value ? value : undefined
}
