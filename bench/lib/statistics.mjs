/**
 * @typedef {{ median: number, q1: number, q3: number, min: number, max: number }} Spread
 */

/** @param {readonly number[]} sorted @param {number} share 0 to 1 @returns {number} linear between neighbours */
function quantile(sorted, share) {
  const position = (sorted.length - 1) * share
  const below = Math.floor(position)
  const above = Math.min(below + 1, sorted.length - 1)
  return sorted[below] + (sorted[above] - sorted[below]) * (position - below)
}

/** @param {readonly number[]} values at least one @returns {Spread} */
export function spread(values) {
  if (values.length === 0) throw new RangeError('no values to summarise')
  const sorted = [...values].sort((a, b) => a - b)
  return {
    median: quantile(sorted, 0.5),
    q1: quantile(sorted, 0.25),
    q3: quantile(sorted, 0.75),
    min: sorted[0],
    max: sorted[sorted.length - 1],
  }
}

/**
 * Ratios round by round: both sides of each were measured within the same moments, so a machine
 * that slows down for a while slows both.
 *
 * @param {readonly number[]} numerators
 * @param {readonly number[]} denominators of the same rounds
 */
export const ratioSpread = (numerators, denominators) =>
  spread(numerators.map((numerator, round) => numerator / denominators[round]))
