// These tests cover blocks, chains and states that do not fit together, and arguments that are not
// numbers.

import { describe, expect, test } from 'vitest'
import {
  decodeTransaction,
  encodeTransaction,
  networks,
  scriptOfAddress,
  signTransaction,
  transactionId,
} from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'

const offline = { listen: false, time: 1_800_000_000, mine: 'manual' } as const
const network = networks.assetChain
const foreign = '55'.repeat(32)

const ownScript = (node: DevNode) => scriptOfAddress(node.identities[0]!.address, network)

interface Spending {
  readonly txid: string
  readonly vout?: number
  readonly values: readonly bigint[]
  readonly expiryHeight?: number
}

function unsigned(node: DevNode, { txid, vout = 0, values, expiryHeight = 0 }: Spending): string {
  return encodeTransaction({
    version: 4,
    overwintered: true,
    versionGroupId: 0x892f2085,
    inputs: [{ txid, vout, scriptSig: '51', sequence: 0xffffffff }],
    outputs: values.map((value) => ({ value, script: ownScript(node) })),
    lockTime: 0,
    expiryHeight,
  })
}

async function send(node: DevNode, spending: Spending): Promise<string> {
  const prevout = decodeTransaction(
    (await node.request('getrawtransaction', [spending.txid])) as string,
  ).outputs[spending.vout ?? 0]!
  const { hex } = signTransaction(
    unsigned(node, spending),
    [node.identities[0]!.wif],
    [prevout],
    network,
  )
  return (await node.request('sendrawtransaction', [hex])) as string
}

const isThere = async (node: DevNode, txid: string, vout = 0) =>
  (await node.request('gettxout', [txid, vout])) !== null

describe('blocks', () => {
  test('leave out what has expired, and what spends from it', async () => {
    await using node = await createDevNode(offline)
    const funded = node.fund(ownScript(node), 100_000n)
    const vout = decodeTransaction(
      (await node.request('getrawtransaction', [funded])) as string,
    ).outputs.findIndex(({ value }) => value === 100_000n)
    node.mine()
    const parent = await send(node, {
      txid: funded,
      vout,
      values: [90_000n],
      expiryHeight: node.height + 1,
    })
    const child = await send(node, { txid: parent, values: [80_000n] })
    // a block that has neither: no later one can have the parent
    node.importTransactions([unsigned(node, { txid: foreign, values: [1_000n] })])
    expect(await node.request('getrawmempool')).toEqual(expect.arrayContaining([parent, child]))
    node.mine()
    expect(await node.request('getrawmempool')).toEqual([])
    expect(await isThere(node, child)).toBe(false)
  })
})

test('reports a payment above the supply of the chain as one above its inputs', async () => {
  await using node = await createDevNode(offline)
  const funded = node.fund(ownScript(node), 100_000n)
  const spend = (value: bigint) => {
    const hex = unsigned(node, { txid: funded, vout: 1, values: [value] })
    const spent = { value: 100_000n, script: ownScript(node) }
    return node.testMempoolAccept(
      signTransaction(hex, [node.identities[0]!.wif], [spent], network).hex,
    )
  }
  node.mine()
  const { total } = (await node.request('coinsupply', [])) as { total: number }
  const supply = BigInt(Math.round(total * 100_000_000))
  for (const value of [supply, supply + 1n]) {
    expect(spend(value)).toMatchObject({ code: -26, message: '16: bad-txns-in-belowout' })
  }
})

test('data of a transaction that waits are not a coin', async () => {
  await using node = await createDevNode(offline)
  const { hex } = (await node.request('tokencreate', ['GOLD', '1'])) as { hex: string }
  const txid = (await node.request('sendrawtransaction', [hex])) as string
  const vout = decodeTransaction(hex).outputs.length - 1
  expect(node.testMempoolAccept(unsigned(node, { txid, vout, values: [1_000n] }))).toMatchObject({
    message: '18: bad-txns-inputs-spent',
  })
})

describe('transactions that are brought in', () => {
  test('are not brought in again: what is spent stays spent', async () => {
    await using node = await createDevNode(offline)
    const parent = unsigned(node, { txid: foreign, values: [5_000n, 6_000n] })
    const txid = transactionId(parent)
    node.importTransactions([parent, unsigned(node, { txid, values: [4_000n] })])
    node.importTransactions([parent, unsigned(node, { txid, vout: 1, values: [4_000n] })])
    expect([await isThere(node, txid), await isThere(node, txid, 1)]).toEqual([false, false])
    const { height } = node
    node.importTransactions([parent])
    expect(node.height).toBe(height)
  })

  test('spend nothing twice, and come all or none', async () => {
    await using node = await createDevNode(offline)
    const parent = unsigned(node, { txid: foreign, values: [5_000n] })
    const txid = transactionId(parent)
    node.importTransactions([parent, unsigned(node, { txid, values: [4_000n] })])
    const { height } = node
    const other = unsigned(node, { txid: '66'.repeat(32), values: [1n] })
    const rival = unsigned(node, { txid, values: [3_000n] })
    expect(() =>
      node.importTransactions([
        { hex: other, height: 1 },
        { hex: rival, height: 2 },
      ]),
    ).toThrow(RangeError)
    expect(node.height).toBe(height)
    expect(await isThere(node, transactionId(other))).toBe(false)
  })

  test('are spent already if what spends them came first', async () => {
    await using node = await createDevNode(offline)
    const parent = unsigned(node, { txid: foreign, values: [5_000n, 6_000n] })
    const txid = transactionId(parent)
    node.importTransactions([unsigned(node, { txid, values: [4_000n] })])
    node.importTransactions([parent])
    expect([await isThere(node, txid), await isThere(node, txid, 1)]).toEqual([false, true])
  })
})

describe('a state as text', () => {
  type Loose = Record<string, object>
  const changes: [name: string, change: (dump: Loose) => unknown][] = [
    ['a block that is nothing', (dump) => ({ ...dump, blocks: [null] })],
    ['a block without transactions', (dump) => ({ ...dump, blocks: [{}] })],
    ['no blocks', (dump) => ({ ...dump, blocks: undefined })],
    ['a number that waits', (dump) => ({ ...dump, mempool: [5] })],
    ['a wallet that is nothing', (dump) => ({ ...dump, wallets: [null] })],
    ['a wallet without a key', (dump) => ({ ...dump, wallets: [{ keys: {} }] })],
    ['a key that is a number', (dump) => ({ ...dump, wallets: [{ keys: { a: 5 } }] })],
    [
      'a reward in words',
      ({ profile, ...dump }) => ({ ...dump, profile: { ...(profile as object), reward: 'x' } }),
    ],
    ['a profile that is a list', (dump) => ({ ...dump, profile: [] })],
    ['a time in words', (dump) => ({ ...dump, time: 'now' })],
    ['another version', (dump) => ({ ...dump, version: 2 })],
  ]

  test.each(changes)('is refused with %s', async (_, change) => {
    await using node = await createDevNode(offline)
    const load = JSON.stringify(change(JSON.parse(node.dump())))
    await expect(createDevNode({ ...offline, load })).rejects.toMatchObject({
      code: 'malformed_case',
    })
  })

  test('a state as text that cannot be loaded leaves the node as it was', async () => {
    await using node = await createDevNode(offline)
    const dump = JSON.parse(node.dump())
    node.mine(5)
    const { height } = node
    const broken = {
      ...dump,
      blocks: [...dump.blocks, { ...dump.blocks[0], transactions: ['00'] }],
    }
    expect(() => node.load(JSON.stringify(broken))).toThrow(/ended inside/)
    expect(node.height).toBe(height)
  })
})

describe('numbers', () => {
  test('numbers of blocks are whole, and no block is taken away for good', async () => {
    await using node = await createDevNode(offline)
    const { height } = node
    for (const count of [0.5, -1, Number.NaN]) {
      expect(() => node.reorg(count)).toThrow(TypeError)
      expect(() => node.mine(count)).toThrow(TypeError)
    }
    expect(node.height).toBe(height)
  })

  test('numbers of satoshis are what a chain may have', async () => {
    await using node = await createDevNode(offline)
    const { address } = node.identities[0]!
    for (const value of [-1n, 1n << 63n]) {
      expect(() => node.fund(address, value)).toThrow(RangeError)
      await expect(createDevNode({ ...offline, fund: [{ to: address, value }] })).rejects.toThrow(
        RangeError,
      )
    }
    expect(() => node.fund(address, 5 as never)).toThrow(TypeError)
    const script = ownScript(node).toUpperCase()
    expect(await isThere(node, node.fund(script, 5_000n))).toBe(true)
  })
})

test('the server without a network takes bytes as one with a network does', async () => {
  await using node = await createDevNode(offline)
  const body = new TextEncoder().encode('{"method":"getblockcount","id":1}')
  const reply = await node.fetch('http://127.0.0.1/', { method: 'POST', body })
  expect(await reply.json()).toMatchObject({ result: node.height, error: null })
})
