import { easiestBits } from '../../block/chains.ts'
import { hashTwice } from '../../block/merkle.ts'
import { workOfBits } from '../../block/work.ts'
import { bytesFromHex, hexFromBytes, reverseHex } from '../../primitives/hex.ts'
import { compactSizeBytes, compactSizeHex } from '../../primitives/wire.ts'
import { littleEndian } from './keys.ts'
import type { StoredTransaction } from './stored-transaction.ts'
import type { Change } from './tables.ts'

/** The hashed fields of a block, without its nonce and solution. */
export interface Header {
  readonly previousHash: string
  readonly merkleRoot: string
  /** Seconds since 1970. */
  readonly time: number
  /** 32 bytes, display order. */
  readonly nonce: string
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
/** Root of the empty tree of Sapling notes, as the recorded chain prints it. */
export const saplingRoot = '097275e7b66e4d6d230806033ff0e40b79ff4c5289a4143b92ae641a65566441'
/** Root of the empty tree of Sprout notes. */
export const sproutAnchor = '59d2cde5e65c1414c32ba54f0fe4bdb3d67618125286e6a191317917c812c6d7'
/** A solution of equihash 48,5. No work makes these blocks, so it proves nothing. */
export const solution: string = '00'.repeat(36)

/** @see komodo src/primitives/block.h, CBlockHeader */
export function headerHex({ previousHash, merkleRoot, time, nonce }: Header): string {
  return [
    littleEndian(blockVersion),
    reverseHex(previousHash),
    reverseHex(merkleRoot),
    reverseHex(saplingRoot),
    littleEndian(time),
    reverseHex(bits),
    reverseHex(nonce),
    '24',
    solution,
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
