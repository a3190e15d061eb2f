import { byteHex } from '../primitives/wire.ts'

/**
 * Converts a compact signature to strict DER, which scriptSigs of keys contain.
 *
 * @param compact - r and s, 64 bytes, hex
 * @see BIP 66
 */
export function derOfCompact(compact: string): string {
  const content = derInteger(compact.slice(0, 64)) + derInteger(compact.slice(64))
  return `30${byteHex(content.length / 2)}${content}`
}

/** Returns the shortest DER form of an unsigned number. @param scalar - 32 bytes, hex */
export function derInteger(scalar: string): string {
  const digits = scalar.replace(/^(?:00)+(?=..)/, '')
  const content = /^[89a-f]/.test(digits) ? `00${digits}` : digits
  return `02${byteHex(content.length / 2)}${content}`
}
