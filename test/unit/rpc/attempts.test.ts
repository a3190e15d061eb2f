// These tests hold the decisions of a journal about what may be sent beside what was sent before. A
// wrong one pays twice, or counts a payment as made that was not.

import { describe, expect, test, vi } from 'vitest'

import { bookOf } from '../../../src/journal/book.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { attemptDigitsMax, attemptsMax, attemptsOf } from '../../../src/rpc/safe-flow/attempts.ts'
import { isCallbackRunning, runCallback } from '../../../src/rpc/safe-flow/turns.ts'

interface Named {
  readonly terms?: string
  readonly id?: string
  readonly chain?: string
  readonly repeatMs?: number
  readonly equalMs?: number
}

/** Attempts whose transactions are texts: an id, and what it spends. */
function attemptsIn(
  journal: Journal,
  { terms = 'same', id, chain, repeatMs, equalMs }: Named = {},
  read = (hex: string) => (hex === 'unreadable' ? undefined : spending(hex)),
) {
  const name = id === undefined ? `terms ${terms}` : `id ${id}`
  const payment = { name, terms, request: `{"${terms}":1}`, id, chain, repeatMs, equalMs }
  return attemptsOf(bookOf(journal), payment, read)
}

function spending(hex: string) {
  const [txid = '', ...outpoints] = hex.split(' ')
  return { hex, txid, outpoints: new Set(outpoints) }
}

const recordsOf = async (journal: Journal) =>
  (await journal.read(0)).map((text) => JSON.parse(text))

test.each<[string, Named, string[]]>([
  ['another id', { id: 'b' }, ['refused', 'first']],
  ['its own id', { id: 'a' }, []],
  ['no id, which holds it already', {}, []],
  ['other terms', { id: 'b', terms: 'others' }, []],
])('unsettled attempts of other ids are found by a payment with %s', async (_, named, found) => {
  const journal = memoryJournal()
  const attempts = attemptsIn(journal, { id: 'a' })
  await attempts.remember(spending('refused x z'))
  await attempts.note('refused', 'refused')
  await attempts.remember(spending('first x'))
  const other = attemptsIn(journal, named)
  const txidsOf = (hex: string) =>
    other.ofOtherIds(spending(hex)).map(({ attempt: { txid } }) => txid)
  expect(txidsOf('other y')).toEqual(found)
  // Only one of two that spend the same output can be mined.
  expect(txidsOf('other z')).toEqual(found.filter((txid) => txid !== 'refused'))
  expect(txidsOf('other x')).toEqual([])
  await attempts.note('settled', 'first', { height: 5 })
  expect(txidsOf('other y')).toEqual([])
})

describe('an equal payment that was made', () => {
  const equalMs = 600_000
  const other = spending('other y')

  async function made(named: Named = {}) {
    const journal = memoryJournal()
    const attempts = attemptsIn(journal, named)
    await attempts.remember(spending('first x'))
    await attempts.note('settled', 'first', { height: 5 })
    return journal
  }

  test.each<[string, Named, Named]>([
    ['without an id', {}, { id: 'b' }],
    ['with an id', { id: 'a' }, {}],
    ['on a chain that no server has named', { chain: 'one' }, { id: 'b' }],
    ['on the same chain', { chain: 'one' }, { id: 'b', chain: 'one' }],
  ])('holds for its time: %s', async (_, first, second) => {
    const journal = await made(first)
    const attempts = attemptsIn(journal, { ...second, equalMs })
    expect(attempts.madeRecently().map(({ txid }) => txid)).toEqual(['first'])
    expect(await attempts.remember(other)).toBe('different-inputs')
    expect(await attempts.remember(spending('both x y'))).toBe('recorded')
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + equalMs)
    expect(attempts.madeRecently()).toEqual([])
    clock.mockRestore()
  })

  test.each<[string, Named, Named]>([
    ['under another id', { id: 'a' }, { id: 'b', equalMs }],
    ['on another chain', { chain: 'one' }, { id: 'b', chain: 'two', equalMs }],
    ['with other terms', { terms: 'others' }, { id: 'b', equalMs }],
    ['where nothing is kept', {}, { id: 'b' }],
  ])('holds nothing %s', async (_, first, second) => {
    const attempts = attemptsIn(await made(first), second)
    expect(attempts.madeRecently()).toEqual([])
    expect(await attempts.remember(other)).toBe('recorded')
  })

  test.each([
    ['holds by a clock that was 14 hours ahead', 14 * 3_600_000, 'different-inputs'],
    ['holds nothing by a clock that was a year ahead', 365 * 24 * 3_600_000, 'recorded'],
  ])('%s', async (_, ahead, end) => {
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now() + ahead)
    const journal = await made()
    clock.mockRestore()
    expect(await attemptsIn(journal, { id: 'b', equalMs }).remember(other)).toBe(end)
  })

  test('is found without a look at all payments', async () => {
    const journal = await made()
    const all = vi.spyOn(bookOf(journal), 'payments')
    const attempts = attemptsIn(journal, { id: 'b', equalMs })
    expect(attempts.obstacle(other)).toBe('different-inputs')
    expect(all).not.toHaveBeenCalled()
  })

  test('holds behind a later one of its name', async () => {
    const journal = await made()
    const again = attemptsIn(journal)
    await again.remember(spending('second z'))
    await again.note('dead', 'second')
    expect(attemptsIn(journal, { id: 'b', equalMs }).obstacle(other)).toBe('different-inputs')
  })

  test('holds on its chain behind a later one of its name on another chain', async () => {
    const journal = await made({ chain: 'one' })
    await attemptsIn(journal, { chain: 'two' }).remember(spending('second z'))
    const attempts = attemptsIn(journal, { id: 'b', chain: 'one', equalMs })
    expect(attempts.madeRecently().map(({ txid }) => txid)).toEqual(['first'])
  })
})

describe('the transaction of another payment, which a daemon may sign again', () => {
  const mined = 'mined x'
  const again = spending(mined)

  /** Returns the obstacle for a payment, once another payment has an attempt of the transaction. */
  async function obstacleFor(
    own: Named,
    other: Named,
    fate: 'open' | 'refused' | 'dead' | 'settled',
  ) {
    const journal = memoryJournal()
    const before = attemptsIn(journal, other)
    await before.remember(again)
    if (fate !== 'open') await before.note(fate, 'mined')
    return attemptsIn(journal, own).obstacle(again)
  }

  test.each(['open', 'refused', 'dead', 'settled'] as const)(
    'is held for another id, if the first attempt is %s',
    async (fate) => {
      expect(await obstacleFor({ id: 'b' }, { id: 'a' }, fate)).toBe('reserved-inputs')
    },
  )

  test.each([
    ['with an id now', { id: 'b' }, {}],
    ['without its id now', {}, { id: 'a' }],
    ['without an id', {}, {}],
  ])('is held if that payment was made: %s', async (_, own, other) => {
    expect(await obstacleFor(own, other, 'settled')).toBe('reserved-inputs')
  })

  test.each([
    ['with an id now', { id: 'b' }, {}],
    ['without its id now', {}, { id: 'a' }],
    ['without an id', {}, {}],
    ['with the same id', { id: 'a' }, { id: 'a' }],
  ])('is the same payment while no block has it: %s', async (_, own, other) => {
    expect(await obstacleFor(own, other, 'open')).toBeUndefined()
  })

  test.each([
    ['with an id now', { id: 'b' }, {}],
    ['without its id now', {}, { id: 'a' }],
  ])('can be sent if the attempt can never be mined: %s', async (_, own, other) => {
    expect(await obstacleFor(own, other, 'dead')).toBeUndefined()
  })

  test('can be sent again with the same id, if it seemed that it can never be mined', async () => {
    expect(await obstacleFor({ id: 'a' }, { id: 'a' }, 'dead')).toBeUndefined()
  })

  test('is held beside an attempt of its own payment that shares its input', async () => {
    const journal = memoryJournal()
    await attemptsIn(journal, { id: 'a' }).remember(again)
    const attempts = attemptsIn(journal, { id: 'b' })
    await attempts.remember(spending('own y'))
    await attempts.remember(spending('own x'), { isNamed: true, differentInputs: true })
    expect(attempts.obstacle(spending('mined x y'))).toBe('reserved-inputs')
  })

  test('is held beside any attempt of its own payment, once it was mined', async () => {
    const journal = memoryJournal()
    const before = attemptsIn(journal, { id: 'a' })
    await before.remember(again)
    await before.note('settled', 'mined')
    const attempts = attemptsIn(journal, { id: 'b' })
    await attempts.remember(spending('own x'))
    expect(attempts.obstacle(again)).toBe('reserved-inputs')
  })

  test('is no other one because an earlier one of the same payment was made', async () => {
    const attempts = attemptsIn(memoryJournal())
    await attempts.remember(spending('first x'))
    await attempts.note('settled', 'first')
    await attempts.remember(spending('second y'))
    await attempts.note('dead', 'second')
    expect(attempts.obstacle(spending('second y'))).toBeUndefined()
  })

  test('is held under the txid of the copy that was mined', async () => {
    const journal = memoryJournal()
    const before = attemptsIn(journal, { id: 'a' })
    await before.remember(again)
    await before.note('settled', 'mined', { minedAs: 'copy' })
    for (const named of [{}, { id: 'b' }]) {
      expect(attemptsIn(journal, named).obstacle(spending('copy x'))).toBe('reserved-inputs')
      expect(attemptsIn(journal, named).obstacle(spending('another y'))).toBeUndefined()
    }
  })

  test('is held by a book that was read anew, also where later payments followed it', async () => {
    const journal = memoryJournal()
    const attempts = attemptsIn(journal)
    for (const hex of [mined, 'second y', 'third z']) {
      await attempts.remember(spending(hex))
      await attempts.note('settled', spending(hex).txid)
    }
    const anew = memoryJournal()
    for (const [at, text] of (await journal.read(0)).entries()) await anew.append(at + 1, text)
    await bookOf(anew).catchUp()
    for (const hex of [mined, 'second y', 'third z']) {
      expect(attemptsIn(anew).obstacle(spending(hex))).toBe('reserved-inputs')
      expect(attemptsIn(anew, { id: 'b' }).obstacle(spending(hex))).toBe('reserved-inputs')
    }
    expect(attemptsIn(anew).obstacle(spending('fourth x'))).toBeUndefined()
  })

  test('is held where the memory of a client has forgotten the payment', async () => {
    const journal = memoryJournal()
    const attempts = attemptsIn(journal)
    await attempts.remember(again)
    await attempts.note('refused', 'mined')
    expect(attempts.obstacle(again)).toBeUndefined()
    await attempts.note('settled', 'mined')
    await attempts.forget()
    expect(bookOf(journal).payments()).toEqual([])
    expect(attempts.obstacle(again)).toBe('reserved-inputs')
    expect(await attempts.remember(again)).toBe('reserved-inputs')
  })

  test('can be sent again for its own payment, once it has left the chain', async () => {
    const attempts = attemptsIn(memoryJournal(), { id: 'a' })
    await attempts.remember(again)
    await attempts.note('settled', 'mined')
    expect(attempts.settled()).toMatchObject({ txid: 'mined', fate: 'settled' })
    await attempts.note('reopened', 'mined')
    expect(attempts.settled()).toBeUndefined()
    expect(attempts.obstacle(again)).toBeUndefined()
    expect(await attempts.remember(again)).toBe('recorded')
  })
})

describe('an attempt at the same payment under another name', () => {
  test.each([
    [{ id: 'b' }, {}],
    [{}, { id: 'a' }],
  ])('has to share an input, for %j beside %j', async (own, other) => {
    const journal = memoryJournal()
    await attemptsIn(journal, other).remember(spending('first x'))
    const attempts = attemptsIn(journal, own)
    expect(attempts.obstacle(spending('second y'))).toBe('different-inputs')
    expect(attempts.obstacle(spending('second x y'))).toBeUndefined()
  })

  test('need not share one with another id, which is another payment', async () => {
    const journal = memoryJournal()
    await attemptsIn(journal, { id: 'a' }).remember(spending('first x'))
    expect(attemptsIn(journal, { id: 'b' }).obstacle(spending('second y'))).toBeUndefined()
  })

  test.each(['dead', 'settled'] as const)('does not count once it is %s', async (fate) => {
    const journal = memoryJournal()
    const other = attemptsIn(journal, { id: 'a' })
    await other.remember(spending('first x'))
    await other.remember(spending('further x'))
    await other.note(fate, 'first')
    // One that was mined leaves nothing open of its payment; one that is dead leaves the other.
    const expected = fate === 'dead' ? 'different-inputs' : undefined
    expect(attemptsIn(journal).obstacle(spending('second y'))).toBe(expected)
    await other.note('dead', 'further')
    expect(attemptsIn(journal).obstacle(spending('second y'))).toBeUndefined()
  })

  test('does not count once it is dead, though another one is open', async () => {
    const journal = memoryJournal()
    const other = attemptsIn(journal, { id: 'a' })
    await other.remember(spending('first x'))
    await other.remember(spending('further x y'))
    await other.note('dead', 'first')
    expect(attemptsIn(journal).obstacle(spending('second y'))).toBeUndefined()
  })

  test('counts although the bytes in the journal cannot be read', async () => {
    const journal = memoryJournal()
    const odd = { kind: 'attempt', payment: 'id a', id: 'a', terms: 'same', request: '{}' }
    await journal.append(
      1,
      JSON.stringify({ ...odd, txid: 'odd', hex: 'unreadable', at: '2026-11-01T00:00:00.000Z' }),
    )
    await bookOf(journal).catchUp()
    expect(attemptsIn(journal).obstacle(spending('second y'))).toBe('different-inputs')
  })
})

describe('an input of another payment', () => {
  test.each([
    ['another id', { id: 'b' }, { id: 'a' }, 'reserved-inputs'],
    ['other terms', {}, { terms: 'other' }, 'reserved-inputs'],
    ['no id, which may be the same payment', { id: 'b' }, {}, undefined],
  ])('is reserved if that has %s', async (_, own, other, expected) => {
    const journal = memoryJournal()
    await attemptsIn(journal, other).remember(spending('first x'))
    expect(attemptsIn(journal, own).obstacle(spending('second x y'))).toBe(expected)
  })

  test.each([
    ['sent', [], 'reserved-inputs'],
    ['accepted', ['accepted'], 'reserved-inputs'],
    ['refused', ['refused'], undefined],
    ['dead', ['dead'], undefined],
    ['settled', ['settled'], undefined],
  ] as const)('is reserved or free, if its attempt was %s', async (_, fates, expected) => {
    const journal = memoryJournal()
    const other = attemptsIn(journal, { terms: 'other' })
    await other.remember(spending('first x'))
    for (const fate of fates) await other.note(fate, 'first')
    expect(attemptsIn(journal).obstacle(spending('second x y'))).toBe(expected)
    expect(attemptsIn(journal).obstacle(spending('second y'))).toBeUndefined()
  })

  test('is free once its attempt is dead, though another one is open', async () => {
    const journal = memoryJournal()
    const other = attemptsIn(journal, { terms: 'other' })
    await other.remember(spending('first x y'))
    await other.remember(spending('second y'))
    await other.note('dead', 'first')
    expect(attemptsIn(journal).obstacle(spending('third x'))).toBeUndefined()
    expect(attemptsIn(journal).obstacle(spending('third y'))).toBe('reserved-inputs')
  })

  test('is free once another attempt of that payment was mined', async () => {
    const journal = memoryJournal()
    const other = attemptsIn(journal, { terms: 'other', id: 'a' })
    await other.remember(spending('first x y'))
    await other.remember(spending('second y z'))
    await other.note('settled', 'first')
    expect(attemptsIn(journal).obstacle(spending('third z'))).toBeUndefined()
  })
})

test('a payment has no unsettled attempt once one of them was mined', async () => {
  const attempts = attemptsIn(memoryJournal(), { id: 'a' })
  await attempts.remember(spending('first x'))
  await attempts.remember(spending('second x'))
  expect(attempts.unsettled().map(({ txid }) => txid)).toEqual(['second', 'first'])
  await attempts.note('settled', 'first')
  expect(attempts.unsettled()).toEqual([])
  expect(attempts.possiblyBroadcast()).toEqual([])
})

test('an attempt that is dead is not unsettled, and other inputs may follow it', async () => {
  const attempts = attemptsIn(memoryJournal(), { id: 'a' })
  await attempts.remember(spending('first x'))
  await attempts.note('dead', 'first')
  expect(attempts.unsettled()).toEqual([])
  expect(attempts.obstacle(spending('second y'))).toBeUndefined()
})

test('the transaction of an attempt is read once, however many payments come after it', async () => {
  const journal = memoryJournal()
  await attemptsIn(journal, { terms: 'other' }).remember(spending('first x'))
  const read = vi.fn(spending)
  for (const terms of ['second', 'third']) {
    attemptsIn(journal, { terms }, read).obstacle(spending('further y'))
  }
  expect(read.mock.calls).toEqual([['first x']])
})

describe('a recorded attempt could be mined beside another one', () => {
  const [one, two, both] = [spending('one x'), spending('two y'), spending('both x y')]
  const named = { isNamed: true } as const
  const recordedIn = (journal: Journal, txid: string) =>
    bookOf(journal)
      .paymentsOf(txid)[0]!
      .attempts.find((it) => it.txid === txid)!

  test('if the caller names both, the later one alone, unless they share an input', async () => {
    const journal = memoryJournal()
    const attempts = attemptsIn(journal)
    for (const attempt of [one, two]) await attempts.remember(attempt, named)
    const isBeside = ({ txid }: { txid: string }) => attempts.isBeside(recordedIn(journal, txid))
    expect([one, two].map(isBeside)).toEqual([false, true])
    const shared = memoryJournal()
    const conflicting = attemptsIn(shared)
    for (const attempt of [one, both]) await conflicting.remember(attempt, named)
    expect(conflicting.isBeside(recordedIn(shared, 'both'))).toBe(false)
  })

  test.each([
    ['before it', true],
    ['after it', false],
  ])('if the caller names it, and an equal payment was recorded %s', async (_, isBefore) => {
    const journal = memoryJournal()
    const [own, equal] = [attemptsIn(journal), attemptsIn(journal, { id: 'b' })]
    const start = Date.now()
    const clock = vi.spyOn(Date, 'now').mockReturnValue(start)
    if (isBefore) await equal.remember(two, named)
    else await own.remember(one, named)
    clock.mockReturnValue(start + 1)
    if (isBefore) await own.remember(one, named)
    else await equal.remember(two, named)
    clock.mockRestore()
    expect(own.isBeside(recordedIn(journal, 'one'))).toBe(isBefore)
  })

  test.each<[string, readonly ('accepted' | 'refused')[], boolean]>([
    ['an open one beside a claim', [], false],
    ['an open one beside a claim that a server has shown', ['accepted'], true],
    ['a refused one beside a claim', ['refused'], true],
  ])('if the caller names one of them: %s', async (_, facts, isBeside) => {
    const journal = memoryJournal()
    const attempts = attemptsIn(journal)
    await attempts.remember(one)
    await attempts.remember(two, named)
    for (const fact of facts) await attempts.note(fact, fact === 'accepted' ? 'two' : 'one')
    expect(attempts.isBeside(recordedIn(journal, 'one'))).toBe(isBeside)
  })
})

describe('a record', () => {
  test('has the time for which a request without an id is the same payment', async () => {
    const journal = memoryJournal()
    await attemptsIn(journal, { repeatMs: 5 }).remember(spending('first x'))
    expect(await recordsOf(journal)).toMatchObject([{ kind: 'attempt', repeatMs: 5 }])
  })

  test.each([
    [0, 'recorded'],
    [1, 'too-many-attempts'],
  ])('is made while all attempts have no more digits than are kept: %i more', async (more, end) => {
    const journal = memoryJournal()
    const attempt = spending('first x')
    const digits = attemptDigitsMax - attempt.hex.length + more
    vi.spyOn(bookOf(journal), 'digits', 'get').mockReturnValue(digits)
    expect(await attemptsIn(journal).remember(attempt)).toBe(end)
  })

  test('has the request, the id and the chain, and what was said of the attempt', async () => {
    const journal = memoryJournal()
    const attempts = attemptsIn(journal, { id: 'a', chain: 'c0' })
    await attempts.remember(spending('first x'))
    const origin = { isNamed: true, isBuiltElsewhere: true }
    await attemptsIn(journal).remember(spending('named x'), origin)
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    const both = { kind: 'attempt', terms: 'same', request: '{"same":1}', at }
    expect(await recordsOf(journal)).toEqual([
      { ...both, payment: 'id a', id: 'a', chain: 'c0', txid: 'first', hex: 'first x' },
      { ...both, payment: 'terms same', ...origin, txid: 'named', hex: 'named x' },
    ])
  })

  test('is made once for what may be sent, and again after a refusal', async () => {
    const journal = memoryJournal()
    const attempts = attemptsIn(journal)
    await attempts.remember(spending('first x'))
    expect(await attempts.remember(spending('first x'))).toBe('recorded')
    expect(await recordsOf(journal)).toHaveLength(1)
    await attempts.note('refused', 'first')
    expect(attempts.possiblyBroadcast()).toEqual([])
    expect(await attempts.remember(spending('first x'))).toBe('recorded')
    expect((await recordsOf(journal)).map(({ kind }) => kind)).toEqual([
      'attempt',
      'refused',
      'sending',
    ])
    expect(attempts.possiblyBroadcast()).toEqual([{ txid: 'first', hex: 'first x' }])
  })

  test('is made of what the caller names, and of other inputs that the user allows', async () => {
    const attempts = attemptsIn(memoryJournal())
    await attempts.remember(spending('first x'))
    expect(await attempts.remember(spending('second y'))).toBe('different-inputs')
    expect(await attempts.remember(spending('second y'), { differentInputs: true })).toBe(
      'recorded',
    )
    expect(await attempts.remember(spending('third z'), { isNamed: true })).toBe('recorded')
  })

  test('is made of an attempt that was refused, whatever was sent since', async () => {
    const attempts = attemptsIn(memoryJournal())
    await attempts.remember(spending('first x'))
    await attempts.note('refused', 'first')
    await attempts.remember(spending('second y'), { differentInputs: true })
    expect(await attempts.remember(spending('first x'))).toBe('recorded')
  })

  test('is not made of what is reserved, though the user allows other inputs', async () => {
    const journal = memoryJournal()
    await attemptsIn(journal, { terms: 'other' }).remember(spending('first x'))
    const allowed = { differentInputs: true }
    expect(await attemptsIn(journal).remember(spending('second x'), allowed)).toBe(
      'reserved-inputs',
    )
  })

  test.each<[string, Named, Named, 'open' | 'settled', string]>([
    ['spends a coin of an open payment', { id: 'b' }, { terms: 'other' }, 'open', 'second x y'],
    ['is the transaction of another id', { id: 'b' }, { id: 'c' }, 'open', 'other x'],
    ['is the transaction of a payment that was made', {}, { id: 'c' }, 'settled', 'other x'],
  ])('is not made beside an equal payment, if it %s', async (_, own, other, fate, hex) => {
    const journal = memoryJournal()
    await attemptsIn(journal, own.id === undefined ? { id: 'a' } : {}).remember(spending('equal z'))
    const before = attemptsIn(journal, other)
    const allowed = { differentInputs: true }
    await before.remember(spending('other x'), allowed)
    if (fate === 'settled') await before.note('settled', 'other')
    const attempts = attemptsIn(journal, own)
    expect(attempts.obstacle(spending(hex))).toBe('different-inputs')
    expect(attempts.obstacle(spending(hex), allowed)).toBe('reserved-inputs')
    expect(await attempts.remember(spending(hex), allowed)).toBe('reserved-inputs')
    expect(await attempts.remember(spending('free f'), allowed)).toBe('recorded')
  })

  test('of a refused attempt is made again, though there are as many as are kept', async () => {
    const attempts = attemptsIn(memoryJournal())
    for (let at = 0; at < attemptsMax; at += 1) await attempts.remember(spending(`tx${at} x`))
    await attempts.note('refused', 'tx0')
    expect(await attempts.remember(spending('tx0 x'))).toBe('recorded')
    expect(await attempts.remember(spending('more x'))).toBe('too-many-attempts')
  })

  /** A journal to which another process adds a record first, once. */
  function sharedWith(record: object): Journal {
    const journal = memoryJournal()
    let isOver = false
    return {
      ...journal,
      async append(position, text) {
        if (isOver) return journal.append(position, text)
        isOver = true
        await journal.append(position, JSON.stringify(record))
        return false
      },
    }
  }
  const foreign = { kind: 'attempt', request: '{}', txid: 'theirs', at: '2026-11-01T00:00:00.000Z' }

  test('is decided anew if another process has recorded something for the payment', async () => {
    const theirs = { ...foreign, payment: 'terms same', terms: 'same', hex: 'theirs y' }
    const attempts = attemptsIn(sharedWith(theirs))
    expect(await attempts.remember(spending('ours x'))).toBe('changed')
    expect(attempts.unsettled().map(({ txid }) => txid)).toEqual(['theirs'])
  })

  test.each([true, false])(
    'is decided anew if its id belongs to another request meanwhile (isNamed: %s)',
    async (isNamed) => {
      const journal = memoryJournal()
      await attemptsIn(journal, { id: 'a', terms: 'theirs' }).remember(spending('theirs x'))
      const records = await journal.read(0)
      const attempts = attemptsIn(journal, { id: 'a', terms: 'ours' })
      expect(await attempts.remember(spending('ours x'), { isNamed })).toBe('changed')
      expect(await journal.read(0)).toEqual(records)
    },
  )

  test.each([
    ['other inputs', 'theirs y', 'recorded'],
    ['the same input', 'theirs x', 'reserved-inputs'],
  ])('comes after one of another payment with %s', async (_, hex, expected) => {
    const theirs = { ...foreign, payment: 'terms other', terms: 'other', hex }
    expect(await attemptsIn(sharedWith(theirs)).remember(spending('ours x'))).toBe(expected)
  })
})

test('a callback is known to run for its own payment only, until it ends or fails', async () => {
  const [journal, other] = [memoryJournal(), memoryJournal()]
  expect(isCallbackRunning(journal, 'a')).toBe(false)
  const result = await runCallback(journal, 'a', () => {
    const names = [
      isCallbackRunning(journal, 'a'),
      isCallbackRunning(journal, 'b'),
      isCallbackRunning(other, 'a'),
    ]
    return names
  })
  expect(result).toEqual([true, false, false])
  expect(isCallbackRunning(journal, 'a')).toBe(false)
  const fail = () => {
    throw new Error('no')
  }
  expect(await runCallback(journal, 'a', fail).catch((error: Error) => error.message)).toBe('no')
  expect(isCallbackRunning(journal, 'a')).toBe(false)
})

test.each([[], ['settled'] as const])(
  'attempts of other chains are found beside payments of this one (%j)',
  async (...facts) => {
    const journal = memoryJournal()
    const equal = attemptsIn(journal, { chain: 'one', id: 'a' })
    await equal.remember(spending('first x'))
    for (const fact of facts) await equal.note(fact, 'first', { height: 5 })
    await attemptsIn(journal, { chain: 'two', terms: 'others' }).remember(spending('second z'))
    const attempts = attemptsIn(journal, { chain: 'two', equalMs: 600_000 })
    expect(new Set(attempts.ofOtherChains().map(({ txid }) => txid))).toEqual(new Set(['first']))
  },
)

test.each<[string, readonly ('accepted' | 'settled')[], boolean]>([
  ['of unknown outcome counts on every chain', [], true],
  ['that a server accepted counts on its chain alone', ['accepted'], false],
  ['that a block has counts on its chain alone', ['accepted', 'settled'], false],
])('an equal attempt %s', async (_, facts, isHeld) => {
  const journal = memoryJournal()
  const first = attemptsIn(journal, { chain: 'one', id: 'a' })
  await first.remember(spending('first x'))
  for (const fact of facts) await first.note(fact, 'first')
  const attempts = attemptsIn(journal, { chain: 'two', equalMs: 600_000 })
  const end = isHeld ? 'different-inputs' : undefined
  expect(attempts.obstacle(spending('other y'))).toBe(end)
})

test('attempts of other chains are looked for among all payments only if there are other chains', async () => {
  const journal = memoryJournal()
  await attemptsIn(journal, { chain: 'one', id: 'a' }).remember(spending('first x'))
  const book = bookOf(journal)
  const recordedSince = vi.spyOn(book, 'recordedSince')
  const equal = { chain: 'one', equalMs: Number.POSITIVE_INFINITY }
  expect(attemptsIn(journal, equal).ofOtherChains()).toEqual([])
  // A resume asks for each payment, so the work would grow with the square of their number.
  expect(recordedSince).not.toHaveBeenCalled()
  const found = attemptsIn(journal, { ...equal, chain: 'two' }).ofOtherChains()
  expect(new Set(found.map(({ txid }) => txid))).toEqual(new Set(['first']))
})
