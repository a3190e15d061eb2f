// Encodes and decodes conditions and fulfillments, by the native core.

import { answerDetail, type Locate } from '../engine/call.ts'
import * as engine from '../engine/calls.ts'
import * as record from '../engine/records.ts'
import { resultBase, treeWords } from '../engine/words.ts'
import { requireString } from '../primitives/arguments.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import {
  type FormedTree,
  placeOfNode,
  readTree,
  requireHexParts,
  writeTrees,
} from './tree-words.ts'
import { type Condition, type ConditionTree, conditionTypeOfNumber, typesOfMask } from './types.ts'

export interface ReadOptions {
  /**
   * `strict`, the default: DER, with one spelling for each condition. `daemon`: also the forms that
   * komodod reads: indefinite and long lengths, strings in pieces, bytes after the condition.
   * Elements may be nested 80 deep.
   */
  readonly rules?: 'strict' | 'daemon'
}

/** A decoded condition, and whether strict rules accept it. */
export interface ReadCondition extends Condition {
  /** False if only the daemon's rules accept it. Absent under strict rules. */
  readonly isCanonical?: boolean
}

export interface FulfillmentOptions {
  /**
   * `plain`, the default. `mixed`: the form of trees in Tokel's scripts, after 'M' or 'N'. A
   * threshold states its number in a one-byte preimage and fulfills every member it can.
   */
  readonly form?: 'plain' | 'mixed'
}

export interface FulfillmentReadOptions extends FulfillmentOptions {
  /**
   * Requires secp256k1 keys to be points of the curve, as the C library does. The default is false:
   * the check takes longer than everything else, and verifying signatures finds wrong keys anyway.
   */
  readonly checkKeys?: boolean
}

/**
 * Encodes the condition of a tree, as an output's script contains it.
 *
 * Signatures make no difference. Trees that the C library encodes wrongly are refused: those whose
 * fingerprint becomes zero because a 4096-byte buffer overflows, and costs that it cannot order.
 *
 * @param tree - a tree with bytes as hex; signatures may be absent
 * @returns strict DER, hex
 * @throws {AntaraError} `condition_public_key`, `condition_key_hash`, `condition_signature_size`,
 *   `condition_rsa_modulus`, `condition_threshold`, `condition_members`,
 *   `condition_fingerprint_size`, `condition_subtypes`, `condition_fingerprint_contents`,
 *   `condition_cost_over_limit`, `condition_cost_spread`, `condition_nesting_over_limit` (more
 *   than 32 deep), `malformed_hex`, `odd_length_hex`; `path` names the place in the tree
 * @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_conditionBinary
 * @example
 * encodeCondition({ type: 'preimage-sha-256', preimage: '' })
 * // 'a0258020e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855810100'
 */
export function encodeCondition(tree: ConditionTree): string {
  return encodeTrees([{ tree, form: 'condition' }])[0]!
}

/**
 * Decodes a condition.
 *
 * @param condition - hex
 * @returns a node of type `condition`: its fingerprint in hex, cost and subtypes
 * @throws {AntaraError} `truncated`, `trailing_bytes`, `condition_type_unknown`,
 *   `condition_fingerprint_size`, `condition_subtypes`, `condition_nesting_over_limit` (pieces of a
 *   string, with `daemon`), `malformed_hex`, `odd_length_hex`, `input_over_limit`, and the `der_…`
 *   codes, with the byte offset
 * @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_readConditionBinary
 * @example
 * decodeCondition('a52780209c2850f5147e9903dd317c650ac1d6e80e695280789887f2e3179e5c65c9df3a8103020000')
 * // { type: 'condition', conditionType: 'secp256k1-sha-256', fingerprint: '9c28…df3a', cost: 131072n, subtypes: [] }
 */
export function decodeCondition(condition: string, options: ReadOptions = {}): ReadCondition {
  requireString(condition, 'condition')
  requireKnownMembers(options, ['rules'], 'options')
  const asDaemon = options.rules === 'daemon'
  const fingerprint = engine.decodeCondition(condition, { asDaemon: asDaemon ? 1 : 0 })
  const decoded: ReadCondition = {
    type: 'condition',
    conditionType: conditionTypeOfNumber(record.conditionType())!,
    fingerprint,
    cost: record.conditionCost(),
    subtypes: typesOfMask(record.conditionSubtypes()),
  }
  if (!asDaemon) return decoded
  return { ...decoded, isCanonical: record.conditionCanonical() === 1 }
}

/**
 * Encodes the fulfillment of a tree: the cheapest members that can be fulfilled, and conditions for
 * the others.
 *
 * @param tree - a tree with the signatures that it needs
 * @returns strict DER, hex; without the hash type byte of a scriptSig
 * @throws {AntaraError} `fulfillment_incomplete`, `condition_mixed_marker`, and as `encodeCondition`
 * @see komodo src/cryptoconditions/src/threshold.c, thresholdToFulfillment
 * @example
 * encodeFulfillment({ type: 'eval-sha-256', code: 'f2' }) // 'af038001f2'
 */
export function encodeFulfillment(tree: ConditionTree, options: FulfillmentOptions = {}): string {
  requireKnownMembers(options, ['form'], 'options')
  return encodeTrees([{ tree, form: options.form === 'mixed' ? 'mixed' : 'plain' }])[0]!
}

/**
 * Decodes a fulfillment, strictly: `encodeFulfillment(decodeFulfillment(hex)) === hex`.
 *
 * A member that appears as a condition only is a node of type `condition`. Signatures are not
 * checked; `verifyFulfillment` checks them.
 * A tree whose condition `encodeCondition` refuses, such as one with a fingerprint of more than 4096
 * bytes, cannot be encoded again.
 *
 * @param fulfillment - hex, without the hash type byte of a scriptSig
 * @returns the tree, with bytes as hex
 * @throws {AntaraError} as `decodeCondition`, and `der_set_not_sorted`, `condition_public_key`,
 *   `condition_signature_size`, `condition_rsa_modulus`, `condition_threshold`,
 *   `condition_members` (more than 255, or more than 65536 nodes), `condition_mixed_marker`,
 *   `condition_nesting_over_limit` (more than 32 deep), and with `checkKeys` `public_key_off_curve`, with the byte offset
 * @see komodo src/cryptoconditions/src/cryptoconditions.c, cc_readFulfillmentBinary
 * @example
 * decodeFulfillment('a208a004a0028000a100')
 * // { type: 'threshold-sha-256', threshold: 1, subconditions: [{ type: 'preimage-sha-256', preimage: '' }] }
 */
export function decodeFulfillment(
  fulfillment: string,
  options: FulfillmentReadOptions = {},
): ConditionTree {
  requireString(fulfillment, 'fulfillment')
  requireKnownMembers(options, ['form', 'checkKeys'], 'options')
  const text = engine.decodeFulfillment(fulfillment, {
    isMixed: options.form === 'mixed' ? 1 : 0,
    checksKeys: options.checkKeys === true ? 1 : 0,
  })
  const hex = answerDetail() === 1 ? fulfillment.toLowerCase() : fulfillment
  return readTree({ word: resultBase + treeWords, hex, text, position: 0 })
}

/**
 * Encodes several trees in one call of the engine, each in its form, hex.
 *
 * `mixed-hidden` is the form after 'M' in Tokel's scripts: the first threshold inside, which
 * contains the keys, is written as its condition.
 *
 * @throws {AntaraError} as `encodeCondition` and `encodeFulfillment`, for the first that is wrong
 * @see tokel src/script/cc.cpp, CCtoAnon
 */
export function encodeTrees(trees: readonly FormedTree[]): string[] {
  if (trees.length === 0) return []
  const joined = writeTrees(trees)
  const locate: Locate = ({ offset }, code, number) => {
    // The offset is a position in the joined text of all trees.
    if (code === 'malformed_hex') for (const { tree } of trees) requireHexParts(tree)
    // Otherwise the error names a node of a tree by its index.
    return placeOfNode(trees[number]!.tree, offset ?? 0)
  }
  const text = engine.encodeTrees(joined, { count: trees.length }, locate)
  if (trees.length === 1) return [text]
  let end = 0
  return trees.map((_, number) => {
    const start = end
    end += record.encodedDigits(resultBase + number)
    return text.slice(start, end)
  })
}
