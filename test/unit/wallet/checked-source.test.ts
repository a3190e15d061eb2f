// The tips that the wallet believes: which heights a hostile source can make it use.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'

import { createFindings } from '../../../src/chain-source/source-findings.ts'
import { checkedSource } from '../../../src/wallet/checked-source.ts'
import type { ChainSource } from '../../../src/wallet/index.ts'

const week = 7 * 24 * 3600
const start = 1_795_000_000

beforeEach(() => {
  vi.useFakeTimers({ now: start * 1000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A source that states any tip, and the tip that the wallet uses. */
function tipsOf() {
  const findings = createFindings('server')
  let stated = { height: 0, time: 0 }
  const source = { name: 'server', tip: async () => stated } as unknown as ChainSource
  const checked = checkedSource(source, findings)
  return {
    async tipAt(height: number, time: number) {
      stated = { height, time }
      return checked.tip()
    },
    codes: () => findings.list().map(({ code }) => code),
  }
}

test('many small steps raise the tip no further than one', async () => {
  const { tipAt, codes } = tipsOf()
  await tipAt(1000, start - 30)
  for (let height = 1144; height < 20_000; height += 144) await tipAt(height, start - 30)
  expect(await tipAt(1145, start - 30)).toEqual({ height: 1144, time: start - 30 })
  expect(new Set(codes())).toEqual(new Set(['source_tip_ahead']))
})

test('a time of the future raises the tip no further than the clock of this machine', async () => {
  const { tipAt, codes } = tipsOf()
  const before = await tipAt(1000, start)
  expect(await tipAt(400_000_000, 0xffffffff)).toEqual(before)
  expect(codes()).toEqual(['source_tip_ahead'])
  vi.setSystemTime((start + 100) * 1000)
  expect(await tipAt(1000 + 144 + 601, 0xffffffff)).toEqual(before)
  expect((await tipAt(1000 + 144 + 600, 0xffffffff)).height).toBe(1744)
})

test('a process that slept for a week believes the week of blocks', async () => {
  for (const clock of [0, -week]) {
    vi.setSystemTime((start + clock) * 1000)
    const { tipAt, codes } = tipsOf()
    await tipAt(1000, start)
    vi.setSystemTime((start + clock + week) * 1000)
    expect((await tipAt(1000 + week / 60, start + week)).height).toBe(1000 + week / 60)
    expect(codes()).toEqual([])
  }
})

test('a server that catches up is believed as fast as its blocks are', async () => {
  const { tipAt, codes } = tipsOf()
  await tipAt(1000, start - week)
  expect((await tipAt(1000 + week / 60, start)).height).toBe(1000 + week / 60)
  expect(codes()).toEqual([])
})
