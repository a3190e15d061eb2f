import { expect, test } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'

type Result = { result?: string; hex?: string; error?: string }

async function act(
  node: DevNode,
  identity: number,
  method: string,
  ...params: string[]
): Promise<string> {
  const { hex, error } = (await node.request(method, params, { identity })) as Result
  if (hex === undefined) throw new Error(error)
  return (await node.request('sendrawtransaction', [hex], { identity })) as string
}

async function balance(node: DevNode, tokenid: string, identity: number): Promise<number> {
  return ((await node.request('tokenbalance', [tokenid], { identity })) as { balance: number })
    .balance
}

const offline = { listen: false, time: 1_800_000_000 } as const

test('an ask is listed, filled in part, and cancelled by its maker alone', async () => {
  await using node = await createDevNode(offline)
  const tokenid = await act(node, 0, 'tokencreate', 'GOLD', '0.00001')
  const ask = await act(node, 0, 'tokenask', '100', tokenid, '0.001')
  expect(await node.request('tokenorders', [tokenid])).toMatchObject([
    { funcid: 's', amount: '100' },
  ])
  const filled = await act(node, 1, 'tokenfillask', tokenid, ask, '30')
  expect(await balance(node, tokenid, 1)).toBe(30)
  expect(await node.request('tokenorders', [])).toMatchObject([{ funcid: 'S', amount: '70' }])
  await expect(act(node, 1, 'tokencancelask', tokenid, filled)).rejects.toThrow()
  await act(node, 0, 'tokencancelask', tokenid, filled)
  expect(await balance(node, tokenid, 0)).toBe(970)
  expect(await node.request('tokenorders')).toEqual([])
})

test('a bid is filled, and more than all of it is all of it', async () => {
  await using node = await createDevNode(offline)
  const tokenid = await act(node, 0, 'tokencreate', 'GOLD', '0.00001')
  const bid = await act(node, 1, 'tokenbid', '10', tokenid, '0.01')
  const part = await act(node, 0, 'tokenfillbid', tokenid, bid, '4')
  await act(node, 0, 'tokenfillbid', tokenid, part, '777')
  expect(await balance(node, tokenid, 1)).toBe(10)
  expect(await node.request('tokenorders')).toEqual([])
})

test('an ask of all that there is gives no change', async () => {
  await using node = await createDevNode(offline)
  const tokenid = await act(node, 0, 'tokencreate', 'GOLD', '0.00001')
  await act(node, 0, 'tokenask', '1000', tokenid, '0.00001')
  expect(await balance(node, tokenid, 0)).toBe(0)
})

test("a bid that is cancelled by another is refused with the module's reason", async () => {
  await using node = await createDevNode(offline)
  const tokenid = await act(node, 0, 'tokencreate', 'GOLD', '0.00001')
  const bid = await act(node, 1, 'tokenbid', '10', tokenid, '0.01')
  const { hex } = (await node.request('tokencancelbid', [tokenid, bid])) as Result
  expect(node.testMempoolAccept(hex!)).toMatchObject({
    ok: false,
    code: -26,
    reason: expect.stringContaining('CC Eval EVAL_ASSETS Invalid: invalid refund for cancelbuy'),
  })
  await act(node, 1, 'tokencancelbid', tokenid, bid)
  expect(await node.request('tokenorders')).toEqual([])
})
