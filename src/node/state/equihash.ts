// A solver of Equihash for n 48 and k 5, as chains with -ac_nk=48,5 hash it. It is small and quick
// enough to mine a chain of easy blocks, and no more.

import { blake2b } from '@noble/hashes/blake2.js'
import { hexFromBytes } from '../../primitives/hex.ts'

const [n, k] = [48, 5]
const leaves = 512
const leafBytes = n / 8
/** komodo src/crypto/equihash.cpp, GenerateHash: leaves of one hash, and hashes that one sum has. */
const leavesPerHash = 10
const hashesPerSum = 16
const digestWords = (leavesPerHash * leafBytes) / 4
/** Rows of a round beyond these are left out. A round has 512 on average. */
const rowsMax = 2048
const indexBits = 9
/** Words that hold a bit for each leaf. */
const setWords = leaves / 32

const personalization = new Uint8Array(16)
personalization.set(new TextEncoder().encode('NandKPoW'))
new DataView(personalization.buffer).setUint32(8, n, true)
new DataView(personalization.buffer).setUint32(12, k, true)
const start = blake2b.create({ dkLen: 4 * digestWords, personalization })

/** The rows of a round: what is left to collide, and the leaves that they are made of. */
interface Rows {
  count: number
  /** The upper and the lower 24 bits of each. */
  readonly high: Uint32Array
  readonly low: Uint32Array
  /** A set of leaves for each. */
  readonly sets: Uint32Array
  /** The same leaves in the order of the tree. */
  readonly indices: Uint16Array
}

function rows(): Rows {
  return {
    count: 0,
    high: new Uint32Array(rowsMax),
    low: new Uint32Array(rowsMax),
    sets: new Uint32Array(rowsMax * setWords),
    indices: new Uint16Array(rowsMax * 2 ** k),
  }
}

/**
 * Returns the solutions for the first 140 bytes of a header. Two of three nonces have one, on average.
 *
 * @see komodo src/crypto/equihash.cpp, BasicSolve
 */
export function equihashSolutions(puzzle: Uint8Array): string[] {
  let [from, to] = [scratch.first, scratch.second]
  fillLeaves(from, puzzle)
  for (let round = 0; round < k; round += 1) {
    collide(from, to, round)
    ;[from, to] = [to, from]
  }
  return Array.from({ length: from.count }, (_, row) => packed(from.indices, row * 2 ** k))
}

const scratch = { first: rows(), second: rows() }

function fillLeaves(into: Rows, puzzle: Uint8Array): void {
  const keyed = start.clone().update(puzzle)
  const counter = new Uint8Array(4)
  const sum = new Uint32Array(digestWords)
  const bytes = new Uint8Array(sum.buffer)
  into.count = leaves
  into.sets.fill(0, 0, leaves * setWords)
  for (let hash = 0; hash * leavesPerHash < leaves; hash += 1) {
    if (hash % hashesPerSum === 0) sum.fill(0)
    counter[0] = hash
    const digest = keyed.clone().update(counter).digest()
    const words = new DataView(digest.buffer, digest.byteOffset)
    for (let at = 0; at < digestWords; at += 1) sum[at]! += words.getUint32(4 * at, true)
    for (let leaf = 0; leaf < leavesPerHash; leaf += 1) {
      const index = hash * leavesPerHash + leaf
      if (index >= leaves) return
      const at = leaf * leafBytes
      into.high[index] = (bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!
      into.low[index] = (bytes[at + 3]! << 16) | (bytes[at + 4]! << 8) | bytes[at + 5]!
      into.indices[index * 2 ** k] = index
      into.sets[index * setWords + (index >> 5)] = 1 << (index & 31)
    }
  }
}

/** The eight bits that collide in a round; in the last round, the sixteen that are left. */
function partOf({ high, low }: Rows, row: number, round: number): number {
  if (round < 3) return (high[row]! >>> (16 - 8 * round)) & 0xff
  if (round === 3) return low[row]! >>> 16
  return low[row]! & 0xffff
}

/** The last row of each part, and the row before each: lists of rows that are alike. */
const lastRow = new Int32Array(0x10000)
const rowBefore = new Int32Array(rowsMax)

function collide(from: Rows, to: Rows, round: number): void {
  to.count = 0
  const partsMax = round === k - 1 ? 0x10000 : 0x100
  lastRow.fill(-1, 0, partsMax)
  for (let row = 0; row < from.count; row += 1) {
    const part = partOf(from, row, round)
    for (let other = lastRow[part]!; other >= 0; other = rowBefore[other]!) {
      if (to.count < rowsMax && areDisjoint(from.sets, other, row))
        join(from, to, other, row, round)
    }
    rowBefore[row] = lastRow[part]!
    lastRow[part] = row
  }
}

function areDisjoint(sets: Uint32Array, one: number, other: number): boolean {
  for (let word = 0; word < setWords; word += 1) {
    if ((sets[one * setWords + word]! & sets[other * setWords + word]!) !== 0) return false
  }
  return true
}

/** Adds the row that two rows make: the one with the smaller first leaf is its left half. */
function join(from: Rows, to: Rows, one: number, other: number, round: number): void {
  const width = 2 ** k
  const isInOrder = from.indices[one * width]! < from.indices[other * width]!
  const [left, right] = isInOrder ? [one, other] : [other, one]
  const row = to.count
  to.count += 1
  to.high[row] = from.high[one]! ^ from.high[other]!
  to.low[row] = from.low[one]! ^ from.low[other]!
  for (let word = 0; word < setWords; word += 1) {
    to.sets[row * setWords + word] =
      from.sets[one * setWords + word]! | from.sets[other * setWords + word]!
  }
  const half = 2 ** round
  for (let at = 0; at < half; at += 1) {
    to.indices[row * width + at] = from.indices[left * width + at]!
    to.indices[row * width + half + at] = from.indices[right * width + at]!
  }
}

/** Nine bits for each index. @see komodo src/crypto/equihash.cpp, GetMinimalFromIndices */
function packed(indices: Uint16Array, from: number): string {
  const bytes = new Uint8Array((2 ** k * indexBits) / 8)
  for (let at = 0; at < 2 ** k; at += 1) {
    const index = indices[from + at]!
    for (let bit = 0; bit < indexBits; bit += 1) {
      const place = at * indexBits + bit
      if (((index >> (indexBits - 1 - bit)) & 1) === 1) bytes[place >> 3]! |= 0x80 >> (place & 7)
    }
  }
  return hexFromBytes(bytes)
}
