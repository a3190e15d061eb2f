import { sha256 } from '@noble/hashes/sha2.js'
import { bytesFromHex, hexFromBytes, reverseHex } from '../primitives/hex.ts'
import { zeroHex32 } from '../primitives/hex-forms.ts'

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
  let row = leavesOf(txids)
  while (row.length > 1) row = rowAbove(row)
  return row[0] === undefined ? zeroHex32 : reverseHex(hexFromBytes(row[0]))
}

/** A way through a Merkle tree, in display order. */
interface MerkleBranch {
  /** The hashes beside the way, from the bottom. */
  readonly branch: string[]
  readonly root: string
}

/** Returns the hashes beside the way from a leaf to the root; all in display order. */
export function merkleBranchOf(leaves: readonly string[], index: number): MerkleBranch {
  const branch: string[] = []
  let row = leavesOf(leaves)
  for (let at = index; row.length > 1; at >>= 1) {
    branch.push(reverseHex(hexFromBytes(row[at ^ 1] ?? row[at]!)))
    row = rowAbove(row)
  }
  return { branch, root: reverseHex(hexFromBytes(row[0]!)) }
}

function leavesOf(hashes: readonly string[]): Uint8Array[] {
  return hashes.map((hash) => bytesFromHex(reverseHex(hash)))
}

function rowAbove(row: readonly Uint8Array[]): Uint8Array[] {
  const above: Uint8Array[] = []
  for (let at = 0; at < row.length; at += 2) above.push(parentOf(row[at]!, row[at + 1] ?? row[at]!))
  return above
}
