import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import {
  getPublicKey,
  hashes,
  Point,
  recoverPublicKey as recover,
  Signature,
  sign,
} from '@noble/secp256k1'

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

// Only src/engine/private-keys.ts calls these two, where no addon loads.

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

/** A signature from which the public key can be recovered. */
interface RecoverableSignature {
  /** r and s, 64 bytes. */
  readonly signature: Uint8Array
  /** The number of the key among up to four with which the signature verifies: 0 to 3. */
  readonly recovery: number
}

/**
 * Returns the number of a 33-byte public key among those with which a signature verifies, 0 to 3;
 * `undefined` if it is not among them.
 */
export function recoveryOf(
  hash: Uint8Array,
  signature: Uint8Array,
  publicKey: string,
): number | undefined {
  return [0, 1, 2, 3].find((recovery) => {
    const found = recoverPublicKey(hash, { signature, recovery, isCompressed: true })
    return found !== undefined && bytesToHex(found) === publicKey
  })
}

/** Returns the public key that made a signature of a 32-byte hash; `undefined` if none did. */
export function recoverPublicKey(
  hash: Uint8Array,
  from: RecoverableSignature & { readonly isCompressed: boolean },
): Uint8Array | undefined {
  try {
    const { signature, recovery, isCompressed } = from
    const recovered = Signature.fromBytes(signature, 'compact').addRecoveryBit(recovery)
    const publicKey = recover(recovered.toBytes('recovered'), hash, { prehash: false })
    return isCompressed ? publicKey : Point.fromBytes(publicKey).toBytes(false)
  } catch {
    return undefined
  }
}
