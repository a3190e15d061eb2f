import { AntaraError } from '../errors/antara-error.ts'
import { hexFromBytes } from './hex.ts'

const encoder = new TextEncoder()

/** Matches half a surrogate pair, which UTF-8 cannot encode: an encoder writes U+FFFD instead. */
const halfCharacter = /[\ud800-\udfff]/u

export function hasHalfCharacter(text: string): boolean {
  return halfCharacter.test(text)
}

/**
 * Encodes a text as UTF-8. Two texts never have the same bytes, because half a surrogate pair is
 * refused.
 *
 * @throws {AntaraError} `text_mismatch`, with the path and without any of the text
 */
export function utf8Bytes(text: string, path: string): Uint8Array {
  if (hasHalfCharacter(text)) {
    throw new AntaraError('text_mismatch', {
      path,
      expected: 'UTF-8',
      actual: 'half of a character',
    })
  }
  return encoder.encode(text)
}

/** Encodes a text whose exact bytes do not matter, such as for its length; never throws. */
export function lossyUtf8Bytes(text: string): Uint8Array {
  return encoder.encode(text)
}

export function utf8Hex(text: string, path: string): string {
  return hexFromBytes(utf8Bytes(text, path))
}

export function utf8Length(text: string): number {
  return lossyUtf8Bytes(text).length
}
