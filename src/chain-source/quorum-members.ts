// The members of a quorum: which of them count as several, and which have a transaction.

import { decodeTransaction } from '../transaction/decode.ts'
import type { Transaction } from '../transaction/types.ts'
import type { ChainOptions, ChainSource } from './source.ts'

/** Refuses two sources with one name or server. That server's answer would count twice. */
export function requireOwnServers(members: readonly ChainSource[]): void {
  const seen = new Set<string>()
  const names = new Set<string>()
  for (const { name, servers = [] } of members) {
    // Findings would blame one for the other.
    if (names.has(name)) {
      const remedy = 'give each its own `name`'
      throw new TypeError(`sources: two sources have the name ${name}; ${remedy}`)
    }
    names.add(name)
    const shared = servers.find((server) => seen.has(server))
    if (shared !== undefined) {
      throw new TypeError(`sources: ${name} and another source share the server ${shared}`)
    }
    for (const server of servers) seen.add(server)
  }
}

/**
 * Returns true if the source shows the bytes. A source may refuse a transaction as known if another
 * source relayed it to this one.
 */
export async function showsTransaction(
  source: ChainSource,
  txid: string,
  options: ChainOptions,
): Promise<boolean> {
  try {
    const hex: unknown = (await source.transactions([txid], options))?.[0]
    return typeof hex === 'string' && decoded(hex)?.txid === txid
  } catch {
    return false
  }
}

export function decoded(hex: string): Transaction | undefined {
  try {
    return decodeTransaction(hex)
  } catch {
    return undefined
  }
}
