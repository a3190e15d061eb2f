// The conformance tests of journals: which right journals pass, and which of the tests notice what is
// wrong with another one. Authors of a journal rely on them.

import { describe, expect, test } from 'vitest'

import {
  type ConformanceTest,
  type JournalUnderTest,
  journalConformance,
} from '../../../src/journal/conformance.ts'
import { fileJournal } from '../../../src/journal/file.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { hasHalfCharacter } from '../../../src/primitives/utf8.ts'
import { SimulatedDisk } from '../../support/simulated-disk.ts'

const names = {
  empty: 'an empty journal has no texts',
  order: 'texts are read in the order in which they were appended',
  exact: 'every text is read as it was written',
  taken: 'a position that is taken, or leaves a gap, is refused',
  race: 'of many calls for one position, one succeeds',
  survive: 'texts survive closing and opening',
  second: 'a second user shares the journal, or is refused',
  replace: 'replace changes all texts at once, or none',
  types: 'arguments of the wrong type are a TypeError',
  closed: 'a closed journal refuses every call',
} as const
type Name = keyof typeof names

/** Returns the failures of all tests, each with a store of its own. */
async function failuresOf(subject: () => JournalUnderTest) {
  const failures = new Map<string, string>()
  for (const { name, run } of journalConformance) {
    await run(subject()).catch((error: Error) => failures.set(name, error.message))
  }
  return failures
}
const failedIn = (failures: ReadonlyMap<string, string>) =>
  (Object.keys(names) as Name[]).filter((it) => failures.has(names[it]))

type Change = (journal: Journal) => Partial<Journal>

/** A journal in a file that keeps its texts, and lets one user in at a time. */
function onDisk(change: Change = () => ({})): JournalUnderTest {
  const disk = new SimulatedDisk()
  const open = async () => {
    const journal = fileJournal('/journal', { disk: disk.process() })
    return { ...journal, ...change(journal) }
  }
  return { open, isShared: false }
}

/** A journal in memory that all of its users share, as those of a database do. */
function shared(change: Change = () => ({})): JournalUnderTest {
  const store = memoryJournal()
  const open = async () => {
    const own = memoryJournal()
    const journal: Journal = {
      async read(after) {
        await own.read(after)
        return store.read(after)
      },
      append: async (position, text) => {
        await own.read(0)
        return store.append(position, text)
      },
      close: () => own.close(),
    }
    return { ...journal, ...change(journal) }
  }
  return { open, isShared: true }
}

const inMemory =
  (change: Change = () => ({})) =>
  (): JournalUnderTest => {
    const journal = memoryJournal()
    return { open: async () => ({ ...journal, ...change(journal) }), isDurable: false }
  }

test('each conformance test has a name that says what it is about', () => {
  const given = journalConformance.map(({ name }: ConformanceTest) => name)
  expect(given).toEqual(Object.values(names))
})

test.each<[string, () => JournalUnderTest]>([
  ['in memory', inMemory()],
  ['in a file', onDisk],
  ['that several users share', shared],
  ['without replace', inMemory(() => ({ replace: undefined as never }))],
  ['in a file, without replace', () => onDisk(() => ({ replace: undefined as never }))],
])('a right journal passes: %s', async (_, subject) => {
  expect([...(await failuresOf(subject))]).toEqual([])
})

describe('a wrong journal is noticed by the tests about its fault:', () => {
  test.each<[string, () => JournalUnderTest, Name[]]>([
    [
      'one that is never empty',
      inMemory((journal) => ({
        read: async (after) => ['old', ...(await journal.read(0))].slice(after),
      })),
      ['empty', 'order', 'exact', 'taken', 'race', 'replace', 'types'],
    ],
    [
      'a read that ignores its start',
      inMemory((journal) => ({
        async read(after) {
          await journal.read(after)
          return journal.read(0)
        },
      })),
      ['order'],
    ],
    [
      'texts that are trimmed',
      inMemory((journal) => ({
        append: (position, text) =>
          journal.append(position, typeof text === 'string' ? text.trim() : text),
      })),
      ['exact'],
    ],
    [
      'an append that answers yes for a taken position',
      inMemory((journal) => ({
        append: async (position, text) => (await journal.append(position, text)) || position === 1,
      })),
      ['taken', 'race'],
    ],
    [
      'an append that ignores the position',
      inMemory((journal) => ({
        append: async (_, text) => journal.append((await journal.read(0)).length + 1, text),
      })),
      ['taken', 'replace', 'types'],
    ],
    [
      'an append that leaves gaps',
      inMemory((journal) => ({
        async append(position, text) {
          const { length } = await journal.read(0)
          return journal.append(position === length + 2 ? length + 1 : position, text)
        },
      })),
      ['taken', 'replace'],
    ],
    [
      'a race between two appends',
      inMemory((journal) => ({
        async append(position, text) {
          if (position !== (await journal.read(0)).length + 1) return journal.append(position, text)
          await journal.append((await journal.read(0)).length + 1, text)
          return true
        },
      })),
      ['race'],
    ],
    [
      'texts that are gone when it is opened again',
      () => ({ open: async () => memoryJournal() }),
      ['exact', 'survive', 'replace'],
    ],
    [
      'texts that another user does not see',
      () => ({ open: async () => memoryJournal(), isShared: true }),
      ['exact', 'survive', 'second', 'replace'],
    ],
    ['a second user who is let in', () => ({ ...shared(), isShared: false }), ['second']],
    [
      'a replace that ignores the count',
      inMemory((journal) => ({
        async replace(count, texts) {
          if (count === 2) return journal.replace!((await journal.read(0)).length, texts)
          return journal.replace!(count, texts)
        },
      })),
      ['replace'],
    ],
    [
      'a replace that does not last',
      () => {
        const { open } = onDisk()
        const openForgetful = async () => {
          const journal = await open()
          let texts: readonly string[] | undefined
          return {
            ...journal,
            replace: async (_: number, others: readonly string[]) => {
              if (others.length === 1) return false
              texts = [...others]
              return true
            },
            append: async (position: number, text: string) => {
              if (texts === undefined) return journal.append(position, text)
              if (position !== texts.length + 1) return false
              texts = [...texts, text]
              return true
            },
            read: async (after: number) => texts?.slice(after) ?? journal.read(after),
          }
        }
        return { open: openForgetful, isShared: false }
      },
      ['replace'],
    ],
    [
      'any position that is taken for a number',
      inMemory((journal) => ({
        append: (position, text) =>
          journal.append(Number.isSafeInteger(position) && position >= 0 ? position : 9, text),
        read: (after) => journal.read(Number.isSafeInteger(after) && after >= 0 ? after : 0),
      })),
      ['types'],
    ],
    [
      'any text that is taken for a text',
      inMemory((journal) => ({
        append: async (position, text) =>
          typeof text === 'string' && !hasHalfCharacter(text)
            ? journal.append(position, text)
            : false,
      })),
      ['types'],
    ],
    ['a close that does nothing', inMemory(() => ({ close: async () => undefined })), ['closed']],
  ])('%s', async (_, subject, expected) => {
    expect(failedIn(await failuresOf(subject))).toEqual(expected)
  })
})

describe('a failure', () => {
  const failureOf = async (name: Name, change: Change) =>
    (await failuresOf(inMemory(change))).get(names[name])

  test('shows what was expected and what came', async () => {
    expect(await failureOf('order', () => ({ append: async () => false }))).toBe(
      'append(1): expected true, got false',
    )
    expect(await failureOf('empty', () => ({ read: async () => undefined as never }))).toBe(
      'read(0): expected [], got undefined',
    )
    expect(await failureOf('closed', () => ({ close: async () => undefined }))).toBe(
      'error: expected "journal_closed", got "no error"',
    )
    const odd = { append: () => Promise.reject('odd') }
    expect(await failureOf('types', () => odd)).toBe('error: expected "TypeError", got "odd"')
  })

  test('is none where a journal of a page has an error of its own with the code', async () => {
    const own: Change = (journal) => {
      let isClosed = false
      const open = <Answer>(call: () => Promise<Answer>): Promise<Answer> =>
        isClosed
          ? Promise.reject(Object.assign(new Error('closed'), { code: 'journal_closed' }))
          : call()
      return {
        append: (position, text) => open(() => journal.append(position, text)),
        read: (after) => open(() => journal.read(after)),
        close: async () => {
          isClosed = true
        },
      }
    }
    expect(await failureOf('closed', own)).toBeUndefined()
  })

  test('shows up to 200 characters of each', async () => {
    const failureFor = (text: string) => failureOf('empty', () => ({ read: async () => [text] }))
    const [short, long] = [`["${'x'.repeat(196)}"]`, `["${'x'.repeat(197)}"]`]
    expect(await failureFor('x'.repeat(196))).toBe(`read(0): expected [], got ${short}`)
    expect(await failureFor('x'.repeat(197))).toBe(
      `read(0): expected [], got ${long.slice(0, 200)}…`,
    )
  })
})
