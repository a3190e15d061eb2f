import bs58check from 'bs58check'

import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'

/** Base58Check of a version byte and a 20-byte hash. */
export function encodeAddress(prefix: number, hash160: string): string {
  const payload = new Uint8Array(21)
  payload[0] = prefix
  payload.set(bytesFromHex(hash160), 1)
  return bs58check.encode(payload)
}

/** 25 bytes, each 0xff. */
const addressLengthMax = 35

/** The version byte and hash of an address, or nothing if the text is no address at all. */
export function decodeAddress(text: string): { prefix: number; hash160: string } | undefined {
  // Decoding takes time that grows with the square of the length.
  if (text.length > addressLengthMax) return undefined
  const payload = bs58check.decodeUnsafe(text)
  if (payload?.length !== 21) return undefined
  return { prefix: payload[0]!, hash160: hexFromBytes(payload.subarray(1)) }
}
