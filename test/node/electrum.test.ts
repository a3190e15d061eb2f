// The development chain over the Electrum protocol, read by the client, the chain source and the
// wallet.

import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { networks } from '../../src/chain/network.ts'
import { createElectrumClient, inclusionFault, scripthashOf } from '../../src/electrum/index.ts'
import { bookOf } from '../../src/journal/book.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { isRpcError, type RpcError } from '../../src/rpc/index.ts'
import { scriptOfAddress } from '../../src/script/script.ts'
import {
  createWallet,
  devNodeChain,
  type ElectrumChain,
  electrumChain,
  memoryJournal,
  privateKeySigner,
  type Wallet,
} from '../../src/wallet/index.ts'

interface Served {
  readonly node: DevNode
  readonly chain: ElectrumChain
}

async function served(): Promise<Served> {
  const node = await createDevNode({ mine: 'manual', listen: false, electrum: true })
  const chain = electrumChain([node.electrumUrl])
  onTestFinished(async () => {
    chain.close()
    await node.close()
  })
  return { node, chain }
}

function walletOf(node: DevNode, chain: ElectrumChain, at = 0): Promise<Wallet> {
  return createWallet({ signers: [privateKeySigner(node.identities[at]!.wif)], chain })
}

/** A server that passes everything on to another, until its connections are cut. */
async function relay(to: string, change = (answers: string) => answers) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const upstream = connect(Number(new URL(to).port), '127.0.0.1')
    for (const each of [socket, upstream]) each.on('error', () => undefined)
    socket.on('data', (data) => upstream.write(data)).on('close', () => upstream.destroy())
    upstream.on('data', (data) => socket.write(change(`${data}`)))
    upstream.on('close', () => socket.destroy())
    sockets.add(socket)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const cut = () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  onTestFinished(() => {
    cut()
    server.close()
  })
  return { url: `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`, cut }
}

async function failureOf(call: Promise<unknown>): Promise<RpcError> {
  try {
    await call
  } catch (error) {
    if (isRpcError(error)) return error
    throw error
  }
  throw new Error('the call did not fail')
}

const scriptOf = (address: string) => scriptOfAddress(address, networks.assetChain)

describe('a wallet over Electrum', () => {
  test('pays, and sees the payment in the mempool and in a block', async () => {
    const { node, chain } = await served()
    const [alice, bob] = node.identities
    node.fund(alice!.address, 50_000_000n)
    node.mine(101)
    const [payer, payee] = [await walletOf(node, chain), await walletOf(node, chain, 1)]
    const before = (await payee.balance()).total
    const sent = await payer.pay({ to: bob!.address, amount: 1_000_000n, id: 'a' })
    expect(sent.status).toBe('accepted')
    expect((await payee.balance()).pending).toBe(1_000_000n)
    node.mine()
    expect(await payer.waitFor(sent.txid!)).toMatchObject({ confirmations: 1 })
    expect((await payee.balance()).total).toBe(before + 1_000_000n)
    node.reorg(1, { drop: [sent.txid!] })
    expect((await payee.balance()).total).toBe(before)
  })

  test('does not go on with the coins of another chain, to which its next server belongs', async () => {
    const { node, chain: one } = await served()
    await using other = await createDevNode({
      mine: 'manual',
      listen: false,
      electrum: true,
      time: 1_700_000_000,
    })
    const { address } = node.identities[0]!
    for (const { fund, mine } of [node, other]) {
      fund(address, 50_000_000n)
      mine(101)
    }
    const chain = electrumChain([node.electrumUrl, other.electrumUrl])
    onTestFinished(() => chain.close())
    const wallet = await walletOf(node, chain)
    const { total } = await wallet.balance()
    expect(total).toBe((await (await walletOf(node, one)).balance()).total)
    await node.close()
    const failure = await failureOf(wallet.balance())
    expect(failure).toMatchObject({
      kind: 'shape',
      message: expect.stringContaining('another chain'),
    })
    const pay = wallet.pay({ to: node.identities[1]!.address, amount: 1_000_000n, id: 'a' })
    await expect(pay).rejects.toThrow('another chain')
  })

  test.each([
    ['is of another chain', 101],
    ['has no block 1', 0],
  ])('goes on with its third server where the second one %s', async (_, blocks) => {
    const { node } = await served()
    const options = { mine: 'manual', listen: false, electrum: true } as const
    await using other = await createDevNode({ ...options, time: 1_700_000_000 })
    node.fund(node.identities[0]!.address, 50_000_000n)
    node.mine(101)
    other.mine(blocks)
    const [first, third] = [await relay(node.electrumUrl), await relay(node.electrumUrl)]
    const lost: string[] = []
    const chain = electrumChain({
      servers: [first.url, other.electrumUrl, third.url],
      onConnection: ({ type, server }) => type === 'lost' && lost.push(server),
    })
    onTestFinished(() => chain.close())
    const wallet = await walletOf(node, chain)
    const { total } = await wallet.balance()
    first.cut()
    expect((await wallet.balance()).total).toBe(total)
    expect(chain.client.server()?.url).toBe(third.url)
    expect(lost).toEqual([first.url, other.electrumUrl])
    // The second server is the next one after the first, and is passed over.
    third.cut()
    expect((await chain.tip()).height).toBe(node.height)
    first.cut()
    expect((await wallet.balance()).total).toBe(total)
    expect(lost).toEqual([first.url, other.electrumUrl, third.url, first.url])
  })

  test('records a payment under the chain that its coins are on, where the second server is of another', async () => {
    const { node, chain: one } = await served()
    const options = { mine: 'manual', listen: false, electrum: true } as const
    await using other = await createDevNode({ ...options, time: 1_700_000_000 })
    const [alice, bob] = node.identities
    for (let count = 0; count < 2; count += 1) node.fund(alice!.address, 50_000_000n)
    node.mine(101)
    other.mine(101)
    const [first, third] = [await relay(node.electrumUrl), await relay(node.electrumUrl)]
    const chain = electrumChain([first.url, other.electrumUrl, third.url])
    onTestFinished(() => chain.close())
    const journal = memoryJournal()
    const wallet = await createWallet({ signers: [privateKeySigner(alice!.wif)], chain, journal })
    await wallet.balance()
    first.cut()
    const rent = { to: bob!.address, amount: 1_000_000n }
    const { status, txid } = await wallet.pay(rent)
    expect(status).toBe('accepted')
    const recorded = bookOf(journal).paymentsOf(txid!)
    expect(recorded).toMatchObject([{ chain: await one.chain!() }])
    // It holds the same payment under a name of its own, which it would not on another chain.
    const again = await wallet.pay({ ...rent, id: 'rent' })
    expect(again).toMatchObject({ status: 'held', held: 'different-inputs' })
    expect(await node.request('getrawmempool')).toEqual([txid])
  })

  test('names its chain by the first server, and refuses the only other one', async () => {
    const { node } = await served()
    const options = { mine: 'manual', listen: false, electrum: true } as const
    await using other = await createDevNode({ ...options, time: 1_700_000_000 })
    node.mine()
    other.mine()
    const chain = electrumChain([node.electrumUrl, other.electrumUrl])
    onTestFinished(() => chain.close())
    const named = await chain.chain!()
    await node.close()
    const failure = await failureOf(chain.chain!())
    expect(failure).toMatchObject({ kind: 'shape', expected: named })
    // The first server may be the one that is wrong, and it would keep the others out for ever.
    expect(failure?.message).toContain(
      `${other.electrumUrl} serves another chain than ${node.electrumUrl}, which answered first: ${node.electrumUrl} shows block 1 ${named}, ${other.electrumUrl} shows block 1 ${failure.received}. Find out which is wrong, leave it out, and open the source again. `,
    )
  })

  test('asks its next server after one whose histories do not hash to their statuses', async () => {
    const { node } = await served()
    const { address } = node.identities[0]!
    node.fund(address, 50_000_000n)
    node.mine(101)
    const change = (line: string) => line.replaceAll(/"height":\d+/g, '"height":1')
    const [first, second] = [await relay(node.electrumUrl, change), await relay(node.electrumUrl)]
    const chain = electrumChain([first.url, second.url])
    onTestFinished(() => chain.close())
    const scripts = [scriptOf(address)]
    expect(await chain.unspent(scripts)).not.toEqual([])
    expect(chain.client.server()?.url).toBe(second.url)
    const alone = electrumChain([first.url])
    onTestFinished(() => alone.close())
    expect(await failureOf(alone.unspent(scripts))).toMatchObject({ kind: 'shape' })
  })

  test('goes on with events on its next server after one that lists more than the wallet reads', async () => {
    const { node } = await served()
    const { address, wif } = node.identities[1]!
    node.fund(address, 50_000_000n)
    node.mine(101)
    let isInventing = false
    const change = (line: string) =>
      isInventing
        ? line.replaceAll(/\[(\{[^[\]]*"tx_pos"[^[\]]*\})\]/g, (_, coins) => {
            return `[${Array(30).fill(coins).join()}]`
          })
        : line
    const [first, second] = [await relay(node.electrumUrl, change), await relay(node.electrumUrl)]
    const chain = electrumChain([first.url, second.url])
    onTestFinished(() => chain.close())
    const signers = [privateKeySigner(wif)]
    const wallet = await createWallet({ signers, chain, entriesMax: 20 })
    const events = wallet.events({ pollMs: 1, since: [] })
    expect(await events.next()).toMatchObject({ value: { type: 'received' } })
    isInventing = true
    const txid = node.fund(address, 1_000_000n)
    const reported: unknown[] = []
    while (!reported.includes(txid)) {
      const { value } = await events.next()
      reported.push(value?.type === 'received' ? value.entry.txid : value?.type)
    }
    expect(chain.client.server()?.url).toBe(second.url)
    await events.return()
    const alone = electrumChain([first.url, (await relay(node.electrumUrl, change)).url])
    onTestFinished(() => alone.close())
    const failure = failureOf(alone.unspent([scriptOf(address)], { entriesMax: 20 }))
    expect(await failure).toMatchObject({ kind: 'shape', reason: 'reply_too_large' })
  })

  test('creates a token, transfers it, and reads it as proven', async () => {
    const { node, chain } = await served()
    for (const { address } of node.identities) node.fund(address, 50_000_000n)
    node.mine(101)
    const [wallet, other] = [await walletOf(node, chain), await walletOf(node, chain, 1)]
    const created = await wallet.createToken({ name: 'GOLD', supply: 1000n })
    node.mine()
    const tokenid = created.txid!
    await wallet.transfer({ tokenid, to: node.identities[1]!.pubkey, amount: 300n })
    node.mine()
    expect(await other.tokens()).toMatchObject([{ tokenid, balance: 300n, proof: 'proven' }])
    expect(await wallet.tokens()).toMatchObject([{ tokenid, balance: 700n, proof: 'proven' }])
  })
})

/** Numbers that look random and are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return (state >>> 16) % below
  }
}

test('answers as the address index of the daemon does, through reorganizations', async () => {
  const { node, chain } = await served()
  const daemon = devNodeChain(node)
  const [alice, bob] = node.identities
  for (const { address } of [alice!, bob!]) node.fund(address, 90_000_000n)
  node.mine(101)
  const wallet = await createWallet({ signers: [privateKeySigner(alice!.wif)], chain: daemon })
  const scripts = [alice!, bob!].flatMap(({ address, pubkey }) => [
    scriptOf(address),
    `21${pubkey}ac`,
  ])
  const next = numbers(7)
  let paid = 0
  for (let step = 0; step < 60; step += 1) {
    const what = next(5)
    if (what < 2) {
      const sent = await wallet.pay({ to: bob!.address, amount: 10_000n + BigInt(step) })
      if (sent.status === 'accepted') paid += 1
    } else if (what < 4) node.mine(1 + next(2))
    else node.reorg(1 + next(2))
    expect(await chain.tip()).toEqual(await daemon.tip())
    const sorted = (list: readonly object[]) => list.map((it) => JSON.stringify(it, digits)).sort()
    expect(sorted(await chain.history(scripts))).toEqual(sorted(await daemon.history(scripts)))
    const plain = (coins: readonly { txid: string; vout: number; height: number }[]) =>
      coins.map(({ txid, vout, height }) => `${txid}:${vout} ${height}`).sort()
    expect(plain(await chain.unspent(scripts))).toEqual(plain(await daemon.unspent(scripts)))
  }
  expect(paid).toBeGreaterThan(10)
})

const digits = (_: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

test('asks for the statuses alone while nothing changes', async () => {
  const { node, chain } = await served()
  node.fund(node.identities[0]!.address, 50_000_000n)
  const wallet = await walletOf(node, chain)
  await wallet.balance()
  const asked: string[] = []
  const { call } = chain.client
  chain.client.call = ((method: string, ...rest: never[]) => {
    asked.push(method)
    return call.call(chain.client, method as never, ...rest)
  }) as never
  await wallet.balance()
  expect(new Set(asked)).toEqual(
    new Set(['blockchain.headers.subscribe', 'blockchain.scripthash.subscribe']),
  )
})

test('tells subscribers of headers and scripts', async () => {
  const { node } = await served()
  using client = createElectrumClient({ servers: [node.electrumUrl] })
  const { address } = node.identities[0]!
  const heights: number[] = []
  const statuses: (string | null)[] = []
  client.subscribeHeaders(({ height }) => heights.push(height))
  client.subscribeScript(scripthashOf(scriptOf(address)), (status) => statuses.push(status))
  await expect.poll(() => [heights.length, statuses.length]).toEqual([1, 1])
  node.fund(address, 1_000_000n)
  await expect.poll(() => [heights, statuses.length]).toEqual([[heights[0], heights[0]! + 1], 2])
  node.mine()
  await expect.poll(() => heights.length).toBe(3)
  expect(statuses).toHaveLength(2)
  expect(new Set(statuses).size).toBe(2)
})

test('lists the mempool by txid, as the status of a script needs it', async () => {
  const { node, chain } = await served()
  const [alice, bob] = node.identities
  node.fund(alice!.address, 50_000_000n)
  node.mine(101)
  const wallet = await walletOf(node, chain)
  for (let at = 0; at < 6; at += 1) {
    await wallet.pay({ to: bob!.address, amount: 10_000n + BigInt(at) })
  }
  const name = scripthashOf(scriptOf(bob!.address))
  const waiting = await chain.client.call('blockchain.scripthash.get_history', [name])
  const order = waiting.filter(({ height }) => height <= 0)
  expect(order.length).toBe(6)
  const keys = order.map(({ height, tx_hash }) => `${-height} ${tx_hash}`)
  expect(keys).toEqual(keys.toSorted())
})

describe('the proof of a transaction', () => {
  test('holds for each transaction of a block', async () => {
    const { node, chain } = await served()
    const [alice] = node.identities
    node.fund(alice!.address, 50_000_000n)
    node.mine(101)
    const wallet = await walletOf(node, chain)
    for (let at = 0; at < 6; at += 1) {
      await wallet.pay({ to: node.identities[1]!.address, amount: 10_000n + BigInt(at) })
    }
    node.mine()
    const height = node.height
    const history = await chain.history([scriptOf(node.identities[1]!.address)])
    const mined = history.filter((entry) => entry.height === height)
    expect(mined.length).toBeGreaterThanOrEqual(6)
    for (const { txid } of mined) {
      const { fault, proof, header } = await chain.inclusion(txid, height)
      expect(fault).toBeUndefined()
      expect(proof.merkle.length).toBeGreaterThan(2)
      const fault4 = inclusionFault(txid, { ...proof, pos: proof.pos ^ 4 }, header)
      expect(fault4).toBe(proof.pos === 4 ? 'inclusion_position' : 'inclusion_root')
    }
  })

  test.each([
    ['false_branch', 'blockchain.transaction.get_merkle'],
    ['false_header', 'blockchain.block.header'],
  ] as const)('does not hold with a %s', async (kind, method) => {
    const { node, chain } = await served()
    const txid = node.fund(node.identities[0]!.address, 50_000_000n)
    expect((await chain.inclusion(txid, node.height)).fault).toBeUndefined()
    node.faults.add({ kind, method })
    expect((await chain.inclusion(txid, node.height)).fault).toBe('inclusion_root')
  })
})

describe('faults', () => {
  test('a history that leaves something out is refused', async () => {
    const { node, chain } = await served()
    const [alice] = node.identities
    node.fund(alice!.address, 50_000_000n)
    node.faults.add({ kind: 'hidden', method: 'blockchain.scripthash.get_history' })
    const error = await failureOf(chain.history([scriptOf(alice!.address)]))
    expect(error).toMatchObject({ kind: 'shape', reason: 'unexpected_value' })
    node.faults.clear()
    expect(await chain.history([scriptOf(alice!.address)])).toHaveLength(1)
  })

  test('a coin that is left out becomes a finding once it was known', async () => {
    const { node, chain } = await served()
    const [alice] = node.identities
    node.fund(alice!.address, 50_000_000n)
    const wallet = await walletOf(node, chain)
    const before = await wallet.coins()
    node.faults.add({ kind: 'hidden', method: 'blockchain.scripthash.listunspent' })
    node.fund(alice!.address, 50_000_000n)
    const after = new Set((await wallet.coins()).map(({ txid, vout }) => `${txid}:${vout}`))
    const missing = before.filter(({ txid, vout }) => !after.has(`${txid}:${vout}`))
    expect(missing.length).toBeGreaterThan(0)
    expect(wallet.findings()).toMatchObject(
      missing.map(({ txid, vout }) => ({ code: 'source_hidden_coin', txid, vout })),
    )
  })

  test('excessive use ends the connection, and reading goes on with another server', async () => {
    const { node } = await served()
    await using second = await createDevNode({ listen: false, electrum: true })
    using client = createElectrumClient({ servers: [node.electrumUrl, second.electrumUrl] })
    await client.call('server.ping')
    node.faults.add({ kind: 'excessive_use', method: 'server.features' })
    await client.call('server.features')
    expect(client.server()?.url).toBe(second.electrumUrl)
  })

  test('a payment whose reply is lost is uncertain, and is found in the chain', async () => {
    const { node, chain } = await served()
    const [alice, bob] = node.identities
    node.fund(alice!.address, 50_000_000n)
    node.mine(101)
    const wallet = await walletOf(node, chain)
    node.faults.add({
      kind: 'lost_reply',
      method: 'blockchain.transaction.broadcast',
      times: 1,
    })
    const sent = await wallet.pay({ to: bob!.address, amount: 1_000_000n, id: 'b' })
    expect(sent.status).toBe('uncertain')
    node.mine()
    expect(await wallet.resume()).toMatchObject([{ result: { status: 'accepted' } }])
    const again = await wallet.pay({ to: bob!.address, amount: 1_000_000n, id: 'b' })
    expect(again).toMatchObject({ repeated: true, txid: sent.txid })
  })

  test('a transaction that the network refuses is an error of the daemon', async () => {
    const { chain } = await served()
    const error = await failureOf(chain.broadcast('00'))
    expect(error).toMatchObject({ kind: 'daemon', code: 1 })
    expect(error.message).toContain('the transaction was rejected by network rules')
  })
})
