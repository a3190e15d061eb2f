// This file reads the answers of an Electrum server.

import { sha256 } from '@noble/hashes/sha2.js'

import { decodeBlockHeader } from '../block/header.ts'
import type { ElectrumHistoryEntry } from '../electrum/methods.ts'
import { hexFromBytes } from '../primitives/hex.ts'
import { RpcError } from '../rpc/errors.ts'
import type { HistoryEntry } from './source.ts'

/** @see spesmilo/electrum-protocol, Protocol Basics, Status */
export function statusOf(history: readonly ElectrumHistoryEntry[]): string | null {
  if (history.length === 0) return null
  const text = history.map(({ tx_hash, height }) => `${tx_hash}:${height}:`).join('')
  return hexFromBytes(sha256(new TextEncoder().encode(text)))
}

/** Returns each transaction of histories once, the oldest first, and those in no block at the end. */
export function entriesOf(histories: readonly ElectrumHistoryEntry[]): readonly HistoryEntry[] {
  const heights = new Map<string, number>()
  for (const { tx_hash, height } of histories) {
    // If servers report two heights, the younger one counts: 0 and -1 are in no block.
    const known = heights.get(tx_hash)
    const isWaiting = height <= 0 || known === 0
    heights.set(tx_hash, isWaiting ? 0 : Math.max(height, known ?? 0))
  }
  return [...heights]
    .map(([txid, height]): HistoryEntry => ({ txid, height }))
    .sort((one, other) => placeOf(one) - placeOf(other))
}

const placeOf = ({ height }: HistoryEntry) => (height === 0 ? Number.POSITIVE_INFINITY : height)

/** @throws {RpcError} of kind `shape` */
export function headerOf(
  hex: string,
  method: string,
): { readonly time: number; readonly hash: string } {
  try {
    return decodeBlockHeader(hex)
  } catch (cause) {
    const message = `${method}: the server's answer is not a header of a block`
    throw new RpcError('shape', message, { method, reason: 'unexpected_value', cause })
  }
}
