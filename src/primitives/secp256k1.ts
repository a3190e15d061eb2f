import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import {
  getPublicKey,
  hashes,
  Point,
  recoverPublicKey as recover,
  Signature,
  sign,
  utils,
} from '@noble/secp256k1'

// What the library asks its users to give it before it signs synchronously.
hashes.sha256 = (message) => sha256(message)
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

/** Whether 32 bytes are a private key: a number above zero and below the order of the group. */
export function isPrivateKey(privateKey: Uint8Array): boolean {
  return privateKey.length === 32 && utils.isValidSecretKey(privateKey)
}

/** Whether hex is a point of the curve, in either of its forms. */
export function isPoint(hex: string): boolean {
  try {
    Point.fromHex(hex)
    return true
  } catch {
    return false
  }
}

/** The 33-byte public key of a private key. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return getPublicKey(privateKey, true)
}

/** The same key in both forms: 33 bytes, and the 65 that old wallets use. */
export function publicKeyFormsOf(privateKey: Uint8Array): readonly [Uint8Array, Uint8Array] {
  const uncompressed = getPublicKey(privateKey, false)
  const compressed = uncompressed.slice(0, 33)
  compressed[0] = (uncompressed[64]! & 1) === 0 ? 2 : 3
  return [compressed, uncompressed]
}

/** Signs a 32-byte hash: r and s, 64 bytes, low-S, the nonce by RFC 6979. */
export function signHash(hash: Uint8Array, privateKey: Uint8Array): Uint8Array {
  return sign(hash, privateKey, { prehash: false, lowS: true, format: 'compact' })
}

/** A signature from which its key can be found again. */
interface RecoverableSignature {
  /** r and s, 64 bytes. */
  readonly signature: Uint8Array
  /** Which of the up to four keys that the signature verifies with: 0 to 3. */
  readonly recovery: number
}

/** Signs a 32-byte hash as `signHash` does. `publicKey` is in its 33-byte form. */
export function signRecoverably(
  hash: Uint8Array,
  privateKey: Uint8Array,
): RecoverableSignature & { readonly publicKey: Uint8Array } {
  const signed = sign(hash, privateKey, { prehash: false, lowS: true, format: 'recovered' })
  return {
    recovery: signed[0]!,
    signature: signed.subarray(1),
    publicKey: getPublicKey(privateKey, true),
  }
}

/** The key that made a signature of a 32-byte hash; nothing if no key did. */
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
