import { decodeBase58Check } from '../primitives/base58check.ts'
import { hexFromBytes } from '../primitives/hex.ts'

// This file needs no native core, because clients of a daemon read addresses too.

/** The contents of an address: a version byte and the hex of a 20-byte hash. */
export interface AddressPayload {
  readonly prefix: number
  readonly hash160: string
}

/** The length of 25 bytes 0xff in Base58. */
const addressLengthMax = 35

/** Returns the version byte and hash of an address; `undefined` for malformed text. */
export function decodeAddress(text: string): AddressPayload | undefined {
  // Decoding takes time quadratic in the length.
  if (text.length > addressLengthMax) return undefined
  const payload = decodeBase58Check(text)
  if (payload?.length !== 21) return undefined
  return { prefix: payload[0]!, hash160: hexFromBytes(payload.subarray(1)) }
}
