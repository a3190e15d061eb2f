/**
 * Reads a whole number that a program got as an argument.
 *
 * @param {string} name as the usage has it
 * @param {string | undefined} text
 * @param {{ least: number, otherwise: number }} options `otherwise` is used if the argument is absent
 * @returns {number}
 */
export function wholeNumber(name, text, { least, otherwise }) {
  const value = text === undefined ? otherwise : Number(text)
  if (Number.isSafeInteger(value) && value >= least) return value
  throw new RangeError(`${name}: expected a whole number from ${least}, got ${text}`)
}
