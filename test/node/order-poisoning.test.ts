// A defect of komodod that a rule switches on: orders of a non-fungible token spoil all others.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'

let node: DevNode
let start: string
let gold: string
let art: string
let askOfGold: string
let askOfArt: string

/** Builds by a method, broadcasts and mines. */
async function made(identity: number, method: string, params: readonly unknown[]): Promise<string> {
  const hex = await built(identity, method, params)
  return (await node.request('sendrawtransaction', [hex])) as string
}

async function built(identity: number, method: string, params: readonly unknown[]) {
  return ((await node.request(method, params, { identity })) as { hex: string }).hex
}

const fillOfGold = () => built(1, 'tokenfillask', [gold, askOfGold, '10'])
const fillOfArt = () => built(1, 'tokenfillask', [art, askOfArt, '1'])
const sent = (hex: string) => node.request('sendrawtransaction', [hex])

beforeAll(async () => {
  node = await createDevNode({ listen: false, time: 1_800_000_000 })
  gold = await made(0, 'tokencreate', ['GOLD', '0.00001'])
  art = await made(0, 'tokencreate', ['ART', '0.00000001', '', 'f101'])
  askOfGold = await made(0, 'tokenask', ['100', gold, '0.001'])
  askOfArt = await made(0, 'tokenask', ['1', art, '0.001'])
  start = node.snapshot()
})
beforeEach(() => {
  node.revert(start)
  node.faults.clear()
})
afterAll(() => node.close())

const refusal = {
  code: -26,
  cause: expect.stringContaining('invalid vin assets CCaddr'),
}

describe('with the defect', () => {
  test('a sale of a non-fungible token spoils the asks of others until the rule is removed', async () => {
    const remove = node.faults.add({ kind: 'nft_order_poisoning' })
    const fill = await fillOfGold()
    expect(node.testMempoolAccept(fill).ok).toBe(true)
    await sent(await fillOfArt())
    await expect(sent(await fillOfGold())).rejects.toMatchObject(refusal)
    const cancel = await built(0, 'tokencancelask', [gold, askOfGold])
    await expect(sent(cancel)).rejects.toMatchObject(refusal)
    remove()
    await sent(await fillOfGold())
  })

  test('a step that is refused spoils them too', async () => {
    const bid = await made(1, 'tokenbid', ['1', art, '0.001'])
    node.faults.add({ kind: 'nft_order_poisoning' })
    // Only its maker can cancel a bid.
    const cancel = await built(0, 'tokencancelbid', [art, bid])
    await expect(sent(cancel)).rejects.toMatchObject({ code: -26 })
    await expect(sent(await fillOfGold())).rejects.toMatchObject(refusal)
  })

  test('bids are not affected', async () => {
    const bid = await made(1, 'tokenbid', ['5', gold, '0.001'])
    node.faults.add({ kind: 'nft_order_poisoning' })
    await sent(await fillOfArt())
    const fill = await built(0, 'tokenfillbid', [gold, bid, '5'])
    expect(await sent(fill)).toMatch(/^[0-9a-f]{64}$/)
  })
})

test('without the fault, nothing is refused', async () => {
  await sent(await fillOfArt())
  expect(await sent(await fillOfGold())).toMatch(/^[0-9a-f]{64}$/)
})

test('the rule takes no scope', () => {
  const rule = { kind: 'nft_order_poisoning', times: 1 } as const
  expect(() => node.faults.add(rule)).toThrow(/takes no method, identity or times/)
})
