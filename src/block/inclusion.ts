// Inclusion: a branch of hashes from a transaction to the Merkle root of a header.

import { isAntaraError } from '../errors/antara-error.ts'
import {
  argumentError,
  requireArray,
  requireObject,
  requireString,
} from '../primitives/arguments.ts'
import { bytesFromHex, hexFromBytes, reverseHex } from '../primitives/hex.ts'
import { isHex32 } from '../primitives/hex-forms.ts'
import { isCoinbase } from '../transaction/coinbase.ts'
import { decodeTransaction } from '../transaction/decode.ts'
import { decodeBlockHeader } from './header.ts'
import { parentOf } from './merkle.ts'

/** A branch of a Merkle tree, as `blockchain.transaction.get_merkle` returns it, with bytes. */
export interface InclusionProof {
  /** The transaction itself. Without its bytes, an inner node of the tree could pass for its id. */
  readonly transaction: string
  /** The hashes beside the way to the root, from the bottom, each in display order. */
  readonly merkle: readonly string[]
  /** Index of the transaction in its block. */
  readonly pos: number
  /**
   * The block's coinbase transaction and its branch. All branches of a tree have one length, so it
   * shows how deep the tree is.
   */
  readonly coinbase?: { readonly transaction: string; readonly merkle: readonly string[] }
}

/** The first reason why a proof does not show that a transaction is in a block. */
export type InclusionFault =
  /** The bytes are not one whole transaction. */
  | 'inclusion_transaction'
  /** The bytes are those of another transaction. */
  | 'inclusion_txid'
  /** A transaction of 64 bytes could as well be two hashes, an inner node of the tree. */
  | 'inclusion_node'
  /** The branch has more hashes than the largest block needs, or something that is not a hash. */
  | 'inclusion_branch'
  /** A tree of this depth has no such index, or the coinbase and index 0 do not go together. */
  | 'inclusion_position'
  /** The branch goes through a node that repeats its neighbour: see CVE-2012-2459. */
  | 'inclusion_duplicate'
  /** The branch ends in another root than that of the header. */
  | 'inclusion_root'
  /** The coinbase transaction is not proven, or its branch has another length. */
  | 'inclusion_depth'

/** 4,000,000 bytes hold fewer than 2^16 transactions of 60 bytes, the least. */
const branchMax = 16
const nodeBytes = 64

/**
 * Returns the first reason why a proof does not show that a transaction is in the block of a
 * header; `undefined` if it does.
 *
 * The header itself is not checked here: use `verifyHeaderChain`.
 *
 * @param txid - display order
 * @param proof - the branch of the transaction, and that of the coinbase to show the depth
 * @param header - bytes of the header, hex
 * @returns one of the reasons of `InclusionFault`
 * @throws {AntaraError} as `decodeBlockHeader`
 * @throws {TypeError} for arguments of other types
 * @example
 * inclusionFault(txid, { transaction, merkle: [], pos: 1 }, header) // 'inclusion_position'
 */
export function inclusionFault(
  txid: string,
  proof: InclusionProof,
  header: string | Uint8Array,
): InclusionFault | undefined {
  requireString(txid, 'txid')
  requireProof(proof)
  return inclusionFaultIn(txid, proof, decodeBlockHeader(header).merkleRoot)
}

/** `inclusionFault` for a header that is decoded already. */
export function inclusionFaultIn(
  txid: string,
  proof: InclusionProof,
  merkleRoot: string,
): InclusionFault | undefined {
  const { transaction, merkle, pos, coinbase } = proof
  const leaf = leafOf(transaction)
  if (typeof leaf === 'string') return leaf
  if (leaf.txid !== txid.toLowerCase()) return 'inclusion_txid'
  if (leaf.isCoinbase !== (pos === 0)) return 'inclusion_position'
  const fault = branchFault(leaf.txid, merkle, pos, merkleRoot)
  if (fault !== undefined || coinbase === undefined) return fault
  const first = leafOf(coinbase.transaction)
  const isProven =
    typeof first !== 'string' &&
    first.isCoinbase &&
    coinbase.merkle.length === merkle.length &&
    branchFault(first.txid, coinbase.merkle, 0, merkleRoot) === undefined
  return isProven ? undefined : 'inclusion_depth'
}

/**
 * Returns whether a proof shows that a transaction is in the block of a header.
 *
 * @param txid - display order
 * @param proof - as `inclusionFault`
 * @param header - wire bytes, or hex
 * @throws {AntaraError} as `decodeBlockHeader`
 * @throws {TypeError} for arguments of other types
 * @example
 * verifyInclusion(txid, { transaction, merkle: [], pos: 0 }, header) // true
 */
export function verifyInclusion(
  txid: string,
  proof: InclusionProof,
  header: string | Uint8Array,
): boolean {
  return inclusionFault(txid, proof, header) === undefined
}

function requireProof(proof: InclusionProof): void {
  requireObject(proof, 'proof')
  requireString(proof.transaction, 'proof.transaction')
  requireArray(proof.merkle, 'proof.merkle')
  if (typeof proof.pos !== 'number') throw argumentError('proof.pos', 'a number', proof.pos)
  if (proof.coinbase === undefined) return
  requireObject(proof.coinbase, 'proof.coinbase')
  requireString(proof.coinbase.transaction, 'proof.coinbase.transaction')
  requireArray(proof.coinbase.merkle, 'proof.coinbase.merkle')
}

function leafOf(transaction: string) {
  if (transaction.length === 2 * nodeBytes) return 'inclusion_node'
  try {
    const decoded = decodeTransaction(transaction)
    return { txid: decoded.txid, isCoinbase: isCoinbase(decoded) }
  } catch (error) {
    if (isAntaraError(error)) return 'inclusion_transaction'
    throw error
  }
}

function branchFault(
  txid: string,
  merkle: readonly string[],
  pos: number,
  merkleRoot: string,
): InclusionFault | undefined {
  if (merkle.length > branchMax) return 'inclusion_branch'
  if (!merkle.every((it) => typeof it === 'string' && isHex32(it.toLowerCase())))
    return 'inclusion_branch'
  if (!Number.isInteger(pos) || pos < 0 || pos >= 2 ** merkle.length) return 'inclusion_position'
  let node = bytesFromHex(reverseHex(txid))
  for (const [level, text] of merkle.entries()) {
    const sibling = bytesFromHex(reverseHex(text.toLowerCase()))
    const isRight = ((pos >>> level) & 1) === 1
    // A last node without a neighbour is hashed with itself, and is then the left one.
    if (isRight && hexFromBytes(sibling) === hexFromBytes(node)) return 'inclusion_duplicate'
    node = isRight ? parentOf(sibling, node) : parentOf(node, sibling)
  }
  return reverseHex(hexFromBytes(node)) === merkleRoot ? undefined : 'inclusion_root'
}
