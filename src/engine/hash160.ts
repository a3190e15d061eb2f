import { native, requireNarrow, run } from './engine.ts'

/**
 * RIPEMD-160 of SHA-256: the hash of a public key or script inside an address.
 *
 * @param hex - of any length
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 */
export function hash160(hex: string): string {
  requireNarrow(hex)
  return run(native.hash160, hex)
}
