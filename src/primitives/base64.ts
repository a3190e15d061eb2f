import { bytesFromHex, hexFromBytes } from './hex.ts'

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** Base64 of hex, for URLs (`-` and `_`) or standard (`+` and `/`), without padding. */
export function base64FromHex(hex: string, alphabet: 'url' | 'standard'): string {
  const bytes = Buffer.from(bytesFromHex(hex))
  if (alphabet === 'url') return bytes.toString('base64url')
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Base64 of bytes, standard, with padding. */
export function base64OfBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Hex of base64 in either alphabet, padded or not; undefined if the text is neither. */
export function hexFromBase64(text: string): string | undefined {
  const digits = text.replace(/=+$/, '')
  if (!base64.test(text) || digits.length % 4 === 1) return undefined
  if (digits.length !== text.length && text.length % 4 !== 0) return undefined
  return hexFromBytes(Buffer.from(digits, 'base64'))
}
