import { sha256 } from '@noble/hashes/sha2.js'
import * as engine from '../engine/calls.ts'
import { findingCode } from '../engine/records.ts'
import { type ErrorCode, errorCodeOfNumber } from '../errors/codes.ts'
import { errorOf } from '../errors/malformed.ts'
import { hexFromBytes } from '../primitives/hex.ts'

/**
 * Returns the bytes that a secp256k1 key of a condition signs. A message of 32 bytes is signed as it
 * is, as in transactions. Of any other message the SHA-256 is signed, as in the C library's JSON
 * interface.
 *
 * @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_verify, doHashMessage
 */
export function hashToSign(message: Uint8Array): Uint8Array {
  return message.length === 32 ? message : sha256(message)
}

/** Returns why a compact signature of a condition does not verify; undefined if it does. */
export function secp256k1Failure(
  publicKey: string,
  signature: string,
  hash: Uint8Array,
): ErrorCode | undefined {
  const joined = `${hexFromBytes(hash)}${publicKey}${signature}`
  const parts = { keyBytes: publicKey.length / 2, isDer: 0 }
  const error = errorOf(() => engine.verifySignature(joined, parts))
  return error === undefined ? errorCodeOfNumber.get(findingCode()) : error.code
}
