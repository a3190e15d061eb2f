import { sha256 } from '@noble/hashes/sha2.js'
import * as engine from '../engine/calls.ts'
import { findingCode } from '../engine/records.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { hexFromBytes } from '../primitives/hex.ts'

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
