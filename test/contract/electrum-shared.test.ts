// Calls and subscriptions of one Electrum client, which share a connection, must not harm each other.

import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'

import { createElectrumClient } from '../../src/electrum/index.ts'
import { electrumServer } from './support/electrum-server.ts'

const script = 'cd'.repeat(32)

test.each(['read', 'subscription'] as const)(
  'a %s that is refused under a broadcast leaves the broadcast uncertain',
  async (other) => {
    const relayed: unknown[] = []
    await using server = await electrumServer((request, peer) => {
      if (request.method === 'blockchain.transaction.broadcast') relayed.push(request.params[0])
      else peer.refuse(request, -101, 'excessive resource usage')
    })
    using client = createElectrumClient({ servers: [server.url] })
    const sent = client.call('blockchain.transaction.broadcast', ['00']).catch((error) => error)
    await vi.waitFor(() => expect(relayed).toEqual(['00']))
    if (other === 'read') {
      const read = client.call('blockchain.scripthash.get_history', [script])
      await expect(read).rejects.toMatchObject({ kind: 'daemon', code: -101 })
    } else client.subscribeScript(script, () => undefined)
    expect(await sent).toMatchObject({
      kind: 'transport',
      reason: 'connection_lost',
      method: 'blockchain.transaction.broadcast',
      uncertain: true,
      cause: { kind: 'daemon', code: -101 },
    })
  },
)

test('a server that refuses the greeting refuses no call', async () => {
  await using server = await electrumServer(() => undefined, {
    handshake: (request, peer) => peer.refuse(request, 1, 'unsupported protocol version'),
  })
  using client = createElectrumClient({ servers: [server.url] })
  const error = await client
    .call('blockchain.transaction.broadcast', ['00'])
    .catch((failure) => failure)
  expect(error).toMatchObject({
    kind: 'transport',
    reason: 'connection_lost',
    method: 'blockchain.transaction.broadcast',
    cause: { kind: 'daemon', method: 'server.version' },
  })
  expect(error.uncertain).toBeUndefined()
})

test('a server that breaks the protocol beside its greeting is replaced by the next one', async () => {
  await using bad = await electrumServer(() => undefined, {
    handshake: ({ id }, peer) => peer.raw(`{"id":${id},"result":["Mock","1.4"]}\nnonsense\n`),
  })
  await using good = await electrumServer((request, peer) => peer.answer(request, 'ab'))
  using client = createElectrumClient({ servers: [bad.url, good.url] })
  expect(await client.call('blockchain.block.header', [1])).toBe('ab')
  expect(client.server()!.url).toBe(good.url)
})

test('a subscription goes on when the only server mends its greeting', async () => {
  let isBad = true
  await using server = await electrumServer((request, peer) => peer.answer(request, null), {
    handshake: ({ id }, peer) => {
      peer.raw(`{"id":${id},"result":["Mock","1.4"]}\n${isBad ? 'nonsense\n' : ''}`)
      isBad = false
    },
  })
  using client = createElectrumClient({ servers: [server.url] })
  const seen: unknown[] = []
  client.subscribeScript(script, (status) => seen.push(status))
  await vi.waitFor(() => expect(seen).toEqual([null]), 5_000)
})

test('a broadcast that was not sent is not uncertain', async () => {
  const sent: string[] = []
  await using server = await electrumServer(({ method }) => void sent.push(method))
  using client = createElectrumClient({ servers: [server.url], inFlightMax: 1 })
  const read = client.call('blockchain.block.header', [1], { timeoutMs: 1_000 })
  const ended = read.catch(() => undefined)
  await vi.waitFor(() => expect(sent).toHaveLength(1))
  const broadcast = client.call('blockchain.transaction.broadcast', ['00'], { timeoutMs: 100 })
  const error = await broadcast.catch((failure) => failure)
  expect([error.kind, error.uncertain]).toEqual(['timeout', undefined])
  expect(sent).toEqual(['blockchain.block.header'])
  client.close()
  await ended
})

test('subscriptions that wait for their turn do not count as silence of the server', async () => {
  await using server = await electrumServer((request, peer) => {
    setTimeout(() => peer.answer(request, null), 100)
  })
  using client = createElectrumClient({ servers: [server.url], timeoutMs: 500, inFlightMax: 1 })
  const told = new Set<number>()
  for (let at = 0; at < 12; at += 1) {
    client.subscribeScript(at.toString(16).padStart(64, '0'), () => told.add(at))
  }
  await vi.waitFor(() => expect(told.size).toBe(12), 10_000)
  expect(server.connections).toBe(1)
})

test('an answer and the notification behind it are told in the order of the server', async () => {
  await using server = await electrumServer((request, peer) => {
    const answer = { id: request.id, result: { height: 100, hex: 'aa' } }
    const news = { method: request.method, params: [{ height: 101, hex: 'bb' }] }
    peer.raw(`${JSON.stringify(answer)}\n${JSON.stringify(news)}\n`)
  })
  using client = createElectrumClient({ servers: [server.url] })
  const heights: number[] = []
  client.subscribeHeaders(({ height }) => heights.push(height))
  await vi.waitFor(() => expect(heights).toEqual([100, 101]))
  client.subscribeHeaders(({ height }) => heights.push(height))
  expect(heights).toEqual([100, 101, 101])
})

test('an answer to a subscription that has another form ends the connection', async () => {
  let asked = 0
  await using server = await electrumServer((request, peer) => {
    asked += 1
    peer.answer(request, asked === 1 ? { height: 1 } : script)
  })
  using client = createElectrumClient({ servers: [server.url] })
  const seen: unknown[] = []
  client.subscribeScript(script, (status) => seen.push(status))
  await vi.waitFor(() => expect(seen).toEqual([script]), 5_000)
  expect(server.connections).toBe(2)
})

test('many subscriptions reconnect no more often than one', async () => {
  let attempts = 0
  await using server = await electrumServer(() => undefined, {
    handshake: (_, peer) => {
      attempts += 1
      peer.drop()
    },
  })
  using client = createElectrumClient({ servers: [server.url] })
  for (let at = 0; at < 50; at += 1) {
    client.subscribeScript(at.toString(16).padStart(64, '0'), () => undefined)
  }
  await pause(2_500)
  // At once, after half a second to one, and after one to two more.
  expect(attempts).toBeGreaterThan(1)
  expect(attempts).toBeLessThan(4)
})

test('a connection that is lost as soon as it is made is made again', async () => {
  let made = 0
  await using server = await electrumServer((request, peer) => peer.answer(request, null), {
    handshake: ({ id }, peer) => {
      made += 1
      peer.raw(`{"id":${id},"result":["Mock","1.4"]}\n`)
      if (made < 3) peer.drop()
    },
  })
  using client = createElectrumClient({ servers: [server.url] })
  const seen: unknown[] = []
  client.subscribeScript(script, (status) => seen.push(status))
  await vi.waitFor(() => expect(seen).toEqual([null]), 8_000)
  expect(made).toBe(3)
}, 10_000)
