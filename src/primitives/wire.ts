// Reads and writes the parts of serialized data, as hex.

import { AntaraError } from '../errors/antara-error.ts'
import { requireString } from './arguments.ts'
import { bytesFromHex, normalizeHex, reverseHex } from './hex.ts'

/** The largest valid CompactSize. source: komodo src/serialize.h, MAX_SIZE */
export const compactSizeMax = 0x02000000

/** A position in hex. Offsets count bytes from its start. */
export interface Cursor {
  readonly hex: string
  offset: number
  readonly end: number
}

const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Returns a cursor over `hex` in lower case.
 *
 * @param path - names the text in errors
 * @throws {TypeError} for anything but a text
 * @throws {AntaraError} `odd_length_hex`, `malformed_hex`
 */
export function cursorOver(hex: string, path = 'script'): Cursor {
  requireString(hex, path)
  const checked = normalizeHex(hex)
  return { hex: checked, offset: 0, end: checked.length / 2 }
}

/** Returns `hex` in lower case. @throws {AntaraError} `odd_length_hex`, `malformed_hex` */
export function hexText(hex: string, path: string): string {
  requireString(hex, path)
  return normalizeHex(hex, path)
}

export function fixedHex(hex: string, bytes: number, path: string): string {
  const checked = hexText(hex, path)
  if (checked.length !== 2 * bytes) {
    throw new AntaraError('wrong_length', { path, expected: bytes, actual: checked.length / 2 })
  }
  return checked
}

export function remaining(cursor: Cursor): number {
  return cursor.end - cursor.offset
}

export function readHex(cursor: Cursor, count: number, path: string): string {
  if (count > remaining(cursor)) {
    throw new AntaraError('truncated', {
      offset: cursor.offset,
      path,
      expected: count,
      actual: remaining(cursor),
    })
  }
  const start = cursor.offset
  cursor.offset += count
  return cursor.hex.slice(2 * start, 2 * cursor.offset)
}

/** Reads an unsigned little-endian integer of `count` bytes. */
export function readUnsigned(cursor: Cursor, count: number, path: string): bigint {
  return BigInt(`0x${reverseHex(readHex(cursor, count, path))}`)
}

export function readByte(cursor: Cursor, path: string): number {
  return Number.parseInt(readHex(cursor, 1, path), 16)
}

/** @throws {AntaraError} `truncated`, `non_canonical_length`, `length_over_limit`, at its first byte */
export function readCompactSize(cursor: Cursor, path: string): number {
  const start = cursor.offset
  const first = readByte(cursor, path)
  if (first < 0xfd) return first
  const width = first === 0xfd ? 2 : first === 0xfe ? 4 : 8
  if (width > remaining(cursor)) {
    throw new AntaraError('truncated', {
      offset: start,
      path,
      expected: 1 + width,
      actual: cursor.end - start,
    })
  }
  const value = readUnsigned(cursor, width, path)
  const smallest = width === 2 ? 0xfdn : 1n << BigInt(4 * width)
  if (value < smallest) throw new AntaraError('non_canonical_length', { offset: start, path })
  if (value > BigInt(compactSizeMax))
    throw new AntaraError('length_over_limit', { offset: start, path })
  return Number(value)
}

/** Reads a CompactSize length, then that many bytes. */
export function readVector(cursor: Cursor, path: string): string {
  return readHex(cursor, readCompactSize(cursor, path), path)
}

export function byteHex(value: number): string {
  return value.toString(16).padStart(2, '0')
}

/** Encodes a little-endian integer of `count` bytes; negative values in two's complement. */
export function integerHex(value: bigint, count: number): string {
  const unsigned = BigInt.asUintN(8 * count, value)
  return reverseHex(unsigned.toString(16).padStart(2 * count, '0'))
}

export function compactSizeHex(value: number): string {
  if (value < 0xfd) return byteHex(value)
  if (value <= 0xffff) return `fd${integerHex(BigInt(value), 2)}`
  return `fe${integerHex(BigInt(value), 4)}`
}

/** Returns how many bytes a CompactSize takes. */
export function compactSizeBytes(value: number): number {
  if (value < 0xfd) return 1
  return value <= 0xffff ? 3 : 5
}

export function vectorHex(data: string): string {
  return compactSizeHex(data.length / 2) + data
}

/** Decodes UTF-8; every invalid sequence becomes U+FFFD. A byte order mark is kept. */
export function textOfHex(hex: string): string {
  return utf8Decoder.decode(bytesFromHex(hex))
}
