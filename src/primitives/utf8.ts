import { hexFromBytes } from './hex.ts'

const encoder = new TextEncoder()

/** UTF-8 of a text; half a character becomes U+FFFD. */
export function utf8Bytes(text: string): Uint8Array {
  return encoder.encode(text)
}

export function utf8Hex(text: string): string {
  return hexFromBytes(utf8Bytes(text))
}

export function utf8Length(text: string): number {
  return utf8Bytes(text).length
}
