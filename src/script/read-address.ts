import bs58check from 'bs58check'

import { hexFromBytes } from '../primitives/hex.ts'

// Clients of a daemon read addresses too, and need no engine.

/** What an address spells: a version byte and the hex of a 20-byte hash. */
export interface AddressPayload {
  readonly prefix: number
  readonly hash160: string
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
