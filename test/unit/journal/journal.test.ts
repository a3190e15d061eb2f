// The journal on a real disk. What each party can do, one line each, is a test here or in
// journal-faults.test.ts:
//
//   file           is foreign, newer, damaged, torn, empty, a link, a device, another user's, readable by others
//   disk           runs full, refuses a sync, loses what was not synced, refuses a rename
//   other process  has the file open, is killed, compacts it, moves it away, writes without a lock
//   power switch   leaves half a record, zeros, or an unfinished compaction
//   caller         passes wrong types, opens twice, changes directory, closes in the middle of a write

import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { afterAll, describe, expect, test } from 'vitest'
import { journalConformance } from '../../../src/journal/conformance.ts'
import { fileJournal, memoryJournal } from '../../../src/wallet/index.ts'
import { testUnless } from '../../support/skip.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-journal-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
const newPath = () => join(folder, `${++files}`, 'journal')

async function journalWith(path: string, ...texts: string[]): Promise<void> {
  const journal = fileJournal(path)
  for (const [index, text] of texts.entries()) await journal.append(index + 1, text)
  await journal.close()
}

async function textsOf(path: string): Promise<readonly string[]> {
  const journal = fileJournal(path)
  try {
    return await journal.read(0)
  } finally {
    await journal.close()
  }
}

describe('memoryJournal conforms', () => {
  test.each(journalConformance.map((it) => [it.name, it.run] as const))('%s', async (_, run) => {
    await expect(run({ open: async () => memoryJournal(), isDurable: false })).resolves.toBe(
      undefined,
    )
  })
})

describe('fileJournal conforms', () => {
  test.each(journalConformance.map((it) => [it.name, it.run] as const))('%s', async (_, run) => {
    const path = newPath()
    await expect(run({ open: async () => fileJournal(path), isShared: false })).resolves.toBe(
      undefined,
    )
  })
})

describe('the file', () => {
  test('has mode 0600, in directories with mode 0700', async () => {
    const path = join(folder, 'state', 'antara-tx', 'journal')
    await journalWith(path, 'one')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'state', 'antara-tx')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'state')).mode & 0o777).toBe(0o700)
  })

  test('is not created before the first call', async () => {
    const path = newPath()
    await fileJournal(path).close()
    expect(existsSync(path)).toBe(false)
  })

  const testChange = testUnless(!isMainThread && 'worker threads cannot change the directory')
  testChange('is found although the current directory changes', async () => {
    const before = process.cwd()
    mkdirSync(join(folder, 'one'))
    process.chdir(join(folder, 'one'))
    try {
      const journal = fileJournal('journal')
      process.chdir(folder)
      await journal.append(1, 'one')
      await journal.close()
    } finally {
      process.chdir(before)
    }
    expect(await textsOf(join(folder, 'one', 'journal'))).toEqual(['one'])
  })

  const foreign: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['text', 'dear diary, today', 'journal_malformed'],
    ['an image of zeros', new Uint8Array(100_000), 'journal_malformed'],
    ['JSON', '{"version":1}', 'journal_malformed'],
    ['the beginning of a header and more', 'antara-tx journal\n', 'journal_malformed'],
    ['a newer version', 'antara-tx journal 2\nwhatever comes', 'journal_version'],
    ['a version far away', 'antara-tx journal 999999999\n', 'journal_version'],
  ]
  test.each(foreign)('is refused and left alone if it is %s', async (_, bytes, code) => {
    const path = newPath()
    mkdirSync(join(path, '..'))
    writeFileSync(path, bytes, { mode: 0o600 })
    await expect(textsOf(path)).rejects.toMatchObject({ code })
    expect(readFileSync(path).equals(Buffer.from(bytes))).toBe(true)
  })

  test.each([0o640, 0o604, 0o660, 0o666, 0o601])('is refused with mode %o', async (mode) => {
    const path = newPath()
    await journalWith(path, 'one')
    chmodSync(path, mode)
    await expect(textsOf(path)).rejects.toMatchObject({ code: 'journal_exposed' })
    await expect(textsOf(path)).rejects.toThrow(/chmod 600/)
    expect(statSync(path).mode & 0o777).toBe(mode)
  })

  test('is refused in a directory that everyone can write, unless it is sticky', async () => {
    const path = newPath()
    await journalWith(path, 'one')
    chmodSync(join(path, '..'), 0o777)
    await expect(textsOf(path)).rejects.toMatchObject({ code: 'journal_exposed' })
    chmodSync(join(path, '..'), 0o1777)
    expect(await textsOf(path)).toEqual(['one'])
  })

  test('is refused as a symbolic link, a hard link, a directory or a device', async () => {
    const path = newPath()
    await journalWith(path, 'one')
    const link = `${path}-link`
    symlinkSync(path, link)
    await expect(textsOf(link)).rejects.toMatchObject({ code: 'journal_exposed' })
    symlinkSync(`${path}-missing`, `${path}-dangling`)
    await expect(textsOf(`${path}-dangling`)).rejects.toMatchObject({ code: 'journal_exposed' })
    expect(existsSync(`${path}-missing`)).toBe(false)
    await expect(textsOf(folder)).rejects.toMatchObject({ code: 'journal_exposed' })
    await expect(textsOf('/dev/null')).rejects.toMatchObject({ code: 'journal_exposed' })
    linkSync(path, `${path}-hard`)
    await expect(textsOf(path)).rejects.toMatchObject({ code: 'journal_exposed' })
    await expect(textsOf(`${path}-hard`)).rejects.toMatchObject({ code: 'journal_exposed' })
  })

  const noRoot = process.geteuid?.() !== 0 && 'only root can give a file to another user'
  testUnless(noRoot)('a file of another user is refused', async () => {
    const { chownSync } = await import('node:fs')
    const path = newPath()
    await journalWith(path, 'one')
    chownSync(path, 12_345, 12_345)
    await expect(textsOf(path)).rejects.toMatchObject({ code: 'journal_exposed' })
  })

  test('a file that something else replaced is not written', async () => {
    const path = newPath()
    const journal = fileJournal(path)
    await journal.append(1, 'one')
    renameSync(path, `${path}.moved`)
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_changed' })
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_changed' })
    await journal.close()
    expect(existsSync(path)).toBe(false)
    expect(await textsOf(`${path}.moved`)).toEqual(['one'])
  })

  test('a file that a program appended to without a lock is not written', async () => {
    const path = newPath()
    const journal = fileJournal(path)
    await journal.append(1, 'one')
    writeFileSync(path, readFileSync(path).toString('latin1').concat('x'), 'latin1')
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_changed' })
    await journal.close()
  })

  test('is refused with a path that is none', () => {
    for (const path of ['', 'a\0b', 1, undefined, null]) {
      expect(() => fileJournal(path as string)).toThrow(TypeError)
    }
  })

  test('ends its last write before it is closed', async () => {
    const path = newPath()
    const journal = fileJournal(path)
    const appended = journal.append(1, 'one')
    await journal.close()
    expect(await appended).toBe(true)
    expect(await textsOf(path)).toEqual(['one'])
  })
})

describe('the lock', () => {
  test('excludes a second journal of the same process, by any name of the file', async () => {
    const path = newPath()
    const first = fileJournal(path)
    await first.append(1, 'one')
    symlinkSync(join(path, '..'), `${path}-folder`)
    for (const name of [
      path,
      join(path, '..', '.', 'journal'),
      join(`${path}-folder`, 'journal'),
    ]) {
      await expect(textsOf(name)).rejects.toMatchObject({ code: 'journal_locked' })
    }
    await first.close()
    expect(await textsOf(path)).toEqual(['one'])
  })

  test('follows the journal through its compaction', async () => {
    const path = newPath()
    const first = fileJournal(path)
    await first.append(1, 'one')
    await first.append(2, 'two')
    expect(await first.replace!(2, ['both'])).toBe(true)
    await expect(textsOf(path)).rejects.toMatchObject({ code: 'journal_locked' })
    expect(await first.append(2, 'three')).toBe(true)
    await first.close()
    expect(await textsOf(path)).toEqual(['both', 'three'])
    expect(existsSync(`${path}.compacting`)).toBe(false)
  })
})
