// Kinds of parameters of the daemon: how each is checked and written.

import { sha256 } from '@noble/hashes/sha2.js'
import { networks } from '../../chain/network.ts'
import { AntaraError } from '../../errors/antara-error.ts'
import { formatCoins, satsMax } from '../../primitives/amount.ts'
import {
  argumentError,
  requireArray,
  requireBigint,
  requireObject,
  requireString,
  requireUint32,
} from '../../primitives/arguments.ts'
import { isPoint } from '../../primitives/curve-point.ts'
import { bytesFromHex, hexFromBytes, normalizeHex } from '../../primitives/hex.ts'
import { isCompressedKey } from '../../primitives/hex-forms.ts'
import { redactPublicKey } from '../../primitives/redact-key.ts'
import { hasHalfCharacter, utf8Length } from '../../primitives/utf8.ts'
import { decodeAddress } from '../../script/read-address.ts'

// The daemon truncates, pads and guesses where it should refuse. A txid that is not hex makes it
// read past a buffer, and an invalid key makes an unspendable transaction. Of "1.5" tokens it makes
// 1. So this client validates arguments before it sends anything. Sources: komodo
// rpc/tokensrpc.cpp, cc/CCtokens.cpp; seen in the recordings.

/** A parameter of a method: its validation and its form on the wire. */
export interface Parameter {
  /** The form into which a command line converts its text. */
  readonly form:
    | 'text'
    | 'units'
    | 'integer'
    | 'coins'
    | 'payees'
    | 'outputs'
    | 'number'
    | 'flag'
    | 'list'
    | 'json'
  /** @throws {TypeError} for a wrong type; {AntaraError} for wrong data */
  readonly write: (value: unknown, name: string) => unknown
  readonly isOptional?: true
  /** The value that the client sends for an absent parameter if another follows. */
  readonly otherwise?: unknown
}

export function optional(parameter: Parameter, otherwise?: unknown): Parameter {
  return { ...parameter, isOptional: true, otherwise }
}

function ofText(write: (value: string, name: string) => string) {
  return {
    form: 'text',
    write(value: unknown, name: string) {
      requireString(value, name)
      return write(value, name)
    },
  } as const satisfies Parameter
}

/** 32 bytes in display order, lower case. */
export const hash: Parameter = ofText((value, name) => {
  if (value.length === 64) return normalizeHex(value, name)
  const details = { path: name, expected: '64 digits', actual: value.length }
  throw new AntaraError('wrong_length', details)
})

/** A text of the form of a compressed public key, lower case; enough to query one. */
export const key: Parameter = ofText(keyOf)

function keyOf(value: string, name: string): string {
  const digits = value.toLowerCase()
  if (isCompressedKey(digits)) return digits
  throw new AntaraError('malformed_public_key', { path: name, actual: redactPublicKey(value) })
}

/** A compressed public key on the curve, lower case. To pay to any other would burn the coins. */
export const payableKey: Parameter = ofText(payableKeyOf)

function payableKeyOf(value: string, name: string): string {
  const digits = keyOf(value, name)
  if (isPoint(digits)) return digits
  throw new AntaraError('public_key_off_curve', { path: name, actual: digits })
}

/** A public key, or the address of one. Nobody could spend from anything else. */
export const payableKeyOrAddress: Parameter = ofText((value, name) => {
  if (/^[0-9a-f]{66}$/i.test(value)) return payableKeyOf(value, name)
  if (decodeAddress(value)?.prefix === networks.tokel.pubKeyHashPrefix) return value
  throw new AntaraError('unknown_address', {
    path: name,
    expected: 'a public key or the address of one',
    actual: redactPublicKey(value),
  })
})

/** Hex of at least one byte. */
export const bytes: Parameter = ofText(bytesOf)

function bytesOf(value: string, name: string): string {
  if (value === '') throw new AntaraError('empty_input', { path: name })
  return normalizeHex(value, name)
}

/** Token units, sent as the text of an integer. */
export const units: Parameter = {
  form: 'units',
  write: (value, name) => amountOf(value, name, 1n).toString(),
}

/** Token units, sent as a decimal text of coins. */
export const unitsAsCoins: Parameter = {
  form: 'units',
  write: (value, name) => formatCoins(amountOf(value, name, 1n)),
}

/** Coins per token unit, as decimal text, which the daemon reads as a double. */
export const coinsPerUnit: Parameter = decimalText(/^\d{1,10}(?:\.\d{1,24})?$/)

/** Coins as decimal text, no finer than a satoshi, which the daemon reads exactly. */
export const coins: Parameter = decimalText(/^\d{1,10}(?:\.\d{1,8})?$/)

function decimalText(form: RegExp): Parameter {
  return ofText((value, name) => {
    if (form.test(value) && /[1-9]/.test(value)) return value
    throw new AntaraError('malformed_amount', { path: name, actual: value })
  })
}

/** Requires satoshis, or token units, of at least `least`. */
export function amountOf(value: unknown, name: string, least: bigint): bigint {
  requireBigint(value, name)
  if (value >= least && value <= satsMax) return value
  const details = { path: name, expected: `${least} to ${satsMax}`, actual: value }
  throw new AntaraError('amount_out_of_range', details)
}

/** Returns a parameter for text whose UTF-8 has `bytesMin` to `bytesMax` bytes. */
export function textOf(bytesMin: number, bytesMax: number): Parameter {
  return ofText((value, name) => {
    if (hasHalfCharacter(value)) throw new AntaraError('text_mismatch', { path: name })
    requireSize(utf8Length(value), bytesMin, bytesMax, name)
    return value
  })
}

export function bytesUpTo(bytesMax: number): Parameter {
  return ofText((value, name) => {
    const digits = bytesOf(value, name)
    requireSize(digits.length / 2, 1, bytesMax, name)
    return digits
  })
}

function requireSize(size: number, min: number, max: number, name: string): void {
  if (size >= min && size <= max) return
  const expected = `${min} to ${max} bytes`
  throw new AntaraError('size_out_of_range', { path: name, expected, actual: size })
}

/** Any text, such as an address, which the daemon validates. */
export const text: Parameter = ofText((value) => value)

function listOf({ write }: Parameter, countMin: 0 | 1): Parameter {
  return {
    form: 'list',
    write(value, name) {
      requireArray(value, name)
      if (value.length < countMin) throw new AntaraError('empty_input', { path: name })
      return value.map((item, index) => write(item, `${name}[${index}]`))
    },
  }
}

export const texts: Parameter = listOf(text, 0)
export const hashes: Parameter = listOf(hash, 1)
export const payableKeys: Parameter = listOf(payableKey, 1)

/** An object or a list, sent as it is. */
export const json: Parameter = {
  form: 'json',
  write(value, name) {
    requireObject(value, name)
    return value
  },
}

export const flag: Parameter = {
  form: 'flag',
  write(value, name) {
    if (typeof value === 'boolean') return value
    throw argumentError(name, 'a boolean', value)
  },
}

export const uint32: Parameter = {
  form: 'number',
  write(value, name) {
    requireUint32(value, name)
    return value
  },
}

/** A flag for methods that take 0 or 1. */
export const zeroOrOne: Parameter = {
  form: 'number',
  write(value, name) {
    if (value === 0 || value === 1) return value
    throw argumentError(name, '0 or 1', value)
  },
}

/**
 * Returns the txid of a raw transaction of any version: the double SHA-256 of its bytes.
 *
 * It parses nothing, so it needs no engine and works in a browser.
 */
export function txidOfHex(hex: string): string {
  return hexFromBytes(sha256(sha256(bytesFromHex(hex))).reverse())
}
