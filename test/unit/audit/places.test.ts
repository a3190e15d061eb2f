// The places of tokens: each script once, with its keys as soon as a transaction shows them.

import { expect, test } from 'vitest'

import { Places } from '../../../src/audit/places.ts'
import { openDatabase } from '../../../src/audit/sqlite.ts'
import { openStore } from '../../../src/audit/store.ts'
import { networks, tokenAddress, tokenScript } from '../../../src/index.ts'
import { noSqlite } from '../../support/ledgers.ts'
import { describeUnless } from '../../support/skip.ts'

const alice = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
const bob = '02a9905810afc1e813cb07af3b18369fb8e47593301bb61c5fea00fa76029fd275'
const network = networks.assetChain
const script = tokenScript(alice)
const hidden = () => undefined
const unasked = () => expect.unreachable('the keys are known')

describeUnless(noSqlite)('the place of a script', () => {
  async function opened() {
    const database = await openDatabase(':memory:')
    const sql = openStore(database)
    const rows = () => database.prepare('SELECT id, holder, shown FROM place').all()
    return { database, sql, rows, places: new Places(sql, network) }
  }

  test('has the address until its keys are shown, and keeps its number', async () => {
    const { sql, rows, places } = await opened()
    const address = tokenAddress(alice, network)
    const place = { id: 1, script, isShown: false }
    for (const of of [places, places, new Places(sql, network)]) {
      expect(of.of(script, hidden)).toEqual(place)
      expect(rows()).toEqual([{ id: 1, holder: address, shown: 0 }])
    }
    expect(places.of(script, () => alice)).toEqual({ ...place, isShown: true })
    for (const of of [places, new Places(sql, network)]) {
      expect(of.of(script, unasked)).toEqual({ ...place, isShown: true })
    }
    expect(rows()).toEqual([{ id: 1, holder: alice, shown: 1 }])
  })

  test('has every key that can spend alone', async () => {
    const { rows, places } = await opened()
    expect(places.of(script, () => `${alice} ${bob}`)).toMatchObject({ isShown: true })
    expect(rows()).toEqual([{ id: 1, holder: `${alice} ${bob}`, shown: 1 }])
  })

  test('has the script where there is no address', async () => {
    const { rows, places } = await opened()
    places.of(script, () => alice)
    expect(places.of('51', hidden)).toEqual({ id: 2, script: '51', isShown: false })
    expect(rows().at(-1)).toEqual({ id: 2, holder: '51', shown: 0 })
  })

  test('is stored again after its block was taken back', async () => {
    const { database, rows, places } = await opened()
    database.exec('BEGIN')
    places.of(script, () => alice)
    database.exec('ROLLBACK')
    places.forget()
    expect(rows()).toEqual([])
    expect(places.of(script, () => alice)).toMatchObject({ id: 1, isShown: true })
    expect(rows()).toHaveLength(1)
  })
})
