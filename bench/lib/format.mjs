const timeUnits = [
  [1e9, 's'],
  [1e6, 'ms'],
  [1e3, 'us'],
  [1, 'ns'],
]
const sizeUnits = [
  [1e9, 'GB'],
  [1e6, 'MB'],
  [1e3, 'kB'],
]

/** @param {number} ns @returns {string} three significant digits in the unit that suits */
export const time = (ns) => inUnit(Number(ns.toPrecision(3)), timeUnits)

/** @param {number} bytes @returns {string} all digits below 10 kB, and three significant ones above */
export const size = (bytes) =>
  bytes < 10_000 ? `${bytes} B` : inUnit(Number(bytes.toPrecision(3)), sizeUnits)

/**
 * @param {number} value rounded already, so that it has at most three digits in its unit
 * @param {(string | number)[][]} units from the largest
 */
function inUnit(value, units) {
  const [scale, unit] = units.find(([least]) => value >= least) ?? units[units.length - 1]
  return `${significantDigits(value / scale)} ${unit}`
}

/** @param {number} value @returns {string} three significant digits; all digits of a larger integer */
export const significantDigits = (value) =>
  value >= 999.5 ? Math.round(value).toString() : value.toPrecision(3)

/**
 * Returns how many times one time is another, such as 9.31x. A ratio below 1 never reads as 1: it is
 * a loss, and the reader must see by how little.
 *
 * @param {number} value
 */
export const ratio = (value) =>
  `${value < 1 && value > 0.9995 ? '0.999' : significantDigits(value)}x`
