// A book reads the records of its journal, and compacts them.

import { describe, expect, test } from 'vitest'
import { bookOf } from '../../../src/journal/book.ts'
import { type Journal, memoryJournal } from '../../../src/journal/index.ts'
import { pastOfFull, weekOfBlocks } from '../../../src/journal/recorded-payment.ts'
import type { AttemptRecord, JournalRecord } from '../../../src/journal/records.ts'

const day = 24 * 3_600_000
const start = Date.UTC(2026, 10, 1)
const at = (days: number) => new Date(start + days * day).toISOString()
const named = { payment: 'id a', terms: 'pay 70', request: '{}', id: 'a', chain: 'c1' }
const unnamed = { payment: 'terms pay 70', terms: 'pay 70', request: '{}' }

const attempt = (
  txid: string,
  about: Pick<AttemptRecord, 'payment' | 'terms' | 'request'> = named,
  days = 0,
): AttemptRecord => ({ kind: 'attempt', ...about, txid, hex: `${txid}${txid}`, at: at(days) })
const fate = (
  kind: 'sending' | 'refused' | 'accepted' | 'settled' | 'reopened' | 'dead',
  txid: string,
  more: object = {},
): Exclude<JournalRecord, AttemptRecord> => ({
  kind,
  payment: named.payment,
  txid,
  at: at(0),
  ...more,
})
const forgotten = (payment: string): JournalRecord => ({ kind: 'forgotten', payment, at: at(0) })

async function bookWith(...records: readonly JournalRecord[]) {
  const journal = memoryJournal()
  for (const [index, record] of records.entries()) {
    await journal.append(index + 1, JSON.stringify(record))
  }
  const book = bookOf(journal)
  await book.catchUp()
  return { journal, book }
}

const attemptsOf = async (...records: readonly JournalRecord[]) =>
  (await bookWith(...records)).book.payment('id a')?.attempts

test('an attempt begins as sent, not accepted, with everything that was recorded', async () => {
  const { book } = await bookWith(attempt('t1'))
  expect(book.payments()).toEqual([
    {
      ...{ name: 'id a', terms: 'pay 70', request: '{}', id: 'a', chain: 'c1', past: [], last: 1 },
      attempts: [
        {
          ...{ txid: 't1', hex: 't1t1', at: at(0), chain: 'c1' },
          ...{ isNamed: false, isOpen: true, isAccepted: false },
        },
      ],
    },
  ])
})

describe('two requests under one id, as two joined journals have them', () => {
  const other = { ...named, terms: 'pay 90' }
  const second = 'request 2 of id a'
  const txidsOf = (payments: readonly { name: string; attempts: readonly { txid: string }[] }[]) =>
    payments.map(({ name, attempts }) => [name, ...attempts.map(({ txid }) => txid)])

  test.each<[string, JournalRecord]>([
    ['an attempt', attempt('t2', other)],
    ['a tombstone', { ...attempt('t2', other), kind: 'tombstone', id: 'a' }],
  ])('are two payments, if the second is %s', async (_, record) => {
    const { book } = await bookWith(attempt('t1'), fate('settled', 't1'), record)
    expect(txidsOf(book.payments())).toEqual([
      ['id a', 't1'],
      [second, 't2'],
    ])
    expect(book.payment('id a')?.terms).toBe('pay 70')
    expect(['pay 70', 'pay 90', 'pay 1'].map((it) => book.nameOf('id a', it))).toEqual([
      'id a',
      second,
      'id a',
    ])
  })

  test('have each their own attempts, and what became of them', async () => {
    const { book } = await bookWith(
      ...[attempt('t1'), attempt('t2', other), fate('settled', 't2', { height: 7 })],
      ...[attempt('t3', other), attempt('t4'), fate('refused', 't3'), fate('accepted', 't4')],
    )
    const [first, later] = book.payments().map(({ attempts }) => attempts)
    expect(first).toMatchObject([
      { txid: 't1', isOpen: true, isAccepted: false },
      { txid: 't4', isAccepted: true },
    ])
    expect(later).toMatchObject([
      { txid: 't2', fate: 'settled', height: 7 },
      { txid: 't3', isOpen: false },
    ])
  })

  test('keep the id taken while one of them is left', async () => {
    const forget = { ...forgotten('id a'), terms: 'pay 70' } as JournalRecord
    const records = [attempt('t1'), attempt('t2', other), forget]
    const { book } = await bookWith(...records)
    expect(txidsOf(book.payments())).toEqual([[second, 't2']])
    expect(book.payment('id a')).toMatchObject({ name: second, terms: 'pay 90' })
    const { book: none } = await bookWith(...records, forgotten(second))
    expect(none.payment('id a')).toBeUndefined()
  })

  test('have what became of the second after the first was forgotten', async () => {
    const forget = { ...forgotten('id a'), terms: 'pay 70' } as JournalRecord
    const records = [attempt('t1'), attempt('t2', other), forget, fate('settled', 't2')]
    const { book } = await bookWith(...records)
    expect(book.payment('id a')?.attempts).toMatchObject([{ txid: 't2', fate: 'settled' }])
  })

  test('keep both if a record does not tell which of them was forgotten', async () => {
    const { book } = await bookWith(attempt('t1'), attempt('t2', other), forgotten('id a'))
    expect(txidsOf(book.payments())).toEqual([
      ['id a', 't1'],
      [second, 't2'],
    ])
  })

  test('stay apart after compaction, and a third one too', async () => {
    const many = Array.from({ length: 70 }, () => fate('accepted', 't2'))
    const { book, journal } = await bookWith(attempt('t1'), attempt('t2', other), ...many)
    await book.compact({ at: at(0), keepMs: day })
    expect(await journal.read(0)).toHaveLength(3)
    await book.append(attempt('t3', { ...named, terms: 'pay 110' }), book.next)
    await book.note({ ...fate('settled', 't3'), payment: named.payment })
    expect(txidsOf(book.payments())).toEqual([
      ['id a', 't1'],
      [second, 't2'],
      ['request 3 of id a', 't3'],
    ])
    await book.note({ ...forgotten('id a'), terms: 'pay 70' } as never)
    expect(book.payment('id a')?.name).toBe(second)
    expect(book.nameOf('id a', 'pay 110')).toBe('request 3 of id a')
  })

  test('keep what became of them if two journals that are joined have two each', async () => {
    const third = { ...named, terms: 'pay 110' }
    const fourth = { ...named, terms: 'pay 130' }
    const { book } = await bookWith(
      ...[attempt('t1'), attempt('t2', other), attempt('t3', third), attempt('t4', fourth)],
      { ...fate('settled', 't4'), payment: second },
      attempt('t5', { ...fourth, payment: second }),
    )
    expect(txidsOf(book.payments())).toEqual([
      ['id a', 't1'],
      [second, 't2'],
      ['request 3 of id a', 't3'],
      ['request 4 of id a', 't4', 't5'],
    ])
    const last = book.payment(book.nameOf('id a', 'pay 130'))
    expect(last?.attempts).toMatchObject([{ fate: 'settled' }, {}])
  })
})

describe('a transaction that a guard handed over', () => {
  const handedOver: AttemptRecord = { ...attempt('t1'), kind: 'handed-over' }

  test.each<[string, readonly JournalRecord[], boolean]>([
    ['handed over', [], true],
    ['refused', [fate('refused', 't1')], true],
    ['sending', [fate('sending', 't1')], false],
    ['sending, refused', [fate('sending', 't1'), fate('refused', 't1')], true],
    [
      'sending, refused, sending',
      [fate('sending', 't1'), fate('refused', 't1'), fate('sending', 't1')],
      false,
    ],
    ['accepted', [fate('accepted', 't1')], false],
    ['settled', [fate('settled', 't1')], false],
    ['settled, reopened', [fate('settled', 't1'), fate('reopened', 't1')], false],
    ['accepted, handed over again', [fate('accepted', 't1'), { ...handedOver, at: at(1) }], true],
  ])('is known as not sent until something shows that it was: %s', async (_, records, expected) => {
    const [recorded] = (await attemptsOf(handedOver, ...records))!
    expect(recorded!.isHandedOver === true).toBe(expected)
  })
})

describe('a record changes', () => {
  const settled = { isOpen: true, fate: 'settled', height: 7, minedAs: 't9' }
  const place = { height: 7, minedAs: 't9' }
  test.each<[string, readonly JournalRecord[], object]>([
    ['refused', [fate('refused', 't1')], { isOpen: false, isAccepted: false }],
    ['refused, sending', [fate('refused', 't1'), fate('sending', 't1')], { isOpen: true }],
    [
      'refused, accepted',
      [fate('refused', 't1'), fate('accepted', 't1')],
      { isOpen: true, isAccepted: true },
    ],
    [
      // Two guards of one journal send one transaction at once.
      'accepted, refused',
      [fate('accepted', 't1'), fate('refused', 't1')],
      { isOpen: true, isAccepted: true },
    ],
    ['settled', [fate('settled', 't1', place)], settled],
    ['refused, settled', [fate('refused', 't1'), fate('settled', 't1', place)], settled],
    ['dead', [fate('dead', 't1')], { fate: 'dead' }],
  ])('its attempt: %s', async (_, records, expected) => {
    expect(await attemptsOf(attempt('t1'), ...records)).toMatchObject([expected])
  })

  test('a refusal after the acceptance of a handed-over attempt changes nothing', async () => {
    const handedOver: AttemptRecord = { ...attempt('t1'), kind: 'handed-over' }
    const sent = [handedOver, fate('sending', 't1'), fate('accepted', 't1')]
    const accepted = await attemptsOf(...sent)
    expect(await attemptsOf(...sent, fate('refused', 't1'))).toEqual(accepted)
    expect(accepted).toMatchObject([{ isOpen: true, isAccepted: true }])
  })

  test('a settled attempt that left the chain has no place any more', async () => {
    const records = [fate('settled', 't1', place), fate('reopened', 't1')]
    const [reopened] = (await attemptsOf(attempt('t1'), ...records))!
    expect(Object.keys(reopened!).sort()).toEqual([
      'at',
      'chain',
      'hex',
      'isAccepted',
      'isNamed',
      'isOpen',
      'txid',
    ])
    expect(reopened!.isOpen).toBe(true)
  })

  test('no other attempt, and nothing of an unknown payment', async () => {
    const attempts = await attemptsOf(attempt('t1'), attempt('t2'), fate('dead', 't2'))
    expect(attempts!.map(({ fate: it }) => it)).toEqual([undefined, 'dead'])
    expect((await bookWith(fate('settled', 't1'))).book.payments()).toEqual([])
  })

  test('an attempt that is recorded again replaces itself', async () => {
    const attempts = await attemptsOf(attempt('t1'), fate('dead', 't1'), attempt('t1', named, 2))
    expect(attempts).toMatchObject([{ txid: 't1', at: at(2) }])
    expect(attempts).toHaveLength(1)
    expect(attempts![0]).not.toHaveProperty('fate')
  })
})

describe('after a settled attempt, a new one', () => {
  const settledOf = (payment: string, txid: string) => ({ ...fate('settled', txid), payment })

  test('an attempt without an id after a settled one begins a new payment', async () => {
    const records = [
      attempt('t1', unnamed),
      settledOf(unnamed.payment, 't1'),
      attempt('t2', unnamed),
    ]
    const [payment] = (await bookWith(...records)).book.payments()
    expect(payment!.attempts.map(({ txid }) => txid)).toEqual(['t2'])
    expect(payment!.past.map(({ txid }) => txid)).toEqual(['t1'])
  })

  test('an attempt without an id stays beside one that is not settled', async () => {
    const [payment] = (
      await bookWith(attempt('t1', unnamed), attempt('t2', unnamed))
    ).book.payments()
    expect(payment!.attempts.map(({ txid }) => txid)).toEqual(['t1', 't2'])
    expect(payment!.past).toEqual([])
  })

  test('an attempt with an id stays an attempt at the same payment', async () => {
    const attempts = await attemptsOf(attempt('t1'), fate('settled', 't1'), attempt('t2'))
    expect(attempts!.map(({ txid }) => txid)).toEqual(['t1', 't2'])
  })

  test('keeps 16 past payments, the latest', async () => {
    const records = Array.from({ length: 20 }, (_, index) => [
      attempt(`t${index}`, unnamed),
      settledOf(unnamed.payment, `t${index}`),
    ]).flat()
    const [payment] = (await bookWith(...records)).book.payments()
    expect(payment!.past).toHaveLength(16)
    expect(payment!.past.at(-1)!.txid).toBe('t18')
    const reopened = { ...fate('reopened', 't18'), payment: unnamed.payment }
    const { book } = await bookWith(...records, reopened)
    expect(book.payments()[0]!.past.at(-1)).not.toHaveProperty('fate')
  })

  test('leaves a list of 16 whole if a caller named one of them', async () => {
    const pastOf = async (count: number) => {
      const records = Array.from({ length: count }, (_, index) => [
        { ...attempt(`t${index}`, unnamed), ...(index === 0 && { isNamed: true as const }) },
        settledOf(unnamed.payment, `t${index}`),
      ]).flat()
      const [payment] = (await bookWith(...records)).book.payments()
      return { all: payment!.past.length, full: pastOfFull(payment!).map(({ txid }) => txid) }
    }
    // The last settled attempt is not a past one.
    expect(await pastOf(17)).toEqual({ all: 16, full: [] })
    const { all, full } = await pastOf(18)
    expect([all, full.length, full[0]]).toEqual([17, 16, 't1'])
  })
})

describe('a payment that is forgotten', () => {
  test('is gone', async () => {
    expect(await attemptsOf(attempt('t1'), forgotten('id a'))).toBeUndefined()
    const settled = { ...fate('settled', 't1'), payment: unnamed.payment }
    const { book } = await bookWith(attempt('t1', unnamed), settled, forgotten(unnamed.payment))
    expect(book.payments()).toEqual([])
    expect((await bookWith(forgotten('id a'))).book.payments()).toEqual([])
  })

  test('keeps its id, and what was settled', async () => {
    const records = [attempt('t1'), fate('settled', 't1'), attempt('t2'), forgotten('id a')]
    const { book } = await bookWith(...records)
    expect(book.payment('id a')).toMatchObject({ id: 'a', attempts: [{ txid: 't1' }], last: 4 })
    expect(book.payment('id a')!.attempts).toHaveLength(1)
  })
})

describe('digits', () => {
  test.each<[string, readonly JournalRecord[], number]>([
    ['two attempts', [attempt('t1'), attempt('t2')], 8],
    ['one that settled', [attempt('t1'), attempt('t2'), fate('settled', 't1')], 4],
    ['one that died', [attempt('t1'), fate('dead', 't1')], 0],
    ['one that was refused', [attempt('t1'), fate('refused', 't1')], 4],
    ['one that was forgotten', [attempt('t1'), forgotten('id a')], 0],
    ['another payment', [attempt('t1'), attempt('t3', unnamed)], 8],
  ])('count the hex of attempts that are neither settled nor dead: %s', async (_, records, sum) => {
    expect((await bookWith(...records)).book.digits).toBe(sum)
  })
})

describe('appending', () => {
  test('appending to a position that another user took answers false, and reads what is there', async () => {
    const { journal, book } = await bookWith()
    expect(book.next).toBe(1)
    await journal.append(1, JSON.stringify(attempt('t1')))
    expect(await book.append(attempt('t2'), 1)).toBe(false)
    expect(book.payment('id a')!.attempts.map(({ txid }) => txid)).toEqual(['t1'])
    expect(await book.append(attempt('t2'), book.next)).toBe(true)
    expect(book.next).toBe(3)
  })

  test('a note goes behind what others appended', async () => {
    const { journal, book } = await bookWith(attempt('t1'))
    await journal.append(2, JSON.stringify(attempt('t2')))
    await book.note(fate('dead', 't1') as Exclude<JournalRecord, AttemptRecord>)
    expect((await journal.read(2)).map((text) => JSON.parse(text).kind)).toEqual(['dead'])
    expect(book.payment('id a')!.attempts.map(({ fate: it }) => it)).toEqual(['dead', undefined])
  })

  test('reading twice at once counts each record once', async () => {
    const { journal, book } = await bookWith(attempt('t1'))
    await journal.append(2, JSON.stringify(attempt('t2')))
    await Promise.all([book.catchUp(), book.catchUp()])
    expect(book.next).toBe(3)
    expect(book.digits).toBe(8)
  })

  test('reading twice at once makes no second payment of a settled one', async () => {
    const { journal, book } = await bookWith()
    const settled = (txid: string) => ({ ...fate('settled', txid), payment: unnamed.payment })
    const [one, two] = [attempt('t1', unnamed), attempt('t2', unnamed)]
    for (const [index, record] of [one, settled('t1'), two, settled('t2')].entries()) {
      await journal.append(index + 1, JSON.stringify(record))
    }
    await Promise.all([book.catchUp(), book.catchUp()])
    expect(book.payments()).toMatchObject([{ attempts: [{ txid: 't2' }] }])
    expect(book.payments()[0]!.past.map(({ txid }) => txid)).toEqual(['t1'])
  })

  test('an append whose answer comes after later records were read does not go back', async () => {
    const journal = memoryJournal()
    let answer = (): void => undefined
    const late: Journal = {
      ...journal,
      async append(position, text) {
        const isStored = await journal.append(position, text)
        await new Promise<void>((resolve) => {
          answer = resolve
        })
        return isStored
      },
    }
    const book = bookOf(late)
    const appended = book.append(attempt('t1'), 1)
    await expect.poll(() => journal.read(0)).toHaveLength(1)
    await journal.append(2, JSON.stringify(attempt('t2')))
    await book.catchUp()
    answer()
    expect(await appended).toBe(true)
    expect(book.next).toBe(3)
    expect(book.digits).toBe(8)
  })
})

describe('a journal that refuses every append', () => {
  test('is an error if it has no records there, before anything is sent', async () => {
    let asked = 0
    const refusing: Journal = {
      ...memoryJournal(),
      async append() {
        asked += 1
        return false
      },
    }
    const noted = bookOf(refusing).note(fate('dead', 't1') as never)
    await expect(noted).rejects.toMatchObject({
      code: 'journal_failed',
      context: { path: 'record 1' },
    })
    expect(asked).toBe(101)
  })

  test('is read again while a replica lags behind', async () => {
    const journal = memoryJournal()
    await journal.append(1, JSON.stringify(attempt('t1')))
    let lag = 100
    const copy: Journal = {
      ...journal,
      async read(after) {
        lag -= 1
        return lag > 0 ? [] : journal.read(after)
      },
    }
    const book = bookOf(copy)
    await book.note(fate('dead', 't1') as never)
    expect(book.payment('id a')!.attempts.map(({ fate: it }) => it)).toEqual(['dead'])
  })

  test.each([
    ['a record of another writer', true],
    ['a record of its own', false],
  ])('is asked as often again after %s', async (_, isOthers) => {
    const journal = memoryJournal()
    let asked = 0
    const isReady = () => asked % 60 === 0
    const slow: Journal = {
      ...journal,
      async append(position, text) {
        asked += 1
        return isReady() && (await journal.append(position, text)) && !isOthers
      },
      read: async (after) => (isReady() ? journal.read(after) : []),
    }
    const book = bookOf(slow)
    while (book.next <= 3) await book.append(attempt('t1'), book.next)
    expect(asked).toBe(180)
  })
})

test('a busy store, whose positions others win time and again, is not a contradiction', async () => {
  const journal = memoryJournal()
  let lost = 0
  const busy: Journal = {
    ...journal,
    async append(position, text) {
      if (lost === 300) return journal.append(position, text)
      lost += 1
      await journal.append(position, JSON.stringify(attempt(`o${lost}`, unnamed)))
      return false
    },
  }
  await bookOf(busy).note(fate('dead', 't1') as never)
  expect(await journal.read(0)).toHaveLength(301)
})

describe('a text that is no record', () => {
  const kind = 'x'.repeat(60)
  test.each<[string, string, object]>([
    [
      'of a newer kind',
      JSON.stringify({ kind }),
      { code: 'journal_version', context: { path: 'record 1', actual: kind.slice(0, 40) } },
    ],
    ...(['attempt', 'settled', 'forgotten'] as const).map((of): [string, string, object] => [
      `of the kind ${of} with a newer member`,
      JSON.stringify({ ...attempt('t1'), kind: of, [kind]: 'later' }),
      { code: 'journal_version', context: { path: 'record 1', actual: kind.slice(0, 40) } },
    ]),
    ['without JSON', '{', { code: 'journal_malformed', context: { path: 'record 1' } }],
    ['of another type', 'null', { code: 'journal_malformed', context: { path: 'record 1' } }],
    ['without a kind', '{}', { code: 'journal_malformed', context: { path: 'record 1' } }],
    [
      'without a txid',
      '{"kind":"dead","payment":"p","at":"t"}',
      { code: 'journal_malformed', context: { path: 'record 1.txid' } },
    ],
    ...['5', -1, 0.5, null].map((height): [string, string, object] => [
      `with the height ${JSON.stringify(height)}`,
      JSON.stringify({ kind: 'forgotten', payment: '', at: attempt('t1').at, height }),
      { code: 'journal_malformed', context: { path: 'record 1.height' } },
    ]),
    [
      'without a valid time',
      JSON.stringify({ ...attempt('t1', unnamed), at: 'yesterday' }),
      { code: 'journal_malformed', context: { path: 'record 1.at' } },
    ],
  ])('%s is refused', async (_, text, error) => {
    const journal = memoryJournal()
    await journal.append(1, text)
    await expect(bookOf(journal).catchUp()).rejects.toMatchObject(error)
  })
})

test('a member of a store is named, with what a journal of your own has to do', async () => {
  const journal = memoryJournal()
  await journal.append(1, JSON.stringify({ ...attempt('t1'), tenant: 'b' }))
  const error: unknown = await bookOf(journal)
    .catchUp()
    .catch((thrown: unknown) => thrown)
  expect(String(error)).toContain('found "tenant"')
  expect(String(error)).toContain('a journal of your own returns each text as it got it')
})

describe('compaction', () => {
  const keepMs = 30 * day
  /** Records that need nothing: an attempt that is forgotten. */
  const waste = (count: number): JournalRecord[] =>
    Array.from({ length: count / 2 }, (_, index) => [
      attempt(`w${index}`, { ...unnamed, payment: `w${index}` }),
      forgotten(`w${index}`),
    ]).flat()
  /** A payment in the first block in which one keeps no records of height 3. */
  const later = (height = 3 + weekOfBlocks, chain?: string): JournalRecord[] => {
    const payment = `terms later ${chain ?? ''}`
    const about = { ...unnamed, payment, ...(chain !== undefined && { chain }) }
    return [attempt('later', about), { kind: 'settled', payment, txid: 'later', at: at(0), height }]
  }
  /** Leaves out the payment of `later`. */
  const withoutLater = (texts: readonly string[]) =>
    texts.filter((text) => !text.includes('"txid":"later"'))
  async function compacted(records: readonly JournalRecord[], days = 0) {
    const { journal, book } = await bookWith(...records)
    const before = book.payments()
    await book.compact({ at: at(days), keepMs })
    return { journal, book, before, texts: withoutLater(await journal.read(0)) }
  }
  /** The position of a record changes. */
  const withoutLast = (payments: readonly object[]) => payments.map((it) => ({ ...it, last: 0 }))

  test('begins at 64 records', async () => {
    expect((await compacted(waste(62))).texts).toHaveLength(62)
    expect((await compacted(waste(64))).texts).toHaveLength(0)
  })

  test('needs to halve the journal', async () => {
    const live = (count: number) =>
      Array.from({ length: count }, (_, index) => attempt(`t${index}`))
    expect((await compacted([...live(34), ...waste(32)])).texts).toHaveLength(66)
    expect((await compacted([...live(32), ...waste(32)])).texts).toHaveLength(32)
  })

  test('is tried again once the journal has grown by a 64th', async () => {
    const settled = Array.from({ length: 32 }, (_, index): JournalRecord[] => {
      const payment = `terms ${index}`
      const record = attempt(`t${index}`, { ...unnamed, payment })
      return [record, { kind: 'settled', payment, txid: record.txid, at: at(0), height: 3 }]
    }).flat()
    const { journal, book } = await compacted([...settled, ...later()])
    await book.compact({ at: at(40), keepMs })
    expect(await journal.read(0)).toHaveLength(66)
    for (const txid of ['one', 'two']) {
      await book.append(attempt(txid, { ...named, payment: txid }, 40), book.next)
    }
    await book.compact({ at: at(40), keepMs })
    const kinds = withoutLater(await journal.read(0)).map((text) => JSON.parse(text).kind)
    expect(kinds).toEqual(['attempt', 'attempt', 'forgotten'])
  })

  /** The book that another copy of this library in the same process has of a journal. */
  async function otherBookOf(journal: Journal) {
    const other = bookOf({ ...journal })
    await other.catchUp()
    return other
  }

  test.each([63, 64, 90])('is noticed by another book once %i records followed', async (count) => {
    const { journal, book } = await bookWith(...waste(64))
    const other = await otherBookOf(journal)
    await other.compact({ at: at(0), keepMs })
    await other.append(attempt('t1'), other.next)
    for (let index = 0; index < count; index += 1) {
      await other.append({ ...attempt(`x${index}`), ...unnamed }, other.next)
    }
    await book.catchUp()
    expect(book.payment('id a')?.attempts).toMatchObject([{ txid: 't1' }])
    expect([book.next, book.payments()]).toEqual([other.next, other.payments()])
  })

  test('lets another book append nothing while the journal is shorter', async () => {
    const { journal, book } = await bookWith(attempt('t0'), ...waste(64))
    const other = await otherBookOf(journal)
    await other.compact({ at: at(0), keepMs })
    await other.append(attempt('t1'), other.next)
    await book.catchUp()
    await expect(book.note(fate('dead', 't0'))).rejects.toMatchObject({ code: 'journal_failed' })
    expect(book.payment('id a')?.attempts).toMatchObject([{ txid: 't0', isOpen: true }])
    expect(await journal.read(0)).toHaveLength(2)
  })

  test('replaces no records that the book has not read, though they are as many', async () => {
    const { journal, book } = await bookWith(...waste(64))
    const other = await otherBookOf(journal)
    await other.compact({ at: at(0), keepMs })
    const live = Array.from({ length: 64 }, (_, index) => attempt(`t${index}`))
    for (const record of live) await other.append(record, other.next)
    await book.compact({ at: at(0), keepMs })
    expect(await journal.read(0)).toHaveLength(64)
  })

  test('keeps each record once while two calls read beside another book', async () => {
    const { journal, book } = await bookWith(attempt('t0'), ...waste(64))
    const other = await otherBookOf(journal)
    await other.compact({ at: at(0), keepMs })
    await other.append(attempt('t1'), other.next)
    for (let index = 0; index < 70; index += 1) {
      await other.append({ ...attempt(`x${index}`), ...unnamed }, other.next)
    }
    await Promise.all([book.catchUp(), book.catchUp(), book.note(fate('accepted', 't1'))])
    await other.catchUp()
    expect(book.payment('id a')?.attempts).toMatchObject([
      { txid: 't0', isAccepted: false },
      { txid: 't1', isAccepted: true },
    ])
    expect(book.payments()).toEqual(other.payments())
  })

  /** A book whose journal answers one read late, with what it had when it was asked. */
  async function lateBookOf(journal: Journal) {
    let heldFrom = -1
    let wait: Promise<void> | undefined
    const late: Journal = {
      ...journal,
      async read(from) {
        const texts = await journal.read(from)
        const held = from === heldFrom ? wait : undefined
        if (held !== undefined) wait = undefined
        await held
        return texts
      },
    }
    const book = bookOf(late)
    await book.catchUp()
    /** Returns a function that lets the next read from a position return. */
    const holdRead = (from: number) => {
      let release = () => {}
      heldFrom = from
      wait = new Promise((resolve) => {
        release = resolve
      })
      return release
    }
    return { book, holdRead }
  }

  test('is not undone by an earlier read that ends later', async () => {
    const { journal } = await bookWith(...waste(64))
    const { book, holdRead } = await lateBookOf(journal)
    const release = holdRead(63)
    const reading = book.catchUp()
    await book.compact({ at: at(0), keepMs })
    release()
    await reading
    expect(book.next).toBe(1)
    expect(await book.append(attempt('t1'), book.next)).toBe(true)
  })

  test('keeps what one call appended while another one read what another book compacted', async () => {
    const { journal } = await bookWith(...waste(64))
    const { book, holdRead } = await lateBookOf(journal)
    const other = await otherBookOf(journal)
    await other.compact({ at: at(0), keepMs })
    for (let index = 0; index < 64; index += 1) await other.append(attempt(`t${index}`), other.next)
    const release = holdRead(0)
    const reading = book.catchUp()
    await book.catchUp()
    expect(await book.append(attempt('last'), book.next)).toBe(true)
    release()
    await reading
    expect(book.payment('id a')?.attempts.at(-1)).toMatchObject({ txid: 'last' })
  })

  test('is left out by a journal that cannot replace its records', async () => {
    const { replace: _, ...plain } = memoryJournal()
    const journal: Journal = plain
    for (const [index, record] of waste(64).entries()) {
      await journal.append(index + 1, JSON.stringify(record))
    }
    const book = bookOf(journal)
    await book.catchUp()
    await book.compact({ at: at(0), keepMs })
    expect(await journal.read(0)).toHaveLength(64)
  })

  test('keeps a payment without an id for all of its repeatMs', async () => {
    const settled = { ...fate('settled', 'p1', { height: 3 }), payment: unnamed.payment }
    const records = [attempt('p1', unnamed), settled, ...later(), ...waste(64)]
    for (const [repeatDays, kept] of [
      [31, 0],
      [40, 1],
      [Number.POSITIVE_INFINITY, 1],
    ] as const) {
      const { book } = await bookWith(...records)
      await book.compact({ at: at(35), keepMs, repeatMs: repeatDays * day })
      expect(book.payments()).toHaveLength(kept + 1)
    }
  })

  test('keeps the id of an old payment alone, however long a request is not a new payment', async () => {
    const { book } = await bookWith(
      attempt('p1'),
      fate('settled', 'p1', { height: 3 }),
      ...later(undefined, 'c1'),
      ...waste(64),
    )
    await book.compact({ at: at(35), keepMs, repeatMs: Number.POSITIVE_INFINITY })
    expect(book.payment('id a')!.attempts).toMatchObject([{ txid: 'p1', hex: '', fate: 'settled' }])
  })

  test('keeps a payment for the repeatMs of its own call, whatever call compacts', async () => {
    const settled = { ...fate('settled', 'p1', { height: 3 }), payment: unnamed.payment }
    const forty = { ...attempt('p1', unnamed), repeatMs: 40 * day }
    const early = await compacted([forty, settled, ...later(), ...waste(64)], 39)
    expect(early.book.payments()).toHaveLength(2)
    const next = [...early.texts.map((text) => JSON.parse(text)), ...later(), ...waste(64)]
    expect((await compacted(next, 39)).texts).toEqual(early.texts)
    const kinds = (await compacted(next, 41)).texts.map((text) => JSON.parse(text).kind)
    expect(kinds).toEqual(['forgotten'])
  })

  test('shortens payments with an id, even if those without one are kept for ever', async () => {
    const settled = { ...fate('settled', 'p1', { height: 3 }), payment: unnamed.payment }
    const records = [
      attempt('t1'),
      fate('settled', 't1', { height: 3 }),
      attempt('p1', unnamed),
      settled,
    ]
    const { book, journal } = await bookWith(...records, ...later(undefined, 'c1'), ...waste(64))
    await book.compact({ at: at(35), keepMs, repeatMs: Number.POSITIVE_INFINITY })
    const kinds = withoutLater(await journal.read(0)).map((text) => JSON.parse(text).kind)
    expect(kinds).toEqual(['tombstone', 'attempt', 'settled'])
  })

  test('keeps everything of attempts that are open, refused, dead, or settled lately', async () => {
    const past = { ...fate('settled', 'p1', { height: 3 }), payment: unnamed.payment }
    const { book, before, journal } = await compacted([
      ...[attempt('t1'), fate('accepted', 't1')],
      ...[attempt('t2'), fate('refused', 't2'), attempt('t3'), fate('dead', 't3')],
      ...[
        { ...attempt('t4'), isNamed: true, isBuiltElsewhere: true } as const,
        fate('settled', 't4', { height: 9, minedAs: 't9' }),
      ],
      ...[attempt('p1', unnamed), past, attempt('p2', unnamed)],
      ...waste(64),
    ])
    expect(withoutLast(book.payments())).toEqual(withoutLast(before))
    const reread = bookOf({ ...journal })
    await reread.catchUp()
    expect(reread.payments()).toEqual(book.payments())
    expect(reread.digits).toBe(book.digits)
    expect(reread.next).toBe(book.next)
  })

  test.each(['open', 'dead'] as const)(
    'keeps a payment without an id settled, if a later attempt at it is %s',
    async (kind) => {
      const of = (txid: string, what: 'settled' | 'dead', more: object = {}) => {
        return { ...fate(what, txid, more), payment: unnamed.payment }
      }
      const past = [attempt('p1', unnamed), of('p1', 'settled', { height: 3 })]
      const both = [attempt('x', unnamed), attempt('y', unnamed)]
      const fates = [of('x', 'settled', { height: 9 }), ...(kind === 'dead' ? [of('y', kind)] : [])]
      const { book, before } = await compacted([...past, ...both, ...fates, ...waste(64)])
      expect(withoutLast(book.payments())).toEqual(withoutLast(before))
      expect([...book.unsettled()]).toEqual([])
    },
  )

  test('keeps a handed-over attempt as such', async () => {
    const handedOver: AttemptRecord = { ...attempt('t1'), kind: 'handed-over' }
    const { book, texts } = await compacted([handedOver, ...waste(64)], 40)
    expect(texts.map((text) => JSON.parse(text))).toEqual([handedOver])
    expect(book.payment('id a')!.attempts).toMatchObject([{ isOpen: true, isHandedOver: true }])
  })

  test.each([
    [['sending'], { isOpen: true, firstSent: 'unknown' }],
    [['sending', 'refused'], { isOpen: true, isHandedOver: true, firstSent: 'refused' }],
  ] as const)('keeps the first broadcast of a handed-over attempt: %j', async (kinds, expected) => {
    const records = [
      { ...attempt('t1'), kind: 'handed-over' as const },
      ...kinds.map((kind) => fate(kind, 't1')),
    ]
    const { book, before, texts } = await compacted([...records, ...waste(64)], 40)
    expect(texts.map((text) => JSON.parse(text).kind)).toEqual(['handed-over', ...kinds])
    expect(book.payment('id a')!.attempts).toMatchObject([expected])
    expect(withoutLast(book.payments())).toEqual(withoutLast(before))
  })

  test('keeps of an old settled payment its id and its txid, and nothing without an id', async () => {
    const settled = { ...fate('settled', 'p1', { height: 3 }), payment: unnamed.payment }
    const records = [
      attempt('t1'),
      fate('settled', 't1', { height: 3 }),
      attempt('p1', unnamed),
      settled,
    ]
    const all = [...records, ...later(), ...later(undefined, 'c1'), ...waste(64)]
    expect((await compacted(all, 30)).texts).toHaveLength(4)
    const { texts, book } = await compacted(all, 30 + 1 / day)
    const { id, chain, payment, terms } = named
    const tombstone = { kind: 'tombstone', payment, terms, txid: 't1', at: at(0), id, chain }
    const dropped = { kind: 'forgotten', payment: '', at: at(30 + 1 / day), height: 3 }
    expect(texts.map((text) => JSON.parse(text))).toEqual([tombstone, dropped])
    expect(book.payment('id a')).toEqual({
      ...{ name: payment, terms, id, chain, past: [], last: 1 },
      attempts: [
        {
          ...{ txid: 't1', hex: '', at: at(0), chain, isNamed: false },
          ...{ isOpen: true, isAccepted: true, fate: 'settled' },
        },
      ],
    })
  })

  test.each([
    ['the first', undefined, 'c1'],
    ['the second', 'c1', undefined],
  ])('keeps the chain of an id if %s of two servers named none', async (_, one, other) => {
    const on = (txid: string, chain: string | undefined): AttemptRecord => {
      const { chain: _chain, ...about } = named
      return { ...attempt(txid, about), id: 'a', ...(chain !== undefined && { chain }) }
    }
    const records = [on('t1', one), on('t2', other), fate('settled', 't1', { height: 3 })]
    const all = [...records, ...later(undefined, one), ...waste(64)]
    const { book } = await compacted(all, 40)
    expect(book.payment('id a')?.chain).toBe('c1')
  })

  test('keeps the chain of each payment without an id', async () => {
    const on = (txid: string, chain: string, height: number): JournalRecord[] => [
      { ...attempt(txid, unnamed), chain },
      { ...fate('settled', txid, { height }), payment: unnamed.payment },
    ]
    const records = [...on('p1', 'c1', 900), ...on('p2', 'c2', 3), attempt('t1')]
    const kept = await compacted([...records, ...waste(64)])
    expect(withoutLast(kept.book.payments())).toEqual(withoutLast(kept.before))
    const lately = [...later(900 + weekOfBlocks, 'c1'), ...later(3 + weekOfBlocks, 'c2')]
    const { book } = await compacted([...records, ...lately, ...waste(64)], 40)
    expect([book.forgottenTo('c1'), book.forgottenTo('c2')]).toEqual([900, 3])
  })

  test('keeps the bytes of what was settled without a height, however old it is', async () => {
    const settled = { ...fate('settled', 'p1'), payment: unnamed.payment }
    const records = [attempt('t1'), fate('settled', 't1'), attempt('p1', unnamed), settled]
    const all = [...records, ...later(), ...later(undefined, 'c1'), ...waste(64)]
    const { book, before } = await compacted(all, 400)
    expect(withoutLast(book.payments())).toEqual(withoutLast(before))
    expect(book.payment('id a')!.attempts).toMatchObject([{ hex: 't1t1', fate: 'settled' }])
  })

  test('keeps what is less than 10,080 blocks below the last payment, however old it is by the clock', async () => {
    const other = { ...fate('settled', 'p1', { height: 3 }), payment: unnamed.payment }
    const records = [
      ...[attempt('t1'), fate('settled', 't1', { height: 3 })],
      ...[attempt('p1', unnamed), other],
      ...later(2 + weekOfBlocks),
      ...later(2 + weekOfBlocks, 'c1'),
      // Another chain may be longer.
      ...later(90_000, 'c2'),
    ]
    const { book, before } = await compacted([...records, ...waste(64)], 40)
    expect(withoutLast(book.payments())).toEqual(withoutLast(before))
    expect([book.forgottenTo('c1'), book.forgottenTo(undefined)]).toEqual([0, 0])
  })

  test('keeps a tombstone for ever, and drops what is past and old', async () => {
    const tombstone = {
      kind: 'tombstone',
      payment: 'id b',
      terms: 't',
      id: 'b',
      txid: 'x',
      at: at(39),
    } as const
    const settled = { ...fate('settled', 'p1', { height: 3 }), payment: unnamed.payment }
    const records = [tombstone, attempt('p1', unnamed), settled, attempt('p2', unnamed, 40)]
    const { texts } = await compacted([...records, ...later(), ...waste(64)], 40)
    expect(texts.flatMap((text) => JSON.parse(text).txid ?? [])).toEqual(['x', 'p2'])
    expect(JSON.parse(texts[0]!)).toEqual(tombstone)
  })

  test('keeps what a caller named, because an option may name it for ever', async () => {
    const claim = { ...attempt('p0', unnamed), isNamed: true } as const
    const records = Array.from({ length: 20 }, (_, index): JournalRecord[] => [
      index === 0 ? claim : attempt(`p${index}`, unnamed),
      { ...fate('settled', `p${index}`, { height: 3 }), payment: unnamed.payment },
    ]).flat()
    const full = await bookWith(...records)
    expect(full.book.paymentsOf('p0')).toHaveLength(1)
    expect(full.book.payments()[0]!.past).toHaveLength(17)
    const { book, texts } = await compacted([...records, ...later(), ...waste(64)], 40)
    expect(withoutLater(texts).flatMap((text) => JSON.parse(text).txid ?? [])).toEqual(['p0', 'p0'])
    expect(book.paymentsOf('p0')).toMatchObject([{ attempts: [{ txid: 'p0', fate: 'settled' }] }])
  })

  test('keeps the txid of a copy that was mined', async () => {
    const records = [
      attempt('t1'),
      fate('settled', 't1', { height: 3, minedAs: 't9' }),
      ...later(undefined, 'c1'),
      ...waste(64),
    ]
    const { texts } = await compacted(records, 31)
    expect(JSON.parse(texts[0]!)).toMatchObject({ kind: 'tombstone', txid: 't9' })
  })
})
