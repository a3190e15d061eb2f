import { expect, test } from 'vitest'
import { useDevNode } from '../../src/node/vitest.ts'

const node = useDevNode({ listen: false, time: 1_800_000_000 })

test.each(['one', 'other'])('each test finds the node as it was started: %s', async () => {
  expect(await node().request('getblockcount')).toBe(1)
  expect(node().faults.add({ kind: 'warm_up', method: 'getinfo' })).toBeTypeOf('function')
  await expect(node().request('getinfo')).rejects.toMatchObject({ code: -28 })
  node().fund(node().identities[1]!.address, 5_00000000n)
  node().mine(3)
  expect(await node().request('getblockcount')).toBe(5)
})
