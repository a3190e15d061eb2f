import { constants, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'

import { sha256 } from '@noble/hashes/sha2.js'
import * as engine from '../engine/calls.ts'
import { findingCode } from '../engine/records.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { base64FromHex, hexFromBase64 } from '../primitives/base64.ts'
import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'

// RFC 8410, section 7: what stands before the 32 bytes of an Ed25519 private key in PKCS #8.
const ed25519Envelope = '302e020100300506032b657004220420'

/** The draft's exponent, 65537. */
const rsaExponent = 'AQAB'
const rsaSaltBytes = 32

/**
 * What a secp256k1 key of a condition signs: a message of 32 bytes as it is, which is how
 * transactions are signed, and SHA-256 of any other, which is how the C library's JSON interface
 * signs.
 *
 * @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_verify, doHashMessage
 */
export function hashToSign(message: Uint8Array): Uint8Array {
  return message.length === 32 ? message : sha256(message)
}

/** Why a compact signature of a condition does not verify, or undefined if it does. */
export function secp256k1Failure(
  publicKey: string,
  signature: string,
  hash: Uint8Array,
): ErrorCode | undefined {
  const joined = `${hexFromBytes(hash)}${publicKey}${signature}`
  try {
    engine.verifySignature(joined, { keyBytes: publicKey.length / 2, isDer: 0 })
  } catch (error) {
    if (isAntaraError(error)) return error.code
    throw error
  }
  return errorCodeOfNumber.get(findingCode())
}

export function ed25519Verifies(
  publicKey: string,
  signature: string,
  message: Uint8Array,
): boolean {
  const x = base64FromHex(publicKey, 'url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return verify(null, message, key, bytesFromHex(signature))
}

export function rsaVerifies(modulus: string, signature: string, message: Uint8Array): boolean {
  const n = base64FromHex(modulus, 'url')
  const key = createPublicKey({ key: { kty: 'RSA', n, e: rsaExponent }, format: 'jwk' })
  const padding = constants.RSA_PKCS1_PSS_PADDING
  return verify(
    'sha256',
    message,
    { key, padding, saltLength: rsaSaltBytes },
    bytesFromHex(signature),
  )
}

export interface Ed25519Signer {
  readonly publicKey: string
  sign(message: Uint8Array): string
}

/** The Ed25519 key pair of a 32-byte seed. */
export function ed25519Signer(seed: Uint8Array): Ed25519Signer {
  const key = createPrivateKey({
    key: Buffer.concat([bytesFromHex(ed25519Envelope), seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  return {
    publicKey: hexFromBase64(x ?? '') ?? '',
    sign: (message) => hexFromBytes(sign(null, message, key)),
  }
}
