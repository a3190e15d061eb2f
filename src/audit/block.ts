import { createHash } from 'node:crypto'

import { AntaraError } from '../errors/antara-error.ts'
import { bytesFromHex, hexFromBytes, reverseHex } from '../primitives/hex.ts'
import { leadingTransaction } from '../transaction/decode.ts'

/** The parts of a block that a ledger needs. */
export interface AuditedBlock {
  /** Display order. A block without a header has the Merkle root of its transactions here. */
  readonly hash: string
  /** Hash of the previous block; absent if there is no header. */
  readonly previousHash?: string
  /** Raw, each a part of the block's own bytes. */
  readonly transactions: readonly Uint8Array[]
}

/** The header of a block, with its place in the chain. */
interface BlockHeader {
  readonly hash: string
  readonly previousHash: string
  readonly merkleRoot: string
  /** Expected number of hashes for its target. */
  readonly work: bigint
  /** Size of the header with its solution. */
  readonly bytes: number
}

/** version, two hashes, the root of Sapling notes, time, bits and nonce. */
const headerBytes = 140
const previousAt = 4
const merkleRootAt = 36
const bitsAt = 104
const transactionBytesMax = 4_000_000

/**
 * Reads a block's header.
 *
 * @throws {AntaraError} `truncated`, `non_canonical_length`
 * @see komodo src/primitives/block.h, CBlockHeader
 */
export function readHeader(block: Uint8Array): BlockHeader {
  const solution = compactSize(block, headerBytes)
  const bytes = solution.end + solution.value
  if (bytes > block.length) throw new AntaraError('truncated', { offset: block.length })
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  return {
    hash: reverseHex(hashTwice(block.subarray(0, bytes))),
    previousHash: reverseHex(hexFromBytes(block.subarray(previousAt, previousAt + 32))),
    merkleRoot: reverseHex(hexFromBytes(block.subarray(merkleRootAt, merkleRootAt + 32))),
    work: workOf(view.getUint32(bitsAt, true)),
    bytes,
  }
}

/**
 * Reads a whole block, and checks that its header commits to its transactions.
 *
 * @throws {AntaraError} `truncated`, `trailing_bytes`, `count_over_input`, `merkle_root_mismatch`,
 *   `repeated_transaction`, and as `decodeTransaction`
 */
export function readBlock(block: Uint8Array): AuditedBlock {
  const { hash, previousHash, merkleRoot, bytes } = readHeader(block)
  const count = compactSize(block, bytes)
  if (count.value > block.length - count.end) {
    throw new AntaraError('count_over_input', { offset: bytes })
  }
  const transactions: Uint8Array[] = []
  let at = count.end
  for (let index = 0; index < count.value; index += 1) {
    // The engine takes no more than a transaction may be long.
    const rest = block.subarray(at, at + transactionBytesMax)
    const { length } = inBlock(() => leadingTransaction(rest), at)
    transactions.push(block.subarray(at, at + length))
    at += length
  }
  if (at < block.length) throw new AntaraError('trailing_bytes', { offset: at })
  const txids = transactions.map((it) => reverseHex(hashTwice(it)))
  requireDistinct(txids)
  const computed = merkleRootOf(txids)
  if (computed !== merkleRoot) {
    throw new AntaraError('merkle_root_mismatch', { expected: merkleRoot, actual: computed })
  }
  return { hash, previousHash, transactions }
}

/**
 * Repeating the last transactions of a block leaves its Merkle root as it is.
 *
 * @throws {AntaraError} `repeated_transaction`
 * @see CVE-2012-2459; komodo src/primitives/block.cpp, BuildMerkleTree
 */
export function requireDistinct(txids: readonly string[]): void {
  const seen = new Set<string>()
  for (const txid of txids) {
    if (seen.has(txid)) throw new AntaraError('repeated_transaction', { actual: txid })
    seen.add(txid)
  }
}

/** Offsets of errors count from the block's first byte. */
function inBlock<T>(read: () => T, at: number): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof AntaraError)) throw error
    const offset = at + (error.context.offset ?? 0)
    throw new AntaraError(error.code, { ...error.context, offset }, { cause: error })
  }
}

/** komodo src/serialize.h, ReadCompactSize; more than 32 bits count nothing in a block. */
function compactSize(bytes: Uint8Array, at: number): { value: number; end: number } {
  const first = bytes[at]
  const width = first === undefined ? 0 : first < 0xfd ? 1 : first === 0xfd ? 3 : 5
  if (first === undefined || at + width > bytes.length) {
    throw new AntaraError('truncated', { offset: bytes.length })
  }
  if (width === 1) return { value: first, end: at + 1 }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const value = width === 3 ? view.getUint16(at + 1, true) : view.getUint32(at + 1, true)
  if (value < (width === 3 ? 0xfd : 0x10000)) {
    throw new AntaraError('non_canonical_length', { offset: at })
  }
  return { value, end: at + width }
}

/** komodo src/chain.cpp, GetBlockProof; src/arith_uint256.cpp, SetCompact */
function workOf(bits: number): bigint {
  const mantissa = BigInt(bits & 0x7fffff)
  const shift = 8 * ((bits >>> 24) - 3)
  const target = shift >= 0 ? mantissa << BigInt(shift) : mantissa >> BigInt(-shift)
  return target === 0n ? 0n : (1n << 256n) / (target + 1n)
}

/** The Merkle root of transactions by their ids, both in display order. */
export function merkleRootOf(txids: readonly string[]): string {
  let row: Uint8Array[] = txids.map((txid) => bytesFromHex(txid).reverse())
  while (row.length > 1) {
    const above: Uint8Array[] = []
    for (let at = 0; at < row.length; at += 2) {
      above.push(bytesFromHex(hashTwice(Buffer.concat([row[at]!, row[at + 1] ?? row[at]!]))))
    }
    row = above
  }
  return row[0] === undefined ? '0'.repeat(64) : reverseHex(hexFromBytes(row[0]))
}

function hashTwice(bytes: Uint8Array): string {
  const once = createHash('sha256').update(bytes).digest()
  return createHash('sha256').update(once).digest('hex')
}
