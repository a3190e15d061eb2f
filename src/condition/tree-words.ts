// Writes trees of conditions as the words that the native core reads.

import { isStillReserved, reserve } from '../engine/call.ts'
import * as record from '../engine/records.ts'
import { type NodeSlot, writeNodeHead, writeNodePart } from '../engine/tree-lists.ts'
import {
  absentLength,
  bareFlag,
  formCondition,
  formMixed,
  formMixedHidden,
  formPlain,
  nodeWords,
  resultBase,
  treesWords,
  treeWords,
} from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { argumentError, kindOf, requireString } from '../primitives/arguments.ts'
import { normalizeHex } from '../primitives/hex.ts'
import { isHex } from '../primitives/hex-forms.ts'
import {
  type Condition,
  type ConditionTree,
  type ConditionType,
  conditionTypeOfNumber,
  conditionTypeRow,
  fingerprintDigits,
  isConditionType,
  maskOfTypes,
  type ThresholdNode,
  typesOfMask,
} from './types.ts'

/** native/core/cc/tree.h, condition_depth_max: conditions inside conditions. */
export const conditionDepthMax = 32

/** komodo src/cryptoconditions/include/cryptoconditions.h, struct CC: `size` is one byte. */
const membersMax = 255

/** native/core/cc/tree.h, condition_nodes_max. A tree that contains itself would never end. */
export const conditionNodesMax: number = 1 << 16

const costMax = (1n << 63n) - 1n

/** The state while trees are written: words go to the engine, bytes are joined here. */
interface TreeWriter {
  root: ConditionTree
  /** Index of the next node. */
  index: number
  /** Word where the next record begins. */
  word: number
  /** Hex of all parts, one after another. */
  joined: string
}

/** The form in which a tree is written: its condition, or one of the forms of a fulfillment. */
export type TreeForm = 'condition' | 'plain' | 'mixed' | 'mixed-hidden'

const formNumbers: { readonly [Form in TreeForm]: number } = {
  condition: formCondition,
  plain: formPlain,
  mixed: formMixed,
  'mixed-hidden': formMixedHidden,
}

export interface FormedTree {
  readonly tree: ConditionTree
  readonly form: TreeForm
}

/**
 * Writes trees to the engine's words. Each node comes before its members.
 *
 * @returns hex of the bytes that the words refer to
 * @throws {AntaraError} `condition_nesting_over_limit`, `condition_members`, `condition_threshold`,
 *   `malformed_hex`, `odd_length_hex`, `condition_cost_over_limit`, each with the path; only
 *   `condition_members` for a tree of too many nodes has none
 * @throws {TypeError} for members of a wrong type, and of a tree that encodes others when it is read
 */
export function writeTrees(trees: readonly FormedTree[]): string {
  const counts: number[] = []
  let nodes = 0
  for (const { tree } of trees) {
    const count = countNodes({ root: tree, index: 0 }, tree, 1)
    counts.push(count)
    nodes += count
  }
  const reservation = reserve(treesWords + treeWords * trees.length + nodeWords * nodes)
  const writer = { root: trees[0]!.tree, index: 0, word: resultBase + treesWords, joined: '' }
  for (let number = 0; number < trees.length; number += 1) {
    const { tree, form } = trees[number]!
    record.writeTree(writer.word, { nodes: counts[number]!, form: formNumbers[form] })
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

/** Checks the limits of a tree before anything is built from it. */
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
    throw argumentError(pathOfNode(root, index) || 'tree', 'an object', tree)
  }
  if (index === conditionNodesMax) throw new AntaraError('condition_members')
  counter.index += 1
  if (tree.type === 'prefix-sha-256') {
    countNodes(counter, tree.subcondition, depth + 1)
  } else if (tree.type === 'threshold-sha-256') {
    // A path is computed only for an error, because that walks the tree.
    if (!Array.isArray(tree.subconditions)) {
      throw argumentError(memberPath(root, index, 'subconditions'), 'an array', tree.subconditions)
    }
    if (tree.subconditions.length > membersMax) {
      throw new AntaraError('condition_members', placeOfNode(root, index))
    }
    for (const member of tree.subconditions) countNodes(counter, member, depth + 1)
  }
  return counter.index
}

function writeNodes(writer: TreeWriter, tree: ConditionTree): void {
  writeOwn(writer, tree)
  writer.word += nodeWords
  writer.index += 1
  if (tree.type === 'prefix-sha-256') writeNodes(writer, tree.subcondition)
  if (tree.type === 'threshold-sha-256') {
    for (const member of tree.subconditions) writeNodes(writer, member)
  }
}

function writeOwn(writer: TreeWriter, tree: ConditionTree): void {
  const row = conditionTypeRow(tree.type)
  if (row === undefined) {
    writeBare(writer, tree as Condition)
    return
  }
  let number = 0n
  let threshold = 0
  let members = 0
  if (tree.type === 'prefix-sha-256') {
    number = BigInt(wholeNumber(writer, tree.maxMessageLength, 'maxMessageLength'))
    members = 1
  } else if (tree.type === 'threshold-sha-256') {
    threshold = thresholdOf(writer, tree)
    members = tree.subconditions.length
  }
  writeNodeHead(writer.word, row.number, number, threshold, members, 0)
  for (const { member, slot, isOptional } of row.parts) {
    const bytes = (tree as unknown as Record<string, unknown>)[member]
    if (bytes !== undefined || !isOptional) writePart(writer, slot, bytes, member)
  }
}

function thresholdOf(writer: TreeWriter, tree: ThresholdNode): number {
  const threshold = wholeNumber(writer, tree.threshold, 'threshold')
  if (threshold < 1 || threshold > tree.subconditions.length) {
    const place = placeOfNode(writer.root, writer.index)
    throw new AntaraError('condition_threshold', { ...place, actual: threshold })
  }
  return threshold
}

function writeBare(writer: TreeWriter, tree: Condition): void {
  if (tree.type !== 'condition') {
    throw new TypeError(
      `${placeOf(writer, 'type')}: ${String(tree.type)} is not a type of condition`,
    )
  }
  const { conditionType, fingerprint, cost, subtypes } = tree
  requireType(writer, conditionType, 'conditionType')
  if (typeof cost !== 'bigint') throw argumentError(placeOf(writer, 'cost'), 'a bigint', cost)
  if (!Array.isArray(subtypes))
    throw argumentError(placeOf(writer, 'subtypes'), 'an array', subtypes)
  if (cost < 0n || cost > costMax) {
    const path = placeOf(writer, 'cost')
    throw new AntaraError('condition_cost_over_limit', { path, actual: cost })
  }
  for (const subtype of subtypes) requireType(writer, subtype, 'subtypes')
  const type = conditionTypeRow(conditionType).number + bareFlag
  writeNodeHead(writer.word, type, cost, 0, 0, maskOfTypes(subtypes))
  writePart(writer, 'value', fingerprint, 'fingerprint')
}

/** The engine checks the hex of all parts at once: see `requireHexParts`. */
function writePart(writer: TreeWriter, slot: NodeSlot, text: unknown, name: string): void {
  if (typeof text !== 'string') requireString(text, placeOf(writer, name))
  if (text.length % 2 !== 0) normalizeHex(text, placeOf(writer, name))
  writeNodePart(writer.word, slot, writer.joined.length / 2, text.length / 2)
  writer.joined += text
}

/**
 * Refuses a tree with a part that is not hex, which could be written otherwise.
 *
 * @throws {AntaraError} `malformed_hex`, with the path of the part
 */
export function requireHexParts(root: ConditionTree): void {
  forEachNode(root, (tree, pathOf) => {
    const members = conditionTypeRow(tree.type)?.parts.map(({ member }) => member)
    for (const name of members ?? ['fingerprint']) {
      const text = (tree as unknown as Record<string, unknown>)[name]
      if (typeof text === 'string' && text !== '' && !isHex(text)) normalizeHex(text, pathOf(name))
    }
  })
}

/**
 * Calls `check` for each node, in the order of their indexes.
 *
 * @param check - `pathOf` returns the path of a member; call it for an error only, because it walks
 *   the tree
 */
export function forEachNode(
  root: ConditionTree,
  check: (tree: ConditionTree, pathOf: (member: string) => string) => void,
): void {
  let index = 0
  const visit = (tree: ConditionTree): void => {
    check(tree, (member) => memberPath(root, index, member))
    index += 1
    if (tree.type === 'prefix-sha-256') visit(tree.subcondition)
    if (tree.type === 'threshold-sha-256') for (const member of tree.subconditions) visit(member)
  }
  visit(root)
}

function requireType(
  writer: TreeWriter,
  value: unknown,
  name: string,
): asserts value is ConditionType {
  if (isConditionType(value)) return
  const shown = typeof value === 'string' ? value : kindOf(value)
  throw new TypeError(`${placeOf(writer, name)}: ${shown} is not a type of condition`)
}

function wholeNumber(writer: TreeWriter, value: unknown, name: string): number {
  if (typeof value !== 'number') throw argumentError(placeOf(writer, name), 'a number', value)
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

/** Returns the path of the node at an index as an error's context; the root has no path. */
export function placeOfNode(root: ConditionTree, index: number): { path?: string } {
  const path = pathOfNode(root, index)
  return path === '' ? {} : { path }
}

/** Finds the path of the node at an index. Called for errors only. */
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

/** The position in an answer. */
export interface AnswerCursor {
  /** The word of the next record. */
  word: number
  /** Lower-case hex that slices are taken from. */
  readonly hex: string
  /** The text of the answer, and the position of the next read. */
  readonly text: string
  position: number
}

/** Reads the next characters of the answer's text. */
export function nextText(cursor: AnswerCursor, characters: number): string {
  const start = cursor.position
  cursor.position += characters
  return cursor.text.slice(start, cursor.position)
}

/**
 * Builds a tree from the next nodes of an answer; the hashes of its keys are in the answer's text.
 */
export function readTree(cursor: AnswerCursor): ConditionTree {
  const { hex } = cursor
  const slice = (offset: number, length: number) => hex.slice(2 * offset, 2 * (offset + length))
  const nextNode = (): ConditionTree => {
    const node = cursor.word
    cursor.word += nodeWords
    const type = conditionTypeOfNumber(record.nodeType(node) & ~bareFlag)!
    const value = slice(record.nodeValueOffset(node), record.nodeValueLength(node))
    if (record.nodeType(node) & bareFlag) {
      const subtypes = typesOfMask(record.nodeSubtypes(node))
      const cost = record.nodeNumber(node)
      return { type: 'condition', conditionType: type, fingerprint: value, cost, subtypes }
    }
    if (type === 'prefix-sha-256') {
      const maxMessageLength = Number(record.nodeNumber(node))
      return { type, prefix: value, maxMessageLength, subcondition: nextNode() }
    }
    if (type === 'threshold-sha-256') {
      const threshold = record.nodeThreshold(node)
      const subconditions: ConditionTree[] = []
      for (let left = record.nodeMembers(node); left > 0; left -= 1) subconditions.push(nextNode())
      return { type, threshold, subconditions }
    }
    const { leaf, hashesKey } = conditionTypeRow(type)
    const secondLength = record.nodeSecondLength(node)
    const second =
      secondLength === absentLength ? undefined : slice(record.nodeSecondOffset(node), secondLength)
    const keyHash = hashesKey ? nextText(cursor, fingerprintDigits(type)) : ''
    return leaf!(value, second, keyHash)
  }
  return nextNode()
}
