// The transactions of a ledger. Recent ones stay in memory, and changes are written once per batch
// of blocks, so an output that is created and spent within a batch is written once.

import { detached } from '../primitives/cache.ts'
import type { Prevout } from '../signing/prevout.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import type { Outpoint, Transaction } from '../transaction/types.ts'
import type { Place } from './places.ts'
import type { Row } from './sqlite.ts'
import { blob, hexOf, type Statements } from './store.ts'
import type { Txids } from './txids.ts'

/** An output that holds tokens, or held them until it was spent. */
export interface Holding {
  readonly vout: number
  readonly token: number
  /** Token units. Under the rules of every daemon one unit is one satoshi of the output's value. */
  readonly amount: bigint
  readonly place: Pick<Place, 'id' | 'script'>
  /** The transaction that spent it. */
  spentBy: number | null
}

/** A transaction of the ledger, or of the batch that is being added. */
interface Known {
  readonly id: number
  readonly txid: string
  /** Number of spendable outputs that are unspent; not updated once the transaction is kept. */
  unspent: number
  /** True if it is never dropped. */
  isKept: boolean
  /** Absent once it is written. */
  added?: { readonly height: number; readonly raw: Uint8Array } | undefined
  isChanged: boolean
  isDropped: boolean
  /** By their index; absent until first used. */
  holdings?: ReadonlyMap<number, Holding>
  /** Absent until first used. */
  transaction?: Transaction
}

interface Added {
  readonly txid: string
  readonly height: number
  readonly raw: Uint8Array
  readonly unspent: number
  readonly isKept: boolean
  readonly holdings: ReadonlyMap<number, Holding>
}

/** Size at which recent transactions become older ones; the older ones are then discarded. */
const recentMax = 4096

export class KnownTransactions {
  readonly #sql: Statements
  readonly #txids: Txids
  #nextId = 0
  #recent = new Map<string, Known>()
  #older = new Map<string, Known>()
  /** Additions, changes and spends since the last write. */
  #added: Known[] = []
  #changed: Known[] = []
  #spent: { readonly tx: number; readonly holding: Holding }[] = []

  constructor(sql: Statements, txids: Txids) {
    this.#sql = sql
    this.#txids = txids
    this.forget()
  }

  add({ txid, height, raw, ...rest }: Added): number {
    const id = this.#nextId
    this.#nextId += 1
    const added = { height, raw }
    const it = { id, txid: detached(txid), added, ...rest, isChanged: false, isDropped: false }
    this.#added.push(it)
    this.#recent.set(it.txid, it)
    return id
  }

  transactionOf(txid: string): Transaction | undefined {
    const it = this.#find(txid)
    return it && this.#decoded(it)
  }

  /** Returns the outputs that hold or held tokens; may omit those whose spend is written. */
  holdingsOf(txid: string): Iterable<Holding> {
    const it = this.#find(txid)
    return it === undefined ? [] : this.#holdings(it).values()
  }

  /** Returns an output. Outputs with tokens come from their row, so nothing is decoded for them. */
  outputOf({ txid, vout }: Outpoint): Prevout | undefined {
    const it = this.#find(txid)
    if (it === undefined) return undefined
    const holding = this.#holdings(it).get(vout)
    if (holding !== undefined) return { value: holding.amount, script: holding.place.script }
    return this.#decoded(it).outputs[vout]
  }

  keep(txid: string): void {
    const it = this.#find(txid)
    if (it === undefined) return
    it.isKept = true
    this.#change(it)
  }

  /** Marks an output as spent. Drops the transaction if it is not kept and has no other unspent. */
  spend({ txid, vout }: Outpoint, by: number): void {
    const it = this.#find(txid)
    if (it === undefined) return
    const holding = this.#holdings(it).get(vout)
    if (holding?.spentBy === null) {
      holding.spentBy = by
      if (it.added === undefined) this.#spent.push({ tx: it.id, holding })
    }
    if (it.isKept) return
    it.unspent -= 1
    if (it.unspent === 0) {
      it.isDropped = true
      this.#recent.delete(it.txid)
      this.#older.delete(it.txid)
    }
    this.#change(it)
  }

  /** Writes the changes since the last write. */
  write(): void {
    const sql = this.#sql
    for (const it of this.#changed) {
      if (it.isDropped) {
        sql.drop.run(it.id)
        this.#txids.remove(it.txid)
      } else sql.change.run(it.unspent, it.isKept ? 1 : 0, it.id)
      it.isChanged = false
    }
    for (const { tx, holding } of this.#spent)
      sql.spendHolding.run(holding.spentBy, tx, holding.vout)
    for (const it of this.#added) this.#writeAdded(it)
    sql.txRows.write()
    sql.holdingRows.write()
    this.#added = []
    this.#spent = []
    this.#changed = []
    if (this.#recent.size < recentMax) return
    this.#older = this.#recent
    this.#recent = new Map()
  }

  #writeAdded(it: Known): void {
    if (it.isDropped) return
    const { txRows, holdingRows } = this.#sql
    const { id, unspent, isKept, holdings = none } = it
    const { height, raw } = it.added!
    it.added = undefined
    this.#txids.add(it.txid, id, height)
    txRows.add(id, blob(it.txid), height, raw, unspent, isKept ? 1 : 0)
    for (const { vout, token, amount, place, spentBy } of holdings.values()) {
      holdingRows.add(id, vout, token, amount, place.id, spentBy)
    }
  }

  /** Discards everything in memory, unwritten changes too; their ids are assigned again. */
  forget(): void {
    this.#txids.forget()
    // The last rows may have been dropped. Their ids are not given again, because the index of txids
    // ends after them.
    const last = Number(this.#sql.lastTx.get()!.id ?? 0)
    this.#nextId = 1 + Math.max(last, this.#txids.lastIndexed)
    this.#sql.txRows.forget()
    this.#sql.holdingRows.forget()
    this.#recent.clear()
    this.#older.clear()
    this.#added = []
    this.#changed = []
    this.#spent = []
  }

  #find(txid: string): Known | undefined {
    const recent = this.#recent.get(txid)
    if (recent !== undefined) return recent
    const found = this.#older.get(txid) ?? this.#stored(txid)
    if (found !== undefined) this.#recent.set(found.txid, found)
    return found
  }

  #stored(txid: string): Known | undefined {
    const id = this.#txids.idOf(txid)
    const row = id === undefined ? undefined : this.#sql.txOf.get(id, blob(txid))
    if (row === undefined) return undefined
    const state = { unspent: Number(row.unspent), isKept: row.kept === 1 }
    const known = { id: Number(row.id), txid: detached(txid), ...state }
    return { ...known, isChanged: false, isDropped: false }
  }

  #holdings(it: Known): ReadonlyMap<number, Holding> {
    it.holdings ??= it.isKept ? byIndex(this.#sql.holdingsOf.all(it.id).map(holdingOf)) : none
    return it.holdings
  }

  #decoded(it: Known): Transaction {
    it.transaction ??= decodeWithTxid(it.added?.raw ?? rawOf(this.#sql, it.id))
    return it.transaction
  }

  #change(it: Known): void {
    if (it.added !== undefined || it.isChanged) return
    it.isChanged = true
    this.#changed.push(it)
  }
}

const none: ReadonlyMap<number, Holding> = new Map()

function byIndex(holdings: readonly Holding[]): Map<number, Holding> {
  return new Map(holdings.map((holding) => [holding.vout, holding]))
}

function rawOf(sql: Statements, id: number): Uint8Array {
  return sql.rawOf.get(id)!.raw as Uint8Array
}

function holdingOf(row: Row): Holding {
  return {
    vout: Number(row.vout),
    token: Number(row.token),
    amount: BigInt(String(row.amount)),
    place: { id: Number(row.place), script: hexOf(row.script) },
    spentBy: null,
  }
}
