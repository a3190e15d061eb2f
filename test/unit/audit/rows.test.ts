// Rows of a ledger that are written together: all of them, in their order, and none that is discarded.

import { expect, test } from 'vitest'

import { Rows } from '../../../src/audit/rows.ts'
import { openDatabase } from '../../../src/audit/sqlite.ts'
import { noSqlite } from '../../support/ledgers.ts'
import { describeUnless } from '../../support/skip.ts'

describeUnless(noSqlite)('new rows of a table', () => {
  async function opened() {
    const database = await openDatabase(':memory:')
    database.exec('CREATE TABLE pair (one INTEGER, other TEXT)')
    const stored = () => database.prepare('SELECT * FROM pair ORDER BY rowid').all()
    return { rows: new Rows(database, 'pair', 2), stored }
  }
  const wanted = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ one: at, other: `${at}` }))

  // 32 rows are written at once
  test.each([0, 1, 31, 32, 33, 65])('are all there, and once: %i', async (count) => {
    const { rows, stored } = await opened()
    for (const { one, other } of wanted(count)) rows.add(one, other)
    rows.write()
    rows.write()
    expect(stored()).toEqual(wanted(count))
  })

  test('are not written once they are discarded', async () => {
    const { rows, stored } = await opened()
    rows.add(9, 'discarded')
    rows.forget()
    rows.add(0, '0')
    rows.write()
    expect(stored()).toEqual(wanted(1))
  })
})
