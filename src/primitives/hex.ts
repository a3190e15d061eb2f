import { AntaraError } from '../errors/antara-error.ts'

const evenHex = /^(?:[0-9a-f]{2})*$/
const notHex = /[^0-9a-fA-F]/

/**
 * Returns the same hex in lower case.
 *
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 */
export function normalizeHex(text: string, path?: string): string {
  if (evenHex.test(text)) return text
  const bad = text.search(notHex)
  const where = path === undefined ? {} : { path }
  if (bad >= 0) {
    throw new AntaraError('malformed_hex', {
      ...where,
      offset: bad >> 1,
      actual: text[bad],
    })
  }
  if (text.length % 2 !== 0) {
    throw new AntaraError('odd_length_hex', { ...where, offset: text.length >> 1 })
  }
  return text.toLowerCase()
}

const hexOfByte = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * Up to this size a text is concatenated from digits, so that secrets stay out of shared buffers.
 */
const joinedBytesMax = 64
const digitCodes = new TextEncoder().encode('0123456789abcdef')
const decoder = new TextDecoder()
/** A buffer for the digits of one part of a longer text. */
const codes = new Uint8Array(8192)

export function hexFromBytes(bytes: Uint8Array): string {
  let text = ''
  if (bytes.length <= joinedBytesMax) {
    for (const byte of bytes) text += hexOfByte[byte]
    return text
  }
  for (let start = 0; start < bytes.length; start += codes.length / 2) {
    const end = Math.min(bytes.length, start + codes.length / 2)
    let at = 0
    for (let index = start; index < end; index += 1) {
      const byte = bytes[index]!
      codes[at] = digitCodes[byte >> 4]!
      codes[at + 1] = digitCodes[byte & 0xf]!
      at += 2
    }
    text += decoder.decode(codes.subarray(0, at))
  }
  return text
}

/** @throws {AntaraError} `malformed_hex`, `odd_length_hex` */
export function bytesFromHex(text: string, path?: string): Uint8Array {
  const hex = normalizeHex(text, path)
  const bytes = new Uint8Array(hex.length / 2)
  for (let index = 0; index < bytes.length; index += 1) {
    bytes[index] = 16 * digitAt(hex, 2 * index) + digitAt(hex, 2 * index + 1)
  }
  return bytes
}

/** 0 to 9 are 30 to 39 in ASCII, a to f are 61 to 66. */
function digitAt(hex: string, index: number): number {
  const code = hex.charCodeAt(index)
  return (code & 0xf) + 9 * (code >> 6)
}

/** Reverses the bytes of `hex`, which converts a hash between wire order and display order. */
export function reverseHex(hex: string): string {
  let reversed = ''
  for (let index = hex.length; index > 0; index -= 2) reversed += hex.slice(index - 2, index)
  return reversed
}
