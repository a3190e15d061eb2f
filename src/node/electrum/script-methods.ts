// Methods for the history and the coins of scripts.

import { sha256 } from '@noble/hashes/sha2.js'
import { hexFromBytes } from '../../primitives/hex.ts'
import { RpcFailure } from '../../server/json-rpc.ts'
import type { ElectrumContext, Method, Methods } from './method.ts'
import type { ScriptEntry, ScriptHistory } from './script-history.ts'
import { hashOf } from './values.ts'

const historyTooLarge = 10_001
/** Entries of a history that fit into an answer of a million bytes. */
const historyMax = Math.floor((1_000_000 - 100) / 99)

/** A method whose parameter is the hash of a script. */
function ofScript(answer: (context: ElectrumContext, scripthash: string) => unknown): Method {
  return {
    required: ['scripthash'],
    answer: (context, [given]) => answer(context, hashOf(given, 'a valid script hash')),
  }
}

export const scriptMethods: Methods = {
  'blockchain.scripthash.get_balance': ofScript(({ history }, hash) => {
    const sum = (coins: readonly { value: bigint }[]) =>
      coins.reduce((total, { value }) => total + value, 0n)
    const confirmed = sum(history.minedCoins(hash))
    return { confirmed, unconfirmed: sum(history.coins(hash)) - confirmed }
  }),
  'blockchain.scripthash.get_history': ofScript(({ history }, hash) => {
    requireShort(history, hash)
    return history.entries(hash).map(entryJson)
  }),
  'blockchain.scripthash.get_mempool': ofScript(({ history }, hash) =>
    history.waiting(hash).map(entryJson),
  ),
  'blockchain.scripthash.listunspent': ofScript(({ history }, hash) =>
    history.coins(hash).map(({ txid, vout, height, value }) => {
      return { tx_hash: txid, tx_pos: vout, height, value }
    }),
  ),
  'blockchain.scripthash.subscribe': ofScript(({ history, session }, hash) => {
    const status = statusOf(history, hash)
    session.scripts.set(hash, status)
    return status
  }),
  'blockchain.scripthash.unsubscribe': {
    ...ofScript(({ session }, hash) => session.scripts.delete(hash)),
    since: '1.4.2',
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
