// The recorded payments of former users that hold an equal call.

import { expect, test, vi } from 'vitest'
import { formerHold, formerTransaction, ownId, ownKey } from '../../../src/guard/former-users.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { runCallback } from '../../../src/rpc/safe-flow/turns.ts'

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
  return { journal, policy: undefined, repeatMs: 600_000, pubkey: '03' }
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
  // Until 2026-11-28, a guard took a name in quotation marks.
  ['a named one, and the call has its name without quotation marks', '"inv-1"', 'inv-1', true],
  ['a named one, and the call has another name', 'inv-1', 'inv-2', false],
])('a recent payment holds an equal call: %s', async (_, recorded, id, isHeld) => {
  const rows = [[recorded, { [mined]: 'settled' }]] as const
  const held = isHeld ? { txid: mined, isUnsettled: false } : undefined
  expect(formerTransaction(await journalOf(rows), { ...asked, id })).toEqual(held)
  const old = await journalOf(rows, '2020-01-01T00:00:00.000Z')
  const isForEver = recorded?.replaceAll('"', '') === id && id !== undefined
  expect(formerTransaction(old, { ...asked, id })).toEqual(isForEver ? held : undefined)
})

/** A journal with one unsettled payment of each of some terms. */
async function journalOfTerms(...all: readonly string[]) {
  const parts = await journalOf([])
  const book = bookOf(parts.journal)
  for (const [index, terms] of all.entries()) {
    const about = { kind: 'attempt', payment: `terms ${terms}`, request: '{}', hex: '00' }
    const txid = index === 0 ? open : mined
    const record = { ...about, terms, txid, at: new Date().toISOString() }
    await book.append(record as never, book.next)
  }
  return parts
}

test.each<[string, (payer: string, last: string) => readonly string[]]>([
  ['an order', (payer, end) => ['order', 'ask', 'TOKEN', payer, '', '6', '12000', end]],
  ['a creation', (payer, module) => ['create', payer, 'GOLD', '1', '', '', module]],
  ['a transfer', (payer, amount) => ['transfer', 'TOKEN', payer, payer, `TO ${amount}`]],
])('%s holds an equal one of another payer, and no other one', async (_, partsOf) => {
  const keyOf = (payer: string, last: string) => JSON.stringify(partsOf(payer, last))
  const parts = await journalOfTerms(keyOf('02', '1'))
  const former = (key: string) => formerTransaction(parts, { ...asked, user: '', key })
  expect(former(keyOf('03', '1'))).toEqual({ txid: open, isUnsettled: true })
  expect([keyOf('02', '2'), keyOf('03', '2')].map(former)).toEqual([undefined, undefined])
})

const transferOf = (from: string, owner: string, amount = 1) =>
  JSON.stringify(['transfer', 'TOKEN', from, owner, `TO ${amount}`])

test.each([
  ['by a key that is not the one of the guard', transferOf('02', '02'), transferOf('04', '04')],
  ['of tokens of two keys', transferOf('03', '03'), transferOf('03', '2 of 03 and 04')],
])('a transfer %s is no repetition of one by another payer', async (_, recorded, key) => {
  const parts = await journalOfTerms(recorded)
  expect(formerTransaction(parts, { ...asked, user: '', key })).toBeUndefined()
})

test.each([
  ['no user', '', 'no user', ''],
  ['no user', '', 'a new user', 'ann'],
  ['a former user', 'kim', 'another one', 'ann'],
  ['a former user', 'kim', 'no user', ''],
  ['a former user', 'kim', 'no user', '', '"inv-1"'],
])(
  'an old name of another payer and %s (%j) holds its call by %s (%j) for ever',
  async (_, owner, __, user, name = 'inv-1') => {
    const parts = { ...(await journalOf([])), policy: { isUser: (name: string) => name === 'ann' } }
    const book = bookOf(parts.journal)
    const terms = ownKey(owner, transferOf('02', '02'))
    const id = ownId(owner, name)
    const about = { payment: `id ${id}`, terms, txid: mined, at: '2020-01-01T00:00:00.000Z' }
    await book.append({ kind: 'tombstone', ...about, id } as never, book.next)
    const former = (called?: string) =>
      formerTransaction(parts, { user, id: called, key: transferOf('03', '03') })
    expect(former('inv-1')).toEqual({ txid: mined, isUnsettled: false })
    expect(['inv-2', 'inv', 'v-1', undefined].map(former)).toEqual(Array(4).fill(undefined))
  },
)

test('the terms of recent payments are read once', async () => {
  const others = Array.from({ length: 100 }, (_, at) => transferOf('02', '02', at + 2))
  const parts = await journalOfTerms(...others)
  const look = () => formerTransaction(parts, { ...asked, key: transferOf('03', '03') })
  look()
  const parse = vi.spyOn(JSON, 'parse')
  look()
  expect(parse.mock.calls.length).toBeLessThan(10)
  parse.mockRestore()
})

test('a payment that can never be mined holds no call', async () => {
  const parts = await journalOf([[undefined, { [open]: 'dead' }]])
  expect(formerTransaction(parts, asked)).toBeUndefined()
})

test('a payment whose own call asks a person is not waited for, and holds an equal call', async () => {
  const parts = await journalOf([[undefined, { [open]: 'accepted' }]])
  const requestedBy = vi.fn(async () => undefined)
  const hold = formerHold({ ...parts, flow: {}, requestedBy }, asked, 'terms of ann')
  await hold.settle('{}')
  expect(requestedBy).toHaveBeenCalledTimes(1)
  await runCallback(parts.journal, `terms ${key}`, () => hold.settle('{}'))
  expect(requestedBy).toHaveBeenCalledTimes(1)
  expect(hold.allows(undefined)).toBe(false)
})
