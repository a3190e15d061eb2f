// Proofs of inclusion: a Merkle tree with the branches that matter.

import { parentOf } from '../../block/merkle.ts'
import { isAntaraError } from '../../errors/antara-error.ts'
import { bytesFromHex, hexFromBytes, reverseHex } from '../../primitives/hex.ts'
import {
  compactSizeHex,
  cursorOver,
  readCompactSize,
  readHex,
  readUnsigned,
  readVector,
  remaining,
} from '../../primitives/wire.ts'
import type { RpcFailure } from '../../server/json-rpc.ts'
import { littleEndian } from '../state/keys.ts'
import { failure } from './failure.ts'

/** Bytes of a header with its solution of 36. */
const headerBytes = 140 + 1 + 36

/**
 * The part of a Merkle block after the header.
 *
 * @see BIP 37, partial Merkle trees; komodo src/merkleblock.cpp
 */
export function merkleBlock(txids: readonly string[], wanted: readonly string[]): string {
  const leaves = txids.map(reverseHex)
  const marks = new Set(wanted.map(reverseHex))
  const bits: boolean[] = []
  const hashes: string[] = []
  const visit = (height: number, position: number): void => {
    const below = leaves.slice(position << height, (position + 1) << height)
    const matters = below.some((leaf) => marks.has(leaf))
    bits.push(matters)
    if (height === 0 || !matters) {
      hashes.push(nodeHash(leaves, height, position))
      return
    }
    visit(height - 1, 2 * position)
    if (2 * position + 1 < width(leaves.length, height - 1)) visit(height - 1, 2 * position + 1)
  }
  visit(treeHeight(leaves.length), 0)
  const bytes = bytesOfBits(bits)
  return [
    littleEndian(leaves.length),
    compactSizeHex(hashes.length),
    ...hashes,
    compactSizeHex(bytes.length / 2),
    bytes,
  ].join('')
}

/**
 * The root that a proof comes to, and the transactions it is for.
 *
 * @throws {RpcFailure} for bytes that are no proof
 */
export function readMerkleBlock(hex: string): { root: string; txids: string[] } {
  const { count, hashes, flags } = partsOf(hex)
  const bits = [...flags.matchAll(/../g)].flatMap(([byte]) =>
    Array.from({ length: 8 }, (_, bit) => ((Number.parseInt(byte, 16) >> bit) & 1) === 1),
  )
  const txids: string[] = []
  let nextBit = 0
  let nextHash = 0
  const visit = (height: number, position: number): string => {
    const matters = bits[nextBit++]
    if (matters === undefined) throw malformed()
    if (height === 0 || !matters) {
      const found = hashes[nextHash++]
      if (found === undefined) throw malformed()
      if (matters) txids.push(reverseHex(found))
      return found
    }
    const left = visit(height - 1, 2 * position)
    const hasRight = 2 * position + 1 < width(count, height - 1)
    return above(left, hasRight ? visit(height - 1, 2 * position + 1) : left)
  }
  return { root: reverseHex(visit(treeHeight(count), 0)), txids }
}

function malformed(): RpcFailure {
  return failure('misc', 'CBaseDataStream::read(): end of data: iostream error')
}

/** @throws {RpcFailure} for bytes that are no proof */
function partsOf(hex: string): { count: number; hashes: string[]; flags: string } {
  try {
    const cursor = cursorOver(hex)
    cursor.offset = headerBytes
    const count = Number(readUnsigned(cursor, 4, 'count'))
    const hashCount = readCompactSize(cursor, 'hashes')
    if (hashCount > remaining(cursor) / 32 || count === 0 || count > 1_000_000) throw malformed()
    const hashes = Array.from({ length: hashCount }, () => readHex(cursor, 32, 'hash'))
    return { count, hashes, flags: readVector(cursor, 'flags') }
  } catch (error) {
    throw isAntaraError(error) ? malformed() : error
  }
}

function above(left: string, right: string): string {
  return hexFromBytes(parentOf(bytesFromHex(left), bytesFromHex(right)))
}

function width(count: number, height: number): number {
  return (count + (1 << height) - 1) >> height
}

function treeHeight(count: number): number {
  let height = 0
  while (width(count, height) > 1) height += 1
  return height
}

function nodeHash(leaves: readonly string[], height: number, position: number): string {
  if (height === 0) return leaves[position]!
  const left = nodeHash(leaves, height - 1, 2 * position)
  const hasRight = 2 * position + 1 < width(leaves.length, height - 1)
  return above(left, hasRight ? nodeHash(leaves, height - 1, 2 * position + 1) : left)
}

function bytesOfBits(bits: readonly boolean[]): string {
  const bytes: string[] = []
  for (let at = 0; at < bits.length; at += 8) {
    const byte = bits.slice(at, at + 8).reduce((sum, bit, index) => sum + (bit ? 1 << index : 0), 0)
    bytes.push(byte.toString(16).padStart(2, '0'))
  }
  return bytes.join('')
}
