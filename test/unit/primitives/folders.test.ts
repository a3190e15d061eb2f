import fs, {
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'

import { makeFolders } from '../../../src/primitives/folders.ts'
import { testUnless } from '../../support/skip.ts'

const top = mkdtempSync(join(tmpdir(), 'antara-tx-folders-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))

test('missing folders are made with their mode, and the first of them is returned', () => {
  const path = join(top, 'a', 'b', 'c')
  expect(makeFolders(path, 0o700)).toBe(join(top, 'a'))
  if (process.platform !== 'win32') {
    for (const made of [path, join(top, 'a')]) expect(statSync(made).mode & 0o777).toBe(0o700)
  }
  expect(makeFolders(path)).toBeUndefined()
  expect(makeFolders(join(path, 'd', 'e'))).toBe(join(path, 'd'))
})

test('a root, this folder, and a link to a folder are there', () => {
  symlinkSync(top, join(top, 'link'), 'junction')
  for (const path of ['/', '.', join(top, 'link')]) expect(makeFolders(path)).toBeUndefined()
  expect(makeFolders(join(top, 'link', 'behind'))).toBe(join(top, 'link', 'behind'))
})

test('a file, a path through a file, and a link that leads nowhere are refused as Node does', () => {
  const file = join(top, 'file')
  writeFileSync(file, '')
  const link = join(top, 'nowhere')
  symlinkSync(join(top, 'missing', 'target'), link, 'junction')
  const codeOf = (work: () => unknown) => {
    try {
      work()
    } catch (error) {
      return (error as NodeJS.ErrnoException).code
    }
    return undefined
  }
  for (const path of [file, join(file, 'below'), '']) {
    const expected = codeOf(() => mkdirSync(path, { recursive: true }))
    expect(expected).toBeDefined()
    expect(codeOf(() => makeFolders(path))).toBe(expected)
  }
  expect(codeOf(() => makeFolders(join(link, 'below')))).toBe('EEXIST')
})

const noProc = !existsSync('/proc/self') && 'this system has no /proc'
testUnless(noProc)(
  'a folder below one in which nothing can be made is refused, and at once',
  () => {
    for (const path of ['/proc/antara', '/proc/antara/tx', '/proc/self/fd/antara']) {
      expect(() => makeFolders(path)).toThrow(/ENOENT|EACCES|EPERM/)
    }
  },
)

test('a folder is made although another process makes the one above it meanwhile', () => {
  const parent = join(top, 'raced')
  const [exists, make] = [existsSync, mkdirSync]
  function raced<Result>(work: () => Result): Result {
    try {
      return work()
    } finally {
      make(parent, { recursive: true })
    }
  }
  vi.spyOn(fs, 'existsSync').mockImplementation((path) => raced(() => exists(path)))
  vi.spyOn(fs, 'mkdirSync').mockImplementation((path, mode) => raced(() => make(path, mode)))
  syncBuiltinESMExports()
  try {
    expect(makeFolders(join(parent, 'below'))).toBe(join(parent, 'below'))
  } finally {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
})

test('a root that is missing, such as a drive of Windows, is the error of the system', () => {
  const missing = Object.assign(new Error('no such drive'), { code: 'ENOENT' })
  vi.spyOn(fs, 'existsSync').mockReturnValue(false)
  vi.spyOn(fs, 'statSync').mockReturnValue(undefined)
  vi.spyOn(fs, 'mkdirSync').mockImplementation(() => {
    throw missing
  })
  syncBuiltinESMExports()
  try {
    expect(() => makeFolders('/')).toThrow(missing)
    expect(() => makeFolders(join('/', 'state', 'antara-tx'))).toThrow(missing)
  } finally {
    vi.restoreAllMocks()
    syncBuiltinESMExports()
  }
})
