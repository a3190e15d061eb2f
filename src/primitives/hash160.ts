import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'

import { bytesFromHex, hexFromBytes } from './hex.ts'

/** RIPEMD-160 of SHA-256: the hash of a public key or script inside an address. */
export function hash160(hex: string): string {
  return hexFromBytes(ripemd160(sha256(bytesFromHex(hex))))
}
