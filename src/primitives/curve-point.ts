// Points of the curve secp256k1. Code that redacts private keys asks whether a text is a public one,
// and a page that only verifies would load a library of signatures for it: docs/adr/0040-page-size.md.

/** The prime of the field. @see SEC 2, section 2.4.1 */
const prime = 2n ** 256n - 2n ** 32n - 977n

const keyForm = /^(?:0[23]([0-9a-f]{64})|04([0-9a-f]{64})([0-9a-f]{64}))$/i

/** Returns whether hex is a point of the curve, in either form. Its time depends on the hex. */
export function isPoint(hex: string): boolean {
  const [, compressed, uncompressed, second] = keyForm.exec(hex) ?? []
  const digits = compressed ?? uncompressed
  if (digits === undefined) return false
  const x = BigInt(`0x${digits}`)
  if (x >= prime) return false
  const square = (x * x * x + 7n) % prime
  if (second === undefined) return isSquare(square)
  const y = BigInt(`0x${second}`)
  return y < prime && (y * y) % prime === square
}

/** Euler's criterion: a number is a square if its power by half of the group's order is one. */
function isSquare(value: bigint): boolean {
  let power = 1n
  let base = value
  for (let exponent = (prime - 1n) / 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) power = (power * base) % prime
    base = (base * base) % prime
  }
  return power === 1n
}
