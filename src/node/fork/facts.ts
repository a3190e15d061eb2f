// Facts about the chain below a fork: those of one request, and those that stay for the next.

import { isNullOutpoint } from '../../transaction/coinbase.ts'
import type { Block } from '../state/block.ts'
import { outpointKey } from '../state/keys.ts'
import type { UpstreamOutput, UpstreamTransaction } from './upstream.ts'

/** The state of an output: absent if a block spends it. */
export type OutputFact = { readonly isTaken: boolean } | undefined

/** Facts that were fetched for one request. The next request asks for outputs again. */
export interface Facts {
  readonly transactions: Map<string, UpstreamTransaction | undefined>
  /** By outpoint. */
  readonly outputs: Map<string, OutputFact>
  readonly blocks: Map<number, Block | undefined>
}

export function noFacts(): Facts {
  return { transactions: new Map(), outputs: new Map(), blocks: new Map() }
}

/**
 * @param isInBlock - whether a block has the transaction that made the output
 * @param confirmed - the output in the chain
 * @param waiting - the output in the chain and the mempool
 */
export function outputFact(
  isInBlock: boolean,
  confirmed: UpstreamOutput | null,
  waiting: UpstreamOutput | null,
): OutputFact {
  return isInBlock && confirmed === null ? undefined : { isTaken: waiting === null }
}

export const outputKey: typeof outpointKey = outpointKey

/** The transactions that those of the facts spend from, but for what is there already. */
export function parentsOf({ transactions }: Facts): string[] {
  const parents = new Set<string>()
  for (const found of transactions.values()) {
    for (const input of found?.stored.transaction.inputs ?? []) {
      if (!isNullOutpoint(input) && !transactions.has(input.txid)) parents.add(input.txid)
    }
  }
  return [...parents]
}

/** Confirmed transactions that were hashed, the latest used last. */
export interface TransactionCache {
  get(txid: string): UpstreamTransaction | undefined
  add(found: UpstreamTransaction): void
  clear(): void
}

export function transactionCache(charactersMax: number): TransactionCache {
  const kept = new Map<string, UpstreamTransaction>()
  let characters = 0
  return {
    get(txid) {
      const found = kept.get(txid)
      if (found === undefined) return undefined
      kept.delete(txid)
      kept.set(txid, found)
      return found
    },
    add(found) {
      const { txid, hex } = found.stored
      if (kept.has(txid)) return
      kept.set(txid, found)
      characters += hex.length
      for (const [oldest, { stored }] of kept) {
        if (characters <= charactersMax) break
        kept.delete(oldest)
        characters -= stored.hex.length
      }
    },
    clear() {
      kept.clear()
      characters = 0
    },
  }
}
