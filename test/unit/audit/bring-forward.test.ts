// Limits of the batches in which a ledger gets blocks. The ledger stands in memory here, so that
// thousands of blocks take no time.

import { expect, test } from 'vitest'

import { bringForward } from '../../../src/audit/audit.ts'
import type { AuditedBlock } from '../../../src/audit/block.ts'
import type { Ledger } from '../../../src/audit/ledger.ts'
import type { ChainBlock } from '../../../src/audit/sources.ts'

function memoryLedger() {
  const batches: (readonly [first: number, count: number])[] = []
  let tip: Ledger['tip']
  let isIndexed = false
  const ledger = {
    get tip() {
      return tip
    },
    hashAt: () => undefined,
    async add(blocks: readonly AuditedBlock[], first: number) {
      batches.push([first, blocks.length])
      tip = { height: first + blocks.length - 1, hash: blocks.at(-1)!.hash }
    },
    index() {
      isIndexed = true
    },
  }
  return { ledger: ledger as unknown as Ledger, batches, isIndexed: () => isIndexed }
}

const blocksOf = (sizes: readonly number[]) =>
  sizes.map((size, height): ChainBlock => {
    const read = () => ({ hash: `${height}`, previousHash: `${height - 1}`, transactions: [] })
    return { height, hash: `${height}`, size, read }
  })

test.each([
  ['8000 blocks', Array<number>(8001).fill(1), [8000, 1]],
  ['4 MiB', [(4 << 20) - 1, 1, 1, 4 << 20, 1], [2, 2, 1]],
] as const)('a ledger gets batches of %s, and what is left', async (_, sizes, counts) => {
  const { ledger, batches, isIndexed } = memoryLedger()
  const added: number[] = []
  await bringForward(ledger, blocksOf(sizes), { onAdded: (height) => added.push(height) })
  expect(batches.map(([, count]) => count)).toEqual(counts)
  expect(batches.map(([first]) => first)).toEqual([0, ...added.slice(0, -1).map((it) => it + 1)])
  expect(added.at(-1)).toBe(sizes.length - 1)
  expect(isIndexed()).toBe(true)
})

test('a ledger gets no blocks without headers that may not follow its last one, unless trusted', async () => {
  const { ledger, batches } = memoryLedger()
  const blocks = blocksOf([1, 1, 1])
  await bringForward(ledger, blocks.slice(0, 1))
  const headless = blocks
    .slice(1)
    .map((it): ChainBlock => ({ ...it, read: () => ({ hash: it.hash, transactions: [] }) }))
  const refused = bringForward(ledger, headless)
  await expect(refused).rejects.toThrow('cannot tell whether block 1 follows block 0')
  expect(batches).toEqual([[0, 1]])
  await bringForward(ledger, headless, { isTrusted: true })
  expect(batches).toEqual([
    [0, 1],
    [1, 2],
  ])
})
