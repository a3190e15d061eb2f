// Forms of hex texts. Those of hashes and keys are in lower case; a caller that accepts upper case
// converts it first.

/** 32 bytes, as a txid or another hash has. */
export const hex32: RegExp = /^[0-9a-f]{64}$/
/** The txid or hash of nothing. */
export const zeroHex32: string = '0'.repeat(64)
/** Digits of a compressed public key. */
export const compressedKeyDigits = 66
const bytes = /^(?:[0-9a-fA-F]{2})+$/
const compressed = /^0[23][0-9a-f]{64}$/
const uncompressed = /^04[0-9a-f]{128}$/

/** Returns whether a text is hex of one byte or more, in lower or in upper case. */
export function isHex(text: string): boolean {
  return bytes.test(text)
}

/** Returns whether a text is 32 bytes in lower-case hex, as a txid or another hash is. */
export function isHex32(text: unknown): text is string {
  return typeof text === 'string' && hex32.test(text)
}

/** Returns whether a text has the form of a compressed public key. It need not be a point. */
export function isCompressedKey(text: unknown): text is string {
  return typeof text === 'string' && compressed.test(text)
}

/**
 * Returns whether a text has the form of a public key, compressed or not. It need not be a point.
 */
export function isPublicKey(text: string): boolean {
  return compressed.test(text) || uncompressed.test(text)
}

/** Returns the compressed form of a public key, from hex of its form of 65 bytes. */
export function compressedKey(uncompressedKey: string): string {
  const isOdd = (Number.parseInt(uncompressedKey.at(-1)!, 16) & 1) === 1
  return `${isOdd ? '03' : '02'}${uncompressedKey.slice(2, compressedKeyDigits)}`
}
