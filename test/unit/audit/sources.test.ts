// Small chains, of headers that nobody solved, in each form that a ledger reads but files.

import { describe, expect, test } from 'vitest'

import {
  blocksOfDump,
  blocksOfLines,
  type ChainBlock,
  heightOf,
} from '../../../src/audit/sources.ts'
import { merkleRootOf } from '../../../src/block/merkle.ts'
import { transactionId } from '../../../src/index.ts'
import { blockAfter, errorOf, madeTransaction, zeros } from '../../support/made-blocks.ts'

const first = blockAfter('77'.repeat(32))
const second = blockAfter(first.hash)
const third = blockAfter(second.hash)

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
    const [block] = await collected(blocksOfLines(linesOf(blockAfter(zeros).hex)))
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
  const parent = madeTransaction(zeros)
  const child = madeTransaction(transactionId(parent), 1)
  const grandchild = madeTransaction(transactionId(child), 2)
  const unknown = madeTransaction('99'.repeat(32))
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
