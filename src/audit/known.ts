// The transactions of a ledger, as blocks spend them: what was met lately is in memory, and what
// changed is written when blocks have been added, so that an output that is made and spent by then
// is written once.

import { detached } from '../primitives/memory.ts'
import { decodeWithTxid } from '../transaction/decode.ts'
import type { Transaction } from '../transaction/types.ts'
import type { Row } from './sqlite.ts'
import { blob, hexOf, type Statements } from './store.ts'

/** An output that holds tokens, or held some. */
export interface Holding {
  readonly vout: number
  readonly token: number
  /** Units, which are the output's satoshis by every kind of daemon's rules. */
  readonly amount: bigint
  /** Hex. */
  readonly script: string
  readonly holder: string
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
}

interface Remembered extends Known {
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
  #recent = new Map<string, Remembered>()
  #older = new Map<string, Remembered>()
  /** What is to be written. */
  #added: Remembered[] = []
  #changed: Remembered[] = []
  #spent: { readonly tx: number; readonly holding: Holding }[] = []

  constructor(sql: Statements) {
    this.#sql = sql
    this.forget()
  }

  /** The id of the one that is added next. */
  get nextId(): number {
    return this.#nextId
  }

  add({ txid, height, raw, ...rest }: Added): void {
    const id = this.#nextId
    this.#nextId += 1
    const known = { id, txid: detached(txid), added: { height, raw }, ...rest }
    this.#remember({ ...known, isChanged: false, isDropped: false })
    this.#added.push(this.#recent.get(txid)!)
  }

  get(txid: string): Known | undefined {
    return this.#find(txid)
  }

  /** What it was decoded to. */
  transactionOf(known: Known): Transaction {
    const it = known as Remembered
    it.transaction ??= decodeWithTxid(it.added?.raw ?? rawOf(this.#sql, it.id))
    return it.transaction
  }

  /** Outputs that hold tokens, or held some, those that were spent before left out. */
  holdingsOf(known: Known): readonly Holding[] {
    const it = known as Remembered
    it.holdings ??= it.isKept ? this.#sql.heldBy.all(it.id).map(holdingOf) : []
    return it.holdings
  }

  keep(known: Known): void {
    known.isKept = true
    this.#change(known as Remembered)
  }

  /** An output is spent; of what is not kept, the last one drops it. */
  spend(known: Known, vout: number, by: number): void {
    const it = known as Remembered
    const holding = this.holdingsOf(it).find((held) => held.vout === vout)
    if (holding?.spentBy === null) {
      holding.spentBy = by
      if (it.added === undefined) this.#spent.push({ tx: it.id, holding })
    }
    if (it.isKept) return
    if (it.unspent === 1) {
      it.isDropped = true
      this.#recent.delete(it.txid)
      this.#older.delete(it.txid)
    } else it.unspent -= 1
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

  #writeAdded(it: Remembered): void {
    if (it.isDropped) return
    const { addTx, addHolding } = this.#sql
    const { id, unspent, isKept, holdings = [] } = it
    const { height, raw } = it.added!
    it.added = undefined
    addTx.run(id, blob(it.txid), height, raw, unspent, isKept ? 1 : 0)
    for (const { vout, token, amount, script, holder, spentBy } of holdings) {
      addHolding.run(id, vout, token, amount, blob(script), holder, spentBy)
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

  #find(txid: string): Remembered | undefined {
    const recent = this.#recent.get(txid)
    if (recent !== undefined) return recent
    const found = this.#older.get(txid) ?? this.#stored(txid)
    if (found !== undefined) this.#remember(found)
    return found
  }

  #stored(txid: string): Remembered | undefined {
    const row = this.#sql.txOf.get(blob(txid))
    if (row === undefined) return undefined
    const state = { unspent: Number(row.unspent), isKept: row.kept === 1 }
    const known = { id: Number(row.id), txid: detached(txid), ...state }
    return { ...known, isChanged: false, isDropped: false }
  }

  #remember(it: Remembered): void {
    this.#recent.set(it.txid, it)
  }

  #change(it: Remembered): void {
    if (it.added !== undefined || it.isChanged) return
    it.isChanged = true
    this.#changed.push(it)
  }
}

function rawOf(sql: Statements, id: number): Uint8Array {
  return sql.rawOf.get(id)!.raw as Uint8Array
}

function holdingOf(row: Row): Holding {
  return {
    vout: Number(row.vout),
    token: Number(row.token),
    amount: BigInt(String(row.amount)),
    script: hexOf(row.script),
    holder: String(row.holder),
    spentBy: null,
  }
}
