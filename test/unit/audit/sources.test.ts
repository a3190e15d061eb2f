// Small chains, of headers that nobody solved, in each form that a ledger reads. A ledger believes
// the chain with the most work among the files of a daemon.

import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { afterAll, describe, expect, test } from 'vitest'

import { blockBytesMax, blocksOfFiles } from '../../../src/audit/block-files.ts'
import {
  blocksOfDump,
  blocksOfLines,
  type ChainBlock,
  heightOf,
} from '../../../src/audit/sources.ts'
import { OtherChainError } from '../../../src/audit/store.ts'
import { leadingHeader } from '../../../src/block/header.ts'
import { merkleRootOf } from '../../../src/block/merkle.ts'
import { AntaraError, encodeTransaction, transactionId } from '../../../src/index.ts'
import { readVectors } from '../../support/vectors.ts'

const [komodo] = readVectors<{ hash: string; txids: string[]; block: string }[]>(
  'headers/public-blocks.json',
)
const header = komodo!.block.slice(0, 2 * 1487)
const reversed = (hex: string) => hex.match(/../g)!.reverse().join('')

const transaction = (txid: string, lockTime = 0) =>
  encodeTransaction({
    version: 1,
    overwintered: false,
    inputs: [{ txid, vout: txid === zeros ? 0xffffffff : 0, scriptSig: '029210', sequence: 0 }],
    outputs: [{ value: 1n, script: '51' }],
    lockTime,
  })
const zeros = '00'.repeat(32)
const [easy, hard] = ['0f0f0f20', '0f0f0f1f']

/** A block after another one, with a coinbase of height 4242. */
function after(previousHash: string, { bits = easy, time = 0 } = {}) {
  const coinbase = transaction(zeros, time)
  const root = reversed(merkleRootOf([transactionId(coinbase)]))
  const parts = [header.slice(0, 8), reversed(previousHash), root, header.slice(136, 208), bits]
  const hex = `${parts.join('')}${header.slice(216)}01${coinbase}`
  return { hex, hash: leadingHeader(Buffer.from(hex, 'hex')).header.hash }
}

const first = after('77'.repeat(32))
const second = after(first.hash)
const third = after(second.hash)
const rival = after(first.hash, { bits: hard })

const folder = mkdtempSync(`${tmpdir()}/antara-tx-sources-`)
afterAll(() => rmSync(folder, { recursive: true }))

function record(hex: string, size = hex.length / 2): Buffer {
  const head = Buffer.from('f9eee48d00000000', 'hex')
  head.writeUInt32LE(size, 4)
  return Buffer.concat([head, Buffer.from(hex, 'hex')])
}

let files = 0
function written(name: string, ...records: Buffer[]): string {
  files += 1
  const within = mkdtempSync(`${folder}/${files}-`)
  writeFileSync(`${within}/${name}`, Buffer.concat(records))
  return within
}

const hashesOf = (blocks: Iterable<ChainBlock>) => [...blocks].map(({ hash }) => hash)

function errorOf(run: () => unknown) {
  try {
    run()
  } catch (error) {
    if (error instanceof AntaraError) return { code: error.code, ...error.context }
    throw error
  }
  return undefined
}

async function* linesOf(...lines: string[]): AsyncGenerator<string> {
  yield* lines
}

async function collected(blocks: AsyncIterable<ChainBlock>): Promise<ChainBlock[]> {
  const all: ChainBlock[] = []
  for await (const block of blocks) all.push(block)
  return all
}

describe('lines of blocks', () => {
  test('count heights from that of the first coinbase, past blanks and quotes', async () => {
    const blocks = await collected(
      blocksOfLines(linesOf(` ${first.hex}\t`, '', `"${second.hex}"`, third.hex)),
    )
    expect(blocks.map(({ height, hash, size }) => ({ height, hash, size }))).toEqual(
      [first, second, third].map(({ hash, hex }, at) => ({
        height: 4242 + at,
        hash,
        size: hex.length / 2,
      })),
    )
    expect(blocks[1]!.read().previousHash).toBe(first.hash)
  })

  test('begin at height 0 where there is no block before', async () => {
    const [block] = await collected(blocksOfLines(linesOf(after(zeros).hex)))
    expect(block!.height).toBe(0)
  })

  test('name the line that is malformed', async () => {
    for (const [line, code] of [
      ['zz', 'malformed_hex'],
      ['00', 'truncated'],
      // Quotes stand around a whole line, as JSON has them.
      [`${second.hex.slice(0, 4)}"${second.hex.slice(4)}"`, 'malformed_hex'],
      [`"${second.hex.slice(0, -4)}"${second.hex.slice(-4)}`, 'malformed_hex'],
    ] as const) {
      const reading = collected(blocksOfLines(linesOf(first.hex, '', line)))
      await expect(reading).rejects.toMatchObject({ code, context: { path: 'blocks[2]' } })
    }
    const [, spoiled] = await collected(
      blocksOfLines(linesOf(first.hex, second.hex.replace(/..$/, '01'))),
    )
    expect(errorOf(() => spoiled!.read())).toMatchObject({ path: 'blocks[1]' })
  })
})

test('a block of no transactions names no height', () => {
  expect(heightOf({ hash: first.hash, previousHash: zeros, transactions: [] })).toBe(0)
  expect(heightOf({ hash: first.hash, previousHash: first.hash, transactions: [] })).toBe(0)
})

describe('a dump', () => {
  const parent = transaction(zeros)
  const child = transaction(transactionId(parent), 1)
  const grandchild = transaction(transactionId(child), 2)
  const unknown = transaction('99'.repeat(32))
  const dump = (...blocks: string[][]) =>
    JSON.stringify(blocks.flatMap((all, at) => all.map((hex) => ({ height: 7 + at, hex }))))
  const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

  test('has parents before their children, whatever their order', () => {
    const orders = [
      [parent, child, grandchild],
      [grandchild, child, parent],
      [child, grandchild, parent],
    ]
    for (const order of orders) {
      const [block] = [...blocksOfDump(dump([...order, unknown]))]
      expect(block!.read().transactions.map(hexOf)).toEqual([parent, child, grandchild, unknown])
      expect(block!.hash).toBe(
        merkleRootOf([parent, child, grandchild, unknown].map((it) => transactionId(it))),
      )
    }
  })

  test('counts heights from that of its first coinbase, and bytes of its transactions', () => {
    const blocks = [...blocksOfDump(dump([parent], [child, unknown]))]
    expect(blocks.map(({ height, size }) => [height, size])).toEqual([
      [4242, parent.length / 2],
      [4243, (child.length + unknown.length) / 2],
    ])
  })

  test('a block that has a transaction twice is refused, with its place', () => {
    expect(errorOf(() => [...blocksOfDump(dump([parent], [child, child]))])).toMatchObject({
      code: 'repeated_transaction',
      path: 'blocks[1]',
    })
  })
})

describe('files of a daemon', () => {
  test('hold blocks in the order of their arrival, and the chain with the most work counts', () => {
    const longer = written('blk00000.dat', ...[third, first, second].map(({ hex }) => record(hex)))
    expect(hashesOf(blocksOfFiles(longer))).toEqual([first.hash, second.hash, third.hash])
    appendFileSync(`${longer}/blk00001.dat`, record(rival.hex))
    for (const name of ['blk2.dat.tmp', 'old-blk00000.dat']) {
      writeFileSync(`${longer}/${name}`, record(rival.hex).fill(1, 0, 4))
    }
    expect(hashesOf(blocksOfFiles(longer))).toEqual([first.hash, rival.hash])
    expect(hashesOf(blocksOfFiles(`${longer}/blk00000.dat`))).toHaveLength(3)
  })

  test('have no blocks where nothing was written yet', () => {
    expect(hashesOf(blocksOfFiles(written('blk00000.dat', Buffer.alloc(100))))).toEqual([])
  })

  test('are read in the order of their numbers, not in that of the folder', () => {
    const path = written('blk00000.dat', record(first.hex))
    const rivals = Array.from({ length: 12 }, (_, time) => after(first.hash, { time }))
    for (const [at, { hex }] of rivals.entries()) {
      writeFileSync(`${path}/blk${`${at + 1}`.padStart(5, '0')}.dat`, record(hex))
    }
    expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash, rivals[0]!.hash])
  })

  test('keep the first to arrive of two blocks with equal work', () => {
    const twin = after(first.hash, { time: 1 })
    const both = [second, twin]
    for (const order of [both, both.toReversed()]) {
      const path = written('blk00000.dat', ...[first, ...order].map(({ hex }) => record(hex)))
      expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash, order[0]!.hash])
    }
  })

  test('count the work of a block once for each chain that it is in', () => {
    const shorter = after(first.hash, { time: 1 })
    const records = [third, second, first, shorter].map(({ hex }) => record(hex))
    expect(hashesOf(blocksOfFiles(written('blk00000.dat', ...records)))).toEqual([
      first.hash,
      second.hash,
      third.hash,
    ])
  })

  test('count heights, and read each block when it is needed', () => {
    const path = written('blk00000.dat', record(first.hex), record(second.hex.replace(/..$/, '01')))
    const [one, two] = [...blocksOfFiles(path)]
    expect([one!.height, two!.height]).toEqual([4242, 4243])
    expect([one!.size, two!.size]).toEqual([first.hex.length / 2, second.hex.length / 2])
    expect(one!.read().hash).toBe(first.hash)
    expect(errorOf(() => two!.read())).toMatchObject({
      path: `${path}/blk00000.dat:${8 + first.hex.length / 2 + 8}`,
    })
  })

  test('end where nothing was written yet, and within a block that was cut off', () => {
    const cut = record(second.hex).subarray(0, -1)
    for (const rest of [Buffer.alloc(100), Buffer.alloc(7, 1), cut, cut.subarray(0, 8)]) {
      expect(hashesOf(blocksOfFiles(written('blk00000.dat', record(first.hex), rest)))).toEqual([
        first.hash,
      ])
    }
  })

  test('hold blocks after a hole of zeros, and after a part of one', () => {
    const part = record(second.hex).subarray(0, 700)
    const hole = Buffer.alloc(3 << 20)
    for (const rest of [hole, Buffer.alloc(5), Buffer.alloc(70, 3), Buffer.concat([part, hole])]) {
      const path = written(
        'blk00000.dat',
        record(first.hex),
        rest,
        record(second.hex),
        rest,
        record(third.hex),
      )
      expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash, second.hash, third.hash])
    }
  })

  test('of another chain in the same folder are refused, whatever work they claim', () => {
    const path = written('blk00000.dat', record(first.hex), record(second.hex))
    writeFileSync(`${path}/blk00001.dat`, Buffer.alloc(100))
    expect(hashesOf(blocksOfFiles(path))).toHaveLength(2)
    const other = record(rival.hex)
    other.writeUInt32LE(0x11223344, 0)
    writeFileSync(`${path}/blk00001.dat`, other)
    expect(() => [...blocksOfFiles(path)]).toThrow(OtherChainError)
    expect(() => [...blocksOfFiles(path)]).toThrow('blk00001.dat begins with 44332211, and')
  })

  test('hold orphans, which count only if the first block of the chain is not there', () => {
    const genesis = after(zeros)
    const next = after(genesis.hash)
    const orphan = after('66'.repeat(32), { bits: hard })
    const records = [orphan, next, genesis].map(({ hex }) => record(hex))
    expect(hashesOf(blocksOfFiles(written('blk00000.dat', ...records)))).toEqual([
      genesis.hash,
      next.hash,
    ])
    const apart = [orphan, next].map(({ hex }) => record(hex))
    expect(hashesOf(blocksOfFiles(written('blk00000.dat', ...apart)))).toEqual([orphan.hash])
  })

  test('are searched in linear time, though each byte may begin a block that is cut off', () => {
    const cut = record('', blockBytesMax)
    const path = written('blk00000.dat', record(first.hex), ...Array(100_000).fill(cut))
    expect(hashesOf(blocksOfFiles(path))).toEqual([first.hash])
  })

  test('a block larger than any, and one of a single byte, are refused with their place', () => {
    const at = 8 + first.hex.length / 2
    const large = written('blk00000.dat', record(first.hex), record('00', blockBytesMax + 1))
    expect(errorOf(() => [...blocksOfFiles(large)])).toEqual({
      code: 'length_over_limit',
      path: `${large}/blk00000.dat`,
      offset: at + 4,
      actual: blockBytesMax + 1,
    })
    const gigabytes = written('blk00000.dat', record('00', 0xffff_ffff))
    expect(errorOf(() => [...blocksOfFiles(gigabytes)])).toMatchObject({ actual: 0xffff_ffff })
    const most = written('blk00000.dat', record(first.hex), record('00', blockBytesMax))
    expect(hashesOf(blocksOfFiles(most))).toEqual([first.hash])
    const none = written('blk00000.dat', record('00'))
    expect(errorOf(() => [...blocksOfFiles(none)])).toMatchObject({
      code: 'truncated',
      path: `${none}/blk00000.dat:8`,
    })
  })
})
