// Calls and subscriptions of one Electrum client, which share a connection, must not harm each other.

import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'

import { createElectrumClient } from '../../src/electrum/index.ts'
import { RpcError } from '../../src/rpc/index.ts'
import { electrumServer, type Handler } from './support/electrum-server.ts'

const script = 'cd'.repeat(32)
const txid = 'ab'.repeat(32)

afterEach(() => vi.restoreAllMocks())

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
  const heard = new Set<number>()
  for (let at = 0; at < 12; at += 1) {
    client.subscribeScript(at.toString(16).padStart(64, '0'), () => heard.add(at))
  }
  await vi.waitFor(() => expect(heard.size).toBe(12), 10_000)
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

test('a subscription that is refused is reported and tried again, and harms no other call', async () => {
  const large = '11'.repeat(32)
  let isLarge = true
  await using server = await electrumServer((request, peer) => {
    if (request.params[0] === large && isLarge) peer.refuse(request, 1, 'history too large')
    else peer.answer(request, request.method.endsWith('subscribe') ? null : 'ab')
  })
  using client = createElectrumClient({ servers: [server.url] })
  const seen: unknown[] = []
  const refusals: unknown[] = []
  client.subscribeScript(
    large,
    (status) => seen.push(status),
    (error) => refusals.push(error),
  )
  client.subscribeScript(script, (status) => seen.push(`other ${status}`))
  await vi.waitFor(() => expect(refusals).toHaveLength(1))
  expect(refusals[0]).toMatchObject({
    kind: 'daemon',
    code: 1,
    method: 'blockchain.scripthash.subscribe',
    message: 'blockchain.scripthash.subscribe: history too large',
  })
  const reads = Array.from({ length: 20 }, (_, at) => [at])
  const answers = await client.batch('blockchain.block.header', reads)
  expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
  const later: unknown[] = []
  client.subscribeScript(
    large,
    () => undefined,
    (error) => later.push(error),
  )
  expect(later).toEqual(refusals)
  isLarge = false
  await vi.waitFor(() => expect(seen).toEqual(['other null', null]), 5_000)
  expect(refusals).toHaveLength(1)
  expect(server.connections).toBe(1)
})

test('a script that a new connection refuses is told again when it is watched again', async () => {
  let isRefused = false
  await using server = await electrumServer((request, peer) => {
    if (isRefused) peer.refuse(request, 1, 'history too large')
    else peer.answer(request, null)
    isRefused = false
  })
  using client = createElectrumClient({ servers: [server.url] })
  const seen: unknown[] = []
  client.subscribeScript(
    script,
    (status) => seen.push(status),
    () => seen.push('refused'),
  )
  await vi.waitFor(() => expect(seen).toEqual([null]))
  isRefused = true
  server.drop()
  await vi.waitFor(() => expect(seen).toEqual([null, 'refused', null]), 5_000)
})

test('a refused subscription that is ended is not asked for again', async () => {
  await using server = await electrumServer((request, peer) => peer.refuse(request, 1, 'no'))
  using client = createElectrumClient({ servers: [server.url] })
  const end = await new Promise<() => void>((resolve) => {
    const stop = client.subscribeHeaders(
      () => undefined,
      () => resolve(stop),
    )
  })
  end()
  await pause(1_200)
  expect(server.requests.map(({ method }) => method)).toEqual([
    'server.version',
    'blockchain.headers.subscribe',
  ])
})

test('a server that is too busy for a subscription is replaced by the next one', async () => {
  await using busy = await electrumServer((request, peer) => peer.refuse(request, -101, 'busy'))
  await using other = await electrumServer((request, peer) => peer.answer(request, null))
  using client = createElectrumClient({ servers: [busy.url, other.url] })
  const seen: unknown[] = []
  client.subscribeScript(script, (status) => seen.push(status))
  await vi.waitFor(() => expect(seen).toEqual([null]), 5_000)
  expect(busy.connections).toBe(1)
})

test('a report of refusals that is no function is a TypeError', () => {
  using client = createElectrumClient({ servers: ['tcp://127.0.0.1:1'] })
  const listener = () => undefined
  expect(() => client.subscribeScript(script, listener, 'x' as never)).toThrow(TypeError)
})

test('a broadcast after a silence is sent to a server that refuses the ping', async () => {
  await using server = await electrumServer((request, peer) => {
    if (request.method === 'server.ping') peer.refuse(request, -32601, 'unknown method')
    else peer.answer(request, txid)
  })
  using client = createElectrumClient({ servers: [server.url] })
  await client.call('blockchain.block.header', [1])
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + 20_000)
  expect(await client.call('blockchain.transaction.broadcast', ['00'])).toBe(txid)
  expect(server.requests.map(({ method }) => method)).toEqual([
    'server.version',
    'blockchain.block.header',
    'server.ping',
    'blockchain.transaction.broadcast',
  ])
  expect(server.connections).toBe(1)
})

test('a server that proved wrong is tried last for ten minutes, and then in its turn', async () => {
  const handle: Handler = (request, peer) => peer.answer(request, null)
  await using wrong = await electrumServer(handle)
  await using right = await electrumServer(handle)
  using client = createElectrumClient({ servers: [wrong.url, right.url] })
  const inUse = async () => {
    await client.call('server.ping')
    return client.server()!.url
  }
  const passed = vi.spyOn(performance, 'now')
  const now = performance.now()
  passed.mockImplementation(() => now)
  expect(await inUse()).toBe(wrong.url)
  client.avoid!(client.server()!, new RpcError('shape', 'another chain'))
  expect(await inUse()).toBe(right.url)
  for (const [ms, url] of [
    [599_999, right.url],
    [600_000, wrong.url],
  ] as const) {
    passed.mockImplementation(() => now + ms)
    right.drop()
    await expect.poll(() => client.server()).toBeUndefined()
    expect(await inUse()).toBe(url)
  }
})

test('an abort of one call leaves the broadcast beside it, even if nothing was heard since', async () => {
  const names: string[] = []
  let relay = (): void => undefined
  await using server = await electrumServer((request, peer) => {
    names.push(request.method)
    if (request.method.endsWith('broadcast')) relay = () => peer.answer(request, txid)
  })
  using client = createElectrumClient({ servers: [server.url] })
  const sent = client.call('blockchain.transaction.broadcast', ['00'])
  await vi.waitFor(() => expect(names).toHaveLength(1))
  const controller = new AbortController()
  const { signal } = controller
  const read = client.call('blockchain.block.header', [1], { signal }).catch((error) => error)
  await vi.waitFor(() => expect(names).toHaveLength(2))
  controller.abort()
  expect(await read).toMatchObject({ kind: 'aborted' })
  relay()
  expect(await sent).toBe(txid)
  expect(server.connections).toBe(1)
})

test('a subscription made when the connection is reported is asked for once', async () => {
  await using server = await electrumServer((request, peer) => {
    if (request.method.endsWith('subscribe')) peer.refuse(request, 1, 'history too large')
    else peer.answer(request, 'ab')
  })
  const refusals: unknown[] = []
  using client = createElectrumClient({
    servers: [server.url],
    onConnection: ({ type }) => {
      if (type !== 'connected') return
      client.subscribeScript(
        script,
        () => undefined,
        (error) => refusals.push(error),
      )
    },
  })
  await client.call('blockchain.block.header', [1])
  await vi.waitFor(() => expect(refusals).toHaveLength(1))
  await client.call('blockchain.block.header', [1])
  expect(refusals).toHaveLength(1)
  expect(server.requests.filter(({ method }) => method.endsWith('subscribe'))).toHaveLength(1)
})

test('a server that refuses everything is asked after longer and longer waits', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.99)
  const other = '11'.repeat(32)
  await using server = await electrumServer((request, peer) => {
    // One subscription that it answers does not change that.
    if (request.params[0] === other) peer.answer(request, null)
    else peer.refuse(request, -101, 'excessive resource usage')
  })
  using client = createElectrumClient({ servers: [server.url] })
  const refusals: unknown[] = []
  client.subscribeScript(other, () => undefined)
  client.subscribeScript(
    script,
    () => undefined,
    (error) => refusals.push(error.code),
  )
  await pause(5_000)
  // At once, after a second, after two more, and then after four more.
  expect(server.connections).toBe(3)
  expect(refusals).toEqual([-101, -101, -101])
}, 10_000)

test('a parameter that JSON does not have is a TypeError, and nothing is sent', async () => {
  await using server = await electrumServer((request, peer) => peer.answer(request, 'ab'))
  using client = createElectrumClient({ servers: [server.url] })
  await client.call('blockchain.block.header', [1])
  await expect(client.call('blockchain.block.header', [1n])).rejects.toThrow(TypeError)
  const batch = await client.batch('blockchain.block.header', [[1n], [2]])
  expect(batch.map(({ status }) => status)).toEqual(['rejected', 'fulfilled'])
  expect(server.requests).toHaveLength(3)
})
