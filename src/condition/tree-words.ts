import { isStillReserved, reserve } from '../engine/call.ts'
import {
  type Node,
  nodeMembers,
  nodeNumber,
  nodeSecondLength,
  nodeSecondOffset,
  nodeSubtypes,
  nodeThreshold,
  nodeType,
  nodeValueLength,
  nodeValueOffset,
  writeNode,
  writeTree,
} from '../engine/records.ts'
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
const { absentLength, bareFlag, nodeWords, resultBase, treesWords, treeWords } = at

/** native/core/cc/tree.h, condition_depth_max: conditions inside conditions. */
export const conditionDepthMax = 32

/** komodo src/cryptoconditions/include/cryptoconditions.h, struct CC: `size` is one byte. */
const membersMax = 255

/** Far beyond any tree whose fulfillment fits a block, and little enough to hold. */
const nodesMax = 1 << 16

const costMax = (1n << 63n) - 1n

/** What trees are written with: their words go to the engine, their bytes are joined here. */
interface TreeWriter {
  root: ConditionTree
  /** Of the next node. */
  index: number
  /** Where the next record goes. */
  word: number
  /** Hex of all parts, one after another. */
  joined: string
}

/** A tree, and the number of the form in which the engine shall write it. */
interface FormedTree {
  readonly tree: ConditionTree
  readonly form: number
}

/**
 * Writes trees to the engine's words, in each every node before its members.
 *
 * @returns hex of the bytes that the words refer to
 * @throws {AntaraError} `condition_nesting_over_limit`, `condition_members`, `condition_threshold`,
 *   `malformed_hex`, `odd_length_hex`, `condition_cost_over_limit`, each with the path
 * @throws {TypeError} for members of a wrong type, and of a tree that encodes others when it is read
 */
export function writeTrees(trees: readonly FormedTree[]): string {
  const counts = trees.map(({ tree }) => countNodes({ root: tree, index: 0 }, tree, 1))
  const nodes = counts.reduce((sum, count) => sum + count, 0)
  const reservation = reserve(treesWords + treeWords * trees.length + nodeWords * nodes)
  const writer = { root: trees[0]!.tree, index: 0, word: resultBase + treesWords, joined: '' }
  for (const [number, { tree, form }] of trees.entries()) {
    writeTree(writer.word, { nodes: counts[number]!, form })
    writer.word += treeWords
    writer.root = tree
    writer.index = 0
    writeNodes(writer, tree)
    if (writer.index !== counts[number]) throw changedTree()
  }
  if (!isStillReserved(reservation)) throw changedTree()
  return writer.joined
}

function changedTree(): TypeError {
  return new TypeError('tree: reading it runs the engine, or changes it')
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

function writeNodes(writer: TreeWriter, tree: ConditionTree): void {
  writeNode(writer.word, nodeOf(writer, tree))
  writer.word += nodeWords
  writer.index += 1
  if (tree.type === 'prefix-sha-256') writeNodes(writer, tree.subcondition)
  if (tree.type === 'threshold-sha-256') {
    for (const member of tree.subconditions) writeNodes(writer, member)
  }
}

/** A part's place among the joined bytes. */
interface Part {
  readonly offset: number
  readonly length: number
}

const absent: Part = { offset: 0, length: absentLength }

interface NodeFields {
  readonly value: Part
  readonly keyHash?: Part
  readonly second?: Part
  readonly number?: bigint
  readonly threshold?: number
  readonly members?: number
  readonly subtypes?: number
}

/** The words of a node, zero or absent where its type has nothing to say. */
function nodeWith(type: number, fields: NodeFields): Node {
  const { value, keyHash = absent, second = absent } = fields
  const { number = 0n, threshold = 0, members = 0, subtypes = 0 } = fields
  return {
    number,
    type,
    threshold,
    members,
    subtypes,
    valueOffset: value.offset,
    valueLength: value.length,
    keyHashOffset: keyHash.offset,
    keyHashLength: keyHash.length,
    secondOffset: second.offset,
    secondLength: second.length,
  }
}

function nodeOf(writer: TreeWriter, tree: ConditionTree): Node {
  const type = conditionTypeNumbers[tree.type as ConditionType]
  switch (tree.type) {
    case 'preimage-sha-256':
      return nodeWith(type, { value: part(writer, tree.preimage, 'preimage') })
    case 'prefix-sha-256': {
      const number = BigInt(wholeNumber(writer, tree.maxMessageLength, 'maxMessageLength'))
      const value = part(writer, tree.prefix, 'prefix')
      return nodeWith(type, { value, members: 1, number })
    }
    case 'threshold-sha-256':
      return thresholdNode(writer, tree)
    case 'rsa-sha-256': {
      const value = part(writer, tree.modulus, 'modulus')
      return nodeWith(type, { value, second: optionalPart(writer, tree.signature, 'signature') })
    }
    case 'ed25519-sha-256':
    case 'secp256k1-sha-256': {
      const value = part(writer, tree.publicKey, 'publicKey')
      return nodeWith(type, { value, second: optionalPart(writer, tree.signature, 'signature') })
    }
    case 'secp256k1hash-sha-256': {
      const value = optionalPart(writer, tree.publicKey, 'publicKey')
      const keyHash = part(writer, tree.publicKeyHash, 'publicKeyHash')
      const second = optionalPart(writer, tree.signature, 'signature')
      return nodeWith(type, { value, keyHash, second })
    }
    case 'eval-sha-256': {
      const value = part(writer, tree.code, 'code')
      return nodeWith(type, { value, second: optionalPart(writer, tree.parameter, 'parameter') })
    }
    case 'condition':
      return bareNode(writer, tree)
    default:
      throw new TypeError(
        `${placeOf(writer, 'type')}: ${String((tree as ConditionTree).type)} is no type of condition`,
      )
  }
}

function thresholdNode(writer: TreeWriter, tree: ThresholdNode): Node {
  const threshold = wholeNumber(writer, tree.threshold, 'threshold')
  const members = tree.subconditions.length
  if (threshold < 1 || threshold > members) {
    const place = placeOfNode(writer.root, writer.index)
    throw new AntaraError('condition_threshold', { ...place, actual: threshold })
  }
  return nodeWith(conditionTypeNumbers[tree.type], { value: absent, threshold, members })
}

function bareNode(writer: TreeWriter, condition: Condition): Node {
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
  const value = part(writer, fingerprint, 'fingerprint')
  const type = conditionTypeNumbers[conditionType] + bareFlag
  return nodeWith(type, { value, number: cost, subtypes: mask })
}

const lowerHex = /^(?:[0-9a-f]{2})*$/

function optionalPart(writer: TreeWriter, text: unknown, name: string): Part {
  return text === undefined ? absent : part(writer, text, name)
}

function part(writer: TreeWriter, text: unknown, name: string): Part {
  const hex = typeof text === 'string' && lowerHex.test(text) ? text : hexOf(writer, text, name)
  const offset = writer.joined.length / 2
  writer.joined += hex
  return { offset, length: hex.length / 2 }
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

/** Where an answer is read. */
export interface AnswerCursor {
  /** The word of the next record. */
  word: number
  /** Lower-case hex that slices are parts of. */
  readonly hex: string
  /** The text of the answer, and how far it was read. */
  readonly text: string
  position: number
}

/** The next characters of the answer's text. */
export function nextText(cursor: AnswerCursor, characters: number): string {
  const start = cursor.position
  cursor.position += characters
  return cursor.text.slice(start, cursor.position)
}

/** Builds the tree whose nodes are next in an answer, and the hashes of its keys in its text. */
export function readTree(cursor: AnswerCursor): ConditionTree {
  const { hex } = cursor
  const slice = (offset: number, length: number) => hex.slice(2 * offset, 2 * (offset + length))
  const nextNode = (): ConditionTree => {
    const node = cursor.word
    cursor.word += nodeWords
    const type = conditionTypeOfNumber(nodeType(node) & ~bareFlag)!
    const value = slice(nodeValueOffset(node), nodeValueLength(node))
    if (nodeType(node) & bareFlag) {
      const subtypes = typesOfMask(nodeSubtypes(node))
      const cost = nodeNumber(node)
      return { type: 'condition', conditionType: type, fingerprint: value, cost, subtypes }
    }
    const second = slice(nodeSecondOffset(node), nodeSecondLength(node))
    switch (type) {
      case 'preimage-sha-256':
        return { type, preimage: value }
      case 'prefix-sha-256': {
        const maxMessageLength = Number(nodeNumber(node))
        return { type, prefix: value, maxMessageLength, subcondition: nextNode() }
      }
      case 'threshold-sha-256': {
        const threshold = nodeThreshold(node)
        const subconditions: ConditionTree[] = []
        for (let left = nodeMembers(node); left > 0; left -= 1) subconditions.push(nextNode())
        return { type, threshold, subconditions }
      }
      case 'rsa-sha-256':
        return { type, modulus: value, signature: second }
      case 'ed25519-sha-256':
      case 'secp256k1-sha-256':
        return { type, publicKey: value, signature: second }
      case 'secp256k1hash-sha-256': {
        const publicKeyHash = nextText(cursor, 40)
        return { type, publicKeyHash, publicKey: value, signature: second }
      }
      case 'eval-sha-256':
        if (nodeSecondLength(node) === absentLength) return { type, code: value }
        return { type, code: value, parameter: second }
    }
  }
  return nextNode()
}
