// The typed client of the daemon, method by method, against the node.

import { expect, test } from 'vitest'
import { useDevNode } from '../../src/node/vitest.ts'
import { createDaemonClient } from '../../src/rpc/index.ts'

const node = useDevNode({ time: 1_800_000_000 })
const client = (identity = 0) =>
  createDaemonClient({ ...node().identities[identity]!, retry: false })

async function goldOf(): Promise<string> {
  const { hex } = await client().tokencreate({ name: 'GOLD', supply: 1000n, description: 'd' })
  return client().sendrawtransaction({ hexstring: hex })
}

test('the tokens module', async () => {
  const tokenid = await goldOf()
  const [own, other] = node().identities
  expect(await client().tokenlist()).toEqual([tokenid])
  expect(await client().tokeninfo({ tokenid })).toMatchObject({
    name: 'GOLD',
    supply: 1000n,
    owner: own!.pubkey,
  })
  const { hex } = await client().tokentransfer({ tokenid, destpubkey: other!.pubkey, amount: 7n })
  await client().sendrawtransaction({ hexstring: hex })
  expect(await client(1).tokenbalance({ tokenid })).toMatchObject({ balance: 7n })
  expect(await client().tokenaddress({ pubkey: other!.pubkey })).toMatchObject({
    myaddress: own!.address,
  })
})

test('transactions and outputs', async () => {
  const txid = await goldOf()
  const raw = await client().getrawtransaction({ txid, verbose: 1 })
  expect(raw).toMatchObject({ txid, confirmations: 1 })
  const hex = await client().getrawtransaction({ txid })
  expect(await client().decoderawtransaction({ hexstring: hex })).toMatchObject({ txid })
  expect(await client().gettxout({ txid, n: 1 })).toMatchObject({ value: 1000n })
  expect(await client().gettxout({ txid, n: 99 })).toBeNull()
  const { address } = node().identities[0]!
  const utxos = await client().getaddressutxos({ addresses: [address] })
  expect(utxos.length).toBeGreaterThan(9)
  expect((await client().listunspent({})).length).toBe(utxos.length)
})

test('the node and its wallet', async () => {
  const { address, pubkey } = node().identities[0]!
  expect(await client().getblockcount()).toBe(node().height)
  expect(await client().getinfo()).toMatchObject({ blocks: node().height, pubkey })
  expect(await client().getrawmempool({})).toEqual([])
  expect(await client().validateaddress({ address })).toMatchObject({ isvalid: true, ismine: true })
  expect(await client().help({ command: 'tokeninfo' })).toBe('tokeninfo tokenid\n')
  const results = await client().batch([
    { method: 'getblockcount', params: [] },
    { method: 'nosuch', params: [] },
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('lists what a wallet received since a block, on a chain without gaps', async () => {
  const address = (await node().request('getnewaddress', [])) as string
  const before = await node().request('getbestblockhash')
  const txid = await node().request('sendtoaddress', [address, '1.5'])
  expect(await node().request('getreceivedbyaddress', [address])).toBe(1.5)
  const since = (await node().request('listsinceblock', [before])) as {
    transactions: { txid: string }[]
  }
  expect(new Set(since.transactions.map((it) => it.txid))).toContain(txid)
  expect(await node().request('verifychain', [])).toBe(true)
  expect(await node().request('coinsupply', ['1'])).toMatchObject({ result: 'success', height: 1 })
  expect(await node().request('getchaintxstats', [])).toMatchObject({ window_block_count: 1 })
})

test('proofs of inclusion are verified, and changed ones are not', async () => {
  const txid = await goldOf()
  const proof = (await node().request('gettxoutproof', [[txid]])) as string
  expect(await node().request('verifytxoutproof', [proof])).toEqual([txid])
  const changed = proof.replace(/..$/, '00')
  await expect(node().request('verifytxoutproof', [changed])).resolves.not.toEqual([txid])
})

test('coins that are set aside are not spent', async () => {
  const coins = (await node().request('listunspent', [])) as { txid: string; vout: number }[]
  await node().request('lockunspent', [false, coins.map(({ txid, vout }) => ({ txid, vout }))])
  await expect(
    node().request('sendtoaddress', [node().identities[1]!.address, 1]),
  ).rejects.toMatchObject({
    code: -6,
    message: 'Insufficient funds',
  })
  await node().request('lockunspent', [true])
  expect(await node().request('listlockunspent', [])).toEqual([])
})

test('a raw transaction is made, funded, signed and sent', async () => {
  const { address } = node().identities[1]!
  const raw = await node().request('createrawtransaction', [[], { [address]: 2.5 }])
  const funded = (await node().request('fundrawtransaction', [raw])) as {
    hex: string
    changepos: number
  }
  expect(funded.changepos).toBe(1)
  const signed = (await node().request('signrawtransaction', [funded.hex])) as {
    hex: string
    complete: boolean
  }
  expect(signed.complete).toBe(true)
  const txid = await node().request('sendrawtransaction', [signed.hex])
  expect(await node().request('gettransaction', [txid])).toMatchObject({ confirmations: 1 })
})

// komodo src/rpc/misc.cpp, decodeccopret; what the recordings have of it is in replay.test.ts
test.each([
  ['a script without nulldata', `76a914${'00'.repeat(20)}88ac`, undefined],
  ['no script', 'zz', undefined],
  ['one byte', '6a01f2', undefined],
  ['a push that is cut off', '6a05f274', undefined],
  ['another module', '6a03e34201', [['EVAL_ASSETS', 'B']]],
  ['no module', '6a02ff41', [['0xff', 'A']]],
  ['a library that a chain loads', '6a021054', [['0x10', 'T']]],
])('decodeccopret of %s', async (_, script, expected) => {
  const answer = await node().request('decodeccopret', [script])
  if (expected === undefined) {
    expect(answer).toEqual({ result: 'error', error: 'invalid or no CC opret data' })
    return
  }
  const OpRets = expected.map(([eval_code, letter]) => ({ eval_code, function: letter }))
  expect(answer).toEqual({ result: 'success', OpRets })
})
