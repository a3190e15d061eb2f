import { isLosslessNumber } from '../../primitives/json.ts'
import { field, type Schema } from '../fields.ts'

/** A decimal amount of coins, exactly as printed. */
export const decimal: Schema<string> = field('a decimal amount', (value) => {
  const digits = isLosslessNumber(value) ? value.value : value
  return typeof digits === 'string' && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(digits)
    ? digits
    : undefined
})
