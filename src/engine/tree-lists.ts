import { values, words } from './call.ts'
import * as at from './words.ts'

// By hand beside the generated records, because encoding a condition is mostly this: a record made
// for each node takes a fifth more. Of this module, because V8 folds no constant that is imported.
const {
  absentLength,
  nodeKeyHashLengthWord,
  nodeKeyHashOffsetWord,
  nodeMembersWord,
  nodeNumberWord,
  nodeSecondLengthWord,
  nodeSecondOffsetWord,
  nodeSubtypesWord,
  nodeThresholdWord,
  nodeTypeWord,
  nodeValueLengthWord,
  nodeValueOffsetWord,
} = at

/** Everything of the node at `word` but its parts, which are absent until they are written. */
export function writeNodeHead(
  word: number,
  type: number,
  number: bigint,
  threshold: number,
  members: number,
  subtypes: number,
): void {
  const memory = words
  values[(word + nodeNumberWord) >> 1] = number
  memory[word + nodeTypeWord] = type
  memory[word + nodeThresholdWord] = threshold
  memory[word + nodeMembersWord] = members
  memory[word + nodeSubtypesWord] = subtypes
  memory[word + nodeValueLengthWord] = absentLength
  memory[word + nodeKeyHashLengthWord] = absentLength
  memory[word + nodeSecondLengthWord] = absentLength
}

/** Where in a node the bytes of a part are told. */
export type NodeSlot = 'value' | 'keyHash' | 'second'

const slotWords: Readonly<Record<NodeSlot, number>> = {
  value: nodeValueOffsetWord,
  keyHash: nodeKeyHashOffsetWord,
  second: nodeSecondOffsetWord,
}

/** Where among the joined bytes of a tree a part of the node at `word` is. */
export function writeNodePart(word: number, slot: NodeSlot, offset: number, length: number): void {
  words[word + slotWords[slot]] = offset
  words[word + slotWords[slot] + 1] = length
}
