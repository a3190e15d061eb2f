import { bytesFromHex, hexFromBytes } from './hex.ts'

const base64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The number of arguments that `String.fromCharCode` accepts on every JavaScript engine. */
const charactersMax = 4096

/**
 * Encodes hex as base64 without padding, in the alphabet for URLs (`-` and `_`) or the standard one
 * (`+` and `/`).
 */
export function base64FromHex(hex: string, alphabet: 'url' | 'standard'): string {
  const text = base64OfBytes(bytesFromHex(hex)).replace(/=+$/, '')
  return alphabet === 'url' ? text.replaceAll('+', '-').replaceAll('/', '_') : text
}

/** Encodes bytes as standard base64 with padding. */
export function base64OfBytes(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += charactersMax) {
    text += String.fromCharCode(...bytes.subarray(at, at + charactersMax))
  }
  return btoa(text)
}

/** The decoder of recent platforms, which takes a tenth of the time. */
interface Decoder {
  fromBase64?(text: string): Uint8Array
}

/** Decodes standard base64. @throws if the text is malformed */
export function bytesOfBase64(text: string): Uint8Array {
  const { fromBase64 } = Uint8Array as Decoder
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, text)
  const characters = atob(text)
  const bytes = new Uint8Array(characters.length)
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = characters.charCodeAt(at)
  return bytes
}

/**
 * Decodes base64 in either alphabet, padded or not, to hex; returns `undefined` for malformed text.
 */
export function hexFromBase64(text: string): string | undefined {
  if (!base64.test(text)) return undefined
  // This follows the test, because it takes time quadratic in the equals signs.
  const digits = text.replace(/=+$/, '')
  if (digits.length % 4 === 1) return undefined
  if (digits.length !== text.length && text.length % 4 !== 0) return undefined
  return hexFromBytes(bytesOfBase64(digits.replaceAll('-', '+').replaceAll('_', '/')))
}
