// Keys of the tables, spelled so that their order is that of the daemon's database: hashes in wire
// order, numbers as it writes them.

import { reverseHex } from '../../primitives/hex.ts'

/** Returns the key of a transaction, as std::map orders its hash. */
export function wireKey(txid: string): string {
  return reverseHex(txid)
}

/** In the order of a std::map of transactions. */
export function inMapOrder<Item extends { readonly txid: string }>(items: readonly Item[]): Item[] {
  const keyed = items.map((item) => ({ item, key: wireKey(item.txid) }))
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ item }) => item)
}

/**
 * Returns the key of an output; the index is little-endian.
 *
 * @see komodo src/addressindex.h, CAddressUnspentKey
 */
export function outpointKey(txid: string, index: number): string {
  return wireKey(txid) + littleEndian(index)
}

export function outpointOf(key: string): { readonly txid: string; readonly vout: number } {
  return {
    txid: reverseHex(key.slice(-72, -8)),
    vout: Number.parseInt(reverseHex(key.slice(-8)), 16),
  }
}

/** Big-endian, as numbers that are to be in order. */
export function ordinal(value: number): string {
  return value.toString(16).padStart(8, '0')
}

export function littleEndian(value: number): string {
  return reverseHex(ordinal(value))
}
