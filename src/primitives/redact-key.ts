import { isPoint } from './curve-point.ts'
import { isCompressedKey } from './hex-forms.ts'
import { patternOnUse } from './pattern-on-use.ts'

/**
 * Returns a text that a person gave for a public key, an address, a member or a file; redacts it if
 * it may be a private key.
 */
export function redactKey(text: string): string {
  return mayHoldPrivateKey(text) ? 'what may be a private key' : text.slice(0, 140)
}

/**
 * Does the same where a public key is expected, except that an address, a common mistake, is shown.
 */
export function redactPublicKey(text: string): string {
  return isAddressLike(text) ? `this is an address: ${text}` : redactKey(text)
}

export function isAddressLike(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{26,35}$/.test(text)
}

/**
 * Returns whether `text` may contain a private key: as it is, wrapped in something, or mistyped.
 */
export function mayHoldPrivateKey(text: string): boolean {
  const joined = text.replace(unseen(), '')
  return longWords.test(joined) && !isPublicKey(joined)
}

/** Matches blanks, controls and what is invisible. */
const unseen = patternOnUse(String.raw`[\s\p{C}]`, 'gu')

/** Every spelling of a private key is at least as long as 32 bytes in Base64. */
const longWords = /[0-9a-z]{43}/i

/** Removes every word that may be a private key. */
export function withoutKeys(text: string): string {
  return text.replace(/[0-9a-z]{43,}/gi, '(hidden)')
}

/** A private key, followed by the compression flag 01, can look like a public key. */
function isPublicKey(text: string): boolean {
  return isCompressedKey(text.toLowerCase()) && (!text.endsWith('01') || isPoint(text))
}
