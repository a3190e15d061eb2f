import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from '../primitives/arguments.ts'
import { base64FromHex, hexFromBase64 } from '../primitives/base64.ts'
import { decodeCondition, encodeCondition } from './codec.ts'
import {
  type Condition,
  type ConditionTree,
  type ConditionType,
  conditionTypeRow,
  fingerprintDigits,
  isCompound,
  isConditionType,
} from './types.ts'

const uriForm =
  /^ni:\/\/\/sha-256;([A-Za-z0-9_-]*)\?fpt=([a-z0-9-]*)&cost=(0|[1-9][0-9]{0,18})(?:&subtypes=([a-z0-9,-]*))?$/

const costMax = (1n << 63n) - 1n

/** A URI's fingerprint has 32 bytes. Tokel's key hash has 20, so its last 12 bytes must be zero. */
const digestDigits = 64

/**
 * Returns the `ni:` URI of a condition.
 *
 * Subtypes are in the order of their numbers, as the C library prints them. The fingerprint of a
 * secp256k1hash-sha-256 is padded with zeros to 32 bytes, as Tokel prints it.
 *
 * @param condition - a tree, or a condition's hex
 * @returns `ni:///sha-256;` with the fingerprint in base64url, the cost and the subtypes
 * @throws {AntaraError} as `encodeCondition` and `decodeCondition`
 * @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_conditionUri; RFC 6920
 * @example
 * conditionUri({ type: 'preimage-sha-256', preimage: '' })
 * // 'ni:///sha-256;47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU?fpt=preimage-sha-256&cost=0'
 */
export function conditionUri(condition: ConditionTree | string): string {
  const { conditionType, fingerprint, cost, subtypes } = decodeCondition(
    typeof condition === 'string' ? condition : encodeCondition(condition),
  )
  const digest = base64FromHex(fingerprint.padEnd(digestDigits, '0'), 'url')
  const inside = subtypes.length === 0 ? '' : `&subtypes=${subtypes.join(',')}`
  return `ni:///sha-256;${digest}?fpt=${conditionType}&cost=${cost}${inside}`
}

/**
 * Parses a condition URI, as `conditionUri` prints it. Subtypes may also be in alphabetical order,
 * as other implementations of the RFC draft print them.
 *
 * @param uri - text that begins with `ni:///sha-256;`
 * @returns a node of type `condition`; the fingerprint is hex
 * @throws {AntaraError} `malformed_condition_uri`
 * @see RFC 6920; draft-thomas-crypto-conditions-04
 * @example
 * parseConditionUri('ni:///sha-256;47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU?fpt=preimage-sha-256&cost=0').cost // 0n
 */
export function parseConditionUri(uri: string): Condition {
  requireString(uri, 'uri')
  const [, digest, conditionType, cost, subtypeNames] = uriForm.exec(uri) ?? []
  if (digest === undefined || cost === undefined) {
    throw malformed('ni:///sha-256;…?fpt=…&cost=…[&subtypes=…]')
  }
  if (!isConditionType(conditionType)) throw malformed('a type of condition as fpt')
  if (BigInt(cost) > costMax) throw malformed('a cost up to 2^63 - 1')
  const subtypes = parseSubtypes(subtypeNames, conditionType)
  const fingerprint = parseDigest(digest, conditionType)
  return { type: 'condition', conditionType, fingerprint, cost: BigInt(cost), subtypes }
}

function parseDigest(digest: string, type: ConditionType): string {
  const hex = hexFromBase64(digest)
  // Trailing bits that are not zero would be a second spelling of the same bytes.
  if (hex?.length !== digestDigits || base64FromHex(hex, 'url') !== digest) {
    throw malformed('base64url of 32 bytes')
  }
  const fingerprint = hex.slice(0, fingerprintDigits(type))
  if (fingerprint.padEnd(digestDigits, '0') !== hex) throw malformed('20 bytes and 12 zeros')
  return fingerprint
}

function parseSubtypes(names: string | undefined, type: ConditionType): ConditionType[] {
  if (names === undefined) return []
  if (!isCompound(type)) throw malformed(`no subtypes in a ${type}`)
  const found = names.split(',').map((name) => {
    if (!isConditionType(name) || name === type) throw malformed(`subtypes inside a ${type}`)
    return name
  })
  const byNumber = [...new Set(found)].sort(
    (a, b) => conditionTypeRow(a).number - conditionTypeRow(b).number,
  )
  const alphabetical = [...byNumber].sort()
  if (names !== byNumber.join(',') && names !== alphabetical.join(',')) {
    throw malformed('subtypes in order, each once')
  }
  return byNumber
}

function malformed(expected: string): AntaraError {
  return new AntaraError('malformed_condition_uri', { expected })
}
