// Decodes block headers, and checks their proof of work.

import * as engine from '../engine/calls.ts'
import {
  blockHeaderBits,
  blockHeaderEquihash,
  blockHeaderSolutionLength,
  blockHeadersBytes,
  blockHeadersCount,
  blockHeaderTime,
  blockHeaderVersion,
} from '../engine/records.ts'
import { blockHeadersWords, blockHeaderWords, resultBase } from '../engine/words.ts'
import { AntaraError } from '../errors/antara-error.ts'
import { argumentError, isUint8Array, requireObject } from '../primitives/arguments.ts'

/**
 * The header of a block. Hashes are in display order, the nonce too, the solution as in the bytes.
 */
export interface BlockHeader {
  /** Double SHA-256 of the whole header. */
  readonly hash: string
  readonly version: number
  readonly previousHash: string
  readonly merkleRoot: string
  /** Root of the tree of Sapling notes after this block. */
  readonly finalSaplingRoot: string
  /** Seconds since 1970. */
  readonly time: number
  /** The target in compact form: 0x200f0f0f. */
  readonly bits: number
  readonly nonce: string
  readonly solution: string
}

/** The parameters of a chain's proof of work. */
export interface EquihashParameters {
  readonly n: number
  readonly k: number
  /**
   * True for chains that set n and k by `-ac_nk`: their puzzle is hashed in another way. If absent,
   * it is true for all but 200, 9.
   *
   * @see komodo src/crypto/equihash.cpp, GenerateHash and InitialiseState
   */
  readonly acNk?: boolean
}

/** The first rule of Equihash that a solution breaks. */
export type EquihashFault =
  /** The number of bytes of the solution does not fit n and k. */
  | 'solution_length'
  /** An index occurs twice. */
  | 'solution_repeated'
  /** The indices are not in the required order. */
  | 'solution_order'
  /** The hashes do not collide: no work was done for this header. */
  | 'solution_collision'

/** By the numbers of native/core/block/equihash.h, EquihashVerdict. */
const equihashFaults: readonly (EquihashFault | undefined)[] = [
  undefined,
  'solution_length',
  'solution_repeated',
  'solution_order',
  'solution_collision',
]

/** A header, with the fault of its proof of work if that was checked. */
export interface CheckedHeader extends BlockHeader {
  readonly equihash: EquihashFault | undefined
}

/**
 * Decodes the header of a block. Bytes after it are an error.
 *
 * @param source - 177 bytes where n and k are 48, 5, and 1487 bytes where they are 200, 9; or hex
 * @returns the members of the header; hashes in display order, time in seconds
 * @throws {AntaraError} `truncated`, `trailing_bytes`, `non_canonical_length`, `length_over_limit`,
 *   `malformed_hex`, `odd_length_hex`, `empty_input`, with the byte offset
 * @throws {TypeError} if `source` is neither bytes nor hex
 * @see komodo src/primitives/block.h, CBlockHeader
 * @example
 * decodeBlockHeader(hex).hash // '027e3758c3a6...'
 */
export function decodeBlockHeader(source: string | Uint8Array): BlockHeader {
  const { equihash: _, ...header } = decodeOne(source, unchecked)
  return header
}

/**
 * Decodes headers that follow each other, as `blockchain.block.headers` of an Electrum server
 * returns them.
 *
 * @param source - headers without anything between them: bytes, or hex
 * @returns the headers, in their order
 * @throws {AntaraError} as `decodeBlockHeader`, for the first that is malformed
 * @throws {TypeError} if `source` is neither bytes nor hex
 * @see komodo src/primitives/block.h, CBlockHeader
 * @example
 * decodeBlockHeaders(hex + hex).length // 2
 */
export function decodeBlockHeaders(source: string | Uint8Array): BlockHeader[] {
  return readHeaders(source, unchecked, 0).map(({ equihash: _, ...header }) => header)
}

/**
 * Returns the first rule of Equihash that a header breaks; `undefined` if its proof of work holds.
 *
 * The proof shows that somebody searched for this header. It does not show how long: the target of
 * the header and its chain decide that.
 *
 * @param header - wire bytes, or hex
 * @param parameters - n and k of the chain
 * @throws {AntaraError} as `decodeBlockHeader`
 * @throws {TypeError} for n and k that this family of chains does not use
 * @see Zcash protocol specification, section 7.7.1, Equihash
 * @example
 * equihashFault(hex, { n: 48, k: 5 }) // 'solution_length'
 */
export function equihashFault(
  header: string | Uint8Array,
  parameters: EquihashParameters,
): EquihashFault | undefined {
  return decodeOne(header, parametersOf(parameters)).equihash
}

/**
 * Returns whether the proof of work of a header holds.
 *
 * @param header - wire bytes, or hex
 * @param parameters - n and k of the chain
 * @throws {AntaraError} as `decodeBlockHeader`
 * @throws {TypeError} as `equihashFault`
 * @see Zcash protocol specification, section 7.7.1, Equihash
 * @example
 * verifyEquihash(hex, { n: 200, k: 9 }) // true
 */
export function verifyEquihash(
  header: string | Uint8Array,
  parameters: EquihashParameters,
): boolean {
  return equihashFault(header, parameters) === undefined
}

interface NativeParameters {
  readonly n: number
  readonly k: number
  readonly leaves: number
}

/**
 * The most bytes of a header: what its puzzle hashes, and the solution of Equihash 200,9 with its
 * length.
 */
export const headerBytesMax: number = 140 + 3 + 1344

/** n 0 means that the engine does not check the proof of work. */
const unchecked: NativeParameters = { n: 0, k: 0, leaves: 0 }

/** @throws {TypeError} */
export function parametersOf(parameters: EquihashParameters): NativeParameters {
  requireObject(parameters, 'parameters')
  const { n, k, acNk } = parameters
  const isMain = n === 200 && k === 9
  if (!isMain && !(n === 48 && k === 5)) {
    throw argumentError('parameters', 'n and k of 200 and 9, or of 48 and 5', `${n} and ${k}`)
  }
  if (acNk !== undefined && typeof acNk !== 'boolean') {
    throw argumentError('parameters.acNk', 'true or false', acNk)
  }
  return { n, k, leaves: (acNk ?? !isMain) ? 1 : 0 }
}

/**
 * Reads the header that bytes or hex begin with, and the number of its bytes.
 *
 * @throws {AntaraError} as `decodeBlockHeader`, except `trailing_bytes`
 */
export function leadingHeader(block: Uint8Array | string): { header: BlockHeader; bytes: number } {
  const start =
    typeof block === 'string'
      ? block.slice(0, 2 * headerBytesMax)
      : block.subarray(0, headerBytesMax)
  const [header] = readHeaders(start, unchecked, 1)
  return { header: header!, bytes: blockHeadersBytes() }
}

function decodeOne(source: string | Uint8Array, parameters: NativeParameters): CheckedHeader {
  const [header] = readHeaders(source, parameters, 1)
  const bytes = typeof source === 'string' ? source.length / 2 : source.length
  const end = blockHeadersBytes()
  if (end < bytes) throw new AntaraError('trailing_bytes', { offset: end })
  return header!
}

/** The text of a header: five hashes, then the solution. */
const hashDigits = 64

/** Reads at most `countMax` headers, 0 for all of them. */
export function readHeaders(
  source: string | Uint8Array,
  { n, k, leaves }: NativeParameters,
  countMax: number,
): CheckedHeader[] {
  if (typeof source !== 'string' && !isUint8Array(source)) {
    throw argumentError('source', 'hex or a Uint8Array', source)
  }
  const text = engine.readBlockHeaders(source, { countMax, n, k, leaves })
  let at = 0
  const next = (digits: number) => {
    at += digits
    return text.slice(at - digits, at)
  }
  return Array.from({ length: blockHeadersCount() }, (_, index) => {
    const words = resultBase + blockHeadersWords + blockHeaderWords * index
    return {
      hash: next(hashDigits),
      version: blockHeaderVersion(words) | 0,
      previousHash: next(hashDigits),
      merkleRoot: next(hashDigits),
      finalSaplingRoot: next(hashDigits),
      time: blockHeaderTime(words),
      bits: blockHeaderBits(words),
      nonce: next(hashDigits),
      solution: next(2 * blockHeaderSolutionLength(words)),
      equihash: equihashFaults[blockHeaderEquihash(words)],
    }
  })
}
