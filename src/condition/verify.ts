// Verifies a fulfillment against its condition and a message.

import { concatBytes } from '@noble/hashes/utils.js'
import { publicKeys } from '#public-keys'
import { isAntaraError } from '../errors/antara-error.ts'
import type { ErrorCode } from '../errors/codes.ts'
import { requireString } from '../primitives/arguments.ts'
import { bytesFromHex, normalizeHex } from '../primitives/hex.ts'
import { decodeCondition, decodeFulfillment, encodeCondition } from './codec.ts'
import { hashToSign, secp256k1Failure } from './keys.ts'
import { type ConditionTree, conditionTypeRow, partOf } from './types.ts'

export interface FulfillmentVerdict {
  readonly ok: boolean
  /**
   * Why it failed. With `ok`, `eval_decided_by_chain` means that everything offline holds, and that
   * the chain's modules decide the rest.
   */
  readonly code?: ErrorCode | 'eval_decided_by_chain'
}

/**
 * Verifies that a fulfillment belongs to a condition and that its signatures sign a message.
 *
 * A message of 32 bytes, such as the hash that an input signs, is signed by secp256k1 keys as it
 * is, any other through SHA-256. Ed25519 and RSA sign the message itself. As in the C library a
 * prefix extends the message of Ed25519 keys, its maximum length is not enforced, and secp256k1
 * keys never verify in a tree with a prefix. Unlike the daemon, which overlooks bytes after the
 * condition, the condition must match exactly.
 *
 * @param fulfillment - hex, without a hash type byte
 * @param message - hex
 * @param condition - hex
 * @returns `{ ok: true }`, or the first thing that is wrong; malformed data is no exception
 * @throws {TypeError} for arguments that are not text
 * @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_verify
 * @example
 * verifyFulfillment('af038001f2', '', encodeCondition({ type: 'eval-sha-256', code: 'f2' }))
 * // { ok: true, code: 'eval_decided_by_chain' }
 */
export function verifyFulfillment(
  fulfillment: string,
  message: string,
  condition: string,
): FulfillmentVerdict {
  requireString(fulfillment, 'fulfillment')
  requireString(message, 'message')
  requireString(condition, 'condition')
  try {
    const code = failureOf(fulfillment, bytesFromHex(message), normalizeHex(condition))
    if (code === undefined) return { ok: true }
    return { ok: code === 'eval_decided_by_chain', code }
  } catch (error) {
    // Without an engine nothing was verified.
    if (!isAntaraError(error) || error.code === 'engine_unavailable') throw error
    return { ok: false, code: error.code }
  }
}

function failureOf(
  fulfillment: string,
  message: Uint8Array,
  condition: string,
): FulfillmentVerdict['code'] {
  const tree = decodeFulfillment(fulfillment)
  const found = encodeCondition(tree)
  if (found !== condition) {
    decodeCondition(condition)
    return 'condition_mismatch'
  }
  const { conditionType, subtypes } = decodeCondition(found)
  const types = [conditionType, ...subtypes]
  const hasKeys = types.some((type) => conditionTypeRow(type).key === 'secp256k1')
  if (hasKeys && types.includes('prefix-sha-256')) return 'secp256k1_with_prefix'
  return failureInside(tree, message) ?? (hasEval(tree) ? 'eval_decided_by_chain' : undefined)
}

/**
 * Finds the first signature that does not verify. Every fulfilled member counts, because a
 * fulfillment contains no unneeded one.
 */
function failureInside(tree: ConditionTree, message: Uint8Array): ErrorCode | undefined {
  if (tree.type === 'prefix-sha-256') {
    return failureInside(tree.subcondition, concatBytes(bytesFromHex(tree.prefix), message))
  }
  if (tree.type === 'threshold-sha-256') {
    for (const member of tree.subconditions) {
      const code = failureInside(member, message)
      if (code !== undefined) return code
    }
    return undefined
  }
  const key = partOf(tree, 'value') ?? ''
  const signature = partOf(tree, 'second') ?? ''
  switch (conditionTypeRow(tree.type)?.key) {
    case 'rsa':
      return publicKeys.rsaVerifies(key, signature, message) ? undefined : 'signature_mismatch'
    case 'ed25519':
      return publicKeys.ed25519Verifies(key, signature, message) ? undefined : 'signature_mismatch'
    case 'secp256k1':
      return secp256k1Failure(key, signature, hashToSign(message))
    default:
      return undefined
  }
}

/** Returns whether an eval is among the fulfilled members. */
function hasEval(tree: ConditionTree): boolean {
  if (tree.type === 'threshold-sha-256') return tree.subconditions.some(hasEval)
  if (tree.type === 'prefix-sha-256') return hasEval(tree.subcondition)
  return tree.type === 'eval-sha-256'
}
