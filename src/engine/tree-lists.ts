import { values, words } from './call.ts'
import {
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
} from './words.ts'

// Hand-written beside the generated records, because encoding a condition spends most of its time
// here: a record object for each node takes a fifth more. The build writes the numbers of the words
// in place of their names, as long as no module imports them as a namespace.
/** Writes the node at `word` without its parts, which are marked absent until they are written. */
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

/** The words of a node that locate its parts. */
export type NodeSlot = 'value' | 'keyHash' | 'second'

const slotWords: Readonly<Record<NodeSlot, number>> = {
  value: nodeValueOffsetWord,
  keyHash: nodeKeyHashOffsetWord,
  second: nodeSecondOffsetWord,
}

/** Records where a part of the node at `word` is in the joined bytes of the tree. */
export function writeNodePart(word: number, slot: NodeSlot, offset: number, length: number): void {
  words[word + slotWords[slot]] = offset
  words[word + slotWords[slot] + 1] = length
}
