// Methods for the history and the coins of scripts.

import { sha256 } from '@noble/hashes/sha2.js'
import { hexFromBytes } from '../../primitives/hex.ts'
import { RpcFailure } from '../../server/json-rpc.ts'
import type { Methods } from './method.ts'
import type { ScriptEntry, ScriptHistory } from './script-history.ts'
import { hashOf } from './values.ts'

const historyTooLarge = 10_001
/** Entries of a history that fit into an answer of a million bytes. */
const historyMax = Math.floor((1_000_000 - 100) / 99)

export const scriptMethods: Methods = {
  'blockchain.scripthash.get_balance': {
    required: ['scripthash'],
    answer({ history }, [scripthash]) {
      const hash = hashOf(scripthash, 'a valid script hash')
      const sum = (coins: readonly { value: bigint }[]) =>
        coins.reduce((total, { value }) => total + value, 0n)
      const confirmed = sum(history.minedCoins(hash))
      return { confirmed, unconfirmed: sum(history.coins(hash)) - confirmed }
    },
  },
  'blockchain.scripthash.get_history': {
    required: ['scripthash'],
    answer({ history }, [scripthash]) {
      const hash = hashOf(scripthash, 'a valid script hash')
      requireShort(history, hash)
      return history.entries(hash).map(entryJson)
    },
  },
  'blockchain.scripthash.get_mempool': {
    required: ['scripthash'],
    answer: ({ history }, [scripthash]) =>
      history.waiting(hashOf(scripthash, 'a valid script hash')).map(entryJson),
  },
  'blockchain.scripthash.listunspent': {
    required: ['scripthash'],
    answer: ({ history }, [scripthash]) =>
      history
        .coins(hashOf(scripthash, 'a valid script hash'))
        .map(({ txid, vout, height, value }) => ({
          tx_hash: txid,
          tx_pos: vout,
          height,
          value,
        })),
  },
  'blockchain.scripthash.subscribe': {
    required: ['scripthash'],
    answer({ history, session }, [scripthash]) {
      const hash = hashOf(scripthash, 'a valid script hash')
      const status = statusOf(history, hash)
      session.scripts.set(hash, status)
      return status
    },
  },
  'blockchain.scripthash.unsubscribe': {
    required: ['scripthash'],
    since: '1.4.2',
    answer: ({ session }, [scripthash]) =>
      session.scripts.delete(hashOf(scripthash, 'a valid script hash')),
  },
}

/**
 * The hash of a script's history, null where it has none.
 *
 * @see spesmilo/electrum-protocol, Protocol Basics, Status
 */
export function statusOf(history: ScriptHistory, scripthash: string): string | null {
  requireShort(history, scripthash)
  const entries = history.entries(scripthash)
  if (entries.length === 0) return null
  const text = entries.map(({ txid, height }) => `${txid}:${height}:`).join('')
  return hexFromBytes(sha256(new TextEncoder().encode(text)))
}

function requireShort(history: ScriptHistory, scripthash: string): void {
  if (history.minedCount(scripthash) >= historyMax) {
    throw new RpcFailure(historyTooLarge, 'history too large')
  }
}

function entryJson({ txid, height, fee }: ScriptEntry): object {
  return { tx_hash: txid, height, ...(fee !== undefined && { fee }) }
}
