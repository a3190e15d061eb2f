// SQLite by whichever library there is. Both that are known have the same few methods.

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

/** No library that reads and writes SQLite is there. */
export class NoSqliteError extends Error {
  override readonly name = 'NoSqliteError'
}

/**
 * What SQLite itself says went wrong, such as `file is not a database`, and whether that is another
 * process at work on the same file; nothing for any other error.
 */
export function faultOfSqlite(error: unknown): { message: string; isShared: boolean } | undefined {
  if (!(error instanceof Error)) return undefined
  const { code } = error as { code?: unknown }
  // better-sqlite3 looks for the folder itself, and throws a TypeError
  const isUnopened = error.message.startsWith('Cannot open database')
  if (code !== 'ERR_SQLITE_ERROR' && error.name !== 'SqliteError' && !isUnopened) return undefined
  // Rows that were added meanwhile are there twice.
  const isShared = /locked|UNIQUE constraint/.test(error.message)
  return { message: error.message, isShared }
}

function isDangling(path: string): boolean {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink && !existsSync(path)
}

type Constructor = new (path: string) => Database

/**
 * Opens a file, or makes it.
 *
 * @throws {NoSqliteError}
 * @throws {Error} where a symbolic link points to no file: SQLite would make that one
 */
export async function openDatabase(path: string): Promise<Database> {
  const Database = (await betterSqlite()) ?? (await nodeSqlite())
  if (Database !== undefined) {
    if (isDangling(path)) throw new Error('Cannot open database: a symbolic link to no file')
    return new Database(path)
  }
  throw new NoSqliteError(
    'a ledger is kept in SQLite, which is in Node 22.13 or newer (23.4 of 23), elsewhere in better-sqlite3: npm install better-sqlite3',
  )
}

/** Whether a ledger can be kept here. */
export async function hasSqlite(): Promise<boolean> {
  return ((await betterSqlite()) ?? (await nodeSqlite())) !== undefined
}

// Named by variables: neither has to be there for this to be compiled.
async function betterSqlite(): Promise<Constructor | undefined> {
  const name = 'better-sqlite3'
  return loaded(async () => {
    const { default: Database } = await import(name)
    // Its binary is looked for when a database is opened.
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
