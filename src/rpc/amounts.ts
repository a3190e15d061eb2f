/** Satoshis in a coin; a token unit is one satoshi of its output's value. */
const coinDigits = 8

/** Largest amount of the daemon, a signed 64-bit integer. Differences may be negative. */
export const amountMax: bigint = 2n ** 63n - 1n

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
  if (sats > amountMax) return undefined
  return sign === '-' ? -sats : sats
}

/** Formats satoshis as coins with 8 decimals, as the daemon prints and reads them. */
export function coinsOfSats(sats: bigint): string {
  const digits = (sats < 0n ? -sats : sats).toString().padStart(coinDigits + 1, '0')
  const sign = sats < 0n ? '-' : ''
  return `${sign}${digits.slice(0, -coinDigits)}.${digits.slice(-coinDigits)}`
}

/** Returns the integer of a JSON number without fraction and exponent; otherwise `undefined`. */
export function integerOf(text: string): bigint | undefined {
  return /^-?\d{1,19}$/.test(text) ? withinInt64(BigInt(text)) : undefined
}

function withinInt64(value: bigint): bigint | undefined {
  return value <= amountMax && value >= -amountMax - 1n ? value : undefined
}
