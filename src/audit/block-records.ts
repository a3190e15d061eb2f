// Finds the blocks in a block file of a daemon. A crash may leave parts of blocks between whole ones.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { type BlockHeader, headerBytesMax, leadingHeader } from '../block/header.ts'
import { workOfBits } from '../block/work.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { resultOf } from '../errors/malformed.ts'
import { within } from '../errors/within.ts'
import { detached } from '../primitives/cache.ts'
import { readBlock } from './block.ts'

/** The position of a block in a file. */
export interface BlockRecord {
  readonly file: string
  readonly offset: number
  readonly size: number
  readonly hash: string
  readonly previousHash: string
  readonly work: bigint
  /** False for a block that was cut off or damaged. */
  readonly isWhole: boolean
  /** False for a block that is in a chain only if a later one builds on it. */
  readonly canEndChain: boolean
}

/** More than the largest block that a daemon reads. */
export const blockBytesMax: number = 16 << 20
export const magicBytes = 4
const recordHeadBytes = 8

/**
 * Returns the blocks of a file in their order. Each begins with the magic bytes and its size.
 *
 * The size of a block that was cut off may reach into later records, so its bytes are searched for
 * them. Its payload may hold a forged record for that case. So a block that is found there cannot end
 * a chain.
 *
 * @throws {AntaraError} for a size over `blockBytesMax` after the last block, and for a malformed
 *   header in a file without any block
 * @see komodo src/main.cpp, WriteBlockToDisk and LoadExternalBlockFile
 */
export function recordsOf(file: string, magic: Buffer): BlockRecord[] {
  const descriptor = openSync(file, 'r')
  try {
    return recordsIn({ file, magic, descriptor, length: fstatSync(descriptor).size })
  } finally {
    closeSync(descriptor)
  }
}

interface OpenFile {
  readonly file: string
  readonly magic: Buffer
  readonly descriptor: number
  readonly length: number
}

/** In a hostile file, each byte may begin a broken block, and each of them is read to its end. */
const brokenBytesPerByte = 8

function recordsIn(opened: OpenFile): BlockRecord[] {
  const { file, length } = opened
  const records: BlockRecord[] = []
  const placeAfter = finderOf(opened)
  let brokenBytesLeft = blockBytesMax + brokenBytesPerByte * length
  // A record has to begin where the last block ends.
  let next = 0
  let brokenEnd = 0
  let headerEnd = 0
  let refusal: AntaraError | undefined
  for (let at = 0; at + recordHeadBytes <= length; ) {
    const found = headAt(opened, at)
    if (found === undefined) {
      at = placeAfter(at)
      continue
    }
    const { offset, size, start } = found
    const end = offset + size
    if (start instanceof AntaraError) {
      const isCutOff = size <= blockBytesMax && (records.length > 0 || end > length)
      if (at === next && !isCutOff) refusal = start
      at = placeAfter(at + 1)
      continue
    }
    const fault = faultOf(opened, offset, size)
    const isWhole = fault === undefined
    const isInPlace =
      isWhole || (at === next && (end === length || headAt(opened, end) !== undefined))
    // The headers of broken blocks may overlap. Those that are kept do not, which bounds the memory.
    if (isWhole || at >= headerEnd) {
      const { hash, previousHash, bits } = start.header
      records.push({
        file,
        offset,
        size,
        // Detached from the text of the whole header, which is 40 times as long.
        hash: detached(hash),
        previousHash: detached(previousHash),
        work: workOfBits(bits),
        isWhole,
        canEndChain: isInPlace && at >= brokenEnd,
      })
    }
    if (isInPlace) next = end
    if (isWhole) {
      refusal = undefined
      at = end
      continue
    }
    if (fault !== 'cut off') {
      brokenBytesLeft -= size
      if (brokenBytesLeft < 0) throw fault
    }
    brokenEnd = Math.max(brokenEnd, end)
    headerEnd = offset + start.bytes
    at = placeAfter(at + 1)
  }
  if (refusal !== undefined) throw refusal
  return records
}

interface RecordHead {
  readonly offset: number
  readonly size: number
  readonly start: { readonly header: BlockHeader; readonly bytes: number } | AntaraError
}

/** Reads the size and the header of a record; `undefined` if none begins there. */
function headAt({ file, magic, descriptor }: OpenFile, at: number): RecordHead | undefined {
  const head = bytesFrom(descriptor, at, recordHeadBytes + headerBytesMax)
  if (head.length < recordHeadBytes || !magic.equals(head.subarray(0, magicBytes))) return undefined
  const size = head.readUInt32LE(magicBytes)
  const offset = at + recordHeadBytes
  const start = resultOf(() => {
    if (size <= blockBytesMax) {
      const bytes = head.subarray(recordHeadBytes, recordHeadBytes + size)
      return within(`${file}:${offset}`, () => leadingHeader(bytes))
    }
    throw new AntaraError('number_out_of_range', {
      path: `${file}, the size of a block`,
      offset: at + magicBytes,
      expected: `at most ${blockBytesMax}`,
      actual: size,
    })
  })
  return { offset, size, start }
}

/** Returns the error of a block that is not whole, without reading one that the file cuts off. */
function faultOf(
  { file, descriptor, length }: OpenFile,
  offset: number,
  size: number,
): AntaraError | 'cut off' | undefined {
  if (offset + size > length) return 'cut off'
  const read = () => readBlock(bytesFrom(descriptor, offset, size))
  const block = resultOf(() => within(`${file}:${offset}`, read))
  return block instanceof AntaraError ? block : undefined
}

/** Returns the bytes that the file has there, at most as many as asked for. */
function bytesFrom(descriptor: number, offset: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  return bytes.subarray(0, readSync(descriptor, bytes, 0, size, offset))
}

const searchedAtOnce = 1 << 20

/**
 * Returns a function that finds the first magic bytes at or after a place in a file. It returns
 * infinity if there are none. Each place must be after the last one, so each byte is read about once.
 */
function finderOf({ magic, descriptor }: OpenFile): (from: number) => number {
  const bytes = Buffer.alloc(searchedAtOnce)
  let start = 0
  let length = 0
  return (from) => {
    for (let at = from; ; at = start + length - magicBytes + 1) {
      if (at + magicBytes > start + length) {
        start = at
        length = readSync(descriptor, bytes, 0, bytes.length, at)
      }
      const place = bytes.subarray(0, length).indexOf(magic, at - start)
      if (place >= 0) return start + place
      if (length < bytes.length) return Number.POSITIVE_INFINITY
    }
  }
}
