// The chain of a daemon under a forked node's own blocks: the part of it that was fetched.

import { RpcFailure } from '../../server/json-rpc.ts'
import type { Outpoint } from '../../transaction/types.ts'
import type { Block } from './block.ts'
import type { StoredTransaction } from './stored-transaction.ts'
import type { Coin } from './tables.ts'

export interface BaseTransaction {
  readonly stored: StoredTransaction
  /** Absent for a transaction that waits in the daemon's mempool. */
  readonly height: number | undefined
}

/** Reads that throw {@link NotFetched} for facts that are not here yet. */
export interface BaseChain {
  /** The last block that is the daemon's. */
  readonly height: number
  readonly hash: string
  transaction(txid: string): BaseTransaction | undefined
  /** An output that no block of the daemon's chain spends. */
  coin(txid: string, vout: number): Coin | undefined
  /** Returns true if a transaction of the daemon's mempool spends an output. */
  isSpentInMempool(txid: string, vout: number): boolean
  /** Tells whether a transaction has an output that is unspent, apart from those left out. */
  hasCoins(txid: string, isLeftOut: (vout: number) => boolean): boolean
  /** The header of a block, as a block without transactions. */
  block(height: number): Block | undefined
  /** Asks at once for all outputs that a transaction spends. */
  expect(outpoints: readonly Outpoint[]): void
  /** Transactions that the present request needs and the daemon does not have. */
  unknown(): readonly string[]
}

/** A fact that only the daemon knows. */
export type Wanted =
  | { readonly kind: 'transaction'; readonly txid: string }
  | { readonly kind: 'coin'; readonly txid: string; readonly vout: number }
  | { readonly kind: 'block'; readonly height: number }

/** Ends a method until the facts that it lacks were fetched. Then it begins again. */
export class NotFetched extends Error {
  readonly wanted: readonly Wanted[]
  constructor(wanted: readonly Wanted[]) {
    super('a fork reads the chain below its blocks only while it answers a request')
    this.wanted = wanted
  }
}

const unsupportedCode = -1

/** The refusal of a forked node for what it cannot know about the chain below its blocks. */
export function belowFork(what: string): RpcFailure {
  return new RpcFailure(unsupportedCode, `a forked node ${what}: ask the daemon of --fork`)
}
