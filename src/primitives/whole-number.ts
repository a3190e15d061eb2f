// Reads a whole number of a server's answer, where numbers keep their digits.

import { LosslessNumber } from './json.ts'

/**
 * Returns a safe integer from 0, given as a number or as decimal digits, else `undefined`. An empty
 * text is not a number: `Number('')` is 0, which would be the height of the genesis block.
 */
export function wholeNumberIn(value: unknown): number | undefined {
  const digits = value instanceof LosslessNumber ? value.value : value
  if (typeof digits !== 'number' && typeof digits !== 'string') return undefined
  if (!/^\d{1,16}$/.test(String(digits))) return undefined
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : undefined
}
