// Inserts of many rows by one statement, because the call is half of the time of a small insert.

import type { Database, SqlValue, Statement } from './sqlite.ts'

/** Older versions of SQLite take at most 999 values in one statement. */
const rowsAtOnce = 32

/** New rows for one table, which are written together. */
export class Rows {
  readonly #one: Statement
  readonly #many: Statement
  readonly #columns: number
  #values: SqlValue[] = []

  /** @param columns - number of columns of the table, at most 31 */
  constructor(database: Database, table: string, columns: number) {
    const row = `(${Array(columns).fill('?').join()})`
    const rows = Array(rowsAtOnce).fill(row).join()
    this.#one = database.prepare(`INSERT INTO ${table} VALUES ${row}`)
    this.#many = database.prepare(`INSERT INTO ${table} VALUES ${rows}`)
    this.#columns = columns
  }

  /** Adds a row. It is written at once or with later rows. */
  add(...row: SqlValue[]): void {
    this.#values.push(...row)
    if (this.#values.length === rowsAtOnce * this.#columns) this.#writeMany()
  }

  /** Writes the rows that are not written yet. */
  write(): void {
    const values = this.#values
    this.#values = []
    for (let at = 0; at < values.length; at += this.#columns) {
      this.#one.run(...values.slice(at, at + this.#columns))
    }
  }

  /** Discards the rows that are not written yet. */
  forget(): void {
    this.#values = []
  }

  #writeMany(): void {
    const values = this.#values
    this.#values = []
    this.#many.run(...values)
  }
}
