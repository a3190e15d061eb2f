// The database of a ledger: which one it opens, and what it refuses to write.

import { expect, test } from 'vitest'

import { bringForward } from '../../../src/audit/audit.ts'
import { Ledger } from '../../../src/audit/ledger.ts'
import { hasSqlite, openDatabase } from '../../../src/audit/sqlite.ts'
import {
  hasLedger,
  indexStore,
  isIndexed,
  OtherChainError,
  openStore,
  settingOf,
} from '../../../src/audit/store.ts'
import { decodeTransaction, networks } from '../../../src/index.ts'
import { describeUnless } from '../../support/skip.ts'
import { readVectors } from '../../support/vectors.ts'

const noSqlite = !(await hasSqlite()) && 'neither better-sqlite3 nor node:sqlite loads'
const { transactions } = readVectors<{ transactions: { hex: string }[] }>(
  'tokeld/transfermany.json',
)
const network = networks.tokel

describeUnless(noSqlite)('the database of a ledger', () => {
  test('is empty, or a ledger of this version', async () => {
    const database = await openDatabase(':memory:')
    expect(hasLedger(database)).toBe(false)
    openStore(database)
    expect(hasLedger(database)).toBe(true)
    expect(settingOf(database, 'version')).toBe('5')
    expect(settingOf(database, 'network')).toBeUndefined()
    openStore(database)
    database.exec("UPDATE meta SET value = '1' WHERE name = 'version'")
    expect(() => openStore(database)).toThrow(
      'the ledger has version 1, expected 5: make a new one',
    )
    expect(() => openStore(database)).toThrow(OtherChainError)
    database.exec("UPDATE meta SET value = '6' WHERE name = 'version'")
    expect(() => openStore(database)).toThrow(
      'the ledger has version 6, expected 5: use the antara-tx that made it, or make a new one',
    )
    database.exec('DELETE FROM meta')
    expect(() => openStore(database)).toThrow('the ledger has version (none), expected 5')
  })

  test('has the index of balances once it was made, and it may be made again', async () => {
    const database = await openDatabase(':memory:')
    openStore(database)
    expect(isIndexed(database)).toBe(false)
    for (let times = 0; times < 2; times += 1) {
      indexStore(database)
      expect(isIndexed(database)).toBe(true)
    }
  })

  test('is no other database, which stays as it was', async () => {
    const database = await openDatabase(':memory:')
    database.exec('CREATE TABLE coins (name TEXT)')
    expect(() => openStore(database)).toThrow('the file is another database, not a ledger')
    expect(() => hasLedger(database)).toThrow(OtherChainError)
    expect(database.prepare('SELECT name FROM sqlite_master').all()).toHaveLength(1)
  })

  // BIP 30: a chain before it could have two coinbases with one txid
  test('has no transaction twice, and the block that repeats one is named', async () => {
    const raw = Buffer.from(transactions[0]!.hex, 'hex')
    const block = (hash: string) => ({ hash, transactions: [raw] })
    const repeated = {
      code: 'repeated_transaction',
      context: { path: 'block 6', actual: decodeTransaction(raw).txid },
    }
    const together = new Ledger(await openDatabase(':memory:'), { network, signatures: true })
    await expect(together.add([block('11'), block('22')], 5)).rejects.toMatchObject(repeated)
    expect(together.tip).toBeUndefined()
    const apart = new Ledger(await openDatabase(':memory:'), { network, signatures: true })
    await apart.add([block('11')], 5)
    await expect(apart.add([block('22')], 6)).rejects.toMatchObject(repeated)
    expect(apart.tip).toEqual({ height: 5, hash: '11' })
  })

  test('is brought forward with known options alone', async () => {
    const ledger = new Ledger(await openDatabase(':memory:'), { network, signatures: true })
    const forward = bringForward(ledger, [], { isTrustd: true } as never)
    await expect(forward).rejects.toThrow(/isTrusted/)
    await expect(bringForward(ledger, [], { isTrusted: true })).resolves.toBeUndefined()
    ledger.close()
    expect(() => ledger.hashAt(1)).toThrow()
  })
})
