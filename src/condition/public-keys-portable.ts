import { etc, getPublicKey, hashes, Point, sign } from '@noble/ed25519'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { mgf1, PSS } from 'micro-rsa-dsa-dh/rsa.js'
import { bytesFromHex, hexFromBytes, reverseHex } from '../primitives/hex.ts'
import type { PublicKeys } from './public-keys.ts'

// @noble/ed25519 needs a hash function before it can sign synchronously.
hashes.sha512 = (message) => sha512(message)

// RFC 8032, section 5.1: the order of the group.
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n

const rsaExponent = 65537n
const rsaSaltBytes = 32
const pss = PSS(sha256, mgf1(sha256), rsaSaltBytes)

export const publicKeys: PublicKeys = {
  // The library's own verification multiplies by the cofactor; the daemon's does not.
  ed25519Verifies(publicKey, signature, message) {
    const key = bytesFromHex(publicKey)
    const r = signature.slice(0, 64).toLowerCase()
    const s = littleEndian(signature.slice(64))
    if (key.length !== 32 || signature.length !== 128 || s >= groupOrder) return false
    const hash = sha512(etc.concatBytes(bytesFromHex(r), key, message))
    const challenge = littleEndian(hexFromBytes(hash)) % groupOrder
    try {
      // OpenSSL accepts encodings that are not the shortest, and so do we.
      const product = Point.fromBytes(key, true).multiply(challenge, false)
      return Point.BASE.multiply(s, false).subtract(product).toHex() === r
    } catch {
      return false
    }
  },

  rsaVerifies(modulus, signature, message) {
    try {
      const n = BigInt(`0x${modulus}`)
      const digits = n.toString(16).length
      // OpenSSL adds missing leading zeros of a signature, and so do we.
      const whole = signature.padStart(digits + (digits % 2), '0')
      return pss.verify({ n, e: rsaExponent }, message, bytesFromHex(whole))
    } catch {
      // The number is too large to be a signature.
      return false
    }
  },

  ed25519Signer: (seed) => ({
    publicKey: hexFromBytes(getPublicKey(seed)),
    sign: (message) => hexFromBytes(sign(message, seed)),
  }),
}

function littleEndian(hex: string): bigint {
  return BigInt(`0x0${reverseHex(hex)}`)
}
