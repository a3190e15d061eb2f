// How much of a long series a test tries. `npm run test:quick` tries one in 64 of the random cases,
// an eighth of the listed ones, a 16th of the schedules, every 17th place, and every 127th bit;
// vitest.config.ts sets the variable.

/** True in `npm run test:quick`. */
export const isQuick = process.env.ANTARA_TEST_SHARE === 'quick'

/**
 * Returns how many random cases to try.
 *
 * @param quickMin - a quick run tries no fewer, so that it meets what happens in few cases only
 */
export function share(count: number, quickMin = 1): number {
  return isQuick ? Math.max(Math.ceil(count / 64), quickMin) : count
}

/**
 * Returns of how many events a run has to tell, so that it met what it is about. Few cases vary
 * more than many, so a quick run need not have its full share.
 */
export function least(count: number): number {
  return isQuick ? Math.floor(share(count) / 8) : count
}

/**
 * Returns the items to try of a long list. A quick run tries every eighth one.
 *
 * @param turn - the number of a series; eight series in a row together try every item
 * @param every - tries fewer in a quick run, if each takes long
 */
export function shareOf<Item>(items: readonly Item[], turn = 0, every = 8): readonly Item[] {
  return isQuick ? items.filter((_, at) => at % every === turn % every) : items
}

/** Returns the places of a text to try, from 0 on. A quick run tries every 17th one. */
export function placesOf(length: number): readonly number[] {
  const step = isQuick ? 17 : 1
  return Array.from({ length: Math.ceil(length / step) }, (_, at) => at * step)
}

/** The part of the schedules to explore, and the number of parts: a quick run explores a 16th. */
export const exploredPart: readonly [index: number, count: number] = isQuick ? [0, 16] : [0, 1]

/** A prime number has no divisor in common with the bits of a byte, so each of those has its turn. */
const quickStep = 127

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
