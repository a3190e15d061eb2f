// antara-tx/journal/conformance: tests for every journal, which need no test runner.

import type { Journal } from './journal.ts'

/** Access of the tests to a journal. All calls concern one store, which is empty at first. */
export interface JournalUnderTest {
  /** Opens the store. A store with one user at a time is closed before it is opened again. */
  open(): Promise<Journal>
  /** True if texts survive `close` and `open`; default true. */
  readonly isDurable?: boolean
  /**
   * Opens the store while it is open: `true` if several users share it, `false` if the second gets
   * `journal_locked`. Default: not tested.
   */
  readonly isShared?: boolean
}

export interface ConformanceTest {
  readonly name: string
  /** Runs the test; rejects with an error that names the expected and the actual result. */
  run(subject: JournalUnderTest): Promise<void>
}

/** Texts that a disk or a database easily damages. */
const difficultTexts = [
  '{"kind":"attempt"}',
  "'; DROP TABLE journal; --",
  'quotes " and \\ and \n and \r\n and \t',
  '\u0000 and \u0001',
  'ä € 😀 \u2028 \u202e',
  '﻿byte order mark',
  ' blanks at both ends ',
  'x'.repeat(1_000_000),
]

/**
 * Tests that every implementation of {@link Journal} must pass. Give each test a store of its own.
 *
 * @example
 * for (const { name, run } of journalConformance) {
 *   test(name, () => run({ open: async () => myJournal(freshTable()) }))
 * }
 */
export const journalConformance: readonly ConformanceTest[] = [
  {
    name: 'an empty journal has no texts',
    async run({ open }) {
      const journal = await open()
      equal(await journal.read(0), [], 'read(0)')
      equal(await journal.read(5), [], 'read(5)')
      await journal.close()
    },
  },
  {
    name: 'texts are read in the order in which they were appended',
    async run({ open }) {
      const journal = await open()
      await appendAll(journal, ['one', 'two', 'three'])
      equal(await journal.read(0), ['one', 'two', 'three'], 'read(0)')
      equal(await journal.read(2), ['three'], 'read(2)')
      equal(await journal.read(3), [], 'read(3)')
      await journal.close()
    },
  },
  {
    name: 'every text is read as it was written',
    async run({ open, isDurable = true }) {
      const journal = await open()
      await appendAll(journal, difficultTexts)
      equal(await journal.read(0), difficultTexts, 'read(0)')
      await journal.close()
      if (!isDurable) return
      const again = await open()
      equal(await again.read(0), difficultTexts, 'read(0) after opening again')
      await again.close()
    },
  },
  {
    name: 'a position that is taken, or leaves a gap, is refused',
    async run({ open }) {
      const journal = await open()
      equal(await journal.append(2, 'gap'), false, 'append(2) to an empty journal')
      equal(await journal.append(0, 'zero'), false, 'append(0)')
      equal(await journal.append(1, 'first'), true, 'append(1)')
      equal(await journal.append(1, 'second'), false, 'append(1) again')
      equal(await journal.append(1, 'first'), false, 'append(1) with the same text')
      equal(await journal.read(0), ['first'], 'read(0)')
      await journal.close()
    },
  },
  {
    name: 'of many calls for one position, one succeeds',
    async run({ open }) {
      const journal = await open()
      const texts = Array.from({ length: 20 }, (_, index) => `call ${index}`)
      const answers = await Promise.all(texts.map((text) => journal.append(1, text)))
      equal(answers.filter((isStored) => isStored).length, 1, 'appends that succeeded')
      equal(await journal.read(0), [texts[answers.indexOf(true)]], 'read(0)')
      await journal.close()
    },
  },
  {
    name: 'texts survive closing and opening',
    async run({ open, isDurable = true }) {
      if (!isDurable) return
      const journal = await open()
      await appendAll(journal, ['one', 'two'])
      await journal.close()
      const again = await open()
      equal(await again.read(0), ['one', 'two'], 'read(0) after opening again')
      equal(await again.append(2, 'other'), false, 'append(2) after opening again')
      equal(await again.append(3, 'three'), true, 'append(3) after opening again')
      await again.close()
    },
  },
  {
    name: 'a second user shares the journal, or is refused',
    async run({ open, isShared }) {
      if (isShared === undefined) return
      const journal = await open()
      await appendAll(journal, ['one'])
      if (isShared) {
        const other = await open()
        equal(await other.append(1, 'other'), false, 'append(1) by the second user')
        equal(await other.append(2, 'two'), true, 'append(2) by the second user')
        equal(await journal.append(2, 'mine'), false, 'append(2) by the first user')
        equal(await journal.read(1), ['two'], 'read(1) by the first user')
        await other.close()
      } else {
        await rejects(async () => (await open()).read(0), 'journal_locked')
        equal(await journal.append(2, 'two'), true, 'append(2) by the first user')
      }
      await journal.close()
      const again = await open()
      equal(await again.read(0), ['one', 'two'], 'read(0) at the end')
      await again.close()
    },
  },
  {
    name: 'replace changes all texts at once, or none',
    async run({ open, isDurable = true }) {
      const journal = await open()
      if (journal.replace !== undefined) {
        await appendAll(journal, ['one', 'two', 'three'])
        equal(await journal.replace(2, ['short']), false, 'replace with another count')
        equal(await journal.read(0), ['one', 'two', 'three'], 'read(0) after a refused replace')
        equal(await journal.replace(3, ['both', 'three']), true, 'replace')
        equal(await journal.append(4, 'four'), false, 'append at an old position')
        equal(await journal.append(3, 'four'), true, 'append after the new texts')
        equal(await journal.read(0), ['both', 'three', 'four'], 'read(0)')
      }
      const hasReplace = journal.replace !== undefined
      await journal.close()
      if (!hasReplace || !isDurable) return
      const again = await open()
      equal(await again.read(0), ['both', 'three', 'four'], 'read(0) after opening again')
      await again.close()
    },
  },
  {
    name: 'arguments of the wrong type are a TypeError',
    async run({ open }) {
      const journal = await open()
      for (const position of [-1, 1.5, Number.NaN, '1', 1n, undefined]) {
        await rejects(() => journal.append(position as number, 'text'), 'TypeError')
        await rejects(() => journal.read(position as number), 'TypeError')
      }
      for (const text of [1, null, undefined, '\ud800', 'a\udc00']) {
        await rejects(() => journal.append(1, text as string), 'TypeError')
      }
      equal(await journal.read(0), [], 'read(0)')
      await journal.close()
    },
  },
  {
    name: 'a closed journal refuses every call',
    async run({ open }) {
      const journal = await open()
      await appendAll(journal, ['one'])
      await journal.close()
      await journal.close()
      await rejects(() => journal.append(2, 'two'), 'journal_closed')
      await rejects(() => journal.read(0), 'journal_closed')
    },
  },
]

async function appendAll(journal: Journal, texts: readonly string[]): Promise<void> {
  for (const [index, text] of texts.entries()) {
    equal(await journal.append(index + 1, text), true, `append(${index + 1})`)
  }
}

function equal(actual: unknown, expected: unknown, what: string): void {
  const [found, wanted] = [JSON.stringify(actual), JSON.stringify(expected)]
  if (found === wanted) return
  throw new Error(`${what}: expected ${short(wanted)}, got ${short(found)}`)
}

function short(text: string | undefined): string {
  return text === undefined || text.length <= 200 ? String(text) : `${text.slice(0, 200)}…`
}

/** @param expected - `code` of an error, which need not be an AntaraError, or its name */
async function rejects(work: () => Promise<unknown>, expected: string): Promise<void> {
  let found = 'no error'
  try {
    await work()
  } catch (error) {
    const { code } = (error ?? {}) as { readonly code?: unknown }
    const name = error instanceof Error ? error.name : String(error)
    found = code === expected ? expected : name
  }
  equal(found, expected, 'error')
}
