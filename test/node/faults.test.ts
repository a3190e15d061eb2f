// These tests inject faults, and show how a client meets them over a real connection.

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

test('a full work queue is reported by its status and text', async () => {
  node.faults.add({ kind: 'queue_full', times: 1 })
  await expect(client().call('getblockcount', [])).rejects.toMatchObject({
    kind: 'http',
    status: 500,
    reason: 'queue_full',
  })
})

test('a connection that is reset in the middle of an answer is not an answer', async () => {
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

test('a fault in one call of a batch ruins the answer to all', async () => {
  const { url, user, password } = node.identities[0]!
  const ask = () =>
    fetch(url, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${user}:${password}`)}` },
      body: '[{"method":"getblockcount"},{"method":"getconnectioncount"}]',
    })
  node.faults.add({ kind: 'queue_full', method: 'getblockcount', times: 1 })
  const full = await ask()
  expect([full.status, await full.text()]).toEqual([500, 'Work queue depth exceeded'])
  node.faults.add({ kind: 'reset', method: 'getblockcount', times: 1 })
  await expect(ask().then((reply) => reply.text())).rejects.toThrow()
  expect((await ask()).status).toBe(200)
})

test('rules that count are used one by one, in the order in which they were added', async () => {
  node.faults.add({ kind: 'error', code: -1, message: 'one', times: 1 })
  node.faults.add({ kind: 'error', code: -2, message: 'two', times: 1 })
  await expect(node.request('getblockcount')).rejects.toMatchObject({ code: -1 })
  await expect(node.request('getblockcount')).rejects.toMatchObject({ code: -2 })
  expect(await node.request('getblockcount')).toBeDefined()
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

test('an unknown fault is refused, and a transaction without room for tampering is an error', async () => {
  const add = (rule: object) => () => node.faults.add(rule as never)
  expect(add({ kind: 'tampered_hexx', tamper: 'stolen_change' })).toThrow(/rule\.kind/)
  expect(add({ kind: 'tampered_hex', tamper: 'stolen_chnge' })).toThrow(
    /rule\.tamper.*stolen_change/,
  )
  const [own, other] = node.identities
  const intent = { name: 'ONE', supply: 10n, description: '', owner: own!.pubkey }
  const { txid: tokenid } = await createToken(client(), intent)
  // the wallet has no other token
  node.faults.add({ kind: 'tampered_hex', method: 'tokentransfer', tamper: 'other_token_burned' })
  const params = [tokenid!, other!.pubkey, '1']
  await expect(client().call('tokentransfer', params)).rejects.toMatchObject({
    code: -32603,
    message: expect.stringContaining(
      'this transaction has no room for the tampering other_token_burned',
    ),
  })
})

test('a lie is the one that was asked for, or there is no room for it', async () => {
  const [own, other] = node.identities
  const send = async ({ hex }: { hex: string }) => node.request('sendrawtransaction', [hex])
  const created = (await node.request('tokencreate', ['ONE', '0.00000010'])) as { hex: string }
  const tokenid = await send(created)
  const transfer = (to: string, units: string) =>
    node.request('tokentransfer', [tokenid, to, units]) as Promise<{ hex: string }>
  await send(await transfer(own!.pubkey, '4'))

  // all of what the wallet has of this token, and then some of it
  node.faults.add({ kind: 'tampered_hex', tamper: 'stolen_token_change' })
  await expect(transfer(other!.pubkey, '10')).rejects.toThrow(/no room/)
  node.faults.clear()
  node.faults.add({ kind: 'tampered_hex', tamper: 'other_token_burned' })
  await expect(transfer(other!.pubkey, '3')).rejects.toThrow(/no room/)
  node.faults.clear()

  const second = (await node.request('tokencreate', ['TWO', '0.00000010'])) as { hex: string }
  await send(second)
  node.faults.add({ kind: 'tampered_hex', tamper: 'other_token_burned' })
  // which is why a wallet must look: the chain takes it
  expect(node.testMempoolAccept((await transfer(other!.pubkey, '3')).hex).ok).toBe(true)
})

test('a fee is not raised by more than comes back', async () => {
  node.faults.add({ kind: 'tampered_hex', tamper: 'raised_fee' })
  // The payment takes a whole coin of 1000, so the change is less than the tampering costs.
  const answer = node.request('tokencreate', ['ALL', '999.99900000'], { identity: 1 })
  await expect(answer).rejects.toThrow(/no room/)
})

test('tampering with every method leaves alone what no module built', async () => {
  const { hex } = (await node.request('tokencreate', ['GOLD', '1'])) as { hex: string }
  const txid = await node.request('sendrawtransaction', [hex])
  const ask = () =>
    Promise.all([node.request('gettxout', [txid, 0]), node.request('getrawtransaction', [txid, 1])])
  const honest = await ask()
  node.faults.add({ kind: 'tampered_hex', tamper: 'stolen_change' })
  expect(await ask()).toEqual(honest)
})

test.each([0, -1, 1.5, Number.NaN])('a rule that holds %d times is refused', (times) => {
  expect(() => node.faults.add({ kind: 'queue_full', times })).toThrow(/^rule.times: .*positive/)
})

test.each([1_800_000_000_000, Number.NaN, -1, 1.5])('the clock is not set to %d', (seconds) => {
  expect(() => node.setTime(seconds)).toThrow(/seconds since 1970/)
})

test('coins that are asked for come after a chain that is loaded', async () => {
  const { address } = node.identities[1]!
  const fund = [{ to: address, value: 123n }]
  await using next = await createDevNode({ load: node.dump(), fund, listen: false })
  expect(next.height).toBe(node.height + 1)
  const coins = await next.request('listunspent', [0, 9_999_999, [address]], { identity: 1 })
  expect(coins).toContainEqual(expect.objectContaining({ amount: 0.00000123 }))
})
