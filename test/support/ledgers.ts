// Ledgers in memory: one block for each transaction, from height 100 on.

import { bringForward } from '../../src/audit/audit.ts'
import type { AuditedBlock } from '../../src/audit/block.ts'
import { Ledger } from '../../src/audit/ledger.ts'
import type { ChainBlock } from '../../src/audit/sources.ts'
import { type Database, hasSqlite, openDatabase } from '../../src/audit/sqlite.ts'
import { decodeTransaction, networks } from '../../src/index.ts'
import { readVectors } from './vectors.ts'

export const noSqlite = !(await hasSqlite()) && 'neither better-sqlite3 nor node:sqlite loads'
export const network = networks.tokel

export interface Row {
  readonly height: number
  readonly hex: string
}

/** Payments, the creation of a token, and two transfers of it. */
export const many = readVectors<{ transactions: Row[] }>('tokeld/transfermany.json').transactions
const whole = readVectors<{ transactions: Row[] }>('tokeld/90-chain-dump.json').transactions
const decoded = new Map(whole.map((row) => [decodeTransaction(row.hex).txid, row]))

/** The recorded transactions of some blocks of a tokeld, and all that they come from. */
export function withAncestors(isWanted: (height: number) => boolean): Row[] {
  const wanted = new Set([...decoded].filter(([, it]) => isWanted(it.height)).map(([txid]) => txid))
  for (const txid of wanted) {
    for (const input of decodeTransaction(decoded.get(txid)!.hex).inputs) {
      if (decoded.has(input.txid)) wanted.add(input.txid)
    }
  }
  return [...decoded].filter(([txid]) => wanted.has(txid)).map(([, row]) => row)
}

export const hashOf = (height: number) => height.toString(16).padStart(64, '0')

export function blocksOf(rows: readonly Row[], size = 1): ChainBlock[] {
  return rows.map(({ hex }, index) => {
    const height = 100 + index
    const block: AuditedBlock = {
      hash: hashOf(height),
      previousHash: hashOf(height - 1),
      transactions: [Buffer.from(hex, 'hex')],
    }
    return { height, hash: block.hash, size, read: () => block }
  })
}

export async function opened(
  signatures = true,
  of = network,
): Promise<{ database: Database; ledger: Ledger }> {
  const database = await openDatabase(':memory:')
  return { database, ledger: new Ledger(database, { network: of, signatures }) }
}

export async function ledgerOf(rows: readonly Row[], signatures = true, of = network) {
  const { database, ledger } = await opened(signatures, of)
  await bringForward(ledger, blocksOf(rows))
  return { database, ledger }
}

const tables = ['block', 'tx', 'token', 'place', 'holding', 'refusal']

export function contentOf(database: Database): object {
  const columns = (table: string) =>
    table === 'holding' ? 'tx, vout, token, CAST(amount AS TEXT) amount, place, spent_by' : '*'
  return Object.fromEntries(
    tables.map((it) => [it, database.prepare(`SELECT ${columns(it)} FROM ${it}`).all()]),
  )
}
