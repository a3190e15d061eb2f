import { easiestBits } from '../../block/chains.ts'
import { hashTwice } from '../../block/merkle.ts'
import { workOfBits } from '../../block/work.ts'
import { bytesFromHex, hexFromBytes, reverseHex } from '../../primitives/hex.ts'
import { compactSizeBytes, compactSizeHex } from '../../primitives/wire.ts'
import { littleEndian } from './keys.ts'
import type { StoredTransaction } from './stored-transaction.ts'
import type { Change } from './tables.ts'

/** The hashed fields of a block. The target is the same in all blocks of this node's own. */
export interface Header {
  readonly version: number
  readonly previousHash: string
  readonly merkleRoot: string
  /** Root of the tree of Sapling notes, display order. */
  readonly saplingRoot: string
  /** Seconds since 1970. */
  readonly time: number
  /** 32 bytes, display order. */
  readonly nonce: string
  /** Hex, as in the bytes. */
  readonly solution: string
  /** The target in compact form, where it is not that of this node's own blocks. */
  readonly bits?: string
}

export interface Block extends Header {
  readonly hash: string
  readonly height: number
  readonly previous: Block | undefined
  readonly transactions: readonly StoredTransaction[]
  /** Bytes. */
  readonly size: number
  /** Expected hashes up to here. */
  readonly work: bigint
  /** Satoshis that exist after it. */
  readonly supply: bigint
  /** The changes that connecting it made. */
  readonly undo: readonly Change[]
}

export const blockVersion = 4
/** The easiest target, as on a young chain. */
export const bits: string = easiestBits.toString(16)
/** The work of that target. Recorded: chainwork 11 (hex) at height 0, 22 at 1. */
export const workOfBlock: bigint = workOfBits(easiestBits)
/** Root of the empty tree of Sapling notes, as in the headers of real chains. */
export const emptySaplingRoot = '3e49b5f954aa9d3545bc6c37744661eea48d7c34e3000d82b7f0010c30f4c2fb'
/** Root of the empty tree of Sprout notes. */
export const sproutAnchor = '59d2cde5e65c1414c32ba54f0fe4bdb3d67618125286e6a191317917c812c6d7'
/** In place of a solution of Equihash 48,5, in blocks that no work made. It proves nothing. */
export const noSolution: string = '00'.repeat(36)

/** Finishes the header of a new block: with work, as proof-of-work.ts, or without. */
export type Seal = (header: Omit<Header, 'solution'>) => Header

/** Costs nothing and proves nothing. */
export const unsolved: Seal = (header) => ({ ...header, solution: noSolution })

/** @see komodo src/primitives/block.h, CBlockHeader */
export function headerHex(header: Header): string {
  const { solution } = header
  return puzzleHex(header) + compactSizeHex(solution.length / 2) + solution
}

/** The 140 bytes of a header that its proof of work is a proof for. */
export function puzzleHex(header: Omit<Header, 'solution'>): string {
  const { version, previousHash, merkleRoot, saplingRoot, time, nonce } = header
  const { bits: target = bits } = header
  return [
    littleEndian(version),
    reverseHex(previousHash),
    reverseHex(merkleRoot),
    reverseHex(saplingRoot),
    littleEndian(time),
    reverseHex(target),
    reverseHex(nonce),
  ].join('')
}

export function blockHash(header: Header): string {
  return reverseHex(hexFromBytes(hashTwice(bytesFromHex(headerHex(header)))))
}

export function blockHex(block: Block): string {
  const { transactions } = block
  return (
    headerHex(block) +
    compactSizeHex(transactions.length) +
    transactions.map((it) => it.hex).join('')
  )
}

export function blockBytes(header: Header, transactions: readonly StoredTransaction[]): number {
  const bytes = transactions.reduce((sum, { size }) => sum + size, 0)
  return headerHex(header).length / 2 + compactSizeBytes(transactions.length) + bytes
}

/** Median of the last eleven times. @see komodo src/chain.h, GetMedianTimePast */
export function medianTime(tip: Block): number {
  const times: number[] = []
  for (let block: Block | undefined = tip; block !== undefined && times.length < 11; ) {
    times.push(block.time)
    block = block.previous
  }
  return times.sort((one, other) => one - other)[times.length >> 1]!
}
