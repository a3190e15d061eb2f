import { sha256 } from '@noble/hashes/sha2.js'
import { requireString } from '../primitives/arguments.ts'
import { bytesFromHex, hexFromBytes, reverseHex } from '../primitives/hex.ts'

/**
 * Returns the name by which Electrum servers know a locking script: its SHA-256, reversed.
 *
 * @param script - hex
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 * @see spesmilo/electrum-protocol, Protocol Basics, Script Hashes
 * @example
 * scripthashOf('76a91462e907b15cbf27d5425399ebf6f0fb50ebb88f1888ac') // '8b01df4e368ea28f8dc0423bcf7a4923e3a12d307c875e47a0cfbf90b5c39161'
 */
export function scripthashOf(script: string): string {
  requireString(script, 'script')
  return reverseHex(hexFromBytes(sha256(bytesFromHex(script, 'script'))))
}
