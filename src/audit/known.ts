// The transactions of a ledger, as blocks spend them: what was met lately is in memory, and what
// changed is written when blocks have been added, so that an output that is made and spent by then
// is written once.

import { AntaraError } from '../errors/antara-error.ts'
import { detached } from '../primitives/cache.ts'
import type { Prevout } from '../signing/prevout.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import type { Outpoint, Transaction } from '../transaction/types.ts'
import type { Place } from './places.ts'
import type { Row } from './sqlite.ts'
import { blob, hexOf, type Statements } from './store.ts'

/** An output that holds tokens, or held some. */
export interface Holding {
  readonly vout: number
  readonly token: number
  /** Units, which are the output's satoshis by every kind of daemon's rules. */
  readonly amount: bigint
  readonly place: Place
  /** The transaction that spent it. */
  spentBy: number | null
}

/** A transaction that is in the ledger, or will be when its block is. */
interface Known {
  readonly id: number
  readonly txid: string
  /** Outputs that can be and are not; counted only until the transaction is kept. */
  unspent: number
  /** Whether it is never dropped. */
  isKept: boolean
  /** Until it is written. */
  added?: { readonly height: number; readonly raw: Uint8Array } | undefined
  isChanged: boolean
  isDropped: boolean
  /** Absent until they are asked for. */
  holdings?: readonly Holding[]
  /** Absent until it is asked for. */
  transaction?: Transaction
}

/** What is known of a transaction when it is added. */
interface Added {
  readonly txid: string
  readonly height: number
  readonly raw: Uint8Array
  readonly unspent: number
  readonly isKept: boolean
  readonly holdings: readonly Holding[]
}

/** So many were met lately, and as many before them. */
const recentMax = 4096

export class KnownTransactions {
  readonly #sql: Statements
  #nextId = 0
  #recent = new Map<string, Known>()
  #older = new Map<string, Known>()
  /** What is to be written. */
  #added: Known[] = []
  #changed: Known[] = []
  #spent: { readonly tx: number; readonly holding: Holding }[] = []

  constructor(sql: Statements) {
    this.#sql = sql
    this.forget()
  }

  /** @returns its id */
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

  /** Outputs that hold tokens, or held some; those that were spent long ago may be left out. */
  holdingsOf(txid: string): readonly Holding[] {
    const it = this.#find(txid)
    return it === undefined ? [] : this.#holdings(it)
  }

  /** Of what holds tokens no transaction is decoded again. */
  outputOf({ txid, vout }: Outpoint): Prevout | undefined {
    const it = this.#find(txid)
    if (it === undefined) return undefined
    const holding = this.#holdings(it).find((one) => one.vout === vout)
    if (holding !== undefined) return { value: holding.amount, script: holding.place.script }
    return this.#decoded(it).outputs[vout]
  }

  keep(txid: string): void {
    const it = this.#find(txid)
    if (it === undefined) return
    it.isKept = true
    this.#change(it)
  }

  /** An output is spent, which drops what has no other and is not kept. */
  spend({ txid, vout }: Outpoint, by: number): void {
    const it = this.#find(txid)
    if (it === undefined) return
    const holding = this.#holdings(it).find((one) => one.vout === vout)
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

  /** Writes what has changed since it did so before. */
  write(): void {
    const sql = this.#sql
    for (const it of this.#changed) {
      if (it.isDropped) sql.drop.run(it.id)
      else sql.change.run(it.unspent, it.isKept ? 1 : 0, it.id)
      it.isChanged = false
    }
    for (const { tx, holding } of this.#spent)
      sql.spendHolding.run(holding.spentBy, tx, holding.vout)
    for (const it of this.#added) this.#writeAdded(it)
    this.#added = []
    this.#spent = []
    this.#changed = []
    if (this.#recent.size < recentMax) return
    this.#older = this.#recent
    this.#recent = new Map()
  }

  #writeAdded(it: Known): void {
    if (it.isDropped) return
    const { addTx, addHolding } = this.#sql
    const { id, unspent, isKept, holdings = [] } = it
    const { height, raw } = it.added!
    it.added = undefined
    try {
      addTx.run(id, blob(it.txid), height, raw, unspent, isKept ? 1 : 0)
    } catch (error) {
      if (!isRepeatedTxid(error)) throw error
      const details = { path: `block ${height}`, actual: it.txid }
      throw new AntaraError('repeated_transaction', details, { cause: error })
    }
    for (const { vout, token, amount, place, spentBy } of holdings) {
      addHolding.run(id, vout, token, amount, place.id, spentBy)
    }
  }

  /** Forgets all, also what was not written: ids that were given are given again. */
  forget(): void {
    this.#nextId = 1 + Number(this.#sql.lastTx.get()!.id ?? 0)
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
    const row = this.#sql.txOf.get(blob(txid))
    if (row === undefined) return undefined
    const state = { unspent: Number(row.unspent), isKept: row.kept === 1 }
    const known = { id: Number(row.id), txid: detached(txid), ...state }
    return { ...known, isChanged: false, isDropped: false }
  }

  #holdings(it: Known): readonly Holding[] {
    it.holdings ??= it.isKept ? this.#sql.holdingsOf.all(it.id).map(holdingOf) : []
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

/** As SQLite names the column; of blocks that another process has added it names others. */
function isRepeatedTxid(error: unknown): boolean {
  return error instanceof Error && /UNIQUE constraint failed: tx\.txid/.test(error.message)
}

function rawOf(sql: Statements, id: number): Uint8Array {
  return sql.rawOf.get(id)!.raw as Uint8Array
}

function holdingOf(row: Row): Holding {
  return {
    vout: Number(row.vout),
    token: Number(row.token),
    amount: BigInt(String(row.amount)),
    place: { id: Number(row.place), script: hexOf(row.script), isShown: row.shown === 1 },
    spentBy: null,
  }
}
