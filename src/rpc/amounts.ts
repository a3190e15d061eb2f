/** Satoshis in a coin; a token unit is one satoshi of its output's value. */
const coinDigits = 8

/** Largest amount the daemon can hold, and the smallest as a difference: a signed 64-bit integer. */
export const amountMax: bigint = 2n ** 63n - 1n

const decimal = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/

/**
 * Satoshis of a decimal text in coins, exactly; nothing if it is no such text, has a fraction of a
 * satoshi, or leaves a signed 64-bit integer.
 *
 * The daemon prints 8 decimals; the documentation's samples went through a tool that prints
 * `10.0` and `1e-06`, so exponents are read too.
 */
export function satsOfCoins(text: string): bigint | undefined {
  const match = decimal.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const digits = whole + fraction
  const shift = Number(exponent) - fraction.length + coinDigits
  // Longer than any amount: not worth the arithmetic, and a text of any length must not cost it.
  if (digits.length > 64 || Math.abs(shift) > 64) return undefined
  const scale = 10n ** BigInt(Math.abs(shift))
  const value = BigInt(digits)
  if (shift < 0 && value % scale !== 0n) return undefined
  const sats = shift < 0 ? value / scale : value * scale
  if (sats > amountMax) return undefined
  return sign === '-' ? -sats : sats
}

/** Coins with 8 decimals, as the daemon prints and reads them. */
export function coinsOfSats(sats: bigint): string {
  const digits = (sats < 0n ? -sats : sats).toString().padStart(coinDigits + 1, '0')
  const sign = sats < 0n ? '-' : ''
  return `${sign}${digits.slice(0, -coinDigits)}.${digits.slice(-coinDigits)}`
}

/** The integer of a JSON number written without fraction and exponent. */
export function integerOf(text: string): bigint | undefined {
  return /^-?\d{1,19}$/.test(text) ? withinInt64(BigInt(text)) : undefined
}

function withinInt64(value: bigint): bigint | undefined {
  return value <= amountMax && value >= -amountMax - 1n ? value : undefined
}
