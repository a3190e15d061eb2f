// The spends of the guard's key: each block is read once, and a day is looked back.

import { describe, expect, test, vi } from 'vitest'
import { spendsOf } from '../../../src/guard/spends.ts'
import { bookOf } from '../../../src/journal/book.ts'
import { type Journal, memoryJournal } from '../../../src/journal/index.ts'
import { encodeRecord } from '../../../src/journal/records.ts'
import { dayLookedBack, type MinedSpend } from '../../../src/rpc/safe-flow/look-back.ts'
import type { SpendReader } from '../../../src/rpc/safe-flow/own-spends.ts'

const blocksLookedBack = dayLookedBack.blocks

/**
 * A chain whose daemon lists the spends of blocks, and the blocks that were asked for.
 *
 * @param spacing - seconds between two blocks
 */
function world(tip: number, journal: Journal = memoryJournal(), spacing = 60) {
  const none = { mined: [] as MinedSpend[], waiting: [] as string[] }
  const chain = { tip, ...none, isWhole: true, times: 0, lag: 0 }
  const asked: string[] = []
  const notCompared = vi.fn()
  const reader: SpendReader = {
    waiting: async () => chain.waiting,
    tip: async () => chain.tip,
    lag: async () => chain.lag,
    async time(height) {
      chain.times += 1
      return 1_600_000_000 + height * spacing
    },
    async mined(start, end) {
      asked.push(`${start}-${end}`)
      const spends = chain.mined.filter(({ height = start }) => height >= start && height <= end)
      return { spends, isWhole: chain.isWhole }
    },
    questions: (above) => ({
      questions: [{ method: `${above}`, params: [] }],
      read: () => undefined,
    }),
  }
  const spends = spendsOf(journal, reader, { onNotCompared: notCompared })
  return { chain, asked, notCompared, spends, since: (first?: number) => spends.list({ first }) }
}

describe('the spends of the key', () => {
  test('are those of the last day if the journal has no payment yet', async () => {
    const { chain, since } = world(5_000)
    const edge = 5_000 - blocksLookedBack
    chain.mined.push({ txid: 'old', height: edge }, { txid: 'new', height: edge + 1 })
    expect(await since(undefined)).toEqual(['new'])
  })

  test.each([
    [5, 17_280],
    [10, 8_640],
    [58, 1_440],
    [600, 1_440],
  ])('are those of the last day where blocks take %i seconds', async (spacing, blocks) => {
    const { chain, since } = world(100_000, memoryJournal(), spacing)
    chain.mined.push({ txid: 'this day', height: 100_001 - blocks })
    expect(await since(undefined)).toEqual(['this day'])
    const { times } = chain
    expect(times).toBeLessThan(8)
    chain.tip += 1
    await since(undefined)
    expect(chain.times).toBe(times)
  })

  test('are not compared while the daemon lacks more blocks than it is about to get', async () => {
    const { chain, since } = world(5_000)
    chain.lag = 3
    expect(await since(undefined)).toEqual([])
    chain.lag = 4
    await expect(since(undefined)).rejects.toThrow('guard: the daemon has 5000 of 5004 blocks')
  })

  test('are those since the first payment of the journal, if that is longer ago', async () => {
    const { chain, since } = world(5_000)
    chain.mined.push({ txid: 'old', height: 11 }, { txid: 'first', height: 10 })
    expect(await since(10)).toEqual(['old'])
  })

  test('are those of the last day also if the journal is younger', async () => {
    const { chain, since } = world(5_000)
    chain.mined.push({ txid: 'before', height: 4_000 })
    expect(await since(4_990)).toEqual(['before'])
  })

  test('are none of a journal in memory that has no payment yet', async () => {
    const spends = spendsOf(
      memoryJournal(),
      {
        waiting: async () => ['waiting'],
        tip: async () => 10,
        lag: async () => 0,
        time: async () => undefined,
        mined: async () => ({ spends: [{ txid: 'mined', height: 9 }], isWhole: true }),
        questions: () => ({ questions: [], read: () => undefined }),
      },
      { isLookedBack: false },
    )
    expect(await spends.list({})).toEqual([])
    expect(await spends.list({ first: 8 })).toEqual(['waiting', 'mined'])
  })

  test('leave out those that the journal may have dropped, and are read all the same', async () => {
    const { chain, spends } = world(5_000)
    chain.mined.push({ txid: 'old', height: 4_000 }, { txid: 'new', height: 4_001 })
    expect(await spends.list({ first: 3_000, dropped: 4_000 })).toEqual(['new'])
    expect(await spends.list({ first: 3_000 })).toEqual(['old', 'new'])
  })

  test('have the waiting ones', async () => {
    const { chain, since } = world(10)
    chain.waiting.push('waiting')
    expect(await since(undefined)).toEqual(['waiting'])
  })

  test('are asked for once, except in blocks that a reorganization may replace', async () => {
    const { chain, asked, since } = world(5_000)
    chain.mined.push({ txid: 'one', height: 4_000 })
    await since(3_000)
    chain.tip = 5_010
    chain.mined.push({ txid: 'two', height: 5_005 })
    expect(await since(3_000)).toEqual(['one', 'two'])
    expect(asked).toEqual(['3001-5000', '4901-5010'])
  })

  test('are asked for again further back, if the journal needs it', async () => {
    const { asked, since } = world(5_000)
    await since(undefined)
    await since(100)
    await since(200)
    expect(asked).toEqual(['3561-5000', '101-5000', '4901-5000'])
  })

  test('leave no gap after a long time without payments', async () => {
    const { chain, asked, since } = world(5_000)
    await since(undefined)
    chain.tip = 9_000
    chain.mined.push({ txid: 'gap', height: 5_500 })
    await since(undefined)
    expect(await since(4_000)).toEqual(['gap'])
    expect(asked).toEqual(['3561-5000', '7561-9000', '4001-9000'])
  })

  test('are read on after a tip that was claimed too high', async () => {
    const { chain, asked, since } = world(2 ** 31)
    await since(10)
    chain.tip = 5_000
    chain.mined.push({ txid: 'late', height: 4_950 })
    expect(await since(10)).toEqual(['late'])
    expect(asked.at(-1)).toBe('4901-5000')
  })

  test('are not lost if the daemon tells no heights', async () => {
    const { chain, since } = world(5_000)
    chain.mined.push({ txid: 'somewhere' })
    expect(await since(undefined)).toEqual(['somewhere'])
    chain.mined.length = 0
    expect(await since(undefined)).toEqual(['somewhere'])
  })

  test('are asked for again after the daemon refused a list', async () => {
    const { chain, asked, notCompared, since } = world(5_000)
    chain.isWhole = false
    chain.mined.push({ txid: 'given', height: 4_000 })
    expect(await since(undefined)).toEqual(['given'])
    expect(notCompared).toHaveBeenCalledTimes(1)
    chain.mined.push({ txid: 'refused', height: 4_001 })
    chain.isWhole = true
    expect(await since(undefined)).toEqual(['given', 'refused'])
    await since(undefined)
    expect(notCompared).toHaveBeenCalledTimes(1)
    expect(asked).toEqual(['3561-5000', '3561-5000', '4901-5000'])
  })

  test('are not lost while the daemon refuses to list blocks further back', async () => {
    const { chain, asked, since } = world(5_000)
    chain.mined.push({ txid: 'known', height: 4_000 })
    await since(undefined)
    chain.isWhole = false
    chain.mined.length = 0
    expect(await since(100)).toEqual(['known'])
    expect(await since(undefined)).toEqual(['known'])
    expect(asked).toEqual(['3561-5000', '101-5000', '4901-5000'])
  })

  test('are not lost if a list far above them is refused, and the chain is as low as before', async () => {
    const { chain, since } = world(5_000)
    chain.mined.push({ txid: 'known', height: 4_000 })
    await since(undefined)
    Object.assign(chain, { tip: 9_000, isWhole: false })
    expect(await since(undefined)).toEqual([])
    Object.assign(chain, { tip: 5_000, isWhole: true })
    expect(await since(undefined)).toEqual(['known'])
  })

  test('are asked for in the next block at least', async () => {
    const { asked, since } = world(0)
    await since(undefined)
    expect(asked).toEqual(['1-1'])
  })

  test('still have one whose block a reorganization removed, because it may be mined again', async () => {
    const { chain, since } = world(5_000)
    chain.mined.push({ txid: 'removed', height: 4_999 })
    await since(undefined)
    chain.mined.length = 0
    chain.tip = 4_998
    expect(await since(undefined)).toEqual(['removed'])
    chain.tip = 5_100
    chain.mined.push({ txid: 'removed', height: 5_050 })
    expect(await since(undefined)).toEqual(['removed'])
    chain.tip = 5_050 + blocksLookedBack
    expect(await since(undefined)).toEqual([])
  })

  test('are not kept if the journal has them and they are deep', async () => {
    const journal = memoryJournal()
    const about = { payment: 'id a', at: new Date(0).toISOString() }
    const more = { id: 'a', terms: '', request: '{}', hex: '' }
    await journal.append(1, encodeRecord({ kind: 'attempt', ...about, ...more, txid: 'own' }))
    await bookOf(journal).catchUp()
    const { chain, since } = world(5_000, journal)
    chain.mined.push({ txid: 'own', height: 4_000 }, { txid: 'other', height: 4_000 })
    await since(undefined)
    expect(await since(undefined)).toEqual(['other'])
  })

  test('are taken from one request, if that went far enough back', async () => {
    const { asked, spends, since } = world(5_000)
    await since(undefined)
    const mined = { spends: [{ txid: 'mined', height: 5_001 }], isWhole: true }
    const seen = { above: 4_900, waiting: ['waiting'], tip: 5_001, mined, lag: 0 }
    expect(await spends.list({}, seen)).toEqual(['waiting', 'mined'])
    expect(asked).toEqual(['3561-5000'])
  })

  test.each([
    ['began above blocks that may be replaced', 4_901, 5_000],
    ['is of a chain that is lower now', 4_900, 4_990],
  ])('are asked for again if the request %s', async (_, above, tip) => {
    const { chain, asked, spends, since } = world(5_000)
    await since(3_000)
    chain.mined.push({ txid: 'missed', height: 4_901 })
    const seen = { above, waiting: [], tip, mined: { spends: [], isWhole: true }, lag: 0 }
    expect(await spends.list({ first: 3_000 }, seen)).toEqual(['missed'])
    expect(asked.at(-1)).toBe(`${tip - 99}-${tip}`)
  })

  test('have no questions for one request before a first list, or after one that was refused', async () => {
    const { chain, spends, since } = world(5_000)
    expect(spends.questions()).toBeUndefined()
    chain.isWhole = false
    await since(undefined)
    expect(spends.questions()).toBeUndefined()
    chain.isWhole = true
    await since(undefined)
    expect(spends.questions()?.questions).toEqual([{ method: '4900', params: [] }])
  })
})
