// The recorded payments of former users that hold an equal call.

import { expect, test } from 'vitest'
import { formerTransaction } from '../../../src/guard/former-users.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'

const key = '["payment","","76a914","1"]'
const asked = { user: 'ann', id: undefined, key }
const [open, mined] = ['ab'.repeat(32), 'cd'.repeat(32)]

/** A journal of a guard without users. Each row is a name, and the transactions with their fates. */
async function journalOf(
  rows: readonly (readonly [string | undefined, Readonly<Record<string, string | undefined>>])[],
  at = new Date().toISOString(),
) {
  const journal = memoryJournal()
  const book = bookOf(journal)
  for (const [id, fates] of rows) {
    const payment = id === undefined ? `terms ${key}` : `id ${id}`
    for (const txid of Object.keys(fates)) {
      const about = { kind: 'attempt', payment, terms: key, request: '{}', txid, hex: '00', at }
      await book.append({ ...about, ...(id !== undefined && { id }) } as never, book.next)
    }
    for (const [txid, kind] of Object.entries(fates)) {
      if (kind !== undefined) await book.note({ kind, payment, txid, at } as never)
    }
  }
  return { journal, policy: undefined, repeatMs: 600_000 }
}

test.each([
  ['first', [{ [open]: undefined }, { [mined]: 'settled' }]],
  ['last', [{ [mined]: 'settled' }, { [open]: undefined }]],
])('an unsettled payment is named before a settled one, recorded %s', async (_, [one, other]) => {
  const parts = await journalOf([
    ['inv-1', one!],
    ['inv-2', other!],
  ])
  expect(formerTransaction(parts, asked)).toEqual({ txid: open, isUnsettled: true })
})

test('an open attempt beside a settled one of its payment holds no call', async () => {
  const rows = [[undefined, { [open]: undefined, [mined]: 'settled' }]] as const
  const recent = await journalOf(rows)
  expect(formerTransaction(recent, asked)).toEqual({ txid: mined, isUnsettled: false })
  const old = await journalOf(rows, '2020-01-01T00:00:00.000Z')
  expect(formerTransaction(old, asked)).toBeUndefined()
})

test.each([
  ['an unnamed one, and the call has no name', undefined, undefined, true],
  ['an unnamed one, and the call has a name', undefined, 'inv-1', true],
  ['a named one, and the call has no name', 'inv-1', undefined, true],
  ['a named one, and the call has its name', 'inv-1', 'inv-1', true],
  ['a named one, and the call has another name', 'inv-1', 'inv-2', false],
])('a recent payment holds an equal call: %s', async (_, recorded, id, isHeld) => {
  const rows = [[recorded, { [mined]: 'settled' }]] as const
  const held = isHeld ? { txid: mined, isUnsettled: false } : undefined
  expect(formerTransaction(await journalOf(rows), { ...asked, id })).toEqual(held)
  const old = await journalOf(rows, '2020-01-01T00:00:00.000Z')
  const isForEver = recorded !== undefined && recorded === id
  expect(formerTransaction(old, { ...asked, id })).toEqual(isForEver ? held : undefined)
})

test.each<[string, (payer: string, last: string) => readonly string[]]>([
  ['an order', (payer, end) => ['order', 'ask', 'TOKEN', payer, '', '6', '12000', end]],
  ['a creation', (payer, module) => ['create', payer, 'GOLD', '1', '', '', module]],
  ['a transfer', (payer, amount) => ['transfer', 'TOKEN', payer, payer, `TO ${amount}`]],
])('%s holds an equal one of another payer, and no other one', async (_, partsOf) => {
  const keyOf = (payer: string, last: string) => JSON.stringify(partsOf(payer, last))
  const parts = await journalOf([])
  const about = { kind: 'attempt', payment: 'terms x', request: '{}', txid: open, hex: '00' }
  const record = { ...about, terms: keyOf('02', '1'), at: new Date().toISOString() }
  const book = bookOf(parts.journal)
  await book.append(record as never, book.next)
  const former = (key: string) => formerTransaction(parts, { ...asked, user: '', key })
  expect(former(keyOf('03', '1'))).toEqual({ txid: open, isUnsettled: true })
  expect([keyOf('02', '2'), keyOf('03', '2')].map(former)).toEqual([undefined, undefined])
})

test('a payment that can never be mined holds no call', async () => {
  const parts = await journalOf([[undefined, { [open]: 'dead' }]])
  expect(formerTransaction(parts, asked)).toBeUndefined()
})
