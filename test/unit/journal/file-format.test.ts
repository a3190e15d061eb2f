// The bytes of a journal file at every limit: what is read, what is torn by a power failure and cut
// off, and what is damaged and left alone. Each buffer is a copy that ends with its last byte.

import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { frame, header, readFile } from '../../../src/journal/file-format.ts'
import { fileJournal as fileJournalOfPages } from '../../../src/journal/file-page.ts'

const frameBytes = 40
const payloadBytesMax = 12_000_000
const blockBytes = 512

const joined = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts))
const filled = (length: number, byte: number) => new Uint8Array(length).fill(byte)
const one = frame(1, 'one')
const start = header.length + one.length
const damaged = (offset: number) => ({ problem: 'damaged', offset })
const torn = (bytes: number) => ({ texts: ['one'], end: start, torn: bytes })

/** A frame as the format describes it, with any payload. */
function frameOf(number: number, payload: Uint8Array): Uint8Array {
  const head = new Uint8Array(8)
  new DataView(head.buffer).setUint32(0, payload.length, true)
  new DataView(head.buffer).setUint32(4, number, true)
  return joined(head, createHash('sha256').update(head).update(payload).digest(), payload)
}

/** The beginning of a frame that claims a length. */
function claiming(length: number, rest: number): Uint8Array {
  const bytes = filled(rest, 0xff)
  new DataView(bytes.buffer).setUint32(0, length, true)
  return bytes
}

describe('the header', () => {
  test('alone is an empty journal', () => {
    expect(readFile(header)).toEqual({ texts: [], end: header.length, torn: 0 })
    expect(readFile(new Uint8Array())).toEqual({ texts: [], end: 0, torn: 0 })
  })

  test('a header with zeros where its data never arrived is torn', () => {
    for (const zeros of [1, 5, header.length]) {
      const bytes = header.slice()
      bytes.fill(0, header.length - zeros)
      expect(readFile(bytes)).toEqual({ texts: [], end: 0, torn: header.length })
    }
  })

  test('before zeros is whole', () => {
    const bytes = joined(header, filled(10, 0))
    expect(readFile(bytes)).toEqual({ texts: [], end: header.length, torn: 10 })
  })

  test.each([
    ['behind another byte', joined(filled(1, 0x78), header), { problem: 'foreign', offset: 0 }],
    [
      'with another last byte',
      joined(header.slice(0, -1), filled(1, 0x78)),
      { problem: 'foreign', offset: 0 },
    ],
    [
      'of a version far away',
      new TextEncoder().encode('antara-tx journal 999999999\n'),
      { problem: 'version', offset: 18 },
    ],
    [
      'of version 2',
      new TextEncoder().encode('antara-tx journal 2\n'),
      { problem: 'version', offset: 18 },
    ],
  ])('is another one %s', (_, bytes, damage) => {
    expect(readFile(bytes)).toEqual(damage)
  })
})

describe('a record', () => {
  test('is framed as the format describes it', () => {
    expect(frame(7, 'é')).toEqual(frameOf(7, new TextEncoder().encode('é')))
  })

  test('keeps a byte order mark', () => {
    expect(readFile(joined(header, frame(1, '\ufeffa')))).toMatchObject({ texts: ['\ufeffa'] })
  })

  test('a record of the longest text is read', () => {
    const longest = '€'.repeat(payloadBytesMax / 3)
    expect(readFile(joined(header, frame(1, longest)))).toMatchObject({ texts: [longest], torn: 0 })
    const longer = readFile(joined(header, frame(1, `${longest}a`)))
    expect(longer).toEqual(damaged(header.length))
  })

  test('a record without bytes is none: it looks like one that was cut short', () => {
    const bytes = joined(header, one, frameOf(2, new Uint8Array()))
    expect(readFile(bytes)).toEqual(torn(frameBytes))
    const more = joined(header, frameOf(1, new Uint8Array()), frame(2, 'two'))
    expect(readFile(more)).toEqual(damaged(header.length))
  })

  test.each([
    ['is no UTF-8', joined(header, one, frameOf(2, filled(3, 0xff)))],
    ['has the number of the one before', joined(header, one, frame(1, 'one'))],
    [
      'has the number of the one before and ends with a zero',
      joined(header, one, frame(1, 'one\0')),
    ],
    ['has a later number', joined(header, one, frame(3, 'three'))],
    ['has a later number and ends with a zero', joined(header, one, frame(3, 'three\0'))],
    ['is followed by a later one', joined(header, one, filled(60, 0), frame(3, 'three\0'))],
  ])('is damaged if it %s', (_, bytes) => {
    expect(readFile(bytes)).toEqual(damaged(start))
  })
})

describe('bytes after the last record', () => {
  test.each([1, 3, 4, 8, frameBytes])(
    'is torn where it is no longer than a frame: %d bytes',
    (length) => {
      expect(readFile(joined(header, one, filled(length, 0xff)))).toEqual(torn(length))
    },
  )

  test('is torn if it claims more than there is, up to the longest record', () => {
    expect(readFile(joined(header, one, claiming(payloadBytesMax, 60)))).toEqual(torn(60))
    expect(readFile(joined(header, one, claiming(payloadBytesMax + 1, 60)))).toEqual(damaged(start))
    expect(readFile(joined(header, one, claiming(21, 60)))).toEqual(torn(60))
    expect(readFile(joined(header, one, claiming(20, 60)))).toEqual(damaged(start))
  })

  test('is torn if it ends with a zero', () => {
    const tail = filled(60, 0xff)
    tail[59] = 0
    expect(readFile(joined(header, one, tail))).toEqual(torn(60))
  })

  test('is torn only up to the length of the longest record', () => {
    const most = frameBytes + payloadBytesMax
    const endingWithZero = (length: number) => filled(length, 0xff).fill(0, length - 1)
    expect(readFile(joined(header, one, endingWithZero(most)))).toEqual(torn(most))
    expect(readFile(joined(header, one, endingWithZero(most + 1)))).toEqual(damaged(start))
  })

  describe('is torn if a whole block of the disk has zeros,', () => {
    const length = 3 * blockBytes
    const withZeros = (from: number, to: number) =>
      joined(header, one, filled(length, 0xff)).fill(0, from, to)

    test.each([
      ['the rest of the block in which it begins', start, blockBytes],
      ['the next block', blockBytes, 2 * blockBytes],
      ['a later block', 2 * blockBytes, 3 * blockBytes],
    ])('%s', (_, from, to) => {
      const bytes = withZeros(from, to)
      expect(readFile(bytes)).toEqual(torn(length))
      bytes[from] = 1
      expect(readFile(bytes)).toEqual(damaged(start))
      bytes[from] = 0
      bytes[to - 1] = 1
      expect(readFile(bytes)).toEqual(damaged(start))
    })

    test('the nothing behind a last block is not', () => {
      const bytes = joined(header, one, filled(2 * blockBytes - start, 0xff))
      expect(readFile(bytes)).toEqual(damaged(start))
    })

    test('a block that begins with another byte is not', () => {
      expect(readFile(withZeros(blockBytes + 1, 2 * blockBytes + 1))).toEqual(damaged(start))
    })
  })
})

test('a page has no files, and is told what to use', () => {
  expect(() => fileJournalOfPages('journal')).toThrow(/in a page, implement Journal on IndexedDB/)
})
