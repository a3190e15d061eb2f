// Parameters as the daemon's UniValue reads them, with its errors.

import { isHex, isHex32, zeroHex32 } from '../../primitives/hex-forms.ts'
import { isJsonObject, isLosslessNumber, type JsonValue } from '../../primitives/json.ts'
import { failure } from './failure.ts'

export type Params = readonly JsonValue[]

/** Reads a text; an absent parameter counts as null, which is not text. */
export function text(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value
  throw failure('misc', 'JSON value is not a string as expected')
}

export function integer(value: JsonValue | undefined): number {
  if (!isLosslessNumber(value)) throw failure('misc', 'JSON value is not an integer as expected')
  const number = Number(value.value)
  const isInteger = /^-?\d+$/.test(value.value)
  if (!isInteger || number < -(2 ** 31) || number >= 2 ** 31) {
    throw failure('misc', 'JSON integer out of range')
  }
  return number
}

/** A number of 64 bits. @see komodo src/univalue/lib/univalue_get.cpp, get_int64 */
export function longInteger(value: JsonValue | undefined): bigint {
  if (!isLosslessNumber(value)) throw failure('misc', 'JSON value is not an integer as expected')
  const whole = /^-?\d{1,19}$/.test(value.value) ? BigInt(value.value) : undefined
  if (whole === undefined || BigInt.asIntN(64, whole) !== whole) {
    throw failure('misc', 'JSON integer out of range')
  }
  return whole
}

/** @see komodo src/univalue/lib/univalue_get.cpp, get_real */
export function number(value: JsonValue | undefined): number {
  if (!isLosslessNumber(value)) throw failure('misc', 'JSON value is not a number as expected')
  const real = Number(value.value)
  if (!Number.isFinite(real)) throw failure('misc', 'JSON double out of range')
  return real
}

export function boolean(value: JsonValue | undefined): boolean {
  if (typeof value === 'boolean') return value
  throw failure('misc', 'JSON value is not a boolean as expected')
}

export function list(value: JsonValue | undefined): readonly JsonValue[] {
  if (Array.isArray(value)) return value
  throw failure('misc', 'JSON value is not an array as expected')
}

export function members(value: JsonValue | undefined): { readonly [member: string]: JsonValue } {
  if (isJsonObject(value)) return value
  throw failure('misc', 'JSON value is not an object as expected')
}

type JsonKind = 'string' | 'number' | 'bool' | 'array' | 'object' | 'null'

function kindOf(value: JsonValue): JsonKind {
  if (value === null) return 'null'
  if (isLosslessNumber(value)) return 'number'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'string' ? 'string' : 'object'
}

/** @see komodo src/rpc/server.cpp, RPCTypeCheck, fAllowNull */
export function checkKinds(
  params: Params,
  kinds: readonly JsonKind[],
  { mayBeNull = false }: { readonly mayBeNull?: boolean } = {},
): void {
  for (const [at, kind] of kinds.entries()) {
    const value = params[at]
    if (value === undefined) return
    if (value !== null || !mayBeNull) checkKind(value, kind)
  }
}

/** @param name - the member's name; without one, `value` is a parameter */
export function checkKind(value: JsonValue, kind: JsonKind, name?: string): void {
  const actual = kindOf(value)
  const what = name === undefined ? kind : `${kind} for ${name}`
  if (actual !== kind) throw failure('type', `Expected type ${what}, got ${actual}`)
}

/**
 * Satoshis of an amount given as a number or a text.
 *
 * @see komodo src/rpc/server.cpp, AmountFromValue; src/utilstrencodings.cpp, ParseFixedPoint
 */
export function amount(value: JsonValue | undefined, maxMoney: bigint): bigint {
  const digits = isLosslessNumber(value) ? value.value : value
  if (typeof digits !== 'string') throw failure('type', 'Amount is not a number or string')
  const sats = fixedPoint(digits)
  if (sats === undefined) throw failure('type', 'Invalid amount')
  if (sats < 0n || sats > maxMoney) throw failure('type', 'Amount out of range')
  return sats
}

function fixedPoint(digits: string): bigint | undefined {
  const match = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,4}))?$/.exec(digits)
  if (match === null) return undefined
  const [, sign, whole, fraction = '', exponent = '0'] = match
  const shift = 8 + Number(exponent) - fraction.length
  const mantissa = BigInt(whole! + fraction)
  const unit = 10n ** BigInt(Math.abs(shift))
  if (shift < 0 && mantissa % unit !== 0n) return undefined
  const sats = shift < 0 ? mantissa / unit : mantissa * unit
  if (sats >= 10n ** 18n) return undefined
  return sign === '-' ? -sats : sats
}

/** Hex of a hash, of any length. @see komodo src/rpc/server.cpp, ParseHashV */
export function hash(value: JsonValue | undefined, name: string): string {
  return lenientHash(hexText(value, name))
}

/** Lower case. @see komodo src/rpc/server.cpp, ParseHexV */
export function hexText(value: JsonValue | undefined, name: string): string {
  const digits = typeof value === 'string' ? value : ''
  if (!isHex(digits)) {
    throw failure('parameter', `${name} must be hexadecimal string (not '${digits}')`)
  }
  return digits.toLowerCase()
}

/** Hex of a hash, of any length, from a text. @see komodo src/core_read.cpp, ParseHashStr */
export function hashText(value: JsonValue | undefined, name: string): string {
  const digits = text(value)
  if (isHex(digits)) return lenientHash(digits)
  throw failure('misc', `${name} must be hexadecimal string (not '${digits}')`)
}

/**
 * Reads a hash from any text. The text begins with blanks, `0x` and hex digits, each optional, and
 * the last 64 of the digits count.
 *
 * @see komodo src/uint256.cpp, base_blob::SetHex
 */
export function lenientHash(digits: string): string {
  const [, hex = ''] = /^[ \t\n\v\f\r]*(?:0[xX])?([0-9a-fA-F]*)/.exec(digits)!
  return hex.slice(-64).toLowerCase().padStart(64, '0')
}

/** As `atoll`: blanks, a sign, and what digits follow; everything else is 0. */
export function leadingInteger(digits: string): bigint {
  const match = /^[ \t\n\v\f\r]*([+-]?\d+)/.exec(digits)
  if (match === null) return 0n
  const value = BigInt(match[1]!)
  const most = (1n << 63n) - 1n
  if (value > most) return most
  return value < -most - 1n ? -most - 1n : value
}

/** As `atof`. */
export function leadingNumber(digits: string): number {
  const match = /^[ \t\n\v\f\r]*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/.exec(digits)
  return match === null ? 0 : Number(match[1])
}

/**
 * Returns a hash of exactly 64 hex digits, and zero for any other text, as the contract modules do.
 *
 * @see komodo src/cc/CCutils.cpp, Parseuint256
 */
export function hashOrZero(digits: string): string {
  return isHex32(digits.toLowerCase()) ? digits.toLowerCase() : zeroHex32
}

/** Reads hex up to the first other character, and skips blanks between bytes. @see komodo ParseHex */
export function lenientHex(digits: string): string {
  let bytes = ''
  let rest = digits
  for (;;) {
    rest = rest.replace(/^[ \t\n\v\f\r]+/, '')
    const pair = /^[0-9a-fA-F]{2}/.exec(rest)?.[0]
    if (pair === undefined) return bytes.toLowerCase()
    bytes += pair
    rest = rest.slice(2)
  }
}
