/**
 * The segment of an address, by which staking chains divide it among 64: shown with addresses.
 *
 * @see komodo src/komodo_bitcoind.cpp, komodo_segid32 of the address's text
 */
import { sha256 } from '@noble/hashes/sha2.js'

export function segidOf(address: string): number {
  const digest = sha256(Buffer.from(address, 'latin1'))
  return digest[0]! & 0x3f
}
