// The files of a daemon, with small chains of headers that nobody solved. A ledger believes the chain
// with the most work among them.

import fs, { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'

import { blocksOfFiles } from '../../../src/audit/block-files.ts'
import { blockBytesMax, recordsOf } from '../../../src/audit/block-records.ts'
import type { ChainBlock } from '../../../src/audit/sources.ts'
import { OtherChainError } from '../../../src/audit/store.ts'
import { blockAfter, errorOf, hard, recordOf, zeros } from '../../support/made-blocks.ts'

const first = blockAfter('77'.repeat(32))
const second = blockAfter(first.hash)
const third = blockAfter(second.hash)
const rival = blockAfter(first.hash, { bits: hard })

const folder = mkdtempSync(`${tmpdir()}/antara-tx-block-files-`)
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
function written(name: string, ...records: Buffer[]): string {
  files += 1
  const within = `${folder}/${files}`
  mkdirSync(within, { recursive: true })
  writeFileSync(`${within}/${name}`, Buffer.concat(records))
  return within
}

const hashesOf = (blocks: Iterable<ChainBlock>) => [...blocks].map(({ hash }) => hash)

type Call = 'closeSync' | 'openSync' | 'readdirSync' | 'readSync'

/** Counts calls of the file system while a function runs, and may answer in its place. */
function watched<Answer>(
  names: readonly Call[],
  run: () => Answer,
  answerOf?: (...args: unknown[]) => unknown,
): { answer: Answer; calls: Partial<Record<Call, number>> } {
  const before = names.map((name) => [name, fs[name]] as const)
  const calls: Partial<Record<Call, number>> = {}
  for (const [name, call] of before) {
    const counted = (...args: unknown[]) => {
      calls[name] = (calls[name] ?? 0) + 1
      return (answerOf ?? (call as (...args: unknown[]) => unknown))(...args)
    }
    Object.assign(fs, { [name]: counted })
  }
  syncBuiltinESMExports()
  try {
    return { answer: run(), calls }
  } finally {
    Object.assign(fs, Object.fromEntries(before))
    syncBuiltinESMExports()
  }
}

describe('files of a daemon', () => {
  test('hold blocks in the order of their arrival, and the chain with the most work counts', () => {
    const longer = written(
      'blk00000.dat',
      ...[third, first, second].map(({ hex }) => recordOf(hex)),
    )
    expect(hashesOf(blocksOfFiles(longer))).toEqual([first.hash, second.hash, third.hash])
    appendFileSync(`${longer}/blk00001.dat`, recordOf(rival.hex))
    for (const name of ['blk2.dat.tmp', 'old-blk00000.dat']) {
      writeFileSync(`${longer}/${name}`, recordOf(rival.hex).fill(1, 0, 4))
    }
    expect(hashesOf(blocksOfFiles(longer))).toEqual([first.hash, rival.hash])
    expect(hashesOf(blocksOfFiles(`${longer}/blk00000.dat`))).toHaveLength(3)
  })

  test('have no blocks where nothing was written yet', () => {
    expect(hashesOf(blocksOfFiles(written('blk00000.dat', Buffer.alloc(100))))).toEqual([])
  })

  test('are read in the order of their numbers, not in that of the folder', () => {
    const path = written('blk00000.dat', recordOf(first.hex))
    const rivals = Array.from({ length: 12 }, (_, time) => blockAfter(first.hash, { time }))
    for (const [at, { hex }] of rivals.entries()) {
      writeFileSync(`${path}/blk${`${at + 1}`.padStart(5, '0')}.dat`, recordOf(hex))
    }
    const inFolder = fs.readdirSync(path)
    for (const names of [inFolder, inFolder.toReversed()]) {
      const { answer } = watched(
        ['readdirSync'],
        () => hashesOf(blocksOfFiles(path)),
        () => names,
      )
      expect(answer).toEqual([first.hash, rivals[0]!.hash])
    }
  })

  test('keep the first to arrive of two blocks with equal work', () => {
    const twin = blockAfter(first.hash, { time: 1 })
    const both = [second, twin]
    for (const order of [both, both.toReversed()]) {
      const path = written('blk00000.dat', ...[first, ...order].map(({ hex }) => recordOf(hex)))
      expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash, order[0]!.hash])
    }
  })

  test('count the work of a block once for each chain that it is in', () => {
    const shorter = blockAfter(first.hash, { time: 1 })
    const records = [third, second, first, shorter].map(({ hex }) => recordOf(hex))
    expect(hashesOf(blocksOfFiles(written('blk00000.dat', ...records)))).toEqual([
      first.hash,
      second.hash,
      third.hash,
    ])
  })

  test('count heights, and read each block when it is needed', () => {
    const path = written(
      'blk00000.dat',
      recordOf(first.hex),
      recordOf(second.hex.replace(/..$/, '01')),
    )
    const [one, two] = [...blocksOfFiles(path)]
    expect([one!.height, two!.height]).toEqual([4242, 4243])
    expect([one!.size, two!.size]).toEqual([first.hex.length / 2, second.hex.length / 2])
    expect(one!.read().hash).toBe(first.hash)
    expect(errorOf(() => two!.read())).toMatchObject({
      path: `${path}/blk00000.dat:${8 + first.hex.length / 2 + 8}`,
    })
  })

  test('end where nothing was written yet, and within a block that was cut off', () => {
    const cut = recordOf(second.hex).subarray(0, -1)
    const magic = cut.subarray(0, 4)
    // Its first bytes leave the largest size in memory, of which the last ones give a part.
    const withinHead = Buffer.concat([Buffer.alloc(13, 0xff), magic, Buffer.alloc(3, 0xff)])
    const rests = [Buffer.alloc(100), Buffer.alloc(7, 1), cut, cut.subarray(0, 8), withinHead]
    for (const rest of [...rests, recordOf('')]) {
      expect(hashesOf(blocksOfFiles(written('blk00000.dat', recordOf(first.hex), rest)))).toEqual([
        first.hash,
      ])
    }
  })

  test('hold blocks after a hole of zeros, after other bytes, and after a part of one', () => {
    const part = recordOf(second.hex).subarray(0, 700)
    const hole = Buffer.alloc(9000)
    const cut = Buffer.concat([part, hole])
    for (const rest of [Buffer.alloc(5), Buffer.alloc(70, 3), hole, cut]) {
      const records = [first, second, third].flatMap(({ hex }) => [recordOf(hex), rest])
      expect(hashesOf(blocksOfFiles(written('blk00000.dat', ...records)))).toEqual([
        first.hash,
        second.hash,
        third.hash,
      ])
    }
  })

  // A hole is searched a mebibyte at a time, so a block may begin in one part and end in the next.
  test.each([-5, -4, -3, -2, -1, 0, 1, 1 << 20])(
    'hold blocks after a hole of a mebibyte and %i bytes',
    (more) => {
      const hole = Buffer.alloc((1 << 20) + more)
      const path = written('blk00000.dat', recordOf(first.hex), hole, recordOf(second.hex))
      expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash, second.hash])
    },
  )

  test('of another chain in the same folder are refused, whatever work they claim', () => {
    const path = written('blk00000.dat', recordOf(first.hex), recordOf(second.hex))
    writeFileSync(`${path}/blk00001.dat`, Buffer.alloc(100))
    expect(hashesOf(blocksOfFiles(path))).toHaveLength(2)
    const other = recordOf(rival.hex)
    other.writeUInt32LE(0x11223344, 0)
    writeFileSync(`${path}/blk00001.dat`, other)
    expect(() => [...blocksOfFiles(path)]).toThrow(OtherChainError)
    expect(() => [...blocksOfFiles(path)]).toThrow('blk00001.dat begins with 44332211, and')
  })

  test('hold orphans, which count only if the first block of the chain is not there', () => {
    const genesis = blockAfter(zeros)
    const next = blockAfter(genesis.hash)
    const orphan = blockAfter('66'.repeat(32), { bits: hard })
    const records = [orphan, next, genesis].map(({ hex }) => recordOf(hex))
    expect(hashesOf(blocksOfFiles(written('blk00000.dat', ...records)))).toEqual([
      genesis.hash,
      next.hash,
    ])
    const apart = [orphan, next].map(({ hex }) => recordOf(hex))
    expect(hashesOf(blocksOfFiles(written('blk00000.dat', ...apart)))).toEqual([orphan.hash])
  })

  test('are searched once, though each byte may begin a block that is cut off', () => {
    const count = 500
    const cut = recordOf('', blockBytesMax)
    const path = written('blk00000.dat', recordOf(first.hex), ...Array(count).fill(cut))
    const { answer, calls } = watched(['readSync'], () => hashesOf(blocksOfFiles(path)))
    expect(answer).toEqual([first.hash])
    // one for the head of each, and a few for the whole file
    expect(calls.readSync).toBeGreaterThan(count)
    expect(calls.readSync).toBeLessThan(count + 10)
  })

  describe('after a block that was cut off', () => {
    /** Reads the blocks too, so that each has to be whole. */
    const readFrom = (path: string) => [...blocksOfFiles(path)].map((block) => block.read().hash)
    const [one, two, three] = [first, second, third].map(({ hex }) => recordOf(hex)) as [
      Buffer,
      Buffer,
      Buffer,
    ]
    const fourth = blockAfter(third.hash)
    const four = recordOf(fourth.hex)
    const all = [first.hash, second.hash, third.hash]
    const magic = two.subarray(0, 4)
    const hole = Buffer.alloc(9000)
    const recordBytes = (size: number) => {
      const bytes = Buffer.alloc(4)
      bytes.writeUInt32LE(size)
      return Buffer.concat([magic, bytes])
    }

    test('find the next one directly behind it, wherever it was cut off', () => {
      const isEdge = (cut: number) => cut < 20 || cut > two.length - 5
      for (let cut = 1; cut < two.length; cut += isEdge(cut) ? 1 : 19) {
        const path = written('blk00000.dat', one, two.subarray(0, cut), two, three)
        expect([cut, ...readFrom(path)]).toEqual([cut, ...all])
      }
    })

    test('find the next ones though its size ends where one of them begins, or with the file', () => {
      for (const swallowed of [[two], [two, three], [two, two]]) {
        const bytes = Buffer.concat(swallowed).length
        const cut = recordOf(second.hex.slice(0, 2 * 700), 700 + bytes)
        const rest = swallowed.includes(three) ? [] : [three]
        const path = written('blk00000.dat', one, cut, ...swallowed, ...rest)
        writeFileSync(`${path}/blk00001.dat`, four)
        expect(readFrom(path)).toEqual([...all, fourth.hash])
      }
    })

    test('take a whole copy of it, which may be before it or in another file', () => {
      const cut = two.subarray(0, 1550)
      const damaged = Buffer.from(two)
      damaged[1540]! ^= 1
      for (const records of [
        [one, two, three, cut],
        [one, two, cut, three, damaged],
        [one, cut, three, two],
        [one, damaged, three, two, damaged],
        [one, damaged, damaged, two, three],
      ]) {
        const path = written('blk00000.dat', ...records)
        writeFileSync(`${path}/blk00001.dat`, four)
        expect(readFrom(path)).toEqual([...all, fourth.hash])
      }
      const path = written('blk00000.dat', one, cut)
      writeFileSync(`${path}/blk00001.dat`, Buffer.concat([two, three]))
      expect(readFrom(path)).toEqual(all)
    })

    test('end with its error if a later one builds on it and no copy is whole', () => {
      const cut = two.subarray(0, 1550)
      const inHole = written('blk00000.dat', one, cut, hole, three)
      const atEnd = written('blk00000.dat', one, cut)
      writeFileSync(`${atEnd}/blk00001.dat`, three)
      for (const path of [inHole, atEnd]) {
        const [, damaged, last] = [...blocksOfFiles(path)]
        expect(last!.read().hash).toBe(third.hash)
        expect(errorOf(() => damaged!.read())).toMatchObject({
          path: `${path}/blk00000.dat:${one.length + 8}`,
        })
      }
    })

    test('end without it if nothing builds on it', () => {
      for (const bytes of [4, 8, 100, 1500, 1550]) {
        const cut = two.subarray(0, bytes)
        expect(readFrom(written('blk00000.dat', one, cut, hole))).toEqual([first.hash])
        expect(readFrom(written('blk00000.dat', one, cut))).toEqual([first.hash])
      }
      expect(readFrom(written('blk00000.dat', two.subarray(0, 100)))).toEqual([])
    })

    test.each([0, 1, 79, 80, 1600, 9000, blockBytesMax, blockBytesMax + 1, 0xffff_ffff])(
      'pass over a magic number in other bytes, before a size of %i',
      (size) => {
        for (const filler of [1, 0x8f, 0xfd, 0xff]) {
          const bytes = Buffer.alloc(200, filler)
          const noise = Buffer.concat([bytes, recordBytes(size), bytes])
          const path = written('blk00000.dat', one, noise, two, noise, three)
          writeFileSync(`${path}/blk00001.dat`, four)
          expect(readFrom(path)).toEqual([...all, fourth.hash])
          expect(readFrom(written('blk00000.dat', one, noise))).toEqual([first.hash])
        }
      },
    )

    // Only the head of a block was written, so its header is zeros, as before the first block.
    test('take none for the first block of a chain', () => {
      const path = written('blk00000.dat', two, two.subarray(0, 8), hole)
      writeFileSync(`${path}/blk00001.dat`, three)
      expect(readFrom(path)).toEqual([second.hash, third.hash])
    })

    const damagedOf = (record: Buffer) => {
      const damaged = Buffer.from(record)
      damaged[1540]! ^= 1
      return damaged
    }

    test('keep two damaged ones that are in their places, each with its error', () => {
      const records = [one, damagedOf(two), damagedOf(three)]
      const blocks = [...blocksOfFiles(written('blk00000.dat', ...records))]
      expect(blocks.map(({ hash }) => hash)).toEqual(all)
      for (const block of blocks.slice(1)) expect(errorOf(() => block.read())).toBeDefined()
    })

    test('end without damaged ones behind other bytes, and before a head that was cut off', () => {
      const behind = [Buffer.alloc(5, 1), damagedOf(two), damagedOf(three)]
      for (const rest of [behind, [damagedOf(two), magic], [damagedOf(two), two.subarray(0, 7)]]) {
        expect(readFrom(written('blk00000.dat', one, ...rest))).toEqual([first.hash])
      }
      const whole = written('blk00000.dat', one, damagedOf(two), two.subarray(0, 8))
      expect(hashesOf(blocksOfFiles(whole))).toEqual([first.hash, second.hash])
    })

    test('keep one of the largest size in its place', () => {
      const rest = Buffer.alloc(blockBytesMax - 1550)
      const largest = recordOf(second.hex.slice(0, 2 * 1550), blockBytesMax)
      const path = written('blk00000.dat', one, largest, rest, three)
      expect(hashesOf(blocksOfFiles(path))).toEqual(all)
    })

    test('keep no headers that overlap, and each that does not', () => {
      const header = two.subarray(0, 8 + 1487)
      const apart = written('blk00000.dat', one, header, header, header)
      expect(recordsOf(`${apart}/blk00000.dat`, magic)).toHaveLength(4)
      const heads = Buffer.concat(Array(300).fill(recordBytes(5000)))
      const path = written('blk00000.dat', one, heads, hole)
      const records = recordsOf(`${path}/blk00000.dat`, magic)
      expect(records.length).toBeGreaterThan(1)
      expect(records.length).toBeLessThan(1 + heads.length / 140)
    })
  })

  test('end with an error of the file system, which is no damage of a block', () => {
    const path = written('blk00000.dat', recordOf(first.hex), recordOf(second.hex))
    const broken = () => {
      throw new Error('EIO: i/o error, read')
    }
    const { readSync } = fs
    for (const good of [2, 3, 4]) {
      let calls = 0
      const some = (...args: unknown[]) =>
        ++calls > good ? broken() : (readSync as (...args: unknown[]) => number)(...args)
      const run = () => watched(['readSync'], () => [...blocksOfFiles(path)], some)
      expect(run).toThrow('EIO')
    }
  })

  describe('with a forged record in the payload of a block', () => {
    const forged = recordOf(blockAfter(first.hash, { bits: hard, time: 9 }).hex)
    const script = (payload: Buffer) => {
      const head = Buffer.from('6a4d0000', 'hex')
      head.writeUInt16LE(payload.length, 2)
      return Buffer.concat([head, payload]).toString('hex')
    }
    const padding = Buffer.alloc(3000, 7)
    const carrier = blockAfter(first.hash, { script: script(Buffer.concat([forged, padding])) })
    const [one, outer] = [first, carrier].map(({ hex }) => recordOf(hex)) as [Buffer, Buffer]
    const last = recordOf(blockAfter(carrier.hash).hex)

    test('believe the whole block, whatever work the forged one claims', () => {
      const expected = [first.hash, carrier.hash]
      expect(hashesOf(blocksOfFiles(written('blk00000.dat', one, outer)))).toEqual(expected)
      const behind = written('blk00000.dat', one, Buffer.alloc(70, 3), outer, Buffer.alloc(50))
      expect(hashesOf(blocksOfFiles(behind))).toEqual(expected)
    })

    test('do not end with the forged one, though its block was cut off or damaged', () => {
      const cut = outer.subarray(0, -1000)
      const damaged = Buffer.from(outer)
      damaged[damaged.length - 500]! ^= 1
      for (const rest of [[cut], [cut, Buffer.alloc(9000)], [cut, recordOf(second.hex)]]) {
        const path = written('blk00000.dat', one, ...rest)
        expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash])
      }
      for (const rest of [[damaged], [damaged, last], [cut, outer, last]]) {
        const hashes = hashesOf(blocksOfFiles(written('blk00000.dat', one, ...rest)))
        expect(hashes.slice(0, 2)).toEqual([first.hash, carrier.hash])
      }
    })

    test('have a true one behind a cut once a later block builds on it', () => {
      const cut = outer.subarray(0, -1000)
      const path = written('blk00000.dat', one, cut, recordOf(second.hex))
      expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash])
      writeFileSync(`${path}/blk00001.dat`, recordOf(third.hex))
      expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash, second.hash, third.hash])
    })
  })

  test('are refused after a bounded number of bytes if broken blocks lie in each other', () => {
    const count = 100
    const length = 2 << 20
    const start = recordOf(first.hex)
    const limit = blockBytesMax + 8 * length
    /** Makes a file with broken blocks that have so many bytes together. */
    const brokenFile = (total: number): string => {
      const bytes = Buffer.alloc(length)
      start.copy(bytes)
      let left = total
      for (let index = 0; index < count; index += 1) {
        const at = start.length + 5 + index * 1600
        const size = Math.min(left, index === 0 ? length - at - 8 : 1 << 20)
        if (size > 200) recordOf('', size).copy(bytes, at)
        left -= size
      }
      return written('blk00000.dat', bytes)
    }
    const { readSync } = fs
    let read = 0
    const counted = (...args: unknown[]) => {
      const bytes = (readSync as (...args: unknown[]) => number)(...args)
      read += bytes
      return bytes
    }
    const run = (total: number) => {
      const path = brokenFile(total)
      return watched(['readSync'], () => errorOf(() => [...blocksOfFiles(path)]), counted).answer
    }
    expect(run(limit)).toBeUndefined()
    expect(run(limit + 1)?.path).toMatch(/blk00000\.dat:\d+$/)
    read = 0
    expect(run(3 * limit)).toBeDefined()
    expect(read).toBeLessThan(limit + 3 * length)
  })

  test('are closed after they were read, and after one of them was refused', () => {
    const sound = written('blk00000.dat', recordOf(first.hex), recordOf(second.hex))
    const large = written('blk00000.dat', recordOf('00', blockBytesMax + 1))
    const read = watched(['openSync', 'closeSync'], () =>
      [...blocksOfFiles(sound)].map((block) => block.read().hash),
    )
    expect(read.answer).toEqual([first.hash, second.hash])
    const refused = watched(['openSync', 'closeSync'], () =>
      errorOf(() => [...blocksOfFiles(large)]),
    )
    expect(refused.answer).toMatchObject({ code: 'number_out_of_range' })
    for (const { calls } of [read, refused]) {
      expect(calls.openSync).toBeGreaterThan(1)
      expect(calls.closeSync).toBe(calls.openSync)
    }
  })

  test('a file with fewer bytes than the first block begins with has no block', () => {
    const folder = written('blk00000.dat', recordOf(first.hex), recordOf(second.hex))
    writeFileSync(`${folder}/blk00001.dat`, recordOf(first.hex).subarray(0, 2))
    expect(hashesOf(blocksOfFiles(folder))).toEqual([first.hash, second.hash])
  })

  test('a block larger than any, and one of a single byte, are refused with their place', () => {
    const at = 8 + first.hex.length / 2
    const large = written('blk00000.dat', recordOf(first.hex), recordOf('00', blockBytesMax + 1))
    expect(errorOf(() => [...blocksOfFiles(large)])).toEqual({
      code: 'number_out_of_range',
      path: `${large}/blk00000.dat, the size of a block`,
      offset: at + 4,
      expected: `at most ${blockBytesMax}`,
      actual: blockBytesMax + 1,
    })
    const headAlone = written('blk00000.dat', recordOf(first.hex), recordOf('', blockBytesMax + 1))
    expect(errorOf(() => [...blocksOfFiles(headAlone)])).toMatchObject({ offset: at + 4 })
    const gigabytes = written('blk00000.dat', recordOf('00', 0xffff_ffff))
    expect(errorOf(() => [...blocksOfFiles(gigabytes)])).toMatchObject({ actual: 0xffff_ffff })
    const most = written('blk00000.dat', recordOf(first.hex), recordOf('00', blockBytesMax))
    expect(hashesOf(blocksOfFiles(most))).toEqual([first.hash])
    const none = written('blk00000.dat', recordOf('00'))
    expect(errorOf(() => [...blocksOfFiles(none)])).toMatchObject({
      code: 'truncated',
      path: `${none}/blk00000.dat:8`,
    })
  })
})
