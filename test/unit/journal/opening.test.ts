// How a journal file is opened: who must not be able to touch it, and how long another process is
// waited for. Further tests look at the writes to a file that is whole.

import { describe, expect, test, vi } from 'vitest'

import type { Disk, FileFacts } from '../../../src/journal/disk.ts'
import { fileJournal } from '../../../src/journal/file.ts'
import { frame, header } from '../../../src/journal/file-format.ts'
import { tryLock } from '../../../src/journal/kernel-lock.ts'
import { memoryJournal } from '../../../src/journal/memory.ts'
import { besideOf, codeOf } from '../../../src/journal/names.ts'
import { recordedTxids } from '../../../src/journal/recorded-txids.ts'
import { SimulatedDisk } from '../../support/simulated-disk.ts'

const path = '/state/journal'

async function opened(disk: Disk, waitMs = 0): Promise<readonly string[]> {
  const journal = fileJournal(path, { disk, waitMs })
  try {
    return await journal.read(0)
  } finally {
    await journal.close()
  }
}

/** A disk with a journal of one record. */
function diskWith(...parts: Uint8Array[]) {
  const disk = new SimulatedDisk()
  disk.change(path, {
    bytes: Buffer.concat(parts.length === 0 ? [header, frame(1, 'one')] : parts),
  })
  return disk
}

/** Runs with another value of a member of `process`, as other systems have it. */
async function withProcess<T>(name: string, value: unknown, work: () => Promise<T>): Promise<T> {
  const own = Object.getOwnPropertyDescriptor(process, name)!
  Object.defineProperty(process, name, { ...own, value })
  try {
    return await work()
  } finally {
    Object.defineProperty(process, name, own)
  }
}

describe('a journal file is refused', () => {
  test.each<[string, object, object]>([
    [
      'if it is no plain file',
      { isFile: false, mode: 0o120777 },
      { expected: 'a plain file, not a link or a device', actual: 'mode 0777' },
    ],
    ['if it has two names', { nlink: 2 }, { expected: 'a file with one name', actual: '2 names' }],
    [
      'if others can read it',
      { mode: 0o100640 },
      { expected: 'mode 0600; chmod 600', actual: 'mode 0640' },
    ],
    ['if others can run it', { mode: 0o100001 }, { actual: 'mode 0001' }],
    [
      'if another user has it',
      { uid: process.geteuid!() + 1 },
      {
        expected: `a file of user ${process.geteuid!()}`,
        actual: `user ${process.geteuid!() + 1}`,
      },
    ],
  ])('%s', async (_, change, context) => {
    const disk = diskWith()
    disk.change(path, change)
    const operations: string[] = []
    const watched = disk.process((operation) => {
      operations.push(operation)
    })
    await expect(opened(watched)).rejects.toMatchObject({
      code: 'journal_exposed',
      context: { path, ...context },
    })
    // To open a device can have effects.
    expect(operations).not.toContain('open')
  })

  test.each([
    ['in a directory that everyone can write', 0o40777, true],
    ['in no directory of a group', 0o40775, false],
    ['in no sticky directory', 0o41777, false],
  ])('%s', async (_, mode, isRefused) => {
    const disk = diskWith().process()
    const facts = await disk.directoryFacts('/state')
    const open = opened({ ...disk, directoryFacts: async () => ({ ...facts, mode }) })
    if (!isRefused) return expect(await open).toEqual(['one'])
    return expect(open).rejects.toMatchObject({
      code: 'journal_exposed',
      context: { path: '/state', actual: 'mode 0777' },
    })
  })

  test('not by its modes and users on Windows, which has none', async () => {
    const disk = diskWith()
    disk.change(path, { mode: 0o100666, uid: 12_345 })
    const inner = disk.process()
    const directoryFacts = async () => ({ ...(await inner.directoryFacts('/')), mode: 0o40777 })
    const texts = await withProcess('platform', 'win32', () => opened({ ...inner, directoryFacts }))
    expect(texts).toEqual(['one'])
  })

  test('not by its user on a system without users', async () => {
    const disk = diskWith()
    disk.change(path, { uid: 12_345 })
    const texts = await withProcess('geteuid', undefined, () => opened(disk.process()))
    expect(texts).toEqual(['one'])
  })
})

describe('another process that has the file', () => {
  /** Returns the waits of a call, and whether it got the journal. */
  async function waitsOf(waitMs: number, releasedAfter = Number.POSITIVE_INFINITY) {
    const disk = diskWith()
    const holder = fileJournal(path, { disk: disk.process() })
    await holder.read(0)
    const waits: number[] = []
    const wait = async (ms: number) => {
      waits.push(ms)
      if (waits.length === releasedAfter) await holder.close()
    }
    const outcome = await opened({ ...disk.process(), wait }, waitMs).catch(({ code }) => code)
    return { waits, outcome }
  }

  test.each([
    [0, []],
    [20, [20]],
    [25, [25]],
    [60, [25, 25, 10]],
  ])('is waited for as long as asked: %d ms', async (waitMs, waits) => {
    expect(await waitsOf(waitMs)).toEqual({ waits, outcome: 'journal_locked' })
  })

  test('is not waited for any longer once it is gone', async () => {
    expect(await waitsOf(1000, 2)).toEqual({ waits: [25, 25], outcome: ['one'] })
  })
})

test.each<[string, (facts: FileFacts) => FileFacts | undefined]>([
  ['is another one', (facts) => ({ ...facts, ino: facts.ino + 1 })],
  ['is one of another device', (facts) => ({ ...facts, dev: facts.dev + 1 })],
  ['is gone', () => undefined],
])(
  'a file is opened again if the one under its name %s by the time it is locked',
  async (_, change) => {
    const disk = diskWith().process()
    let opens = 0
    let looks = 0
    const texts = await opened({
      ...disk,
      open: (...given) => {
        opens += 1
        return disk.open(...given)
      },
      async facts(name) {
        const facts = await disk.facts(name)
        looks += 1
        return looks === 2 ? change(facts!) : facts
      },
    })
    expect([texts, opens]).toEqual([['one'], 2])
  },
)

describe('a file that is open is not written any more', () => {
  test.each<[string, Partial<FileFacts>]>([
    ['if its name leads to another device', { dev: 9 }],
    ['if its name leads to another file', { ino: 99 }],
  ])('%s', async (_, change) => {
    const disk = diskWith().process()
    let isChanged = false
    const facts = async (name: string) => {
      const found = await disk.facts(name)
      return isChanged ? { ...found!, ...change } : found
    }
    const journal = fileJournal(path, { disk: { ...disk, facts } })
    await journal.read(0)
    isChanged = true
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_changed' })
  })

  test('if it has a second name', async () => {
    const disk = diskWith()
    const journal = fileJournal(path, { disk: disk.process() })
    await journal.read(0)
    disk.change(path, { nlink: 2 })
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_changed' })
  })
})

describe('opening', () => {
  /** Opens a journal of these bytes, and returns what was done to the disk. */
  async function operationsOf(...parts: Uint8Array[]) {
    const operations: string[] = []
    const torn: object[] = []
    const disk = diskWith(...parts)
    const process = disk.process((operation) => {
      operations.push(operation)
    })
    const journal = fileJournal(path, { disk: process, onTorn: (it) => torn.push(it) })
    await journal.read(0)
    await journal.close()
    const changes = operations.filter((it) => it === 'write' || it === 'truncate')
    return { operations, changes, torn, bytes: Buffer.from(disk.bytes(path)!) }
  }

  test('changes nothing of a whole file, and syncs what a killed process may have written', async () => {
    const { operations, changes, torn } = await operationsOf(header, frame(1, 'one'))
    expect(changes).toEqual([])
    expect(torn).toEqual([])
    expect(operations.slice(-3)).toEqual(['sync', 'sync-directory', 'close'])
  })

  test('cuts off a torn record, and reports it', async () => {
    const { changes, torn, bytes } = await operationsOf(header, frame(1, 'one'), new Uint8Array(9))
    expect(changes).toEqual(['truncate'])
    expect(torn).toEqual([{ path, bytes: 9 }])
    expect(bytes).toEqual(Buffer.concat([header, frame(1, 'one')]))
  })

  test.each([
    ['an empty file', new Uint8Array(), ['write']],
    ['a torn header', header.slice(0, 5), ['truncate', 'write']],
  ])('begins a journal in %s, and reports nothing as torn', async (_, part, expected) => {
    const { changes, torn, bytes } = await operationsOf(part)
    expect([changes, torn]).toEqual([expected, []])
    expect(bytes).toEqual(Buffer.from(header))
  })

  test.each([
    [
      'damage',
      [header, new Uint8Array(50).fill(1)],
      'journal_malformed',
      { offset: header.length },
    ],
    [
      'a file of another program',
      [Buffer.from('dear diary, it is long')],
      'journal_malformed',
      { offset: 0, expected: 'a journal of antara-tx' },
    ],
    ['a newer version', [Buffer.from('antara-tx journal 2\n')], 'journal_version', { offset: 18 }],
  ])('refuses %s, with its place', async (_, parts, code, context) => {
    const open = () => opened(diskWith(...parts).process())
    await expect(open()).rejects.toMatchObject({ code, context: { path, ...context } })
    const isForeign = 'expected' in context
    await expect(open()).rejects.toThrow(isForeign ? 'a journal of antara-tx' : /^(?!.*expected)/)
  })
})

test('a path is a text', () => {
  for (const given of [1, null, ['journal'], '']) {
    expect(() => fileJournal(given as string)).toThrow('path: expected the name of a file')
  }
})

describe('a disk that runs full', () => {
  /** A disk whose next writes write some bytes and fail, and which may refuse to cut them off. */
  function failing(isCut: boolean) {
    const disk = new SimulatedDisk()
    const inner = disk.process()
    const truncations: number[] = []
    let isFull = false
    const open: Disk['open'] = async (...given) => {
      const file = await inner.open(...given)
      return {
        ...file,
        async write(bytes, position) {
          if (!isFull) return file.write(bytes, position)
          await file.write(bytes.subarray(0, 20), position)
          throw new Error('full')
        },
        async truncate(size) {
          truncations.push(size)
          if (isFull && !isCut) throw new Error('refused')
          await file.truncate(size)
        },
      }
    }
    return {
      journal: fileJournal(path, { disk: { ...inner, open } }),
      truncations,
      fill: (full: boolean) => {
        isFull = full
      },
    }
  }

  test.each([
    ['once, if that succeeds', true, 1],
    ['again before the next record, if that failed', false, 2],
  ])('gets the part of a record cut off %s', async (_, isCut, count) => {
    const { journal, truncations, fill } = failing(isCut)
    await journal.append(1, 'one')
    expect(truncations).toEqual([])
    fill(true)
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_failed' })
    fill(false)
    expect(await journal.append(2, 'a longer text')).toBe(true)
    expect(await journal.append(3, 'three')).toBe(true)
    expect(truncations).toEqual(Array(count).fill(header.length + frame(1, 'one').length))
    await journal.close()
  })
})

test('a system without a library for locks keeps nothing secret about that', async () => {
  vi.doMock('fs-native-extensions', () => {
    throw new Error('no binary')
  })
  const failed = tryLock(0)
  await expect(failed).rejects.toMatchObject({
    code: 'journal_failed',
    message: expect.stringContaining(
      'a package with a binary that locks files, outside of any bundle',
    ),
    context: { path: 'fs-native-extensions' },
  })
  vi.doUnmock('fs-native-extensions')
})

test.each(['Bun', 'Deno'])(
  '%s, which the binary for locks would end, is refused first',
  async (name) => {
    const library = { tryLock: vi.fn() }
    vi.doMock('fs-native-extensions', () => library)
    vi.stubGlobal(name, {})
    await expect(tryLock(0)).rejects.toMatchObject({
      code: 'journal_failed',
      context: { expected: 'Node, to lock the file', actual: name },
    })
    expect(library.tryLock).not.toHaveBeenCalled()
    vi.unstubAllGlobals()
    vi.doUnmock('fs-native-extensions')
  },
)

test('compaction writes beside the file, and errors show the code of the system', () => {
  expect(besideOf('/state/journal')).toBe('/state/journal.compacting')
  expect(codeOf(Object.assign(new Error(), { code: 'ENOSPC' }))).toEqual({ actual: 'ENOSPC' })
  for (const other of [null, undefined, {}, { code: 5 }, new Error('text')]) {
    expect(codeOf(other)).toEqual({})
  }
})

describe('the transactions of a journal', () => {
  const at = '2026-11-01T00:00:00.000Z'
  const about = { payment: 'terms 1', at }

  test('are those of all records, of forgotten payments too', async () => {
    const journal = memoryJournal()
    const attempt = { kind: 'attempt', ...about, terms: '1', request: '{}', hex: '00' }
    const records = [
      { ...attempt, txid: 't1' },
      { kind: 'forgotten', ...about },
      { ...attempt, txid: 't2' },
      { kind: 'settled', ...about, txid: 't2' },
    ]
    for (const [index, record] of records.entries()) {
      await journal.append(index + 1, JSON.stringify(record))
    }
    expect([...(await recordedTxids(journal))]).toEqual(['t1', 't2'])
  })

  test('are not read from a record that cannot be, which is named by its position', async () => {
    const journal = memoryJournal()
    await journal.append(1, JSON.stringify({ kind: 'forgotten', ...about }))
    await journal.append(2, 'no record')
    await expect(recordedTxids(journal)).rejects.toMatchObject({ context: { path: 'record 2' } })
  })
})

test.each([
  ['an empty text, which a file could not hold', '', false],
  ['a text of the greatest length', 'x'.repeat(4_000_000), true],
  ['a longer text', 'x'.repeat(4_000_001), false],
  ['half of a character', 'a\ud800', false],
])('every journal treats alike: %s', async (_, text, isStored) => {
  const disk = new SimulatedDisk().process()
  for (const journal of [memoryJournal(), fileJournal(path, { disk })]) {
    if (isStored) expect(await journal.append(1, text)).toBe(true)
    else await expect(journal.append(1, text)).rejects.toThrow(TypeError)
    expect(await journal.read(0)).toEqual(isStored ? [text] : [])
    await journal.close()
  }
})
