// SQLite for ledgers: which library opens a file, which file it does not make, and whose an error
// is.

import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test, vi } from 'vitest'

import {
  atOneMoment,
  type Database,
  faultOfSqlite,
  hasSqlite,
  NoSqliteError,
  openDatabase,
} from '../../../src/audit/sqlite.ts'

describe('an error of SQLite', () => {
  const named = (message: string, members: object) => Object.assign(new Error(message), members)
  const node = { code: 'ERR_SQLITE_ERROR' }
  const better = { name: 'SqliteError', code: 'SQLITE_BUSY' }

  test.each([
    ['of node:sqlite', named('file is not a database', node), false],
    ['of better-sqlite3', named('disk I/O error', better), false],
    ['of a file that another process uses', named('database is locked', better), true],
    ['of blocks that another process added', named('UNIQUE constraint failed: t.x', node), true],
    ['of a missing folder', new TypeError('Cannot open database because it is not there'), false],
  ])('is distinguished from others: %s', (_, error, isShared) => {
    expect(faultOfSqlite(error)).toEqual({ message: error.message, isShared })
  })

  test.each([
    ['another error', new Error('database is locked')],
    ['an error with another code', named('no such file', { code: 'ENOENT' })],
    ['an error that only ends so', new Error('it failed: Cannot open database')],
    ['an object', { message: 'x', name: 'SqliteError', code: 'ERR_SQLITE_ERROR' }],
    ['nothing', undefined],
  ])('is not %s', (_, error) => {
    expect(faultOfSqlite(error)).toBeUndefined()
  })
})

describe('a database that is read at one moment', () => {
  const watched = () => {
    const done: string[] = []
    return { done, database: { exec: (sql: string) => done.push(sql) } as unknown as Database }
  }

  test('is in one transaction meanwhile, which changes nothing', () => {
    const { done, database } = watched()
    expect(atOneMoment(database, () => [...done])).toEqual(['BEGIN'])
    expect(done).toEqual(['BEGIN', 'ROLLBACK'])
  })

  test('is in none afterwards, though the reading fails', () => {
    const { done, database } = watched()
    const fails = () => {
      throw new Error('no such table')
    }
    expect(() => atOneMoment(database, fails)).toThrow('no such table')
    expect(done).toEqual(['BEGIN', 'ROLLBACK'])
  })
})

/** A library that opens nothing, and says what it was asked for. */
function libraryOf(isBroken: boolean) {
  const opened: unknown[][] = []
  class Opened {
    constructor(...args: unknown[]) {
      if (isBroken) throw new Error('the binary is missing')
      opened.push(args)
    }
    close() {}
  }
  return { Opened, opened }
}

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'antara-tx-sqlite-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  let files = 0
  const path = () => {
    mkdirSync(folder, { recursive: true })
    files += 1
    return join(folder, `${files}`)
  }
  const absent = () => {
    throw new Error('no such package')
  }

  type Library = 'whole' | 'without its binary' | 'absent'

  /** Runs with other libraries in place of those that are installed. */
  async function withLibraries(
    [better, node]: readonly [Library, Library],
    run: (better: ReturnType<typeof libraryOf>, node: ReturnType<typeof libraryOf>) => unknown,
  ): Promise<void> {
    const [one, other] = [libraryOf(better !== 'whole'), libraryOf(node !== 'whole')]
    vi.doMock('better-sqlite3', better === 'absent' ? absent : () => ({ default: one.Opened }))
    vi.doMock('node:sqlite', node === 'absent' ? absent : () => ({ DatabaseSync: other.Opened }))
    try {
      await run(one, other)
    } finally {
      vi.doUnmock('better-sqlite3')
      vi.doUnmock('node:sqlite')
    }
  }

  test('is opened by better-sqlite3, if its binary loads', async () => {
    await withLibraries(['whole', 'whole'], async (better, node) => {
      const file = path()
      expect(await hasSqlite()).toBe(true)
      expect(await openDatabase(file)).toBeInstanceOf(better.Opened)
      expect(better.opened.at(-1)).toEqual([file, { timeout: 1000 }])
      expect(node.opened).toEqual([])
    })
  })

  test.each(['absent', 'without its binary'] as const)(
    'is opened by node:sqlite where better-sqlite3 is %s',
    async (library) => {
      await withLibraries([library, 'whole'], async (_, node) => {
        expect(await hasSqlite()).toBe(true)
        expect(await openDatabase(path())).toBeInstanceOf(node.Opened)
      })
    },
  )

  test('is not opened without either, and the error says what to install', async () => {
    await withLibraries(['absent', 'absent'], async () => {
      expect(await hasSqlite()).toBe(false)
      const refused = await openDatabase(path()).catch((error: unknown) => error)
      expect(refused).toBeInstanceOf(NoSqliteError)
      expect(String(refused)).toContain('npm install better-sqlite3')
    })
  })

  test('is not made where a symbolic link names it', async () => {
    await withLibraries(['whole', 'whole'], async ({ Opened, opened }) => {
      const [link, missing] = [path(), path()]
      symlinkSync(missing, link)
      await expect(openDatabase(link)).rejects.toThrow('a symbolic link to no file')
      expect(existsSync(missing)).toBe(false)
      mkdirSync(missing)
      expect(await openDatabase(link)).toBeInstanceOf(Opened)
      expect(opened.at(-1)![0]).toBe(link)
    })
  })
})
