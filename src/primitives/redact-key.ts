import { isPoint } from './secp256k1.ts'

/**
 * What may be told of a text that a person gave for a public key, an address, a member or a file:
 * nothing, if it may be a private key.
 */
export function redactKey(text: string): string {
  return mayHoldPrivateKey(text) ? 'what may be a private key' : text.slice(0, 140)
}

/** The same where a public key belongs: people give the address that they know instead. */
export function redactPublicKey(text: string): string {
  return isAddressLike(text) ? `this is an address: ${text}` : redactKey(text)
}

export function isAddressLike(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]{26,35}$/.test(text)
}

/** Whether a private key may be in `text`: as it is, with something wrapped around it, or mistyped. */
export function mayHoldPrivateKey(text: string): boolean {
  const joined = text.replace(/[\s\p{C}]/gu, '')
  return longWords.test(joined) && !isPublicKey(joined)
}

/** No private key is shorter in any writing than 32 bytes in Base64. */
const longWords = /[0-9a-z]{43}/i

/** A text in which no word is left that a private key could be. */
export function withoutKeys(text: string): string {
  return text.replace(/[0-9a-z]{43,}/gi, '(hidden)')
}

/** A private key with the mark of a compressed one behind it, 01, can look like a public key. */
function isPublicKey(text: string): boolean {
  return /^0[23][0-9a-f]{64}$/i.test(text) && (!text.endsWith('01') || isPoint(text))
}
