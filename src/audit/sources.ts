import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { headerBytesMax, leadingHeader } from '../block/header.ts'
import { merkleRootOf } from '../block/merkle.ts'
import { workOfBits } from '../block/work.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { within } from '../errors/within.ts'
import { readDump } from '../node/dump.ts'
import { bytesFromHex } from '../primitives/hex.ts'
import { zeroHex32 } from '../primitives/hex-forms.ts'
import { coinbaseHeight } from '../transaction/coinbase.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import { type AuditedBlock, readBlock, requireDistinct } from './block.ts'

/** A block of a chain, which is read when it is needed. */
export interface ChainBlock {
  readonly height: number
  readonly hash: string
  /** Approximate size in bytes. */
  readonly size: number
  read(): AuditedBlock
}

/**
 * Reads blocks in hex, one per line, as `getblock HASH 0` prints them, in the order of the chain.
 *
 * @throws {AntaraError} for a malformed block; `path` names it
 */
export async function* blocksOfLines(lines: AsyncIterable<string>): AsyncGenerator<ChainBlock> {
  let height: number | undefined
  let index = 0
  for await (const line of lines) {
    const path = `blocks[${index}]`
    index += 1
    const text = line.trim().replace(/^"(.*)"$/, '$1')
    if (text === '') continue
    const bytes = bytesFromHex(text, path)
    const { hash } = within(path, () => leadingHeader(bytes)).header
    const read = (): AuditedBlock => within(path, () => readBlock(bytes))
    height = height === undefined ? heightOf(read()) : height + 1
    yield { height, hash, size: bytes.length, read }
  }
}

/**
 * Reads the output of a development node's `dump`, or a chain as a list of `{ height, hex }`.
 *
 * @throws {AntaraError} `malformed_case`, and as `decodeTransaction`
 */
export function* blocksOfDump(text: string): Generator<ChainBlock> {
  let height: number | undefined
  for (const [index, { transactions }] of readDump(text).blocks.entries()) {
    const block = within(`blocks[${index}]`, () => headless(transactions))
    height = height === undefined ? heightOf(block) : height + 1
    const size = transactions.reduce((sum, hex) => sum + hex.length / 2, 0)
    yield { height, hash: block.hash, size, read: () => block }
  }
}

/** Makes a block from its transactions alone, which may be in any order. */
function headless(transactions: readonly string[]): AuditedBlock {
  const given = transactions.map((hex) => [decodeWithTxid(hex).txid, hex] as const)
  requireDistinct(given.map(([txid]) => txid))
  const waiting = new Map(given)
  const ordered: Uint8Array[] = []
  const txids: string[] = []
  const place = (txid: string): void => {
    const pending = [txid]
    for (let top = pending.at(-1); top !== undefined; top = pending.at(-1)) {
      const hex = waiting.get(top)
      const parents = hex === undefined ? [] : decodeWithTxid(hex).inputs.map((it) => it.txid)
      const missing = parents.filter((parent) => parent !== top && waiting.has(parent))
      if (missing.length > 0) {
        pending.push(...missing)
        continue
      }
      pending.pop()
      if (hex === undefined) continue
      waiting.delete(top)
      ordered.push(bytesFromHex(hex))
      txids.push(top)
    }
  }
  for (const txid of [...waiting.keys()]) place(txid)
  return { hash: merkleRootOf(txids), transactions: ordered }
}

/**
 * Reads the best chain from a daemon's `blk*.dat` files, which hold blocks in the order of their
 * arrival, stale blocks included.
 *
 * @param path - one file, or the folder with all of them
 * @throws {AntaraError} for a malformed block; `path` names its file and offset
 * @see komodo src/main.cpp, WriteBlockToDisk: four magic bytes, the size, the block
 */
export function* blocksOfFiles(path: string): Generator<ChainBlock> {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter(isBlockFile)
        .sort()
        .map((name) => join(path, name))
    : [path]
  const best = bestChain(files.flatMap(recordsOf))
  let height: number | undefined
  for (const { file, offset, size, hash } of best) {
    const read = (): AuditedBlock =>
      within(`${file}:${offset}`, () => readBlock(bytesAt(file, offset, size)))
    height = height === undefined ? heightOf(read()) : height + 1
    yield { height, hash, size, read }
  }
}

/** Returns true for the name of a daemon's block file. */
export function isBlockFile(name: string): boolean {
  return /^blk\d+\.dat$/.test(name)
}

/** The position of a block in a file. */
interface BlockRecord {
  readonly file: string
  readonly offset: number
  readonly size: number
  readonly hash: string
  readonly previousHash: string
  readonly work: bigint
}

const recordHeadBytes = 8
/** More than the largest block that a daemon reads. */
export const blockBytesMax: number = 16 << 20

function recordsOf(file: string): BlockRecord[] {
  const records: BlockRecord[] = []
  const descriptor = openSync(file, 'r')
  try {
    const { size: fileSize } = fstatSync(descriptor)
    const head = Buffer.alloc(recordHeadBytes + headerBytesMax)
    for (let at = 0; at + recordHeadBytes < fileSize; ) {
      const length = readSync(descriptor, head, 0, head.length, at)
      // The rest of the file is reserved and not yet written.
      if (head.readUInt32LE(0) === 0) break
      const size = head.readUInt32LE(4)
      const offset = at + recordHeadBytes
      if (size > blockBytesMax) {
        throw new AntaraError('length_over_limit', { path: file, offset: at + 4, actual: size })
      }
      // A daemon that was stopped may have written only a part of the last block.
      if (offset + size > fileSize) break
      const bytes = head.subarray(recordHeadBytes, Math.min(length, recordHeadBytes + size))
      const { header } = within(`${file}:${offset}`, () => leadingHeader(bytes))
      const { hash, previousHash, bits } = header
      records.push({ file, offset, size, hash, previousHash, work: workOfBits(bits) })
      at = offset + size
    }
  } finally {
    closeSync(descriptor)
  }
  return records
}

/** Returns the chain with the most work, first block first; of equals, the first to arrive. */
function bestChain(records: readonly BlockRecord[]): BlockRecord[] {
  const byHash = new Map(records.map((record) => [record.hash, record]))
  const total = new Map<string, bigint>()
  let best: BlockRecord | undefined
  let most = -1n
  for (const record of records) {
    const work = workUpTo(record, byHash, total)
    if (work > most) [best, most] = [record, work]
  }
  const chain: BlockRecord[] = []
  for (let at = best; at !== undefined; at = byHash.get(at.previousHash)) chain.push(at)
  return chain.reverse()
}

/** Returns the work of a chain. It does not recurse: a chain is longer than a stack is deep. */
function workUpTo(
  from: BlockRecord,
  byHash: ReadonlyMap<string, BlockRecord>,
  total: Map<string, bigint>,
): bigint {
  const pending: BlockRecord[] = []
  let at: BlockRecord | undefined = from
  while (at !== undefined && !total.has(at.hash)) {
    pending.push(at)
    at = byHash.get(at.previousHash)
  }
  let work = at === undefined ? 0n : total.get(at.hash)!
  for (const record of pending.reverse()) {
    work += record.work
    total.set(record.hash, work)
  }
  return work
}

function bytesAt(file: string, offset: number, size: number): Uint8Array {
  const bytes = Buffer.alloc(size)
  const descriptor = openSync(file, 'r')
  try {
    readSync(descriptor, bytes, 0, size, offset)
  } finally {
    closeSync(descriptor)
  }
  return bytes
}

function heightOf({ previousHash, transactions }: AuditedBlock): number {
  if (previousHash === zeroHex32 || transactions[0] === undefined) return 0
  return coinbaseHeight(decodeWithTxid(transactions[0])) ?? 0
}
