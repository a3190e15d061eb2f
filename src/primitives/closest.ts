/** A longer word is not a typing error of a few characters. */
const wordLengthMax = 30

/**
 * Returns `; did you mean X?` for a known word within two typing errors of `word`, or an empty
 * text.
 */
export function didYouMean(word: string, known: readonly string[], before = ''): string {
  const found = closest(word, known)
  return found === undefined ? '' : `; did you mean ${before}${found}?`
}

/** Returns the known word within two typing errors of `given`, ignoring case. */
export function closest(given: string, known: readonly string[]): string | undefined {
  const word = given.toLowerCase()
  if (word.length > wordLengthMax) return undefined
  const slipsMax = word.length < 5 ? 1 : 2
  const measured = known
    .map((candidate) => ({ candidate, slips: distance(word, candidate.toLowerCase()) }))
    .filter(({ slips }) => slips <= slipsMax)
  return measured.sort((one, other) => one.slips - other.slips)[0]?.candidate
}

/** Counts the characters that were added, left out, replaced, or swapped with their neighbour. */
function distance(from: string, to: string): number {
  // rows[i][j]: from the first i characters of `from` to the first j of `to`.
  const rows = Array.from({ length: from.length + 1 }, (_, i) =>
    Array.from({ length: to.length + 1 }, (_, j) => (i === 0 ? j : i)),
  )
  for (let i = 1; i <= from.length; i += 1) {
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = rows[i - 1]![j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swapped =
        from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
          ? rows[i - 2]![j - 2]! + 1
          : Number.POSITIVE_INFINITY
      rows[i]![j] = Math.min(rows[i - 1]![j]! + 1, rows[i]![j - 1]! + 1, replaced, swapped)
    }
  }
  return rows[from.length]![to.length]!
}
