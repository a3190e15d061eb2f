// The search for recorded payments in blocks: a few after each call, and a failure stops nothing.

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { settling } from '../../../src/guard/settling.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/index.ts'
import { encodeRecord } from '../../../src/journal/records.ts'

/** A journal with so many unsettled payments, and the requests that are read. */
async function world(count: number, fail: (text: string) => Promise<undefined>) {
  const journal = memoryJournal()
  for (let at = 0; at < count; at += 1) {
    const about = { payment: `id ${at}`, id: `${at}`, at: new Date(0).toISOString() }
    const more = { terms: `${at}`, request: `${at}`, txid: `t${at}`, hex: '' }
    await journal.append(at + 1, encodeRecord({ kind: 'attempt', ...about, ...more }))
  }
  const book = bookOf(journal)
  await book.catchUp()
  const asked: string[] = []
  const settle = settling({ journal, flow: {} }, (text) => {
    asked.push(text)
    return fail(text)
  })
  return { asked, book, settle }
}

const failures = {
  'the request cannot be read': () => Promise.reject(new Error('no JSON')),
  'the payment is one of another kind of server': async () => undefined,
}

test.each(Object.entries(failures))('goes on with the next ones if %s', async (_, fail) => {
  const { asked, book, settle } = await world(18, fail)
  for (let calls = 1; calls <= 5; calls += 1) {
    settle()
    await turn()
  }
  const all = Array.from({ length: 18 }, (__, at) => `${at}`)
  expect(asked).toEqual(all)
  settle()
  await turn()
  expect(asked.slice(18)).toEqual(['0', '1', '2', '3'])
  expect(book.unsettled()).toHaveLength(18)
})

test('looks once, however many calls come meanwhile', async () => {
  let answer = (): void => undefined
  const waiting = new Promise<undefined>((resolve) => {
    answer = () => resolve(undefined)
  })
  const { asked, settle } = await world(16, () => waiting)
  settle()
  settle()
  await turn()
  expect(asked).toEqual(['0'])
  answer()
  await turn()
  expect(asked).toEqual(['0', '1', '2', '3'])
})

test('leaves a few unsettled payments alone', async () => {
  const { asked, settle } = await world(15, async () => undefined)
  settle()
  await turn()
  expect(asked).toEqual([])
})
