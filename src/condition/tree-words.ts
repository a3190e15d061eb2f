import { reserveWords, values, words } from '../engine/engine.ts'
import * as at from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { kindOf, misuse, requireString } from '../primitives/misuse.ts'
import {
  type Condition,
  type ConditionTree,
  type ConditionType,
  conditionTypeNumbers,
  conditionTypeOfNumber,
  isConditionType,
  type ThresholdNode,
  typesOfMask,
} from './types.ts'

/** Of this module, because V8 folds no constant that is imported. */
const {
  absentLength,
  bareFlag,
  nodeKeyHash,
  nodeMembers,
  nodeNumber,
  nodeSecond,
  nodeSubtypes,
  nodeThreshold,
  nodeType,
  nodeValue,
  nodeWords,
  resultBase,
  treeNodes,
} = at

/** native/core/cc/tree.h, condition_depth_max: conditions inside conditions. */
export const conditionDepthMax = 32

/** komodo src/cryptoconditions/include/cryptoconditions.h, struct CC: `size` is one byte. */
const membersMax = 255

/** Far beyond any tree whose fulfillment fits a block, and little enough to hold. */
const nodesMax = 1 << 16

const costMax = (1n << 63n) - 1n

/** What a tree is written with: its words go to the scratch, its bytes are joined here. */
interface TreeWriter {
  readonly root: ConditionTree
  /** Of the next node. */
  index: number
  word: number
  /** Hex of all parts, one after another. */
  joined: string
}

/**
 * Writes a tree to the engine's scratch, each node before its members.
 *
 * @returns hex of the bytes that the written words refer to
 * @throws {AntaraError} `condition_nesting_over_limit`, `condition_members`, `condition_threshold`,
 *   `malformed_hex`, `odd_length_hex`, `condition_cost_over_limit`, each with the path
 * @throws {TypeError} for members of a wrong type
 */
export function writeTreeWords(tree: ConditionTree): string {
  const count = countNodes({ root: tree, index: 0 }, tree, 1)
  reserveWords(resultBase + treeNodes + nodeWords * count)
  words[resultBase] = count
  const writer = { root: tree, index: 0, word: resultBase + treeNodes, joined: '' }
  writeNode(writer, tree)
  return writer.joined
}

/** Checks what bounds a tree before anything is made of it. */
function countNodes(
  counter: { readonly root: ConditionTree; index: number },
  tree: ConditionTree,
  depth: number,
): number {
  const { root, index } = counter
  if (depth > conditionDepthMax) {
    throw new AntaraError('condition_nesting_over_limit', placeOfNode(root, index))
  }
  if (typeof tree !== 'object' || tree === null) {
    throw misuse(pathOfNode(root, index) || 'tree', 'an object', tree)
  }
  if (index === nodesMax) throw new AntaraError('condition_members', placeOfNode(root, index))
  counter.index += 1
  if (tree.type === 'prefix-sha-256') {
    countNodes(counter, tree.subcondition, depth + 1)
  } else if (tree.type === 'threshold-sha-256') {
    // Paths are sought only for errors: asking for one walks the tree.
    if (!Array.isArray(tree.subconditions)) {
      throw misuse(memberPath(root, index, 'subconditions'), 'an array', tree.subconditions)
    }
    if (tree.subconditions.length > membersMax) {
      throw new AntaraError('condition_members', placeOfNode(root, index))
    }
    for (const member of tree.subconditions) countNodes(counter, member, depth + 1)
  }
  return counter.index
}

function writeNode(writer: TreeWriter, tree: ConditionTree): void {
  const { type } = tree
  switch (type) {
    case 'preimage-sha-256':
      writeHeader(writer, type)
      writePart(writer, nodeValue, tree.preimage, 'preimage')
      break
    case 'prefix-sha-256': {
      const length = wholeNumber(writer, tree.maxMessageLength, 'maxMessageLength')
      writeHeader(writer, type, { members: 1 })
      words[writer.word + nodeNumber] = length >>> 0
      words[writer.word + nodeNumber + 1] = length / 2 ** 32
      writePart(writer, nodeValue, tree.prefix, 'prefix')
      break
    }
    case 'threshold-sha-256':
      writeThreshold(writer, tree)
      break
    case 'rsa-sha-256':
      writeHeader(writer, type)
      writePart(writer, nodeValue, tree.modulus, 'modulus')
      writePart(writer, nodeSecond, tree.signature, 'signature', true)
      break
    case 'ed25519-sha-256':
    case 'secp256k1-sha-256':
      writeHeader(writer, type)
      writePart(writer, nodeValue, tree.publicKey, 'publicKey')
      writePart(writer, nodeSecond, tree.signature, 'signature', true)
      break
    case 'secp256k1hash-sha-256':
      writeHeader(writer, type)
      writePart(writer, nodeValue, tree.publicKey, 'publicKey', true)
      writePart(writer, nodeKeyHash, tree.publicKeyHash, 'publicKeyHash')
      writePart(writer, nodeSecond, tree.signature, 'signature', true)
      break
    case 'eval-sha-256':
      writeHeader(writer, type)
      writePart(writer, nodeValue, tree.code, 'code')
      writePart(writer, nodeSecond, tree.parameter, 'parameter', true)
      break
    case 'condition':
      writeBare(writer, tree)
      break
    default:
      throw new TypeError(`${placeOf(writer, 'type')}: ${String(type)} is no type of condition`)
  }
  writer.index += 1
  writer.word += nodeWords
  if (type === 'prefix-sha-256') writeNode(writer, tree.subcondition)
  if (type === 'threshold-sha-256') {
    for (const member of tree.subconditions) writeNode(writer, member)
  }
}

function writeThreshold(writer: TreeWriter, tree: ThresholdNode): void {
  const threshold = wholeNumber(writer, tree.threshold, 'threshold')
  const members = tree.subconditions.length
  if (threshold < 1 || threshold > members) {
    const place = placeOfNode(writer.root, writer.index)
    throw new AntaraError('condition_threshold', { ...place, actual: threshold })
  }
  writeHeader(writer, tree.type, { threshold, members })
}

function writeBare(writer: TreeWriter, condition: Condition): void {
  const { conditionType, fingerprint, cost, subtypes } = condition
  requireType(writer, conditionType, 'conditionType')
  if (typeof cost !== 'bigint') throw misuse(placeOf(writer, 'cost'), 'a bigint', cost)
  if (!Array.isArray(subtypes)) throw misuse(placeOf(writer, 'subtypes'), 'an array', subtypes)
  if (cost < 0n || cost > costMax) {
    throw new AntaraError('condition_cost_over_limit', {
      path: placeOf(writer, 'cost'),
      actual: cost,
    })
  }
  let mask = 0
  for (const subtype of subtypes) {
    requireType(writer, subtype, 'subtypes')
    mask |= 1 << conditionTypeNumbers[subtype]
  }
  writeHeader(writer, conditionType, { subtypes: mask })
  words[writer.word + nodeType]! += bareFlag
  values[(writer.word + nodeNumber) >> 1] = cost
  writePart(writer, nodeValue, fingerprint, 'fingerprint')
}

/** Everything of a node but its parts, which are absent until they are written. */
function writeHeader(
  { word }: TreeWriter,
  type: ConditionType,
  { threshold = 0, members = 0, subtypes = 0 } = {},
): void {
  words[word + nodeNumber] = 0
  words[word + nodeNumber + 1] = 0
  words[word + nodeType] = conditionTypeNumbers[type]
  words[word + nodeThreshold] = threshold
  words[word + nodeMembers] = members
  words[word + nodeSubtypes] = subtypes
  words[word + nodeValue + 1] = absentLength
  words[word + nodeKeyHash + 1] = absentLength
  words[word + nodeSecond + 1] = absentLength
}

const lowerHex = /^(?:[0-9a-f]{2})*$/

function writePart(
  writer: TreeWriter,
  position: number,
  text: unknown,
  name: string,
  isOptional = false,
): void {
  if (text === undefined && isOptional) return
  const hex = typeof text === 'string' && lowerHex.test(text) ? text : hexOf(writer, text, name)
  words[writer.word + position] = writer.joined.length / 2
  words[writer.word + position + 1] = hex.length / 2
  writer.joined += hex
}

/** What is not lower-case hex, with a path if it is no hex at all. */
function hexOf(writer: TreeWriter, text: unknown, name: string): string {
  const path = placeOf(writer, name)
  requireString(text, path)
  return normalizeHex(text, path)
}

function requireType(
  writer: TreeWriter,
  value: unknown,
  name: string,
): asserts value is ConditionType {
  if (isConditionType(value)) return
  const shown = typeof value === 'string' ? value : kindOf(value)
  throw new TypeError(`${placeOf(writer, name)}: ${shown} is no type of condition`)
}

function wholeNumber(writer: TreeWriter, value: unknown, name: string): number {
  if (typeof value !== 'number') throw misuse(placeOf(writer, name), 'a number', value)
  if (Number.isSafeInteger(value) && value >= 0) return value
  const path = placeOf(writer, name)
  throw new TypeError(`${path}: expected an integer from 0 to 2^53 - 1, got ${value}`)
}

function placeOf({ root, index }: TreeWriter, name: string): string {
  return memberPath(root, index, name)
}

function memberPath(root: ConditionTree, index: number, name: string): string {
  const path = pathOfNode(root, index)
  return path === '' ? name : `${path}.${name}`
}

/** The path of the node with an index, as an error's context; the root has none. */
export function placeOfNode(root: ConditionTree, index: number): { path?: string } {
  const path = pathOfNode(root, index)
  return path === '' ? {} : { path }
}

/** Where in a tree the node with an index is. Only asked for when something is wrong there. */
function pathOfNode(root: ConditionTree, index: number): string {
  let left = index
  const search = (tree: ConditionTree, path: string, depth: number): string | undefined => {
    if (left === 0) return path
    left -= 1
    if (depth > conditionDepthMax || typeof tree !== 'object' || tree === null) return undefined
    const inside = path === '' ? '' : `${path}.`
    if (tree.type === 'prefix-sha-256') {
      return search(tree.subcondition, `${inside}subcondition`, depth + 1)
    }
    if (tree.type !== 'threshold-sha-256') return undefined
    for (const [number, member] of tree.subconditions.entries()) {
      const found = search(member, `${inside}subconditions[${number}]`, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  return search(root, '', 1) ?? ''
}

/**
 * Builds the tree that the engine left in its scratch.
 *
 * @param hex - lower-case hex that the tree's slices are parts of
 * @param keyHashes - hex of the hash for each secp256k1hash node, one after another
 */
export function readTreeWords(hex: string, keyHashes: string): ConditionTree {
  let word = resultBase + treeNodes
  let hashPosition = 0

  const part = (position: number): string => {
    const offset = words[position]!
    return hex.slice(2 * offset, 2 * (offset + words[position + 1]!))
  }
  const nextNode = (): ConditionTree => {
    const node = word
    word += nodeWords
    const type = conditionTypeOfNumber(words[node + nodeType]! & ~bareFlag)!
    const number = values[(node + nodeNumber) >> 1]!
    if (words[node + nodeType]! & bareFlag) {
      return {
        type: 'condition',
        conditionType: type,
        fingerprint: part(node + nodeValue),
        cost: number,
        subtypes: typesOfMask(words[node + nodeSubtypes]!),
      }
    }
    const value = part(node + nodeValue)
    const second = part(node + nodeSecond)
    switch (type) {
      case 'preimage-sha-256':
        return { type, preimage: value }
      case 'prefix-sha-256':
        return { type, prefix: value, maxMessageLength: Number(number), subcondition: nextNode() }
      case 'threshold-sha-256': {
        const threshold = words[node + nodeThreshold]!
        const subconditions: ConditionTree[] = []
        for (let left = words[node + nodeMembers]!; left > 0; left -= 1) {
          subconditions.push(nextNode())
        }
        return { type, threshold, subconditions }
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
        if (words[node + nodeSecond + 1] === absentLength) return { type, code: value }
        return { type, code: value, parameter: second }
    }
  }
  return nextNode()
}
