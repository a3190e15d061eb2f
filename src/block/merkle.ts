import { sha256 } from '@noble/hashes/sha2.js'
import { bytesFromHex, hexFromBytes, reverseHex } from '../primitives/hex.ts'
import { zeroHex32 } from '../primitives/hex-forms.ts'

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
 * Returns the rows of a Merkle tree in wire order, from the leaves to the root. The last node of an
 * odd row is hashed with itself.
 *
 * @param leaves - hashes in display order
 * @see komodo src/primitives/block.cpp, BuildMerkleTree
 */
export function merkleRowsOf(leaves: readonly string[]): (readonly Uint8Array[])[] {
  let row = leaves.map((hash) => bytesFromHex(reverseHex(hash)))
  const rows = [row]
  while (row.length > 1) {
    const above: Uint8Array[] = []
    for (let at = 0; at < row.length; at += 2) {
      above.push(parentOf(row[at]!, row[at + 1] ?? row[at]!))
    }
    row = above
    rows.push(row)
  }
  return rows
}

/** Returns the Merkle root of transactions by their ids, all in display order. */
export function merkleRootOf(txids: readonly string[]): string {
  const [root] = merkleRowsOf(txids).at(-1)!
  return root === undefined ? zeroHex32 : displayed(root)
}

/** A way through a Merkle tree, in display order. */
interface MerkleBranch {
  /** The hashes beside the way, from the bottom. */
  readonly branch: string[]
  readonly root: string
}

/** Returns the hashes beside the way from a leaf to the root; all in display order. */
export function merkleBranchOf(leaves: readonly string[], index: number): MerkleBranch {
  const rows = merkleRowsOf(leaves)
  const branch = rows.slice(0, -1).map((row, level) => {
    const at = index >> level
    return displayed(row[at ^ 1] ?? row[at]!)
  })
  return { branch, root: displayed(rows.at(-1)![0]!) }
}

function displayed(node: Uint8Array): string {
  return reverseHex(hexFromBytes(node))
}
