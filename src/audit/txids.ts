// Finds the id of a transaction by its txid. Txids are spread over their index, so each insert
// changes another page. The latest txids therefore stay in memory, and are added to the index
// together.

import { AntaraError } from '../errors/antara-error.ts'
import { detached } from '../primitives/cache.ts'
import { Rows } from './rows.ts'
import type { Database, Statement } from './sqlite.ts'
import { blob, hexOf } from './store.ts'

/** Number of txids that wait for the index: some 30 MB. */
const waitingMax = 1 << 18

export class Txids {
  readonly #byTxid: Statement
  readonly #lastIndexed: Statement
  readonly #notIndexed: Statement
  readonly #setLast: Statement
  readonly #remove: Statement
  readonly #rows: Rows
  readonly #waitingMax: number
  /** Txids that are not in the index, with their ids; absent until first used. */
  #waiting: Map<string, number> | undefined

  /** @param most - number of txids that wait; tests pass small ones */
  constructor(database: Database, most: number = waitingMax) {
    this.#byTxid = database.prepare('SELECT id FROM txid WHERE txid = ?')
    this.#lastIndexed = database.prepare("SELECT value FROM meta WHERE name = 'indexed'")
    this.#notIndexed = database.prepare('SELECT id, txid FROM tx WHERE id > ?')
    this.#setLast = database.prepare("UPDATE meta SET value = ? WHERE name = 'indexed'")
    this.#remove = database.prepare('DELETE FROM txid WHERE txid = ?')
    this.#rows = new Rows(database, 'txid', 2)
    this.#waitingMax = most
  }

  /** The highest id whose txid the index has, or had before it was removed. */
  get lastIndexed(): number {
    return Number(this.#lastIndexed.get()!.value)
  }

  /** True if enough txids wait to be written. */
  get isFull(): boolean {
    return this.#all().size >= this.#waitingMax
  }

  /** True if the index has every txid. */
  get isWhole(): boolean {
    return this.#all().size === 0
  }

  /** Returns the id that a txid has or had; the row of a removed transaction may be gone. */
  idOf(txid: string): number | undefined {
    const waiting = this.#all().get(txid)
    if (waiting !== undefined) return waiting
    const row = this.#byTxid.get(blob(txid))
    return row === undefined ? undefined : Number(row.id)
  }

  /**
   * Adds a txid. The lookup in the index changes no page, so it costs little beside an insert.
   *
   * @throws {AntaraError} `repeated_transaction` if the ledger has it
   */
  add(txid: string, id: number, height: number): void {
    if (this.idOf(txid) !== undefined) {
      throw new AntaraError('repeated_transaction', { path: `block ${height}`, actual: txid })
    }
    this.#all().set(detached(txid), id)
  }

  remove(txid: string): void {
    if (!this.#all().delete(txid)) this.#remove.run(blob(txid))
  }

  /**
   * Adds the waiting txids to the index, in its order. If a run ends before, the next one finds
   * them in the table of transactions.
   */
  write(): void {
    // Another process may have indexed some of them.
    const last = this.lastIndexed
    const added = [...this.#all()].filter(([, id]) => id > last)
    added.sort(([one], [other]) => (one < other ? -1 : 1))
    for (const [txid, id] of added) this.#rows.add(blob(txid), id)
    this.#rows.write()
    this.#setLast.run(String(added.reduce((most, [, id]) => Math.max(most, id), last)))
    this.#waiting = new Map()
  }

  /** Reads the waiting txids again when they are next used. */
  forget(): void {
    this.#waiting = undefined
    this.#rows.forget()
  }

  #all(): Map<string, number> {
    if (this.#waiting !== undefined) return this.#waiting
    const waiting = new Map<string, number>()
    for (const { id, txid } of this.#notIndexed.iterate(this.lastIndexed)) {
      waiting.set(hexOf(txid), Number(id))
    }
    this.#waiting = waiting
    return waiting
  }
}
