// How much of a long series a test tries. `npm run test:quick` tries a quarter of the random cases,
// and every seventh bit; vitest.config.ts sets the variable.

const isQuick = process.env.ANTARA_TEST_SHARE === 'quick'

/** Returns how many random cases to try, and of how many events a run has to tell. */
export function share(count: number): number {
  return isQuick ? Math.ceil(count / 4) : count
}

/** Seven has no divisor in common with the bits of a byte, so each of those has its turn. */
const quickStep = 7

/**
 * Returns the bits of `hex` that can be flipped without a refusal.
 *
 * @param step - flips every bit that is so many after the last one, from `from` on
 */
export function acceptedFlips(
  hex: string,
  isAccepted: (flipped: string) => boolean,
  { from = 0, step = 1 }: { from?: number; step?: number } = {},
): { accepted: number[]; flipped: number } {
  const bytes = Buffer.from(hex, 'hex')
  const accepted: number[] = []
  let flipped = 0
  for (let bit = from; bit < 8 * bytes.length; bit += isQuick ? step * quickStep : step) {
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    if (isAccepted(bytes.toString('hex'))) accepted.push(bit)
    bytes[bit >> 3]! ^= 1 << (bit & 7)
    flipped += 1
  }
  return { accepted, flipped }
}
