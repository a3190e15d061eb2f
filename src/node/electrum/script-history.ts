// The history of every script, as the index of an Electrum server has it.

import { isNulldata, opReturn } from '../../script/nulldata.ts'
import { scripthashOf } from '../../script/scripthash.ts'
import type { Outpoint } from '../../transaction/types.ts'
import type { Engine } from '../engine.ts'
import { outpointKey } from '../state/keys.ts'
import { type Mempool, pooledTransactions } from '../state/mempool.ts'
import { lookUp } from '../state/ordered-map.ts'
import { remembered } from '../state/script-index.ts'
import { isCoinbase, type StoredTransaction } from '../state/stored-transaction.ts'
import type { Coin } from '../state/tables.ts'
import { findTransaction, outputAt } from '../state/view.ts'

/** A transaction that pays or spends a script. */
export interface ScriptEntry {
  readonly txid: string
  /** Height of its block; 0 if it is in no block; -1 if an input is in no block either. */
  readonly height: number
  /** Satoshis; of transactions in no block. */
  readonly fee?: bigint
}

/** An unspent output of a script. */
type ScriptCoin = Outpoint & Pick<Coin, 'height' | 'value'>

interface IndexedBlock {
  readonly hash: string
  /** How many entries each script got. */
  readonly added: ReadonlyMap<string, number>
}

/**
 * Follows the chain of an engine: blocks that left it are taken out, and those that came are read
 * once.
 */
export class ScriptHistory {
  readonly #engine: Engine
  readonly #blocks: IndexedBlock[] = []
  readonly #mined = new Map<string, ScriptEntry[]>()
  #waiting: { readonly of: Mempool; readonly entries: ReadonlyMap<string, ScriptEntry[]> }
  readonly #hashes = new Map<string, string>()

  constructor(engine: Engine) {
    this.#engine = engine
    this.#waiting = { of: engine.state.mempool, entries: new Map() }
    this.#readMempool()
  }

  /** In the order of the chain; those in no block come last. */
  entries(scripthash: string): readonly ScriptEntry[] {
    this.#follow()
    return [...(this.#mined.get(scripthash) ?? []), ...this.waiting(scripthash)]
  }

  /** How many transactions in blocks pay or spend a script. */
  minedCount(scripthash: string): number {
    this.#follow()
    return this.#mined.get(scripthash)?.length ?? 0
  }

  /** Transactions in no block. */
  waiting(scripthash: string): readonly ScriptEntry[] {
    this.#follow()
    return this.#waiting.entries.get(scripthash) ?? []
  }

  /** Outputs of blocks, which a transaction that waits may spend. */
  minedCoins(scripthash: string): ScriptCoin[] {
    this.#follow()
    return (this.#mined.get(scripthash) ?? []).flatMap(({ txid, height }) =>
      this.#outputsOf(txid, scripthash)
        .filter(({ vout }) => {
          const coin = lookUp(this.#engine.state.chain.tables.coins, outpointKey(txid, vout))
          return coin !== undefined
        })
        .map((output) => ({ ...output, height })),
    )
  }

  /** Outputs that no transaction spends, those of transactions that wait among them. */
  coins(scripthash: string): ScriptCoin[] {
    const { spends } = this.#engine.state.mempool
    const made = this.waiting(scripthash).flatMap(({ txid }) =>
      this.#outputsOf(txid, scripthash).map((output) => ({ ...output, height: 0 })),
    )
    return [...this.minedCoins(scripthash), ...made].filter(
      ({ txid, vout }) => lookUp(spends, outpointKey(txid, vout)) === undefined,
    )
  }

  #outputsOf(txid: string, scripthash: string): Omit<ScriptCoin, 'height'>[] {
    return findTransaction(this.#engine, txid)!.transaction.outputs.flatMap(
      ({ script, value }, vout) =>
        this.#hashOf(script) === scripthash ? [{ txid, vout, value }] : [],
    )
  }

  #follow(): void {
    const { chain, mempool } = this.#engine.state
    const added = []
    let block: typeof chain.tip | undefined = chain.tip
    while (block !== undefined && this.#blocks[block.height]?.hash !== block.hash) {
      added.push(block)
      block = block.previous
    }
    const kept = block === undefined ? 0 : block.height + 1
    while (this.#blocks.length > kept) this.#forget(this.#blocks.pop()!)
    for (const { hash, height, transactions } of added.reverse()) {
      const counts = new Map<string, number>()
      // The index leaves out the coinbase of the first block, which cannot be spent.
      for (const transaction of height === 0 ? [] : transactions) {
        for (const scripthash of this.#touchedBy(transaction, isIndexed)) {
          append(this.#mined, scripthash, { txid: transaction.txid, height })
          counts.set(scripthash, (counts.get(scripthash) ?? 0) + 1)
        }
      }
      this.#blocks.push({ hash, added: counts })
    }
    if (this.#waiting.of !== mempool) this.#readMempool()
  }

  #forget({ added }: IndexedBlock): void {
    for (const [scripthash, count] of added) {
      const entries = this.#mined.get(scripthash)!
      if (entries.length === count) this.#mined.delete(scripthash)
      else entries.length -= count
    }
  }

  #readMempool(): void {
    const { mempool } = this.#engine.state
    const entries = new Map<string, ScriptEntry[]>()
    for (const pooled of pooledTransactions(mempool)) {
      const { txid, fee, transaction } = pooled
      const hasWaitingInputs = transaction.inputs.some(
        (input) => lookUp(mempool.transactions, input.txid) !== undefined,
      )
      const entry: ScriptEntry = { txid, height: hasWaitingInputs ? -1 : 0, fee }
      // Unlike the index, the list of what waits has outputs that nobody can spend.
      for (const scripthash of this.#touchedBy(pooled, () => true)) {
        append(entries, scripthash, entry)
      }
    }
    for (const list of entries.values()) list.sort(byOrderOfMempool)
    this.#waiting = { of: mempool, entries }
  }

  /** Returns the scripts that a transaction spends, and those it pays that `takes` accepts. */
  #touchedBy(
    { transaction }: StoredTransaction,
    takes: (script: string) => boolean,
  ): ReadonlySet<string> {
    const touched = new Set<string>()
    const inputs = isCoinbase(transaction) ? [] : transaction.inputs
    for (const input of inputs) {
      // Ancestors that an import cut off are not here.
      const spent = outputAt(this.#engine, input)
      if (spent !== undefined) touched.add(this.#hashOf(spent.script))
    }
    for (const { script } of transaction.outputs) {
      if (takes(script)) touched.add(this.#hashOf(script))
    }
    return touched
  }

  #hashOf(script: string): string {
    return remembered(this.#hashes, script, () => scripthashOf(script))
  }
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** @see spesmilo/electrum-protocol, Protocol Basics, Status */
function byOrderOfMempool(one: ScriptEntry, other: ScriptEntry): number {
  if (one.height !== other.height) return other.height - one.height
  return one.txid < other.txid ? -1 : 1
}

/** Outputs of blocks that the index has. @see spesmilo/electrumx lib/script.py, is_unspendable_legacy */
function isIndexed(script: string): boolean {
  return !isNulldata(script) && !script.startsWith(`00${opReturn}`)
}
