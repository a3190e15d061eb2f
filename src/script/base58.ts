import bs58check from 'bs58check'

import * as engine from '../engine/calls.ts'
import { hexFromBytes } from '../primitives/hex.ts'

/** What an address spells: a version byte and the hex of a 20-byte hash. */
interface AddressPayload {
  readonly prefix: number
  readonly hash160: string
}

/** Base58Check of a version byte and a 20-byte hash. */
export function encodeAddress(prefix: number, hash160: string): string {
  return encodeAddresses([{ prefix, hash160 }])[0]!
}

/** The same of many, in one call of the engine. */
export function encodeAddresses(payloads: readonly AddressPayload[]): string[] {
  let hex = ''
  for (const { prefix, hash160 } of payloads) hex += hexOfByte(prefix) + hash160
  return payloads.length === 0 ? [] : engine.encodeAddresses(hex).slice(0, -1).split(' ')
}

function hexOfByte(byte: number): string {
  return byte.toString(16).padStart(2, '0')
}

/** 25 bytes, each 0xff. */
const addressLengthMax = 35

/** The version byte and hash of an address, or nothing if the text is no address at all. */
export function decodeAddress(text: string): AddressPayload | undefined {
  // Decoding takes time that grows with the square of the length.
  if (text.length > addressLengthMax) return undefined
  const payload = bs58check.decodeUnsafe(text)
  if (payload?.length !== 21) return undefined
  return { prefix: payload[0]!, hash160: hexFromBytes(payload.subarray(1)) }
}
