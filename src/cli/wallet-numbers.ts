// The numbers and amounts in the options of `wallet`.

import { parseCoins } from '../primitives/amount.ts'
import { type ParsedArguments, UsageError } from './command.ts'

export function required({ options }: ParsedArguments, name: string): string {
  const value = options.get(name)
  if (value === undefined) throw new UsageError(`--${name} is missing`)
  return value
}

export function numberOf(parsed: ParsedArguments, name: string, fallback?: bigint): bigint {
  if (fallback !== undefined && !parsed.options.has(name)) return fallback
  const text = required(parsed, name)
  if (/^\d{1,20}$/.test(text)) return BigInt(text)
  throw new UsageError(`--${name} needs a whole number`)
}

export function uint32Of(parsed: ParsedArguments, name: string, fallback: number): number {
  const number = numberOf(parsed, name, BigInt(fallback))
  if (number >= 2n ** 32n) throw new UsageError(`--${name} needs a number below 2^32`)
  return Number(number)
}

/** An amount names its unit: 1 may be a coin or a satoshi. */
export function amountOf(parsed: ParsedArguments): bigint | 'max' {
  const { options, flags } = parsed
  const units = ['coins', 'satoshis'].filter((name) => options.has(name))
  if (units.length + (flags.has('max') ? 1 : 0) !== 1) {
    throw new UsageError('say the amount as one of --coins N, --satoshis N, --max')
  }
  if (flags.has('max')) return 'max'
  return options.has('satoshis')
    ? requirePositive(numberOf(parsed, 'satoshis'), '--satoshis')
    : requirePositive(parseCoins(required(parsed, 'coins')), '--coins')
}

/** The builders would name a member in place of the option. */
export function requirePositive(amount: bigint, option: string): bigint {
  if (amount > 0n) return amount
  throw new UsageError(`${option} needs a number above 0`)
}
