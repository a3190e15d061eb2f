// Another process adds blocks to a ledger while this one answers a question.

import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { bringForward } from '../../../src/audit/audit.ts'
import { Ledger } from '../../../src/audit/ledger.ts'
import { tokensIn } from '../../../src/audit/queries.ts'
import { type Database, openDatabase } from '../../../src/audit/sqlite.ts'
import { answer } from '../../../src/cli/audit/answers.ts'
import { blocksOf, many, network, noSqlite } from '../../support/ledgers.ts'
import { describeUnless } from '../../support/skip.ts'

/** Does something once, after the first query for all rows. */
function interrupted(database: Database, interrupt: () => void): Database {
  let isDone = false
  return {
    exec: (sql) => database.exec(sql),
    close: () => database.close(),
    prepare(sql) {
      const statement = database.prepare(sql)
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => statement.get(...values),
        iterate: (...values) => statement.iterate(...values),
        all(...values) {
          const rows = statement.all(...values)
          if (!isDone) interrupt()
          isDone = true
          return rows
        },
      }
    },
  }
}

describeUnless(noSqlite)('an answer', () => {
  test('is that of one moment, whatever another process adds meanwhile', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'antara-tx-ledger-')), 'ledger.sqlite')
    const [database, other] = [await openDatabase(file), await openDatabase(file)]
    const ledger = new Ledger(database, { network, signatures: false })
    await bringForward(ledger, blocksOf(many))
    const { tokenid } = tokensIn(database)[0]!
    // The units of a holder change places in one transaction, as they do in a block.
    const asked = interrupted(database, () => other.exec('UPDATE holding SET amount = amount + 7'))
    const printed: string[] = []
    const status = answer('token', {
      database: asked,
      network,
      parsed: { positionals: [], options: new Map(), flags: new Set(['json']) },
      terminal: { print: (text: string) => void printed.push(text) } as never,
      value: tokenid,
    })
    const { held, holders } = JSON.parse(printed.join('')) as {
      readonly held: string
      readonly holders: readonly { readonly amount: string }[]
    }
    const sum = holders.reduce((all, { amount }) => all + BigInt(amount), 0n)
    expect({ status, held, sum }).toEqual({ status: 0, held: '10000', sum: 10_000n })
    expect(tokensIn(database)[0]!.held).toBeGreaterThan(10_000n)
    database.close()
    other.close()
  })
})
