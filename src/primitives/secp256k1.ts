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

// The library needs a hash function before it can sign synchronously.
hashes.sha256 = (message) => sha256(message)
hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

/** Returns whether 32 bytes are a private key: above zero and below the order of the group. */
export function isPrivateKey(privateKey: Uint8Array): boolean {
  return privateKey.length === 32 && utils.isValidSecretKey(privateKey)
}

/** Returns whether hex is a point of the curve, in either form. */
export function isPoint(hex: string): boolean {
  try {
    Point.fromHex(hex)
    return true
  } catch {
    return false
  }
}

/** Returns the 33-byte public key of a private key. */
export function publicKeyOf(privateKey: Uint8Array): Uint8Array {
  return getPublicKey(privateKey, true)
}

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
