// The index of txids of a ledger: transactions are found before they are in it and after, in the
// process that added them and in any other.

import { expect, test } from 'vitest'

import { KnownTransactions } from '../../../src/audit/known.ts'
import { hasSqlite, openDatabase, type Statement } from '../../../src/audit/sqlite.ts'
import { blob, openStore } from '../../../src/audit/store.ts'
import { Txids } from '../../../src/audit/txids.ts'
import { describeUnless } from '../../support/skip.ts'

const noSqlite = !(await hasSqlite()) && 'neither better-sqlite3 nor node:sqlite loads'
const txidOf = (id: number) => id.toString(16).padStart(2, '0').repeat(32)
const ids = [7, 200, 3, 90, 1, 45, 12].map((byte, at) => ({ id: at + 1, txid: txidOf(byte) }))

/** A store with transactions, and its txids, of which `most` wait for the index. */
async function storeWith(most: number) {
  const database = await openDatabase(':memory:')
  const { txRows } = openStore(database)
  const txids = new Txids(database, most)
  for (const { id, txid } of ids) {
    txids.add(txid, id, 100 + id)
    txRows.add(id, blob(txid), 100 + id, blob('00'), 1, 1)
    txRows.write()
    if (txids.isFull) txids.write()
  }
  const indexed = () => database.prepare('SELECT txid FROM txid').all().length
  return { database, txids, indexed }
}

describeUnless(noSqlite)('the txids of a ledger', () => {
  test.each([1, 2, 3, 7, 100])('are found if up to %s wait for the index', async (most) => {
    const { database, txids, indexed } = await storeWith(most)
    expect(indexed()).toBe(ids.length - (ids.length % most))
    expect(txids.isWhole).toBe(ids.length % most === 0)
    for (const of of [txids, new Txids(database, most)]) {
      for (const { id, txid } of ids) expect(of.idOf(txid)).toBe(id)
      expect(of.idOf(txidOf(77))).toBeUndefined()
    }
  })

  test.each([1, 3, 100])('are refused twice, if up to %s wait for the index', async (most) => {
    const { database, txids } = await storeWith(most)
    for (const of of [txids, new Txids(database, most)]) {
      for (const { txid } of ids) {
        expect(() => of.add(txid, 50, 9)).toThrow(
          expect.objectContaining({
            code: 'repeated_transaction',
            context: { path: 'block 9', actual: txid },
          }),
        )
      }
    }
  })

  test('may be added again once they are removed, from the index or from those that wait', async () => {
    const { database, txids } = await storeWith(4)
    for (const { txid } of ids) {
      txids.remove(txid)
      expect(txids.idOf(txid)).toBeUndefined()
      txids.add(txid, 60, 9)
      txids.remove(txid)
    }
    expect(database.prepare('SELECT txid FROM txid').all()).toEqual([])
  })

  test('are in the index once, though two processes write it', async () => {
    const { database, txids, indexed } = await storeWith(100)
    const other = new Txids(database, 100)
    expect(other.idOf(ids[0]!.txid)).toBe(1)
    other.write()
    txids.write()
    expect(indexed()).toBe(ids.length)
    expect(txids.isWhole).toBe(true)
    expect(txids.lastIndexed).toBe(ids.length)
    txids.forget()
    expect([txids.isWhole, other.isWhole]).toEqual([true, true])
    for (const { id, txid } of ids) expect(txids.idOf(txid)).toBe(id)
  })

  test('are not found once their batch is rolled back', async () => {
    const { database, txids } = await storeWith(100)
    database.exec('BEGIN')
    txids.add(txidOf(77), 8, 9)
    txids.write()
    database.exec('ROLLBACK')
    txids.forget()
    expect(txids.idOf(txidOf(77))).toBeUndefined()
    expect(txids.lastIndexed).toBe(0)
    for (const { id, txid } of ids) expect(txids.idOf(txid)).toBe(id)
  })

  test('keep their ids from later ones, though the last transaction is dropped', async () => {
    const database = await openDatabase(':memory:')
    const sql = openStore(database)
    const txids = new Txids(database)
    const known = new KnownTransactions(sql, txids)
    const [dropped, next] = [txidOf(7), txidOf(8)]
    const added = (txid: string) => {
      const more = { raw: new Uint8Array(1), unspent: 1, isKept: false, holdings: new Map() }
      const id = known.add({ txid, height: 1, ...more })
      known.write()
      return id
    }
    const first = added(dropped)
    txids.write()
    known.spend({ txid: dropped, vout: 0 }, first + 1)
    known.write()
    expect(txids.idOf(dropped)).toBeUndefined()
    known.forget()
    const second = added(next)
    expect(second).toBeGreaterThan(first)
    // Another process looks for what is not in the index after the last id of the index.
    expect(new Txids(database).idOf(next)).toBe(second)
  })

  test('keep their ids from later ones, though none is in the index yet', async () => {
    const database = await openDatabase(':memory:')
    const sql = openStore(database)
    const more = {
      height: 1,
      raw: new Uint8Array(1),
      unspent: 1,
      isKept: false,
      holdings: new Map(),
    }
    const added = ids.map(({ txid }) => {
      // Each process reads the file anew.
      const known = new KnownTransactions(sql, new Txids(database))
      const id = known.add({ txid, ...more })
      known.write()
      return id
    })
    expect(added).toEqual(ids.map(({ id }) => id))
  })

  // node:sqlite refuses such a value, and better-sqlite3 takes it for none.
  test('are asked for only by values that each library of SQLite takes', async () => {
    const database = await openDatabase(':memory:')
    const sql = openStore(database)
    const strict = (statement: Statement): Statement => ({
      run: (...values) => statement.run(...values),
      all: (...values) => statement.all(...values),
      iterate: (...values) => statement.iterate(...values),
      get(...values) {
        expect(values).not.toContain(undefined)
        return statement.get(...values)
      },
    })
    const known = new KnownTransactions({ ...sql, txOf: strict(sql.txOf) }, new Txids(database))
    expect(known.transactionOf(txidOf(77))).toBeUndefined()
  })
})
