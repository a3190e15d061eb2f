// Amounts as decimal text: coins with up to eight digits, and satoshis.

import { AntaraError } from '../errors/antara-error.ts'
import { isLosslessNumber } from './json.ts'
import { redactKey } from './redact-key.ts'

const decimalAmount = /^(0|[1-9][0-9]*)(?:\.([0-9]{1,8}))?$/

/** 2^63 - 1: amounts are transmitted as signed 64-bit integers. */
export const satsMax: bigint = (1n << 63n) - 1n
const coinDigitsMax = 11

/**
 * Formats satoshis as coins with eight fractional digits, exactly as the daemon prints them.
 *
 * @example
 * formatCoins(-1n) // '-0.00000001'
 * @see komodo src/rpc/server.cpp, ValueFromAmount. It prints -2^63 as `--92233720368.-54775808`,
 *   which is not a number; this function prints the number.
 */
export function formatCoins(sats: bigint): string {
  const digits = (sats < 0n ? -sats : sats).toString().padStart(9, '0')
  return `${sats < 0n ? '-' : ''}${digits.slice(0, -8)}.${digits.slice(-8)}`
}

/**
 * Parses a decimal number of coins exactly: `4.35` is 435000000n satoshis.
 *
 * @throws {AntaraError} `malformed_amount`, `amount_out_of_range`
 */
export function parseCoins(text: string, path?: string): bigint {
  const where = path === undefined ? {} : { path }
  const match = decimalAmount.exec(text)
  const actual = redactKey(text)
  if (match === null) throw new AntaraError('malformed_amount', { ...where, actual })
  if (match[1]!.length > coinDigitsMax) {
    throw new AntaraError('amount_out_of_range', { ...where, actual })
  }
  const sats = BigInt(match[1]!) * 100_000_000n + BigInt((match[2] ?? '').padEnd(8, '0'))
  if (sats > satsMax) throw new AntaraError('amount_out_of_range', { ...where, actual })
  return sats
}

/**
 * Parses an amount that a server reports: decimal text, or a number of `parseJson`, with a sign and
 * further zeros as servers print it. Returns `undefined` for anything else, including objects that
 * resemble such a number.
 */
export function satsOfText(value: unknown): bigint | undefined {
  const text = isLosslessNumber(value) ? value.value : value
  const match = typeof text === 'string' ? signedAmount.exec(text) : null
  if (match === null) return undefined
  const [, sign, whole, fraction = ''] = match
  const sats = BigInt(whole!) * 100_000_000n + BigInt(fraction.slice(0, 8).padEnd(8, '0'))
  return sign === '-' ? -sats : sats
}

const signedAmount = /^(-?)([0-9]{1,12})(?:\.([0-9]{1,8}0{0,20}))?$/
