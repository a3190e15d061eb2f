import { leadingHeader } from '../block/header.ts'
import { transactionsOf } from '../block/transactions.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { compactSizeBytes, cursorOver, readCompactSize } from '../primitives/wire.ts'

/** The parts of a block that a ledger needs. */
export interface AuditedBlock {
  /** Display order. A block without a header has the Merkle root of its transactions here. */
  readonly hash: string
  /** Hash of the previous block; absent if there is no header. */
  readonly previousHash?: string
  /** Raw, each a part of the block's own bytes. */
  readonly transactions: readonly Uint8Array[]
}

/**
 * Reads a whole block, and checks that its header commits to its transactions.
 *
 * @throws {AntaraError} `truncated`, `trailing_bytes`, `count_over_input`, `merkle_root_mismatch`,
 *   `repeated_transaction`, and as `decodeTransaction`
 */
export function readBlock(block: Uint8Array): AuditedBlock {
  const { header, bytes } = leadingHeader(block)
  const count = inBlock(() => leadingCompactSize(block.subarray(bytes)), bytes)
  const start = bytes + compactSizeBytes(count)
  if (count > block.length - start) throw new AntaraError('count_over_input', { offset: bytes })
  const body = block.subarray(start)
  const { transactions, txids, merkleRoot } = inBlock(() => transactionsOf(body, count), start)
  requireDistinct(txids)
  const { hash, previousHash } = header
  if (merkleRoot !== header.merkleRoot) {
    throw new AntaraError('merkle_root_mismatch', {
      expected: header.merkleRoot,
      actual: merkleRoot,
    })
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
  if (new Set(txids).size === txids.length) return
  const seen = new Set<string>()
  for (const txid of txids) {
    if (seen.has(txid)) throw new AntaraError('repeated_transaction', { actual: txid })
    seen.add(txid)
  }
}

function leadingCompactSize(bytes: Uint8Array): number {
  return readCompactSize(cursorOver(hexFromBytes(bytes.subarray(0, 9))), 'transactions')
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
