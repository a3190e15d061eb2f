// Proofs of inclusion: a Merkle tree with the branches that matter.

import { leadingHeader } from '../../block/header.ts'
import { merkleRowsOf, parentOf } from '../../block/merkle.ts'
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

/**
 * The part of a Merkle block after the header.
 *
 * @see BIP 37, partial Merkle trees; komodo src/merkleblock.cpp
 */
export function merkleBlock(txids: readonly string[], wanted: readonly string[]): string {
  const rows = merkleRowsOf(txids)
  const marks = new Set(wanted)
  const bits: boolean[] = []
  const hashes: string[] = []
  const visit = (height: number, position: number): void => {
    const below = txids.slice(position << height, (position + 1) << height)
    const matters = below.some((txid) => marks.has(txid))
    bits.push(matters)
    if (height === 0 || !matters) {
      hashes.push(hexFromBytes(rows[height]![position]!))
      return
    }
    visit(height - 1, 2 * position)
    if (2 * position + 1 < rows[height - 1]!.length) visit(height - 1, 2 * position + 1)
  }
  visit(rows.length - 1, 0)
  const bytes = bytesOfBits(bits)
  return [
    littleEndian(txids.length),
    compactSizeHex(hashes.length),
    ...hashes,
    compactSizeHex(bytes.length / 2),
    bytes,
  ].join('')
}

/** source: komodo src/merkleblock.cpp, ExtractMatches; src/util.h, _MAX_BLOCK_SIZE */
const transactionsMax = Math.floor((4096 * 1024) / 60)

/**
 * Reads a proof: the hash of its block, and the transactions that it proves. They are undefined if
 * no node makes such a tree, or if its root is not that of the header.
 *
 * @see komodo src/merkleblock.cpp, ExtractMatches
 * @throws {RpcFailure} for bytes that are not a proof
 */
export function readMerkleBlock(hex: string): { block: string; txids: string[] | undefined } {
  const { header, count, hashes, flags } = partsOf(hex)
  const isPossible = count > 0 && count <= transactionsMax
  const tree = isPossible ? treeOf(count, hashes, flags) : undefined
  const isProven = tree?.root === reverseHex(header.merkleRoot)
  return { block: header.hash, txids: isProven ? tree?.txids : undefined }
}

/** Returns the root in wire order; `undefined` unless each hash and each byte of flags is used. */
function treeOf(
  count: number,
  hashes: readonly string[],
  flags: string,
): { root: string; txids: string[] } | undefined {
  const txids: string[] = []
  let bitsRead = 0
  let hashesRead = 0
  const nextBit = () => {
    const byte = Number.parseInt(flags.slice(2 * (bitsRead >> 3), 2 * (bitsRead >> 3) + 2), 16)
    return ((byte >> (bitsRead++ & 7)) & 1) === 1
  }
  const visit = (height: number, position: number): string | undefined => {
    if (bitsRead >= flags.length * 4) return undefined
    const matters = nextBit()
    if (height === 0 || !matters) {
      const found = hashes[hashesRead++]
      if (matters && found !== undefined) txids.push(reverseHex(found))
      return found
    }
    const left = visit(height - 1, 2 * position)
    if (left === undefined) return undefined
    if (2 * position + 1 >= width(count, height - 1)) return above(left, left)
    const right = visit(height - 1, 2 * position + 1)
    // With two equal branches, one transaction of the block would count twice.
    return right === undefined || right === left ? undefined : above(left, right)
  }
  const root = visit(treeHeight(count), 0)
  const isWhole = hashesRead === hashes.length && (bitsRead + 7) >> 3 === flags.length / 2
  return root !== undefined && isWhole ? { root, txids } : undefined
}

function malformed(): RpcFailure {
  return failure('misc', 'CBaseDataStream::read(): end of data: iostream error')
}

/** @throws {RpcFailure} for bytes that are not a proof */
function partsOf(hex: string) {
  try {
    const { header, bytes } = leadingHeader(hex)
    const cursor = cursorOver(hex)
    cursor.offset = bytes
    const count = Number(readUnsigned(cursor, 4, 'count'))
    const hashCount = readCompactSize(cursor, 'hashes')
    if (hashCount > remaining(cursor) / 32) throw malformed()
    const hashes = Array.from({ length: hashCount }, () => readHex(cursor, 32, 'hash'))
    return { header, count, hashes, flags: readVector(cursor, 'flags') }
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

function bytesOfBits(bits: readonly boolean[]): string {
  const bytes: string[] = []
  for (let at = 0; at < bits.length; at += 8) {
    const byte = bits.slice(at, at + 8).reduce((sum, bit, index) => sum + (bit ? 1 << index : 0), 0)
    bytes.push(byte.toString(16).padStart(2, '0'))
  }
  return bytes.join('')
}
