import { hexFromBytes, normalizeHex } from '../primitives/hex.ts'
import type { Database, SqlValue, Statement } from './sqlite.ts'

/** Of the tables. */
const storeVersion = '2'

/**
 * What a ledger remembers. Transactions are kept while somebody may need them: those of tokens and
 * what paid for creations for good, others until all their outputs are spent, which alone are
 * counted.
 */
const schema = `
  CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS block (height INTEGER PRIMARY KEY, hash BLOB NOT NULL);
  CREATE TABLE IF NOT EXISTS tx (
    id INTEGER PRIMARY KEY, txid BLOB NOT NULL UNIQUE, height INTEGER NOT NULL, raw BLOB NOT NULL,
    unspent INTEGER NOT NULL, kept INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS token (
    id INTEGER PRIMARY KEY, txid BLOB NOT NULL UNIQUE, height INTEGER NOT NULL,
    supply INTEGER NOT NULL, name TEXT NOT NULL, owner TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS place (
    id INTEGER PRIMARY KEY, script BLOB NOT NULL UNIQUE, holder TEXT NOT NULL,
    shown INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS holding (
    tx INTEGER NOT NULL, vout INTEGER NOT NULL, token INTEGER NOT NULL, amount INTEGER NOT NULL,
    place INTEGER NOT NULL, spent_by INTEGER, PRIMARY KEY (tx, vout)) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS held ON holding (token, place) WHERE spent_by IS NULL;
  CREATE TABLE IF NOT EXISTS refusal (
    height INTEGER NOT NULL, txid BLOB NOT NULL, tokenid BLOB NOT NULL, rule TEXT NOT NULL,
    expected TEXT, actual TEXT);
  INSERT OR IGNORE INTO meta VALUES ('version', '${storeVersion}');`

/** The file is of another chain, or of another version. */
export class OtherChainError extends Error {
  override readonly name = 'OtherChainError'
}

const statements = {
  meta: 'SELECT value FROM meta WHERE name = ?',
  setMeta: 'INSERT INTO meta VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  lastBlock: 'SELECT height, hash FROM block ORDER BY height DESC LIMIT 1',
  blockAt: 'SELECT hash FROM block WHERE height = ?',
  addBlock: 'INSERT INTO block VALUES (?, ?)',
  lastTx: 'SELECT MAX(id) id FROM tx',
  addTx: 'INSERT INTO tx (id, txid, height, raw, unspent, kept) VALUES (?, ?, ?, ?, ?, ?)',
  txOf: 'SELECT id, unspent, kept FROM tx WHERE txid = ?',
  rawOf: 'SELECT raw FROM tx WHERE id = ?',
  change: 'UPDATE tx SET unspent = ?, kept = ? WHERE id = ?',
  drop: 'DELETE FROM tx WHERE id = ?',
  addToken: 'INSERT INTO token (txid, height, supply, name, owner) VALUES (?, ?, ?, ?, ?)',
  tokenOf: 'SELECT id, CAST(supply AS TEXT) supply, name, owner, height FROM token WHERE txid = ?',
  placeOf: 'SELECT id, shown FROM place WHERE script = ?',
  setPlace:
    'INSERT INTO place (script, holder, shown) VALUES (?, ?, ?) ON CONFLICT (script) DO UPDATE SET holder = excluded.holder, shown = excluded.shown RETURNING id',
  addHolding: 'INSERT INTO holding VALUES (?, ?, ?, ?, ?, ?)',
  holdingsOf:
    'SELECT vout, token, CAST(amount AS TEXT) amount, place, script, shown FROM holding JOIN place ON place.id = place WHERE tx = ? AND spent_by IS NULL',
  spendHolding: 'UPDATE holding SET spent_by = ? WHERE tx = ? AND vout = ?',
  refuse: 'INSERT INTO refusal VALUES (?, ?, ?, ?, ?, ?)',
} as const

/** Every statement that a ledger makes, prepared once. */
export type Statements = Readonly<Record<keyof typeof statements, Statement>>

/**
 * Makes the tables where there are none, for a process that may be killed at any time.
 *
 * @throws {OtherChainError} as `requireVersion`
 */
export function openStore(database: Database): Statements {
  requireVersion(database)
  // Of a new file. Half as many pages are half as many writes where most are written anyway.
  database.exec('PRAGMA page_size = 8192')
  database.exec('PRAGMA journal_mode = WAL')
  database.exec('PRAGMA synchronous = NORMAL')
  database.exec('PRAGMA cache_size = -65536')
  database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`)
  const prepared = Object.entries(statements).map(([name, sql]) => [name, database.prepare(sql)])
  return Object.fromEntries(prepared)
}

/** @throws {OtherChainError} if there are tables of another version, or of something else */
export function requireVersion(database: Database): void {
  if (!hasLedger(database)) return
  const version = settingOf(database, 'version')
  if (version === storeVersion) return
  throw new OtherChainError(
    `that ledger has version ${version ?? '(none)'}, expected ${storeVersion}: begin a new one`,
  )
}

/**
 * Whether a ledger was begun in it.
 *
 * @throws {OtherChainError} if there is something else in it
 */
export function hasLedger(database: Database): boolean {
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all()
  if (tables.length === 0) return false
  if (tables.some(({ name }) => name === 'meta')) return true
  throw new OtherChainError('that file is a database of something else')
}

/** What was said when the ledger was begun: its `network`, and whether `signatures` are checked. */
export function settingOf(database: Database, name: string): string | undefined {
  const value = database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.value
  return value === undefined ? undefined : String(value)
}

/**
 * Hex as the bytes that are kept. In Buffer's pool: memory of its own takes longer to free. Looked at
 * before, because Buffer stops silently where hex does, and cuts characters to eight bits.
 *
 * @throws {AntaraError} `malformed_hex`, `odd_length_hex`
 */
export function blob(hex: string): Uint8Array {
  return Buffer.from(normalizeHex(hex), 'hex')
}

export function hexOf(value: SqlValue | undefined): string {
  return hexFromBytes(value as Uint8Array)
}
