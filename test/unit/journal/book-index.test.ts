// The indices of a book, compared with its payments.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bookOf } from '../../../src/journal/book.ts'
import { createBookIndex } from '../../../src/journal/book-index.ts'
import { memoryJournal } from '../../../src/journal/index.ts'
import { type RecordedPayment, weekOfBlocks } from '../../../src/journal/recorded-payment.ts'
import { encodeRecord, type JournalRecord } from '../../../src/journal/records.ts'

const timeOf = (minute: number) => new Date(Date.UTC(2026, 10, 1, 0, minute)).toISOString()
const at = timeOf(0)
const names = ['id a', 'id  b', 'id "c"', 'terms pay 1', 'terms pay 2']
const txids = ['t1', 't2', 't3', 't4', 't5']

/** Any record about a few payments and transactions. */
const record = fc
  .record({
    payment: fc.constantFrom(...names),
    txid: fc.constantFrom(...txids),
    height: fc.integer({ min: 1, max: 9 }),
    minute: fc.integer({ min: 0, max: 5 }),
    kind: fc.constantFrom(
      ...(['attempt', 'attempt', 'refused', 'accepted', 'settled', 'minedAs'] as const),
      ...(['reopened', 'dead', 'forgotten'] as const),
    ),
  })
  .map(({ payment, txid, height, minute, kind }): JournalRecord => {
    const at = timeOf(minute)
    const about = { payment, txid, at }
    if (kind === 'forgotten') return { kind, payment, at }
    if (kind === 'minedAs') return { kind: 'settled', ...about, height, minedAs: `copy ${txid}` }
    if (kind === 'settled') return { kind, ...about, height }
    if (kind !== 'attempt') return { kind, ...about }
    const id = payment.startsWith('id ') ? { id: payment.slice(3) } : {}
    return { kind, ...about, ...id, terms: payment, request: '{}', hex: '00', chain: 'c1' }
  })

async function bookWith(records: readonly JournalRecord[]) {
  const journal = memoryJournal()
  for (const [index, one] of records.entries()) {
    await journal.append(index + 1, encodeRecord(one))
  }
  const book = bookOf(journal)
  await book.catchUp()
  return book
}

const all = ({ attempts, past }: RecordedPayment) => [...attempts, ...past]

test('find every payment of a transaction, and every unsettled one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(record, { maxLength: 60 }), async (records) => {
      const book = await bookWith(records)
      const payments = book.payments()
      const marked = payments.filter(({ id }) => id === ' b' || id === '"c"')
      expect(new Set(book.withMarkedId())).toEqual(new Set(marked))
      for (const txid of [...txids, ...txids.map((it) => `copy ${it}`)]) {
        const expected = payments
          .filter((it) => all(it).some((one) => one.txid === txid || one.minedAs === txid))
          .map(({ name }) => name)
        const found = book.paymentsOf(txid).map(({ name }) => name)
        expect(found).toEqual(expect.arrayContaining(expected))
      }
      const unsettled = payments
        .filter(({ attempts }) => attempts.every(({ fate }) => fate !== 'settled'))
        .filter(({ attempts }) => attempts.some(({ fate }) => fate === undefined))
        .map(({ name }) => name)
      expect(book.unsettled().map(({ name }) => name)).toHaveLength(unsettled.length)
      expect(new Set(book.unsettled().map(({ name }) => name))).toEqual(new Set(unsettled))
      for (const minute of [0, 3, 5, 6]) {
        const since = timeOf(minute)
        const recent = payments.filter((it) => all(it).some((one) => one.at >= since))
        expect(book.recordedSince(Date.parse(since))).toEqual(expect.arrayContaining(recent))
      }
      const heights = payments.flatMap(all).flatMap(({ height }) => height ?? [])
      if (heights.length > 0) {
        expect(book.lowestHeight('c1')).toBeLessThanOrEqual(Math.min(...heights))
      }
    }),
  )
})

test('know nothing of a payment that was forgotten', async () => {
  const about = { payment: 'terms pay 1', txid: 't1', at }
  const book = await bookWith([
    { kind: 'attempt', ...about, terms: 'pay 1', request: '{}', hex: '00' },
    { kind: 'forgotten', payment: 'terms pay 1', at },
  ])
  expect(book.paymentsOf('t1')).toEqual([])
  expect(book.unsettled()).toEqual([])
  expect(book.recordedSince(Number.NEGATIVE_INFINITY)).toEqual([])
})

test('still know a transaction that left the list of past payments', async () => {
  const records = Array.from({ length: 20 }, (_, index): JournalRecord[] => {
    const about = { payment: 'terms pay 1', txid: `t${index}`, at }
    return [
      { kind: 'attempt', ...about, terms: 'pay 1', request: '{}', hex: '00' },
      { kind: 'settled', ...about, height: index + 1 },
    ]
  }).flat()
  const book = await bookWith(records)
  expect(all(book.payment('terms pay 1')!).some(({ txid }) => txid === 't0')).toBe(false)
  expect(book.paymentsOf('t0')).toHaveLength(1)
})

test('are made anew when the journal is shortened', async () => {
  const old = Array.from({ length: 40 }, (_, index): JournalRecord[] => {
    const about = { payment: `terms pay ${index}`, txid: `t${index}`, at }
    return [
      { kind: 'attempt', ...about, terms: `pay ${index}`, request: '{}', hex: '00', chain: 'c1' },
      { kind: 'settled', ...about, height: index + 1 },
    ]
  }).flat()
  const day = 24 * 3_600_000
  const now = new Date(Date.parse(at) + 2 * day).toISOString()
  const height = 40 + weekOfBlocks
  const about = { payment: 'id a', id: 'a', terms: 'a', request: '{}', hex: '00', chain: 'c1' }
  const book = await bookWith([
    ...old,
    { kind: 'attempt', ...about, txid: 'mined', at: now },
    { kind: 'settled', payment: 'id a', txid: 'mined', at: now, height },
    { kind: 'attempt', ...about, payment: 'id b', id: 'b', txid: 'open', at: now },
  ])
  expect([book.lowestHeight('c1'), book.paymentsOf('t0').length]).toEqual([1, 1])
  await book.compact({ at: now, keepMs: day })
  // Three records of payments, and the height up to which the others were dropped.
  expect(book.next).toBe(5)
  expect([book.forgottenTo('c1'), book.forgottenTo(undefined)]).toEqual([40, 0])
  expect([book.lowestHeight('c1'), book.paymentsOf('t0').length]).toEqual([height, 0])
  expect(book.paymentsOf('mined').map(({ name }) => name)).toEqual(['id a'])
  expect(book.unsettled().map(({ name }) => name)).toEqual(['id b'])
  expect(book.recordedSince(0).map(({ name }) => name)).toEqual(['id a', 'id b'])
})

describe('an index', () => {
  const [one, two] = [{ txid: 'one' }, { txid: 'two', minedAs: 'copy of two' }]
  const payment = (name: string, attempts: object[], past: object[] = []) =>
    ({ name, attempts, past }) as Parameters<ReturnType<typeof createBookIndex>['update']>[1]
  const found = (index: ReturnType<typeof createBookIndex>) =>
    ['one', 'two', 'copy of two'].map((txid) => index.namesOf(txid))

  test('knows a transaction once for each payment, under the txid of its copy too', () => {
    const index = createBookIndex()
    index.update(undefined, payment('a', [one, two]))
    index.update(payment('a', [one, two]), payment('a', [one, two]))
    index.update(undefined, payment('b', [two]))
    expect(found(index)).toEqual([['a'], ['a', 'b'], ['a', 'b']])
    expect(index.namesOf('unknown')).toEqual([])
  })

  test('forgets the transactions of a payment of which nothing is left, and of no other one', () => {
    const index = createBookIndex()
    index.update(undefined, payment('a', [one], [two]))
    index.update(undefined, payment('b', [two]))
    index.update(payment('a', [one], [two]), undefined)
    expect(found(index)).toEqual([[], ['b'], ['b']])
    expect([...index.unsettled()]).toEqual(['b'])
    index.update(undefined, undefined)
    expect([...index.unsettled()]).toEqual(['b'])
  })

  test('forgets those that a payment has no more, and keeps the rest', () => {
    const index = createBookIndex()
    index.update(undefined, payment('a', [one, two]))
    index.update(payment('a', [one, two]), payment('a', [], [two]))
    expect(found(index)).toEqual([[], ['a'], ['a']])
    const three = { txid: 'three' }
    index.update(undefined, payment('b', [two, three]))
    index.update(payment('b', [two, three]), payment('b', [one], [two, three]))
    expect(index.namesOf('three')).toEqual(['b'])
    index.update(payment('b', [one], [two, three]), payment('b', [one, two]))
    expect(index.namesOf('three')).toEqual([])
    expect(found(index)).toEqual([['b'], ['a', 'b'], ['a', 'b']])
  })

  test('finds payments by the times of their attempts, in any order of these', () => {
    const index = createBookIndex()
    const recorded = (txid: string, minute: number) => ({ txid, at: timeOf(minute) })
    const since = (minute: number) => [...index.recordedSince(Date.parse(timeOf(minute)))]
    index.update(undefined, payment('a', [recorded('one', 3)]))
    index.update(undefined, payment('b', [recorded('two', 1)]))
    index.update(undefined, payment('c', [recorded('three', 5)], [recorded('four', 2)]))
    index.update(undefined, payment('d', [recorded('five', 3)]))
    expect([since(1), since(2), since(3), since(4), since(6)]).toEqual([
      ['b', 'a', 'd', 'c'],
      ['a', 'd', 'c'],
      ['a', 'd', 'c'],
      ['c'],
      [],
    ])
    index.update(payment('a', [recorded('one', 3)]), undefined)
    expect(since(3)).toEqual(['d', 'c'])
    index.update(payment('d', [recorded('five', 3)]), undefined)
    expect(since(3)).toEqual(['c'])
    index.clear()
    expect(since(1)).toEqual([])
  })

  test('has unsettled payments while one attempt is open and none is settled', () => {
    const index = createBookIndex()
    const settled = { txid: 'three', fate: 'settled' }
    const dead = { txid: 'four', fate: 'dead' }
    for (const [attempts, isUnsettled] of [
      [[one], true],
      [[one, dead], true],
      [[dead], false],
      [[one, settled], false],
      [[one], true],
      [[], false],
    ] as const) {
      index.update(undefined, payment('a', [...attempts]))
      expect([...index.unsettled()]).toEqual(isUnsettled ? ['a'] : [])
    }
  })
})
