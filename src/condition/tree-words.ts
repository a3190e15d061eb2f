import { reserveWords, values, words } from '../engine/engine.ts'
import * as at from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { kindOf, misuse, requireArray, requireBigint, requireString } from '../primitives/misuse.ts'
import {
  type ConditionTree,
  type ConditionType,
  conditionTypeNumbers,
  conditionTypeOfNumber,
  isConditionType,
  typesOfMask,
} from './types.ts'

/** native/core/cc/tree.h, condition_depth_max: conditions inside conditions. */
export const conditionDepthMax = 32

/** komodo src/cryptoconditions/include/cryptoconditions.h, struct CC: `size` is one byte. */
const membersMax = 255

/** Far beyond any tree whose fulfillment fits a block, and little enough to hold. */
const nodesMax = 1 << 16

const costMax = (1n << 63n) - 1n

/** One node with all its parts checked to be what their types say. */
interface FlatNode {
  readonly type: ConditionType
  readonly isBare: boolean
  readonly path: string
  readonly members: number
  readonly threshold: number
  readonly subtypes: number
  readonly number: bigint
  readonly value: string | undefined
  readonly keyHash: string | undefined
  readonly second: string | undefined
}

/** A tree as the engine takes it: each node before its members. */
export interface FlatTree {
  readonly nodes: readonly FlatNode[]
  /** Hex of all parts, one after another. */
  readonly joined: string
}

/**
 * Checks a tree's form and puts its nodes in a row.
 *
 * @throws {AntaraError} `condition_nesting_over_limit`, `condition_members`, `malformed_hex`,
 *   `odd_length_hex`, `condition_cost_over_limit`, each with the path
 * @throws {TypeError} for members of a wrong type
 */
export function flattenTree(tree: ConditionTree): FlatTree {
  const nodes: FlatNode[] = []
  addNode(nodes, tree, '', 1)
  let joined = ''
  for (const { value, keyHash, second } of nodes) {
    joined += `${value ?? ''}${keyHash ?? ''}${second ?? ''}`
  }
  return { nodes, joined }
}

function addNode(nodes: FlatNode[], tree: ConditionTree, path: string, depth: number): void {
  if (typeof tree !== 'object' || tree === null) throw misuse(path || 'tree', 'an object', tree)
  if (depth > conditionDepthMax)
    throw new AntaraError('condition_nesting_over_limit', placeOf(path))
  if (nodes.length === nodesMax) throw new AntaraError('condition_members', placeOf(path))
  const node = flatNode(tree, path)
  nodes.push(node)
  const inside = path === '' ? '' : `${path}.`
  if (tree.type === 'prefix-sha-256') {
    addNode(nodes, tree.subcondition, `${inside}subcondition`, depth + 1)
  } else if (tree.type === 'threshold-sha-256') {
    tree.subconditions.forEach((member, index) => {
      addNode(nodes, member, `${inside}subconditions[${index}]`, depth + 1)
    })
  }
}

/** The path as an error's context; the root has none. */
function placeOf(path: string): { path?: string } {
  return path === '' ? {} : { path }
}

function flatNode(tree: ConditionTree, path: string): FlatNode {
  const member = (name: string) => (path === '' ? name : `${path}.${name}`)
  const hex = (text: unknown, name: string): string => {
    requireString(text, member(name))
    return normalizeHex(text, member(name))
  }
  const optionalHex = (text: unknown, name: string) =>
    text === undefined ? undefined : hex(text, name)
  const plain = {
    isBare: false,
    path,
    members: 0,
    threshold: 0,
    subtypes: 0,
    number: 0n,
    keyHash: undefined,
    second: undefined,
  }

  const { type } = tree
  switch (type) {
    case 'preimage-sha-256':
      return { ...plain, type, value: hex(tree.preimage, 'preimage') }
    case 'prefix-sha-256': {
      const number = wholeNumber(tree.maxMessageLength, member('maxMessageLength'))
      return { ...plain, type, members: 1, number, value: hex(tree.prefix, 'prefix') }
    }
    case 'threshold-sha-256': {
      requireArray(tree.subconditions, member('subconditions'))
      const members = tree.subconditions.length
      if (members > membersMax) throw new AntaraError('condition_members', placeOf(path))
      const threshold = Number(wholeNumber(tree.threshold, member('threshold')))
      if (threshold < 1 || threshold > members) {
        throw new AntaraError('condition_threshold', { ...placeOf(path), actual: threshold })
      }
      return { ...plain, type, members, threshold, value: undefined }
    }
    case 'rsa-sha-256': {
      const second = optionalHex(tree.signature, 'signature')
      return { ...plain, type, value: hex(tree.modulus, 'modulus'), second }
    }
    case 'ed25519-sha-256':
    case 'secp256k1-sha-256': {
      const second = optionalHex(tree.signature, 'signature')
      return { ...plain, type, value: hex(tree.publicKey, 'publicKey'), second }
    }
    case 'secp256k1hash-sha-256':
      return {
        ...plain,
        type,
        value: optionalHex(tree.publicKey, 'publicKey'),
        keyHash: hex(tree.publicKeyHash, 'publicKeyHash'),
        second: optionalHex(tree.signature, 'signature'),
      }
    case 'eval-sha-256': {
      const second = optionalHex(tree.parameter, 'parameter')
      return { ...plain, type, value: hex(tree.code, 'code'), second }
    }
    case 'condition': {
      const { conditionType, fingerprint, cost, subtypes } = tree
      requireType(conditionType, member('conditionType'))
      requireBigint(cost, member('cost'))
      requireArray(subtypes, member('subtypes'))
      if (cost < 0n || cost > costMax) {
        throw new AntaraError('condition_cost_over_limit', { path: member('cost'), actual: cost })
      }
      const mask = subtypes.reduce((bits: number, subtype) => {
        requireType(subtype, member('subtypes'))
        return bits | (1 << conditionTypeNumbers[subtype])
      }, 0)
      return {
        ...plain,
        type: conditionType,
        isBare: true,
        subtypes: mask,
        number: cost,
        value: hex(fingerprint, 'fingerprint'),
      }
    }
    default:
      throw new TypeError(`${member('type')}: ${String(type)} is no type of condition`)
  }
}

function requireType(value: unknown, name: string): asserts value is ConditionType {
  if (isConditionType(value)) return
  const shown = typeof value === 'string' ? value : kindOf(value)
  throw new TypeError(`${name}: ${shown} is no type of condition`)
}

function wholeNumber(value: unknown, name: string): bigint {
  if (typeof value !== 'number') throw misuse(name, 'a number', value)
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new TypeError(`${name}: expected an integer from 0 to 2^53 - 1, got ${value}`)
  }
  return BigInt(value)
}

/** Writes a tree to the engine's scratch. */
export function writeTreeWords({ nodes }: FlatTree): void {
  const base = at.resultBase
  reserveWords(base + at.treeNodes + at.nodeWords * nodes.length)
  words[base] = nodes.length
  let offset = 0
  const writePart = (word: number, part: string | undefined) => {
    words[word] = offset
    words[word + 1] = part === undefined ? at.absentLength : part.length / 2
    offset += (part?.length ?? 0) / 2
  }
  let word = base + at.treeNodes
  for (const node of nodes) {
    values[(word + at.nodeNumber) >> 1] = node.number
    words[word + at.nodeType] = conditionTypeNumbers[node.type] + (node.isBare ? at.bareFlag : 0)
    words[word + at.nodeThreshold] = node.threshold
    words[word + at.nodeMembers] = node.members
    words[word + at.nodeSubtypes] = node.subtypes
    writePart(word + at.nodeValue, node.value)
    writePart(word + at.nodeKeyHash, node.keyHash)
    writePart(word + at.nodeSecond, node.second)
    word += at.nodeWords
  }
}

/**
 * Builds the tree that the engine left in its scratch.
 *
 * @param hex - lower-case hex that the tree's slices are parts of
 * @param keyHashes - hex of the hash for each secp256k1hash node, one after another
 */
export function readTreeWords(hex: string, keyHashes: string): ConditionTree {
  let word = at.resultBase + at.treeNodes
  let hashPosition = 0

  const part = (position: number): string => {
    const offset = words[position]!
    return hex.slice(2 * offset, 2 * (offset + words[position + 1]!))
  }
  const nextNode = (): ConditionTree => {
    const node = word
    word += at.nodeWords
    const type = conditionTypeOfNumber(words[node + at.nodeType]! & ~at.bareFlag)!
    const number = values[(node + at.nodeNumber) >> 1]!
    if (words[node + at.nodeType]! & at.bareFlag) {
      return {
        type: 'condition',
        conditionType: type,
        fingerprint: part(node + at.nodeValue),
        cost: number,
        subtypes: typesOfMask(words[node + at.nodeSubtypes]!),
      }
    }
    const value = part(node + at.nodeValue)
    const second = part(node + at.nodeSecond)
    switch (type) {
      case 'preimage-sha-256':
        return { type, preimage: value }
      case 'prefix-sha-256':
        return { type, prefix: value, maxMessageLength: Number(number), subcondition: nextNode() }
      case 'threshold-sha-256': {
        const threshold = words[node + at.nodeThreshold]!
        const length = words[node + at.nodeMembers]!
        return { type, threshold, subconditions: Array.from({ length }, nextNode) }
      }
      case 'rsa-sha-256':
        return { type, modulus: value, signature: second }
      case 'ed25519-sha-256':
      case 'secp256k1-sha-256':
        return { type, publicKey: value, signature: second }
      case 'secp256k1hash-sha-256': {
        const publicKeyHash = keyHashes.slice(hashPosition, hashPosition + 40)
        hashPosition += 40
        return { type, publicKeyHash, publicKey: value, signature: second }
      }
      case 'eval-sha-256':
        if (words[node + at.nodeSecond + 1] === at.absentLength) return { type, code: value }
        return { type, code: value, parameter: second }
    }
  }
  return nextNode()
}
