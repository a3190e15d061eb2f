// Makes the scripts, addresses and scriptSigs of conditions.

import { pushBytesMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { encodeFulfillment, encodeTrees } from '../condition/codec.ts'
import type { TreeForm } from '../condition/tree-words.ts'
import type { ConditionTree, EvalNode } from '../condition/types.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { requireArray, requireObject } from '../primitives/arguments.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { compressedKeyDigits } from '../primitives/hex-forms.ts'
import { requireKnownMembers } from '../primitives/known-members.ts'
import { byteHex, hexText } from '../primitives/wire.ts'
import { type ConditionParams, encodeConditionParams } from './condition-params.ts'
import { pushOf } from './push.ts'
import { addressOfScript } from './script.ts'

/** OP_CHECKCRYPTOCONDITION */
const opCheckCryptoCondition = 'cc'
const opDrop = '75'

/**
 * The maximum includes the hash type: komodo src/script/cc.h,
 * MAX_SCRIPT_CRYPTOCONDITION_FULFILLMENT_SIZE.
 */
const fulfillmentPushBytesMax = 2048

/** The byte before the tree: tokel src/script/cc.h, CC_MIXED_MODE_PREFIX. */
const formPrefix: { readonly [Form in ConditionForm]: string } = { condition: '', M: '4d', N: '4e' }

const treeForms: { readonly [Form in ConditionForm]: TreeForm } = {
  condition: 'condition',
  M: 'mixed-hidden',
  N: 'mixed',
}

/**
 * How a script writes the tree of a condition. `condition` is the binary condition, a fingerprint
 * of the tree. Only Tokel has the others: `N` is the whole tree, and `M` is the tree with the
 * condition of its first inner threshold in place of that threshold.
 */
export type ConditionForm = 'condition' | 'M' | 'N'

export interface ConditionScriptOptions {
  /** Default: `condition`, which every chain with conditions accepts. */
  readonly form?: ConditionForm
  /** Parameters that the script pushes and drops after the condition. */
  readonly params?: ConditionParams
}

export interface ModuleConditionOptions {
  /** One byte each. As in the daemons, 0 means no code, and a repeated code counts once. */
  readonly evalCodes: readonly number[]
  /** The number of keys that must sign. Default: 1. */
  readonly required?: number
}

/**
 * Returns the tree of an output that belongs to keys and is validated by modules: it requires every
 * eval code and `required` of the keys.
 *
 * @param keys - public keys of 33 bytes, or for Tokel their hashes of 20, hex
 * @returns the tree, without signatures
 * @throws {AntaraError} `wrong_length`, `malformed_hex`, `odd_length_hex`
 * @see komodo src/cc/CCutils.cpp, MakeCCcond1 and MakeCCcond1of2; src/cc/CCtokenutils.cpp,
 *   MakeTokensCCcond1; tokel src/cc/CCutils.cpp, MakeCCcondMofN
 * @example
 * moduleCondition([pubkey], { evalCodes: [0xf2] })
 */
export function moduleCondition(
  keys: readonly string[],
  options: ModuleConditionOptions,
): ConditionTree {
  requireObject(options, 'options')
  requireKnownMembers(options, ['evalCodes', 'required'], 'options')
  const { evalCodes, required = 1 } = options
  requireArray(keys, 'keys')
  requireArray(evalCodes, 'evalCodes')
  const codes = [...new Set(evalCodes)].filter((code) => code !== 0)
  return conditionTree(codes, keys.map(keyNode), required)
}

/**
 * Returns the tree of `moduleCondition` for keys that are nodes already. It keeps every eval code,
 * because komodod's token outputs may repeat one.
 */
export function conditionTree(
  evalCodes: readonly number[],
  keys: readonly ConditionTree[],
  required = 1,
): ConditionTree {
  const evals = evalCodes.map(evalNode)
  return threshold(evals.length + 1, [...evals, threshold(required, keys)])
}

function threshold(count: number, subconditions: readonly ConditionTree[]): ConditionTree {
  return { type: 'threshold-sha-256', threshold: count, subconditions }
}

function evalNode(code: number, index: number): EvalNode {
  if (Number.isInteger(code) && code >= 0 && code <= 0xff) {
    return { type: 'eval-sha-256', code: byteHex(code) }
  }
  throw new TypeError(`evalCodes[${index}]: expected an integer from 0 to 255, got ${String(code)}`)
}

function keyNode(key: string, index: number): ConditionTree {
  const path = `keys[${index}]`
  const hex = hexText(key, path)
  if (hex.length === compressedKeyDigits) return { type: 'secp256k1-sha-256', publicKey: hex }
  if (hex.length === 40) return { type: 'secp256k1hash-sha-256', publicKeyHash: hex }
  throw new AntaraError('wrong_length', {
    path,
    expected: '33 or 20 bytes',
    actual: `${hex.length / 2} bytes`,
  })
}

/**
 * Returns the scriptPubKey that pays a condition: `push(condition) OP_CHECKCRYPTOCONDITION`, then
 * any parameters, pushed and dropped.
 *
 * @param tree - the condition
 * @param options - `form` of the push, default `condition`; `params` that the script drops
 * @returns hex
 * @throws {AntaraError} as `encodeCondition`, for the forms `M` and `N` as `encodeFulfillment`;
 *   `size_out_of_range` if a push has more than 520 bytes, because nobody could spend the output
 * @see komodo src/script/cc.cpp, CCPubKey; tokel the same
 * @example
 * conditionScript(moduleCondition([pubkey], { evalCodes: [0xf2] }))
 * // '2ea22c80206fe4dd2a0667f7a66c55e48805a05f90b63e7159729814e62385275ef1ad00df8103120c008203000401cc'
 */
export function conditionScript(tree: ConditionTree, options: ConditionScriptOptions = {}): string {
  requireKnownMembers(options, ['form', 'params'], 'options')
  const { form = 'condition', params } = options
  return conditionScripts([{ tree, form, ...(params && { params }) }])[0]!
}

/** Returns the locking scripts of several conditions, with one call of the native core. */
export function conditionScripts(
  scripts: readonly (ConditionScriptOptions & { readonly tree: ConditionTree })[],
): string[] {
  const encoded = encodeTrees(
    scripts.map(({ tree, form = 'condition' }) => ({ tree, form: treeForms[form] })),
  )
  return scripts.map(({ form = 'condition', params }, at) => {
    const script = spendablePush(formPrefix[form] + encoded[at]!, 'tree') + opCheckCryptoCondition
    if (params === undefined) return script
    return script + spendablePush(encodeConditionParams(params), 'params') + opDrop
  })
}

/** Returns a push. Throws if the push is so large that nobody could spend the output. */
function spendablePush(data: string, path: string): string {
  const bytes = data.length / 2
  if (bytes > pushBytesMax) {
    const expected = `at most ${pushBytesMax} bytes`
    throw new AntaraError('size_out_of_range', { path, expected, actual: `${bytes} bytes` })
  }
  return pushOf(data)
}

/**
 * Returns the address of outputs that pay a condition.
 *
 * @param tree - the condition
 * @param options - the form of the script, and the data that it drops
 * @returns Base58Check
 * @throws {AntaraError} as `conditionScript`
 * @throws {TypeError} if the network does not have the form: only Tokel has `M` and `N`, and KMD has no
 *   crypto-conditions
 * @example
 * conditionAddress(moduleCondition([pubkey], { evalCodes: [0xf2] }), networks.assetChain)
 * // 'RCCahKiyBWPEcj9RhqDirfFrgu9eLeUPnd'
 */
export function conditionAddress(
  tree: ConditionTree,
  network: Network,
  options: ConditionScriptOptions = {},
): string {
  const address = addressOfScript(conditionScript(tree, options), network)
  if (address !== undefined) return address
  throw new TypeError(`network: ${network.name} has no such crypto-conditions, so no addresses`)
}

/**
 * Returns the scriptSig of a fulfillment: a single push of the fulfillment, followed by the hash
 * type of its signatures.
 *
 * @param fulfillment - hex, or a tree with its signatures
 * @param hashType - a byte; default 1, ALL
 * @returns hex
 * @throws {AntaraError} as `encodeFulfillment`; `fulfillment_over_limit` if it has more than 2048
 *   bytes with the hash type,
 *   `malformed_hex`, `odd_length_hex`
 * @see komodo src/script/cc.cpp, CCSig
 * @example
 * conditionScriptSig('af038001f2') // '06af038001f201'
 */
export function conditionScriptSig(fulfillment: ConditionTree | string, hashType = 1): string {
  const encoded =
    typeof fulfillment === 'string'
      ? normalizeHex(fulfillment, 'fulfillment')
      : encodeFulfillment(fulfillment)
  if (!Number.isInteger(hashType) || hashType < 0 || hashType > 0xff) {
    throw new TypeError(`hashType: expected an integer from 0 to 255, got ${String(hashType)}`)
  }
  if (encoded.length / 2 >= fulfillmentPushBytesMax) {
    throw new AntaraError('fulfillment_over_limit', { actual: `${encoded.length / 2} bytes` })
  }
  return pushOf(encoded + byteHex(hashType))
}
