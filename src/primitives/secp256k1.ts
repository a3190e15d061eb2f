import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { getPublicKey, hashes, Point, sign } from '@noble/secp256k1'

// The library needs a hash function before it can sign synchronously.
hashes.sha256 = (message) => sha256(message)
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

/** The order of the group, 32 bytes. @see SEC 2, section 2.4.1 */
const order = hexToBytes('fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141')

/**
 * Returns whether 32 bytes are a private key: above zero and below the order of the group.
 *
 * It subtracts the order, byte by byte to the last, so its time does not depend on the key.
 */
export function isPrivateKey(privateKey: Uint8Array): boolean {
  if (privateKey.length !== order.length) return false
  let bits = 0
  let borrow = 0
  for (let at = order.length - 1; at >= 0; at -= 1) {
    bits |= privateKey[at]!
    borrow = (privateKey[at]! - order[at]! - borrow) >>> 31
  }
  return bits !== 0 && borrow === 1
}

/** Returns the other form of a public key, in hex: 65 bytes of 33, or 33 of 65. It must be a point. */
export function otherFormOf(publicKey: string): string {
  return bytesToHex(Point.fromHex(publicKey).toBytes(publicKey.startsWith('04')))
}

// Only src/engine/private-keys.ts calls the two functions below, where no addon loads.

/** Returns a public key in both forms: 33 bytes, and the 65 bytes of old wallets. */
export function publicKeyFormsOf(privateKey: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const uncompressed = getPublicKey(privateKey, false)
  const compressed = uncompressed.slice(0, 33)
  compressed[0] = (uncompressed[64]! & 1) === 0 ? 2 : 3
  return [compressed, uncompressed]
}

/** Signs a 32-byte hash: r and s, 64 bytes, low S, with a nonce by RFC 6979. */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return sign(hash, privateKey, { prehash: false, lowS: true, format: 'compact' })
}
