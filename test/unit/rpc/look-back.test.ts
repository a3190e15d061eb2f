// How far a comparison with the chain goes back, on chains whose blocks do not keep their time.

import { expect, test } from 'vitest'
import { RpcError } from '../../../src/rpc/errors.ts'
import { blocksLookedBack } from '../../../src/rpc/safe-flow/look-back.ts'

const day = 24 * 3600
const blocks = 1_440

/** A chain whose blocks come every ten seconds, after a stop of a day behind one block. */
function stoppedAt(height: number) {
  let asked = 0
  return {
    asked: () => asked,
    async timeOf(at: number) {
      asked += 1
      return at * 10 + (at > height ? day : 0)
    },
  }
}

test('is found again after a chain stood still for a day', async () => {
  const { asked, timeOf } = stoppedAt(50_000)
  const blocksBack = blocksLookedBack({ blocks, seconds: day })
  expect(await blocksBack(50_001, timeOf)).toBe(blocks)
  const once = asked()
  expect(await blocksBack(50_030, timeOf)).toBe(blocks)
  expect(asked()).toBe(once)
  const back = await blocksBack(60_000, timeOf)
  expect((await timeOf(60_000)) - (await timeOf(60_000 - back))).toBeGreaterThanOrEqual(day)
  expect(back).toBeGreaterThan(blocks)
})

test('is not shortened by a failure to give a time', async () => {
  const chain = stoppedAt(50_000)
  let failures = 1
  const timeOf = async (at: number) => {
    if (at < 60_000 && failures-- > 0) throw new RpcError('daemon', 'busy', { code: -1 })
    return chain.timeOf(at)
  }
  const blocksBack = blocksLookedBack({ blocks, seconds: day })
  await expect(blocksBack(60_000, timeOf)).rejects.toThrow('busy')
  expect(await blocksBack(60_000, timeOf)).toBeGreaterThanOrEqual(8_640)
})

test('is counted in blocks alone where there are no times', async () => {
  const blocksBack = blocksLookedBack({ blocks, seconds: day })
  expect(await blocksBack(60_000, async () => undefined)).toBe(blocks)
})
