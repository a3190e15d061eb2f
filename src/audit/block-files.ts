// Reads the best chain from the block files of a daemon.

import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { within } from '../errors/within.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { zeroHex32 } from '../primitives/hex-forms.ts'
import { type AuditedBlock, readBlock } from './block.ts'
import { type BlockRecord, magicBytes, recordsOf } from './block-records.ts'
import { type ChainBlock, heightOf } from './sources.ts'
import { OtherChainError } from './store.ts'

/**
 * Reads the best chain from a daemon's `blk*.dat` files, which hold blocks in the order of their
 * arrival, stale blocks included.
 *
 * @param path - one file, or the folder with all of them
 * @param onOrphans - called if blocks are left out because they do not follow the first of the chain
 * @throws {AntaraError} for a malformed block; `path` names its file and offset
 * @throws {OtherChainError} if the files are of several chains
 * @see komodo src/main.cpp, WriteBlockToDisk: four magic bytes, the size, the block
 */
export function* blocksOfFiles(
  path: string,
  onOrphans: (orphans: Orphans) => void = () => undefined,
): Generator<ChainBlock> {
  const files = statSync(path).isDirectory()
    ? readdirSync(path)
        .filter(isBlockFile)
        .sort()
        .map((name) => join(path, name))
    : [path]
  const magic = magicOf(files)
  if (magic === undefined) return
  const { best, orphans } = bestChain(files.flatMap((file) => recordsOf(file, magic)))
  if (orphans.count > 0) onOrphans(orphans)
  let height: number | undefined
  for (const { file, offset, size, hash } of best) {
    const read = (): AuditedBlock =>
      within(`${file}:${offset}`, () => readBlock(bytesAt(file, offset, size)))
    height = height === undefined ? heightOf(read()) : height + 1
    yield { height, hash, size, read }
  }
}

/** Blocks that follow others which the files do not have. */
export interface Orphans {
  readonly count: number
  /** A block that one of them follows. */
  readonly missing: string
}

/** Returns true for the name of a daemon's block file. */
export function isBlockFile(name: string): boolean {
  return /^blk\d+\.dat$/.test(name)
}

/**
 * Returns the magic bytes of the chain, with which each block begins; `undefined` if nothing was
 * written.
 *
 * @throws {OtherChainError}
 */
function magicOf(files: readonly string[]): Buffer | undefined {
  const starts = files.map((file) => ({ file, magic: Buffer.from(bytesAt(file, 0, magicBytes)) }))
  // A crash may leave a file with fewer bytes than the first block begins with.
  const [first, ...rest] = starts.filter(
    ({ magic }) => magic.length === magicBytes && !magic.equals(unwritten),
  )
  const other = rest.find(({ magic }) => !magic.equals(first!.magic))
  if (first === undefined || other === undefined) return first?.magic
  const [one, two] = [first, other].map(({ magic }) => hexFromBytes(magic))
  throw new OtherChainError(
    `${other.file} begins with ${two}, and ${first.file} with ${one}: give the files of one chain`,
  )
}

/** Bytes that a daemon has reserved in a file, and has not written. */
const unwritten = Buffer.alloc(magicBytes)

/**
 * Returns the chain with the most work, first block first. Of chains with equal work, it returns the
 * first to arrive. If the files have a genesis block, only chains that begin with one count, because
 * an orphan may claim any work.
 */
function bestChain(records: readonly BlockRecord[]): { best: BlockRecord[]; orphans: Orphans } {
  const byHash = new Map<string, BlockRecord>()
  for (const record of records) {
    if (record.isWhole || !byHash.has(record.hash)) byHash.set(record.hash, record)
  }
  const ends = records.filter(({ canEndChain }) => canEndChain)
  const total = new Map<string, bigint>()
  const hasGenesis = ends.some(({ previousHash }) => previousHash === zeroHex32)
  let missing = ''
  if (hasGenesis) {
    for (const { previousHash } of records) {
      if (previousHash === zeroHex32 || byHash.has(previousHash)) continue
      total.set(previousHash, orphanWork)
      if (missing === '') missing = previousHash
    }
  }
  const orphans = new Set<string>()
  let best: BlockRecord | undefined
  let most = -1n
  for (const record of ends) {
    const work = workUpTo(record, byHash, total)
    if (work > most) [best, most] = [record, work]
    if (work < 0n) orphans.add(record.hash)
  }
  const chain: BlockRecord[] = []
  let at = best && byHash.get(best.hash)
  for (; at !== undefined; at = byHash.get(at.previousHash)) chain.push(at)
  return { best: chain.reverse(), orphans: { count: orphans.size, missing } }
}

/** Negative, and larger than the work that any chain can claim, so an orphan never has the most. */
const orphanWork = -(1n << 288n)

/** Returns the work of a chain. It does not recurse: a chain is longer than a stack is deep. */
function workUpTo(
  from: BlockRecord,
  byHash: ReadonlyMap<string, BlockRecord>,
  total: Map<string, bigint>,
): bigint {
  const pending: BlockRecord[] = []
  let at: BlockRecord | undefined = from
  let before = from.previousHash
  while (at !== undefined && !total.has(at.hash)) {
    pending.push(at)
    before = at.previousHash
    at = byHash.get(before)
  }
  let work = total.get(at?.hash ?? before) ?? 0n
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
    return bytes.subarray(0, readSync(descriptor, bytes, 0, size, offset))
  } finally {
    closeSync(descriptor)
  }
}
