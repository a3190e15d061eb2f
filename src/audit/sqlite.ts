// SQLite through better-sqlite3 or node:sqlite; both have the few methods that a ledger needs.

import { existsSync, lstatSync } from 'node:fs'

export type SqlValue = string | number | bigint | Uint8Array | null
export type Row = Readonly<Record<string, SqlValue>>

export interface Statement {
  run(...values: SqlValue[]): {
    readonly changes: number | bigint
    readonly lastInsertRowid: number | bigint
  }
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
  iterate(...values: SqlValue[]): IterableIterator<Row>
}

export interface Database {
  exec(sql: string): unknown
  prepare(sql: string): Statement
  close(): void
}

/** Neither better-sqlite3 nor node:sqlite is available. */
export class NoSqliteError extends Error {
  override readonly name = 'NoSqliteError'
}

/**
 * Returns SQLite's message, such as `file is not a database`, and whether another process uses the
 * file; `undefined` for an error that is not SQLite's.
 */
export function faultOfSqlite(error: unknown): { message: string; isShared: boolean } | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  // better-sqlite3 throws a TypeError if the folder is missing.
  const isUnopened = error.message.startsWith('Cannot open database')
  if (code !== 'ERR_SQLITE_ERROR' && error.name !== 'SqliteError' && !isUnopened) return undefined
  // A second process that adds the same blocks violates a UNIQUE constraint.
  const isShared = /locked|UNIQUE constraint/.test(error.message)
  return { message: error.message, isShared }
}

/**
 * Reads a database as it is at one moment. Otherwise another process could add blocks between two
 * queries, and the answer would join numbers of two moments.
 */
export function atOneMoment<Answer>(database: Database, read: () => Answer): Answer {
  database.exec('BEGIN')
  try {
    return read()
  } finally {
    database.exec('ROLLBACK')
  }
}

function isDangling(path: string): boolean {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink && !existsSync(path)
}

type Constructor = new (path: string, options?: { readonly timeout: number }) => Database

/** In milliseconds. A process that writes a ledger takes longer than a caller would wait. */
const lockWaitMs = 1000

/**
 * Opens a database file, and creates it if it is missing.
 *
 * @throws {NoSqliteError}
 * @throws {Error} for a symbolic link to a missing file, which SQLite would create
 */
export async function openDatabase(path: string): Promise<Database> {
  const Database = (await betterSqlite()) ?? (await nodeSqlite())
  if (Database !== undefined) {
    if (isDangling(path)) throw new Error('Cannot open database: a symbolic link to no file')
    return new Database(path, { timeout: lockWaitMs })
  }
  throw new NoSqliteError(
    'a ledger needs SQLite: use Node 22.13 or newer (23.4 of Node 23), or run npm install better-sqlite3',
  )
}

export async function hasSqlite(): Promise<boolean> {
  return ((await betterSqlite()) ?? (await nodeSqlite())) !== undefined
}

// The names are variables, so that TypeScript compiles this without either library.
async function betterSqlite(): Promise<Constructor | undefined> {
  const name = 'better-sqlite3'
  return loaded(async () => {
    const { default: Database } = await import(name)
    // The library loads its binary only when a database is opened.
    new Database(':memory:').close()
    return Database
  })
}

async function nodeSqlite(): Promise<Constructor | undefined> {
  const name = 'node:sqlite'
  return loaded(async () => (await import(name)).DatabaseSync)
}

async function loaded(load: () => Promise<Constructor>): Promise<Constructor | undefined> {
  try {
    return await load()
  } catch {
    return undefined
  }
}
