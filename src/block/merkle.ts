import { sha256 } from '@noble/hashes/sha2.js'
import { bytesFromHex, hexFromBytes, reverseHex } from '../primitives/hex.ts'

/** Returns SHA-256 of SHA-256. */
export function hashTwice(bytes: Uint8Array): Uint8Array {
  return sha256(sha256(bytes))
}

/** Returns the node above two others; all in wire order. */
export function parentOf(left: Uint8Array, right: Uint8Array): Uint8Array {
  const both = new Uint8Array(left.length + right.length)
  both.set(left)
  both.set(right, left.length)
  return hashTwice(both)
}

/**
 * Returns the Merkle root of transactions by their ids, all in display order. The last node of an
 * odd row is hashed with itself.
 *
 * @see komodo src/primitives/block.cpp, BuildMerkleTree
 */
export function merkleRootOf(txids: readonly string[]): string {
  let row = txids.map((txid) => bytesFromHex(reverseHex(txid)))
  while (row.length > 1) {
    const above: Uint8Array[] = []
    for (let at = 0; at < row.length; at += 2)
      above.push(parentOf(row[at]!, row[at + 1] ?? row[at]!))
    row = above
  }
  return row[0] === undefined ? '0'.repeat(64) : reverseHex(hexFromBytes(row[0]))
}
