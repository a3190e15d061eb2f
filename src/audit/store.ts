// The SQLite tables of a ledger, and the statements that write them.

import { hexFromBytes, normalizeHex } from '../primitives/hex.ts'
import { Rows } from './rows.ts'
import { type Database, faultOfSqlite, type SqlValue, type Statement } from './sqlite.ts'

const storeVersion = '5'

/**
 * Tables of a ledger. Token transactions and the transactions that fund creations are kept for
 * good, others until all of their outputs are spent; `unspent` counts these outputs. `txid` has the
 * ids of transactions up to the setting `indexed`; those of later ones are only in their own rows.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS block (height INTEGER PRIMARY KEY, hash BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS tx (
    id INTEGER PRIMARY KEY, txid BLOB NOT NULL, height INTEGER NOT NULL, raw BLOB NOT NULL,
    unspent INTEGER NOT NULL, kept INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS txid (txid BLOB PRIMARY KEY, id INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS token (
    id INTEGER PRIMARY KEY, txid BLOB NOT NULL UNIQUE, height INTEGER NOT NULL,
    supply INTEGER NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS place (
    id INTEGER PRIMARY KEY, script BLOB NOT NULL UNIQUE, holder TEXT NOT NULL,
    shown INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS holding (
    tx INTEGER NOT NULL, vout INTEGER NOT NULL, token INTEGER NOT NULL, amount INTEGER NOT NULL,
    place INTEGER NOT NULL, spent_by INTEGER, PRIMARY KEY (tx, vout)) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS refusal (
    height INTEGER NOT NULL, txid BLOB NOT NULL, tokenid BLOB NOT NULL, rule TEXT NOT NULL,
    expected TEXT, actual TEXT);
  INSERT OR IGNORE INTO meta VALUES ('version', '${storeVersion}');
  INSERT OR IGNORE INTO meta VALUES ('indexed', '0');`

/**
 * The index by which balances are found. Without it every answer is the same, and slower. A new
 * ledger gets it at the end of its first run, because each insert would change its pages.
 */
const heldIndex =
  'CREATE INDEX IF NOT EXISTS held ON holding (token, place, amount) WHERE spent_by IS NULL'

/** The file belongs to another chain or another version, or is not a ledger. */
export class OtherChainError extends Error {
  override readonly name = 'OtherChainError'
}

/** Blocks without headers may belong to another chain than the ledger. */
export class UnlinkedBlocksError extends Error {
  override readonly name = 'UnlinkedBlocksError'
}

/** Another ledger added blocks to the file since this one read it. */
export class ChangedLedgerError extends Error {
  override readonly name = 'ChangedLedgerError'
}

const statements = {
  meta: 'SELECT value FROM meta WHERE name = ?',
  setMeta: 'INSERT OR IGNORE INTO meta VALUES (?, ?)',
  lastBlock: 'SELECT height, hash FROM block ORDER BY height DESC LIMIT 1',
  blockAt: 'SELECT hash FROM block WHERE height = ?',
  addBlock: 'INSERT INTO block VALUES (?, ?)',
  lastTx: 'SELECT MAX(id) id FROM tx',
  txOf: 'SELECT id, unspent, kept FROM tx WHERE id = ? AND txid = ?',
  rawOf: 'SELECT raw FROM tx WHERE id = ?',
  change: 'UPDATE tx SET unspent = ?, kept = ? WHERE id = ?',
  drop: 'DELETE FROM tx WHERE id = ?',
  addToken: 'INSERT INTO token (txid, height, supply, name, owner) VALUES (?, ?, ?, ?, ?)',
  tokenOf: 'SELECT id, CAST(supply AS TEXT) supply, name, owner, height FROM token WHERE txid = ?',
  placeOf: 'SELECT id, shown FROM place WHERE script = ?',
  setPlace:
    'INSERT INTO place (script, holder, shown) VALUES (?, ?, ?) ON CONFLICT (script) DO UPDATE SET holder = excluded.holder, shown = excluded.shown RETURNING id',
  holdingsOf:
    'SELECT vout, token, CAST(amount AS TEXT) amount, place, script FROM holding JOIN place ON place.id = place WHERE tx = ? AND spent_by IS NULL',
  spendHolding: 'UPDATE holding SET spent_by = ? WHERE tx = ? AND vout = ?',
  refuse: 'INSERT INTO refusal VALUES (?, ?, ?, ?, ?, ?)',
} as const

/** Prepared statements of a ledger, and the new rows of its two largest tables. */
export type Statements = Readonly<Record<keyof typeof statements, Statement>> & {
  /** Columns: id, txid, height, raw, unspent, kept. */
  readonly txRows: Rows
  /** Columns: tx, vout, token, amount, place, spent_by. */
  readonly holdingRows: Rows
}

/**
 * Creates missing tables. WAL keeps the file intact if the process is killed at any time.
 * `completeFile` ends it.
 *
 * @throws {OtherChainError} as `requireVersion`
 */
export function openStore(database: Database): Statements {
  requireVersion(database)
  // Applies to a new file. Larger pages halve the number of writes, as most pages change anyway.
  database.exec('PRAGMA page_size = 8192')
  startLog(database)
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA cache_size = -65536')
  database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
  const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)])
  return {
    ...Object.fromEntries(prepared),
    txRows: new Rows(database, 'tx', 6),
    holdingRows: new Rows(database, 'holding', 6),
  }
}

const queryWaitMs = 60_000
const queryPauseMs = 50

/**
 * Switches to WAL once no query is at work. Queries that begin meanwhile do not wait, because each
 * attempt gives up at once.
 */
function startLog(database: Database): void {
  // Throws if another process writes.
  database.exec('BEGIN IMMEDIATE; ROLLBACK')
  const timeout = Number(database.prepare('PRAGMA busy_timeout').get()?.timeout)
  database.exec('PRAGMA busy_timeout = 0')
  try {
    for (let waited = 0; ; waited += queryPauseMs) {
      try {
        database.exec('PRAGMA journal_mode = WAL')
        return
      } catch (error) {
        if (waited >= queryWaitMs || faultOfSqlite(error)?.isShared !== true) throw error
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, queryPauseMs)
      }
    }
  } finally {
    database.exec(`PRAGMA busy_timeout = ${timeout}`)
  }
}

/**
 * Moves all of the ledger into its file, so that a copy of the file is whole, and a folder that
 * cannot be written is no hindrance to a query. While another process has the file open, the empty
 * file of the log stays.
 */
export function completeFile(database: Database): void {
  for (const sql of ['PRAGMA journal_mode = DELETE', 'PRAGMA wal_checkpoint(TRUNCATE)']) {
    try {
      database.exec(sql)
      return
    } catch (error) {
      if (faultOfSqlite(error)?.isShared !== true) throw error
    }
  }
}

/** Returns true if the ledger has the index of balances. */
export function isIndexed(database: Database): boolean {
  const found = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = 'held'"
  return database.prepare(found).get() !== undefined
}

/** Makes the index of balances, unless the ledger has it. */
export function indexStore(database: Database): void {
  database.exec(heldIndex)
}

/** @throws {OtherChainError} if the tables have another version, or are not those of a ledger */
export function requireVersion(database: Database): void {
  if (!hasLedger(database)) return
  const version = settingOf(database, 'version')
  if (version === storeVersion) return
  const isNewer = Number(version) > Number(storeVersion)
  const remedy = isNewer ? 'use the antara-tx that made it, or make a new one' : 'make a new one'
  throw new OtherChainError(
    `the ledger has version ${version ?? '(none)'}, expected ${storeVersion}: ${remedy}`,
  )
}

/**
 * Returns true if the database has a ledger, false if it is empty.
 *
 * @throws {OtherChainError} if it has other tables
 */
export function hasLedger(database: Database): boolean {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  if (tables.length === 0) return false
  if (tables.some(({ name }) => name === 'meta')) return true
  throw new OtherChainError('the file is another database, not a ledger')
}

/**
 * Returns a setting of the ledger, such as its `network`; `signatures` states whether they are
 * checked.
 */
export function settingOf(database: Database, name: string): string | undefined {
  const value = database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.value
  return value === undefined ? undefined : String(value)
}

/**
 * The forms in which a ledger gets blocks. Each is also the name of the setting with the height from
 * which on its blocks have that form. Blocks of a list have their Merkle roots in place of hashes.
 */
export type BlockForm = 'headers' | 'list'

/** Returns the form of a block of the ledger. */
export function formAt(database: Database, height: number): BlockForm {
  // A list may follow blocks with headers, and they never follow a list.
  const listFrom = Number(settingOf(database, 'list') ?? Number.POSITIVE_INFINITY)
  return height >= listFrom ? 'list' : 'headers'
}

/** Says how a ledger goes on whose blocks have another form than those that were given. */
export const otherForm: Readonly<Record<BlockForm, string>> = {
  list: 'this ledger was made from a list of transactions, which has no block hashes: go on with a list, or make a new ledger',
  headers:
    'this ledger was made from whole blocks, and a list of transactions has no block hashes: go on with whole blocks, or make a new ledger',
}

/**
 * Returns the bytes of hex, in Buffer's pool, which is cheaper to free than separate memory. The
 * hex is validated first: Buffer stops silently at a wrong character, and truncates wide ones.
 *
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 */
export function blob(hex: string): Uint8Array {
  return Buffer.from(normalizeHex(hex), 'hex')
}

export function hexOf(value: SqlValue | undefined): string {
  return hexFromBytes(value as Uint8Array)
}
