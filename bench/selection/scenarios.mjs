import { readFileSync } from 'node:fs'

const folder = new URL('../vectors/selection/', import.meta.url)
const satsPerCoin = 1e8

/**
 * A scenario's receipts (positive) and payments (negative), in order.
 *
 * @param {string} name a file of vectors/selection, without `.csv`
 * @param {{ feeRate?: number, inSats?: boolean, operations?: number }} [options] `feeRate`, satoshis
 *   per 1000 bytes, where the file has none
 * @returns {{ value: number, feeRate: number }[]} satoshis, satoshis per 1000 bytes
 */
export function scenario(name, { feeRate, inSats = name === 'moneypot', operations } = {}) {
  const lines = readFileSync(new URL(`${name}.csv`, folder), 'utf8')
    .trim()
    .split('\n')
  return lines.slice(0, operations).map((line) => {
    const [value, rate] = line.split(',').map(Number)
    return {
      value: inSats ? value : Math.round(value * satsPerCoin),
      feeRate: rate === undefined ? feeRate : Math.round(rate * satsPerCoin),
    }
  })
}
