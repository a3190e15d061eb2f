// The search for recorded payments in blocks: a few after each call, and a failure stops nothing.

import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { settling } from '../../../src/guard/settling.ts'
import { type Book, bookOf } from '../../../src/journal/book.ts'
import { memoryJournal } from '../../../src/journal/index.ts'
import type { AttemptRecord } from '../../../src/journal/records.ts'
import type { SafeFlowOptions } from '../../../src/rpc/index.ts'

const aboutAt = (at: number) =>
  ({ payment: `id ${at}`, txid: `t${at}`, at: new Date(0).toISOString() }) as const
const attemptAt = (at: number): AttemptRecord => {
  const text = `${at}`
  return { kind: 'attempt', ...aboutAt(at), id: text, terms: text, request: text, hex: '' }
}
/** Records a payment whose caller got the txid. */
async function pay(book: Book, at: number): Promise<void> {
  await book.append(attemptAt(at), book.next)
  await book.note({ kind: 'accepted', ...aboutAt(at) })
}

/** A journal with so many unsettled payments, and the requests that are read. */
async function world(
  count: number,
  fail: (text: string) => Promise<undefined>,
  requireChain: () => Promise<void> = async () => undefined,
) {
  const journal = memoryJournal()
  const book = bookOf(journal)
  await book.catchUp()
  for (let at = 0; at < count; at += 1) await pay(book, at)
  const asked: string[] = []
  const requestedBy = (text: string) => {
    asked.push(text)
    return fail(text)
  }
  const settle = settling({ journal, flow: {}, requestedBy, requireChain })
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

test('begins again at the end, although each call adds a payment', async () => {
  const { asked, book, settle } = await world(16, async () => undefined)
  for (let at = 16; at < 23; at += 1) {
    settle()
    await turn()
    await pay(book, at)
  }
  expect(asked.slice(16)).toEqual(['16', '17', '18', '19', '20', '0', '1', '2', '3'])
})

test('looks for none at a server of another chain, until it is of this one again', async () => {
  let isOther = true
  const { asked, settle } = await world(
    16,
    async () => undefined,
    async () => {
      if (isOther) throw new Error('another chain')
    },
  )
  settle()
  await turn()
  expect(asked).toEqual([])
  isOther = false
  settle()
  await turn()
  expect(asked).toEqual(['0', '1', '2', '3'])
})

const answers = [
  ['was lost', [], false],
  ['was a refusal', ['refused'], false],
  ['had its txid', ['accepted'], true],
] as const

/** Returns whether the search looks for one more payment, of which these facts are noted. */
async function isSought(payment: AttemptRecord, kinds: readonly ('refused' | 'accepted')[]) {
  const { asked, book, settle } = await world(15, async () => undefined)
  await book.append(payment, book.next)
  for (const kind of kinds) await book.note({ kind, ...aboutAt(15) })
  for (let calls = 1; calls <= 4; calls += 1) {
    settle()
    await turn()
  }
  return asked.includes('15')
}

test.each(answers)(
  'looks for an unnamed payment only if the caller knows the outcome: the answer %s',
  async (_, kinds, expected) => {
    const { id: _id, ...unnamed } = attemptAt(15)
    expect(await isSought(unnamed, kinds)).toBe(expected)
  },
)

// A person may drop the name when the call is repeated.
test.each(answers)(
  'looks for a named payment only if the caller knows the outcome: the answer %s',
  async (_, kinds, expected) => {
    expect(await isSought(attemptAt(15), kinds)).toBe(expected)
  },
)

test('leaves an attempt whose answer was lost beside one whose txid the caller got', async () => {
  const looked: string[] = []
  const payment = (options: SafeFlowOptions) => ({
    ...{ client: {}, key: '', options, request: () => '', refusal: 'daemon' as const },
    check: () => Promise.reject(new Error('nothing is found')),
    async lookUp(txid: string) {
      looked.push(txid)
      return { reason: 'unknown' } as const
    },
    place: async () => ({}),
    send: async () => undefined,
  })
  const journal = memoryJournal()
  const book = bookOf(journal)
  for (let at = 0; at < 16; at += 1) await pay(book, at)
  await book.append({ ...attemptAt(0), txid: 'lost' }, book.next)
  const effects = () => undefined
  const requested = { key: () => '', request: () => '', intentFindings: [], payment, effects }
  settling({
    journal,
    flow: {},
    requestedBy: async () => requested,
    requireChain: async () => {},
  })()
  await vi.waitFor(() => expect(looked).toEqual(['t0', 't1', 't2', 't3']))
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
