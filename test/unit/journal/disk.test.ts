// The disk of a journal: what is written, what is synced, and what survives half of a system call.
// The files are real ones; a file system cannot show what it would lose, so syncs are counted.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { describe, expect, test, vi } from 'vitest'

import { realDisk } from '../../../src/journal/disk.ts'

/** Runs with a folder of its own. */
async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'antara-tx-disk-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The methods that all open files share. */
async function methodsOfFiles(): Promise<FileHandle> {
  const handle = await open(tmpdir())
  await handle.close()
  return Object.getPrototypeOf(handle) as FileHandle
}

/** Counts the syncs of any open file while `work` runs. */
async function syncsOf(work: () => Promise<unknown>) {
  const spy = vi.spyOn(await methodsOfFiles(), 'sync')
  try {
    await work()
    return spy.mock.calls.length
  } finally {
    spy.mockRestore()
  }
}

const bytes = Buffer.from('all of these bytes')

describe('an open file', () => {
  test('is created with mode 0600, and once only where it must be new', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'journal')
      const file = await realDisk.open(path, 'create-new')
      expect(statSync(path).mode & 0o777).toBe(0o600)
      await file.close()
      await expect(realDisk.open(path, 'create-new')).rejects.toMatchObject({ code: 'EEXIST' })
      await (await realDisk.open(path, 'create')).close()
    }))

  test('is no link, and no pipe that waits for somebody', () =>
    inFolder(async (folder) => {
      writeFileSync(join(folder, 'target'), '')
      symlinkSync(join(folder, 'target'), join(folder, 'link'))
      await expect(realDisk.open(join(folder, 'link'), 'create')).rejects.toMatchObject({
        code: 'ELOOP',
      })
    }))

  test('is written and read at its place, whole, however little a call takes', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'journal')
      writeFileSync(path, 'head')
      const file = await realDisk.open(path, 'create')
      const methods = await methodsOfFiles()
      const { read, write } = methods
      const inPieces = [
        vi.spyOn(methods, 'read').mockImplementation(function (
          this: FileHandle,
          ...given: unknown[]
        ) {
          const [buffer, offset, length, position] = given as [Buffer, number, number, number]
          expect(offset + length).toBe(buffer.length)
          return Reflect.apply(read, this, [buffer, offset, Math.min(length, 5), position])
        } as never),
        vi.spyOn(methods, 'write').mockImplementation(function (
          this: FileHandle,
          ...given: unknown[]
        ) {
          const [buffer, offset, length, position] = given as [Buffer, number, number, number]
          expect(offset + length).toBe(buffer.length)
          return Reflect.apply(write, this, [buffer, offset, Math.min(length, 5), position])
        } as never),
      ]
      try {
        await file.write(bytes, 4)
        expect(Buffer.from(await file.read()).toString()).toBe(`head${bytes}`)
      } finally {
        for (const spy of inPieces) spy.mockRestore()
      }
      expect(readFileSync(path, 'utf8')).toBe(`head${bytes}`)
      await file.close()
    }))

  test('is read as far as it goes, if it has become shorter meanwhile', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'journal')
      writeFileSync(path, bytes)
      const file = await realDisk.open(path, 'create')
      const methods = await methodsOfFiles()
      const { read } = methods
      let left = 7
      const spy = vi.spyOn(methods, 'read').mockImplementation(function (
        this: FileHandle,
        ...given: unknown[]
      ) {
        const [buffer, offset, , position] = given as [Buffer, number, number, number]
        const length = left
        left = 0
        return Reflect.apply(read, this, [buffer, offset, length, position])
      } as never)
      const found = await file.read().finally(() => spy.mockRestore())
      expect(Buffer.from(found).toString()).toBe('all of ')
      await file.close()
    }))

  test('is cut, and synced, as asked', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'journal')
      writeFileSync(path, bytes)
      const file = await realDisk.open(path, 'create')
      await file.truncate(3)
      expect(readFileSync(path, 'utf8')).toBe('all')
      expect(await syncsOf(() => file.sync())).toBe(1)
      expect((await file.facts()).size).toBe(3)
      await file.close()
    }))

  test('has one lock, which ends when it is closed', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'journal')
      const [one, other] = [
        await realDisk.open(path, 'create'),
        await realDisk.open(path, 'create'),
      ]
      expect(await one.lock()).toBe(true)
      expect(await other.lock()).toBe(false)
      await one.close()
      expect(await other.lock()).toBe(true)
      await other.close()
    }))
})

describe('the facts of a path', () => {
  test('are those of the path itself, and absent if nothing is there', () =>
    inFolder(async (folder) => {
      const [path, link] = [join(folder, 'file'), join(folder, 'link')]
      writeFileSync(path, bytes)
      symlinkSync(folder, link)
      const { size, ino, nlink } = statSync(path)
      const facts = await realDisk.facts(path)
      expect(facts).toMatchObject({ size, ino, nlink, isFile: true, isDirectory: false })
      expect(await realDisk.facts(link)).toMatchObject({ isFile: false, isDirectory: false })
      expect(await realDisk.directoryFacts(link)).toMatchObject({ isDirectory: true })
      expect(await realDisk.facts(join(folder, 'missing'))).toBeUndefined()
      await expect(realDisk.facts(join(path, 'below'))).rejects.toMatchObject({ code: 'ENOTDIR' })
    }))
})

describe('a directory', () => {
  test('is made with mode 0700, and each new one is synced into the one above it', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a', 'b', 'c')
      expect(await syncsOf(() => realDisk.makeDirectory(path))).toBe(3)
      expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o700)
      expect(await syncsOf(() => realDisk.makeDirectory(path))).toBe(0)
      expect(await syncsOf(() => realDisk.makeDirectory(join(path, 'd')))).toBe(1)
    }))

  test.each([
    ['is synced', false],
    ['that cannot be synced says so', true],
  ])('%s, and is closed again', (_, isBroken) =>
    inFolder(async (folder) => {
      const sync = vi.spyOn(await methodsOfFiles(), 'sync')
      if (isBroken) sync.mockRejectedValue(new Error('EIO'))
      const outcome = await realDisk.syncDirectory(folder).catch(({ message }) => message)
      const handles = sync.mock.contexts as FileHandle[]
      sync.mockRestore()
      expect(outcome).toBe(isBroken ? 'EIO' : undefined)
      // A closed handle has no descriptor.
      expect(handles.map(({ fd }) => fd)).toEqual([-1])
    }),
  )

  test('is not synced on Windows, which cannot', () =>
    inFolder(async (folder) => {
      const own = Object.getOwnPropertyDescriptor(process, 'platform')!
      Object.defineProperty(process, 'platform', { ...own, value: 'win32' })
      try {
        expect(await syncsOf(() => realDisk.syncDirectory(folder))).toBe(0)
      } finally {
        Object.defineProperty(process, 'platform', own)
      }
    }))
})

test('a file is removed, whether it is there or not, and nothing else is', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'file')
    writeFileSync(path, '')
    await realDisk.unlink(path)
    expect(existsSync(path)).toBe(false)
    await realDisk.unlink(path)
    mkdirSync(path)
    await expect(realDisk.unlink(path)).rejects.toThrow()
    expect(existsSync(path)).toBe(true)
  }))

test('a rename replaces a file', () =>
  inFolder(async (folder) => {
    const [from, to] = [join(folder, 'from'), join(folder, 'to')]
    writeFileSync(from, 'new')
    writeFileSync(to, 'old')
    chmodSync(to, 0o400)
    await realDisk.rename(from, to)
    expect([existsSync(from), readFileSync(to, 'utf8')]).toEqual([false, 'new'])
  }))

test('a wait takes as long as it says', async () => {
  const began = performance.now()
  await realDisk.wait(20)
  expect(performance.now() - began).toBeGreaterThan(15)
})
