// The journal on a disk that fails: journal.test.ts lists what each party can do.

import { describe, expect, test } from 'vitest'
import type { AntaraError } from '../../../src/errors/antara-error.ts'
import { fileJournal } from '../../../src/journal/file.ts'
import { frame, header, readFile } from '../../../src/journal/file-format.ts'
import { placesOf } from '../../support/share.ts'
import {
  type DiskOperation,
  type Kept,
  SimulatedDisk,
  systemError,
} from '../../support/simulated-disk.ts'

const path = '/state/journal'

/** A disk that fails once at an operation, counted from `arm`. */
function faultyDisk() {
  const disk = new SimulatedDisk()
  let fault: { operation: DiskOperation; code: string; after: number } | undefined
  const process = disk.process((operation) => {
    if (fault?.operation !== operation || fault.after-- > 0) return
    const { code } = fault
    fault = undefined
    throw systemError(code)
  })
  const fail = (operation: DiskOperation, code: string, after = 0) => {
    fault = { operation, code, after }
  }
  return { disk, process, fail }
}

async function reread(disk: SimulatedDisk): Promise<readonly string[]> {
  const journal = fileJournal(path, { disk: disk.process() })
  const texts = await journal.read(0)
  await journal.close()
  return texts
}

describe('a sync that fails', () => {
  test('stops all writing until the journal is opened again', async () => {
    const { disk, process, fail } = faultyDisk()
    const journal = fileJournal(path, { disk: process })
    await journal.append(1, 'one')
    fail('sync', 'EIO')
    await expect(journal.append(2, 'two')).rejects.toMatchObject({
      code: 'journal_failed',
      context: { uncertain: true },
    })
    // The disk would take it now.
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_failed' })
    await expect(journal.append(3, 'three')).resolves.toBe(false)
    await expect(journal.replace!(1, [])).rejects.toMatchObject({ code: 'journal_failed' })
    expect(await journal.read(0)).toEqual(['one'])
    await journal.close()
    disk.powerFails('none')
    expect(await reread(disk)).toEqual(['one'])
  })

  test('leaves a record that the next process finds, and the error says so', async () => {
    const { disk, process, fail } = faultyDisk()
    const journal = fileJournal(path, { disk: process })
    await journal.append(1, 'one')
    fail('sync', 'EIO')
    await expect(journal.append(2, 'two')).rejects.toThrow('the record may be stored all the same')
    await journal.close()
    expect(await reread(disk)).toEqual(['one', 'two'])
  })

  test('a failed sync of a directory stops all writing after a compaction', async () => {
    const { disk, process, fail } = faultyDisk()
    const journal = fileJournal(path, { disk: process })
    await journal.append(1, 'one')
    fail('sync-directory', 'EIO')
    await expect(journal.replace!(1, ['1'])).rejects.toMatchObject({ code: 'journal_failed' })
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_failed' })
    await journal.close()
    expect(await reread(disk)).toEqual(['1'])
  })
})

describe('a disk that runs full', () => {
  test.each([0, 1, 39, 40, 41, 45])(
    'a disk that runs full after %i bytes of a record leaves no part of it',
    async (bytes) => {
      const disk = new SimulatedDisk()
      const inner = disk.process()
      let isFull = false
      const journal = fileJournal(path, {
        disk: {
          ...inner,
          async open(name, how) {
            const file = await inner.open(name, how)
            return {
              ...file,
              async write(data, position) {
                if (!isFull) return file.write(data, position)
                await file.write(data.subarray(0, bytes), position)
                throw systemError('ENOSPC')
              },
            }
          },
        },
      })
      await journal.append(1, 'one')
      isFull = true
      const full = expect(journal.append(2, 'two two two')).rejects
      await full.toSatisfy((error) => !('uncertain' in (error as AntaraError).context))
      await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_failed' })
      isFull = false
      expect(await journal.append(2, 'second')).toBe(true)
      expect(await journal.append(3, 'third')).toBe(true)
      await journal.close()
      expect(await reread(disk)).toEqual(['one', 'second', 'third'])
    },
  )

  test('a full disk that refuses to cut off the rest is tried again before the next record', async () => {
    const { disk, process, fail } = faultyDisk()
    const inner = process
    let isFull = false
    const journal = fileJournal(path, {
      disk: {
        ...inner,
        async open(name, how) {
          const file = await inner.open(name, how)
          return {
            ...file,
            async write(data, position) {
              if (!isFull) return file.write(data, position)
              await file.write(data.subarray(0, 20), position)
              fail('truncate', 'EIO')
              throw systemError('ENOSPC')
            },
          }
        },
      },
    })
    await journal.append(1, 'one')
    isFull = true
    await expect(journal.append(2, 'two')).rejects.toMatchObject({ code: 'journal_failed' })
    isFull = false
    expect(await journal.append(2, 'second')).toBe(true)
    await journal.close()
    expect(await reread(disk)).toEqual(['one', 'second'])
  })
})

test.each(['rename', 'open', 'write', 'sync', 'lock'] as const)(
  'a compaction whose %s fails leaves the journal as it was, and usable',
  async (operation) => {
    const { disk, process, fail } = faultyDisk()
    const journal = fileJournal(path, { disk: process })
    await journal.append(1, 'one')
    await journal.append(2, 'two')
    fail(operation, 'ESTALE')
    await expect(journal.replace!(2, ['both'])).rejects.toMatchObject({ code: 'journal_failed' })
    expect(disk.bytes(`${path}.compacting`)).toBeUndefined()
    expect(await journal.append(3, 'three')).toBe(true)
    expect(await journal.replace!(3, ['all'])).toBe(true)
    expect(await journal.append(2, 'four')).toBe(true)
    await journal.close()
    expect(await reread(disk)).toEqual(['all', 'four'])
  },
)

test.each(['open', 'lock', 'read', 'write', 'sync', 'sync-directory', 'make-directory'] as const)(
  'a new journal whose %s fails says so, and can be opened later',
  async (operation) => {
    const { disk, process, fail } = faultyDisk()
    const journal = fileJournal(path, { disk: process })
    fail(operation, 'EROFS')
    await expect(journal.append(1, 'one')).rejects.toThrow(/journal.*EROFS/)
    expect(await journal.append(1, 'one')).toBe(true)
    await journal.close()
    expect(await reread(disk)).toEqual(['one'])
  },
)

describe('a power failure', () => {
  const kept: readonly Kept[] = ['none', 'half', 'zeros', 'all']

  test.each(kept)(
    'a power failure at any step keeps every record that was appended (unsynced: %s)',
    async (part) => {
      for (let steps = 0; ; steps += 1) {
        const disk = new SimulatedDisk()
        let left = steps
        const process = disk.process(() => (left-- > 0 ? undefined : new Promise(() => undefined)))
        const journal = fileJournal(path, { disk: process })
        const done: string[] = []
        const work = (async () => {
          for (const text of ['one', 'two', 'three']) {
            await journal.append(done.length + 1, text)
            done.push(text)
          }
          await journal.replace!(3, ['one', 'two', 'three'])
          await journal.append(4, 'four')
          done.push('four')
          return 'finished'
        })()
        const ticks = new Promise<void>((resolve) => setImmediate(resolve))
        const outcome = await Promise.race([work, ticks])
        process.end()
        disk.powerFails(part)
        const texts = await reread(disk)
        const all = ['one', 'two', 'three', 'four']
        expect(texts).toEqual(all.slice(0, texts.length))
        expect(texts.length).toBeGreaterThanOrEqual(done.length)
        expect(texts.length).toBeLessThanOrEqual(done.length + 1)
        if (outcome === 'finished') {
          expect(steps).toBeGreaterThan(20)
          break
        }
      }
    },
  )

  test('a power failure that leaves a torn record is reported, and later records are kept', async () => {
    const disk = new SimulatedDisk()
    const journal = fileJournal(path, { disk: disk.process() })
    await journal.append(1, 'one')
    await journal.close()
    const whole = disk.bytes(path)!
    disk.change(path, { bytes: Buffer.concat([whole, frame(2, 'two').subarray(0, 42)]) })
    const torn: object[] = []
    const again = fileJournal(path, { disk: disk.process(), onTorn: (it) => torn.push(it) })
    expect(await again.read(0)).toEqual(['one'])
    expect(torn).toEqual([{ path, bytes: 42 }])
    expect(await again.append(2, 'three')).toBe(true)
    await again.close()
    expect(await reread(disk)).toEqual(['one', 'three'])
  })

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('observer')
      },
    ],
    ['rejects', () => Promise.reject(new Error('observer'))],
  ])('opens the journal although an observer %s', async (_, onTorn) => {
    const disk = new SimulatedDisk()
    disk.change(path, {
      bytes: Buffer.concat([header, frame(1, 'one'), frame(2, 'two').subarray(0, 42)]),
    })
    const journal = fileJournal(path, { disk: disk.process(), onTorn })
    expect(await journal.read(0)).toEqual(['one'])
    // a rejection that nobody handles would fail the run
    await new Promise((resolve) => setTimeout(resolve, 5))
    await journal.close()
  })
})

describe('the bytes of a journal', () => {
  const frames = ['one', 'second', 'the third'].map((text, index) => frame(index + 1, text))
  const whole = Buffer.concat([header, ...frames])
  const start = header.length + frames[0]!.length + frames[1]!.length

  test('are read whole', () => {
    expect(readFile(whole)).toEqual({
      texts: ['one', 'second', 'the third'],
      end: whole.length,
      torn: 0,
    })
  })

  test('cut at each length give the records before, or an empty journal', () => {
    for (let length = 0; length <= whole.length; length += 1) {
      const contents = readFile(whole.subarray(0, length))
      if (!('texts' in contents)) throw new Error(`damaged at ${length}`)
      const ends = [header.length, start - frames[1]!.length, start, whole.length]
      expect(contents.texts).toHaveLength(Math.max(0, ends.filter((it) => it <= length).length - 1))
      expect(contents.end + contents.torn).toBe(length)
    }
  })

  test('the bytes of a journal with a tail of zeros of any length are the records before', () => {
    for (const zeros of [1, 3, 4, 8, 39, 40, 41, 511, 512, 4096, 1_000_000]) {
      const contents = readFile(Buffer.concat([whole, Buffer.alloc(zeros)]))
      expect(contents).toMatchObject({ end: whole.length, torn: zeros })
    }
  })

  test('the bytes of a journal with one bit changed anywhere are refused as damaged', () => {
    for (const at of placesOf(whole.length)) {
      const bytes = Buffer.from(whole)
      bytes[at]! ^= 1
      const contents = readFile(bytes)
      // A longer length of the last record looks like a record that was cut short.
      const isLastLength = at >= start && at < start + 4
      if (isLastLength) expect(contents).not.toHaveProperty('end', whole.length)
      else expect(contents).toHaveProperty('problem')
    }
  })

  test('bytes of the last record that were zeroed in whole blocks are torn', () => {
    const long = frame(4, 'x'.repeat(3_000))
    const bytes = Buffer.concat([whole, long])
    bytes.fill(0, 1024, 1536)
    expect(readFile(bytes)).toMatchObject({ end: whole.length, torn: long.length })
  })

  test('the bytes of a journal that claim a length beyond memory are refused without it', () => {
    const bytes = Buffer.concat([
      header,
      Buffer.from('ffffffff01000000', 'hex'),
      Buffer.alloc(60, 1),
    ])
    expect(readFile(bytes)).toEqual({ problem: 'damaged', offset: header.length })
  })
})
