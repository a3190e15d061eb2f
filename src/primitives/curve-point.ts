// Checks whether a public key is a point of the curve secp256k1. This is our own arithmetic, because a
// page that only verifies would otherwise load a whole library of signatures for this check. It sees
// no secret: private keys do not have these forms. docs/adr/0040-page-size.md has the numbers.

/** The prime of the field. @see SEC 2, section 2.4.1 */
const prime = 2n ** 256n - 2n ** 32n - 977n

const keyForm = /^(?:0[23]([0-9a-f]{64})|04([0-9a-f]{64})([0-9a-f]{64}))$/i

/** Returns true if hex is a point of the curve, compressed or not. The time depends on the hex. */
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
