// What goes wrong on purpose, as a client meets it over a real connection.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { createDaemonClient, createToken } from '../../src/rpc/index.ts'

let node: DevNode
let start: string
beforeAll(async () => {
  node = await createDevNode({ time: 1_800_000_000 })
  start = node.snapshot()
})
beforeEach(() => {
  node.revert(start)
  node.faults.clear()
})
afterAll(() => node.close())

const client = (options = {}) =>
  createDaemonClient({ ...node.identities[0]!, retry: false, ...options })

test('warm-up passes, and a client that tries again gets its answer', async () => {
  node.faults.add({ kind: 'warm_up', times: 1 })
  await expect(client().call('getblockcount', [])).rejects.toMatchObject({
    kind: 'daemon',
    code: -28,
  })
  node.faults.add({ kind: 'warm_up', times: 2 })
  expect(await client({ retry: {} }).call('getblockcount', [])).toBeDefined()
})

test('a full work queue is told by its status and text', async () => {
  node.faults.add({ kind: 'queue_full', times: 1 })
  await expect(client().call('getblockcount', [])).rejects.toMatchObject({
    kind: 'http',
    status: 500,
    reason: 'queue_full',
  })
})

test('a connection that is reset in the middle of an answer is no answer', async () => {
  node.faults.add({ kind: 'reset', times: 1 })
  await expect(client().call('getinfo', [])).rejects.toMatchObject({ kind: 'transport' })
  expect(await client().call('getblockcount', [])).toBeDefined()
})

test('a lost reply leaves what was sent accepted', async () => {
  const { hex } = (await node.request('tokencreate', ['GOLD', '1'])) as { hex: string }
  node.faults.add({ kind: 'lost_reply', method: 'sendrawtransaction', times: 1 })
  await expect(client().call('sendrawtransaction', [hex])).rejects.toMatchObject({
    kind: 'transport',
  })
  expect(await node.request('tokenlist')).toHaveLength(1)
})

test('another txid than that of what was sent is noticed by the safe flow', async () => {
  node.faults.add({ kind: 'wrong_txid' })
  const intent = { name: 'GOLD', supply: 1n, description: '', owner: node.identities[0]!.pubkey }
  await expect(createToken(client(), intent)).rejects.toMatchObject({ reason: 'wrong_txid' })
})

test('latency holds an answer back', async () => {
  node.faults.add({ kind: 'latency', milliseconds: 2_000, method: 'getinfo' })
  await expect(client({ timeoutMs: 50 }).call('getinfo', [])).rejects.toMatchObject({
    kind: 'timeout',
  })
  expect(await client({ timeoutMs: 5_000 }).call('getblockcount', [])).toBeDefined()
})

test('rules hold for one identity, and until they are taken back', async () => {
  const takeBack = node.faults.add({ kind: 'error', code: -32603, message: 'broken', identity: 1 })
  expect(await client().call('getblockcount', [])).toBeDefined()
  const other = createDaemonClient({ ...node.identities[1]!, retry: false })
  await expect(other.call('getblockcount', [])).rejects.toMatchObject({ code: -32603 })
  takeBack()
  expect(await other.call('getblockcount', [])).toBeDefined()
})

test('stop ends the server of one identity', async () => {
  await using two = await createDevNode()
  const [first, second] = two.identities.map((it) => createDaemonClient({ ...it, retry: false }))
  await second!.call('stop', [])
  await expect(second!.call('getinfo', [])).rejects.toMatchObject({ kind: 'transport' })
  expect(await first!.call('getblockcount', [])).toBeDefined()
})

test('a fault that there is not is refused, and a lie for which there is no room is told', async () => {
  const add = (rule: object) => () => node.faults.add(rule as never)
  expect(add({ kind: 'lying_hexx', lie: 'stolen_change' })).toThrow(/rule\.kind/)
  expect(add({ kind: 'lying_hex', lie: 'stolen_chnge' })).toThrow(/rule\.lie.*stolen_change/)
  const [own, other] = node.identities
  const intent = { name: 'ONE', supply: 10n, description: '', owner: own!.pubkey }
  const { txid: tokenid } = await createToken(client(), intent)
  // the wallet has no other token
  node.faults.add({ kind: 'lying_hex', method: 'tokentransfer', lie: 'other_token_burned' })
  const params = [tokenid!, other!.pubkey, '1']
  await expect(client().call('tokentransfer', params)).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining('no room in this transaction for the lie other_token_burned'),
  })
})
