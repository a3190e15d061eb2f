// Base58Check: Base58 of bytes and of the first bytes of their double SHA-256. The package bs58check
// has a SHA-256 of its own, and a page would download that one too. Tests compare both.

import { sha256 } from '@noble/hashes/sha2.js'
import bs58 from 'bs58'

const checksumBytes = 4

export function encodeBase58Check(payload: Uint8Array): string {
  return bs58.encode(Uint8Array.of(...payload, ...checksumOf(payload)))
}

/** Returns the payload; `undefined` for malformed text and for a wrong checksum. */
export function decodeBase58Check(text: string): Uint8Array | undefined {
  const bytes = bs58.decodeUnsafe(text)
  if (bytes === undefined) return undefined
  const payload = bytes.subarray(0, -checksumBytes)
  const checksum = bytes.subarray(-checksumBytes)
  return checksumOf(payload).every((byte, at) => byte === checksum[at]) ? payload : undefined
}

function checksumOf(payload: Uint8Array): Uint8Array {
  return sha256(sha256(payload)).subarray(0, checksumBytes)
}
