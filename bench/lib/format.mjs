/** @param {number} ns @returns {string} three significant digits in the unit that suits */
export function time(ns) {
  const [scale, unit] = [
    [1e9, 's'],
    [1e6, 'ms'],
    [1e3, 'us'],
  ].find(([size]) => ns >= size) ?? [1, 'ns']
  return `${significant(ns / scale)} ${unit}`
}

/** @param {number} value */
export const significant = (value) =>
  value >= 100 ? Math.round(value).toString() : value.toPrecision(value >= 1 ? 3 : 2)

/** @param {number} value @returns {string} how many times, as in 9.31x */
export const times = (value) => `${significant(value)}x`

/** @param {number} bytes */
export const size = (bytes) => (bytes < 10_000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`)
