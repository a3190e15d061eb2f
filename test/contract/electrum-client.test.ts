// The client of Electrum servers against servers that are honest, slow, wrong and hostile.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'

import {
  createElectrumClient,
  type ElectrumClient,
  type ElectrumOptions,
  fileCertificateStore,
} from '../../src/electrum/index.ts'
import { isRpcError, type RpcError } from '../../src/rpc/index.ts'
import {
  type ElectrumServer,
  electrumServer,
  type Handler,
  type Request,
} from './support/electrum-server.ts'

const txid = 'ab'.repeat(32)
const hash = 'cd'.repeat(32)
const history = [
  { tx_hash: txid, height: 7 },
  { tx_hash: hash, height: -1, fee: 1000 },
]

/** Answers as a server does. */
const honest: Handler = (request, peer) => peer.answer(request, resultOf(request))

function resultOf({ method, params }: Request): unknown {
  switch (method) {
    case 'blockchain.scripthash.get_history':
      return history
    case 'blockchain.scripthash.listunspent':
      return [{ tx_hash: txid, tx_pos: 1, height: 7, value: 9_223_372_036_854_775_000n.toString() }]
    case 'blockchain.scripthash.subscribe':
      return hash
    case 'blockchain.headers.subscribe':
      return { height: 7, hex: '00' }
    case 'blockchain.transaction.get':
      return `00${params[0]}`
    case 'blockchain.transaction.broadcast':
      return txid
    case 'blockchain.block.headers':
      return { hex: '0011', count: 2, max: 2016 }
    case 'server.ping':
      return null
    default:
      return undefined
  }
}

async function errorOf(call: Promise<unknown>): Promise<RpcError> {
  try {
    await call
  } catch (error) {
    if (isRpcError(error)) return error
    throw error
  }
  throw new Error('the call did not fail')
}

async function withClient<T>(
  servers: readonly ElectrumServer[],
  use: (client: ElectrumClient) => Promise<T>,
  options: Partial<ElectrumOptions> = {},
): Promise<T> {
  using client = createElectrumClient({ servers: servers.map(({ url }) => url), ...options })
  return await use(client)
}

describe('an honest server', () => {
  test('is greeted before anything else, and its answers have their types', async () => {
    await using server = await electrumServer(honest)
    await withClient([server], async (client) => {
      expect(client.server()).toBeUndefined()
      expect(await client.call('blockchain.scripthash.get_history', [hash])).toEqual([
        { tx_hash: txid, height: 7 },
        { tx_hash: hash, height: -1, fee: 1000n },
      ])
      expect(client.server()).toEqual({
        url: server.url,
        trust: 'none',
        software: 'ElectrumX 1.16.0',
        protocol: '1.4.2',
      })
    })
    expect(server.requests.map(({ method }) => method)).toEqual([
      'server.version',
      'blockchain.scripthash.get_history',
    ])
    expect(server.requests[0]!.params).toEqual(['antara-tx', ['1.4', '1.6']])
  })

  test('gives headers as one text or, from protocol 1.6 on, as a list', async () => {
    const forms: unknown[] = [
      { hex: '0011', count: 2, max: 2016 },
      { headers: ['00', '11'], count: 2, max: 2016 },
    ]
    await using server = await electrumServer((request, peer) =>
      peer.answer(request, forms[request.params[0] as number]),
    )
    await withClient([server], async (client) => {
      for (const at of forms.keys()) {
        const headers = await client.call('blockchain.block.headers', [at, 2])
        expect(headers).toEqual({ hex: '0011', count: 2, max: 2016 })
      }
    })
  })

  test('gets no more requests at once than allowed, and answers in any order', async () => {
    const open: [Request, Parameters<Handler>[1]][] = []
    let most = 0
    await using server = await electrumServer((request, peer) => {
      open.push([request, peer])
      most = Math.max(most, open.length)
      // The newest first, some at a time.
      if (open.length === 5 || request.params[0] === 'last') {
        for (const [it, to] of open.splice(0).reverse()) to.answer(it, `00${it.params[0]}`)
      }
    })
    const names = Array.from({ length: 24 }, (_, at) => at.toString(16).padStart(2, '0'))
    await withClient(
      [server],
      async (client) => {
        const answers = await client.batch(
          'blockchain.transaction.get',
          [...names, 'last'].map((name) => [name]),
        )
        expect(answers.slice(0, -1).map((it) => it.status === 'fulfilled' && it.value)).toEqual(
          names.map((name) => `00${name}`),
        )
        expect(answers.at(-1)).toMatchObject({ status: 'rejected', reason: { kind: 'shape' } })
      },
      { inFlightMax: 5 },
    )
    expect(most).toBe(5)
  })

  test('an honest server that refuses is not asked again, and its text cannot steer a terminal', async () => {
    await using server = await electrumServer((request, peer) =>
      peer.refuse(request, 1, 'history too large\u001b[2J\u202e'),
    )
    await withClient([server, server], async (client) => {
      const error = await errorOf(client.call('blockchain.scripthash.get_history', [hash]))
      expect(error).toMatchObject({
        kind: 'daemon',
        code: 1,
        method: 'blockchain.scripthash.get_history',
        message: 'blockchain.scripthash.get_history: history too large\\u{1b}[2J\\u{202e}',
      })
    })
    expect(server.requests).toHaveLength(2)
  })
})

describe('subscriptions', () => {
  test('report the status once, each change once, and go on after a reconnection', async () => {
    let status: string | null = hash
    await using server = await electrumServer((request, peer) => peer.answer(request, status))
    await withClient([server], async (client) => {
      const seen: (string | null)[] = []
      const end = client.subscribeScript(hash, (it) => seen.push(it))
      await vi.waitFor(() => expect(seen).toEqual([hash]))
      const announce = (value: string | null) =>
        server.announce({
          jsonrpc: '2.0',
          method: 'blockchain.scripthash.subscribe',
          params: [hash, value],
        })
      announce(txid)
      announce(txid)
      await vi.waitFor(() => expect(seen).toEqual([hash, txid]))
      status = null
      server.drop()
      await vi.waitFor(() => expect(seen).toEqual([hash, txid, null]), 5_000)
      end()
      announce(hash)
      await client.call('server.ping')
      expect(seen).toHaveLength(3)
    })
    expect(server.connections).toBe(2)
  })

  test('subscriptions of headers report each tip', async () => {
    await using server = await electrumServer(honest)
    await withClient([server], async (client) => {
      const heights: number[] = []
      client.subscribeHeaders(({ height }) => heights.push(height))
      await vi.waitFor(() => expect(heights).toEqual([7]))
      for (const height of [8, 8, 9]) {
        const params = [{ height, hex: '00' }]
        server.announce({ jsonrpc: '2.0', method: 'blockchain.headers.subscribe', params })
      }
      await vi.waitFor(() => expect(heights).toEqual([7, 8, 9]))
      // One that comes later gets what is known.
      const later: number[] = []
      client.subscribeHeaders(({ height }) => later.push(height))
      expect(later).toEqual([9])
    })
  })

  test('get a notification that comes before the answer, and survive a listener that throws', async () => {
    await using server = await electrumServer((request, peer) => {
      peer.send({ method: 'blockchain.scripthash.subscribe', params: [hash, txid] })
      peer.answer(request, hash)
    })
    await withClient([server], async (client) => {
      const seen: unknown[] = []
      client.subscribeScript(hash, () => {
        throw new Error('of the caller')
      })
      client.subscribeScript(hash, (it) => seen.push(it))
      await vi.waitFor(() => expect(seen).toEqual([txid, hash]))
    })
  })

  test('go on where an earlier one to the same is ended twice, or had the same listener', async () => {
    await using server = await electrumServer(honest)
    await withClient([server], async (client) => {
      const seen: unknown[] = []
      const listener = (status: unknown) => seen.push(status)
      const end = client.subscribeScript(hash, () => undefined)
      end()
      client.subscribeScript(hash, listener)
      end()
      client.subscribeScript(hash, listener)()
      await vi.waitFor(() => expect(seen).toEqual([hash]))
      server.announce({ method: 'blockchain.scripthash.subscribe', params: [hash, txid] })
      await vi.waitFor(() => expect(seen).toEqual([hash, txid]))
    })
  })

  test('ignore a hundred thousand notifications of scripts that nobody asked for', async () => {
    await using server = await electrumServer((request, peer) => {
      const foreign = { method: 'blockchain.scripthash.subscribe', params: [txid, hash] }
      peer.raw(`${JSON.stringify(foreign)}\n`.repeat(100_000))
      peer.answer(request, hash)
    })
    await withClient([server], async (client) => {
      const seen: unknown[] = []
      client.subscribeScript(hash, (it) => seen.push(it))
      await vi.waitFor(() => expect(seen).toEqual([hash]), 20_000)
    })
    expect(server.connections).toBe(1)
  })
})

describe('a server that fails', () => {
  test('is replaced by the next one, for what only reads', async () => {
    await using broken = await electrumServer((_, peer) => peer.drop())
    await using other = await electrumServer(honest)
    await withClient([broken, other], async (client) => {
      expect(await client.call('blockchain.transaction.get', ['11'])).toBe('0011')
      expect(client.server()!.url).toBe(other.url)
    })
    expect(broken.requests).toHaveLength(2)
  })

  test('is asked again on a new connection, if an older one breaks under a read', async () => {
    let isBroken = false
    await using server = await electrumServer((request, peer) => {
      if (!isBroken) return honest(request, peer)
      isBroken = false
      peer.drop()
    })
    await withClient([server], async (client) => {
      await client.call('server.ping')
      isBroken = true
      expect(await client.call('blockchain.transaction.get', ['11'])).toBe('0011')
    })
    expect(server.connections).toBe(2)
  })

  test('is not asked for ever, if every connection breaks', async () => {
    await using server = await electrumServer((request, peer) => {
      if (request.method === 'blockchain.transaction.get') peer.drop()
      else honest(request, peer)
    })
    await withClient([server], async (client) => {
      await client.call('server.ping')
      const error = await errorOf(client.call('blockchain.transaction.get', ['11']))
      expect([error.kind, error.reason]).toEqual(['transport', 'connection_lost'])
      expect(error.earlierErrors).toHaveLength(1)
    })
    expect(server.connections).toBe(2)
  })

  test('is replaced where it is overloaded, silent, wrong, or not there', async () => {
    await using busy = await electrumServer((request, peer) => {
      peer.refuse(request, -101, 'excessive resource usage')
    })
    await using silent = await electrumServer(() => undefined)
    await using wrong = await electrumServer((_, peer) => peer.raw('<html>\n'))
    await using other = await electrumServer(honest)
    const absent = await electrumServer(honest)
    await absent.close()
    await withClient(
      [busy, silent, absent, wrong, other],
      async (client) => {
        expect(await client.call('blockchain.transaction.get', ['11'])).toBe('0011')
      },
      { answerTimeoutMs: 200 },
    )
    expect(busy.requests).toHaveLength(2)
    expect(silent.requests).toHaveLength(2)
  })

  test('leaves a call with the errors of all servers', async () => {
    await using one = await electrumServer((_, peer) => peer.drop())
    await using two = await electrumServer((_, peer) => peer.raw('{}\n'))
    await withClient([one, two], async (client) => {
      const error = await errorOf(client.call('blockchain.transaction.get', ['11']))
      expect([error.kind, error.reason]).toEqual(['shape', 'wrong_envelope'])
      expect(error.earlierErrors!.map(({ reason }) => reason)).toEqual(['connection_lost'])
    })
  })

  test('makes a broadcast uncertain, which is not repeated', async () => {
    await using broken = await electrumServer((_, peer) => peer.drop())
    await using other = await electrumServer(honest)
    await withClient([broken, other], async (client) => {
      const error = await errorOf(client.call('blockchain.transaction.broadcast', ['00']))
      expect([error.kind, error.uncertain]).toEqual(['transport', true])
    })
    expect(other.requests).toHaveLength(0)
  })

  test('is proven alive before a broadcast after the computer slept', async () => {
    await using server = await electrumServer(honest)
    const { now } = Date
    try {
      await withClient([server], async (client) => {
        await client.call('blockchain.transaction.get', ['11'])
        // The steady clock may stand still meanwhile.
        Date.now = () => now() + 10 * 3_600_000
        await client.call('blockchain.transaction.broadcast', ['00'])
      })
    } finally {
      Date.now = now
    }
    expect(server.requests.map(({ method }) => method).slice(-2)).toEqual([
      'server.ping',
      'blockchain.transaction.broadcast',
    ])
  })

  test('makes a broadcast uncertain where it does not answer, and not where it refuses', async () => {
    await using silent = await electrumServer(() => undefined)
    const options = { answerTimeoutMs: 200 }
    const call = (client: ElectrumClient) =>
      errorOf(client.call('blockchain.transaction.broadcast', ['00']))
    const slow = await withClient([silent], call, options)
    expect([slow.kind, slow.uncertain]).toEqual(['timeout', true])
    await using strict = await electrumServer((request, peer) =>
      peer.refuse(request, 1, 'the transaction was rejected by network rules'),
    )
    const refused = await withClient([strict], call)
    expect([refused.kind, refused.uncertain]).toEqual(['daemon', undefined])
    const absent = await electrumServer(honest)
    await absent.close()
    const unsent = await withClient([absent], call)
    expect([unsent.reason, unsent.uncertain]).toEqual(['not_connected', undefined])
  })

  test.each(['ok', true, null, {}, '11'.repeat(31)])(
    'makes a broadcast uncertain that it answers with %j',
    async (result) => {
      await using odd = await electrumServer((request, peer) => peer.answer(request, result))
      const error = await withClient([odd], (client) =>
        errorOf(client.call('blockchain.transaction.broadcast', ['00'])),
      )
      expect([error.kind, error.uncertain]).toEqual(['shape', true])
    },
  )

  // The words are those of komodod's sendrawtransaction, and of Bitcoin Core's messages.cpp.
  test.each([
    'transaction already in block chain',
    'Transaction outputs already in utxo set',
    'Transaction already in mempool',
    'txn-already-known',
  ])('makes a broadcast uncertain that it refuses with "%s"', async (words) => {
    const text = `the transaction was rejected by network rules.\n\n${words}\n[00]`
    await using late = await electrumServer((request, peer) => peer.refuse(request, 1, text))
    const error = await withClient([late], (client) =>
      errorOf(client.call('blockchain.transaction.broadcast', ['00'])),
    )
    expect([error.kind, error.uncertain]).toEqual(['daemon', true])
  })

  test('a server that speaks another protocol, or none, is not used', async () => {
    for (const reply of [['x', '1.3'], ['x', '2.0'], ['x', ''], ['x'], 'x', null, [1, 2]]) {
      await using server = await electrumServer(honest, {
        handshake: (request, peer) => peer.answer(request, reply),
      })
      const error = await withClient([server], (client) => errorOf(client.call('server.ping')))
      expect([error.kind, error.method]).toEqual(['shape', 'server.ping'])
      expect(server.requests).toHaveLength(1)
    }
  })

  test('a server that never greets is given up in time', async () => {
    await using server = await electrumServer(honest, { handshake: () => undefined })
    const call = (client: ElectrumClient) => errorOf(client.call('server.ping'))
    const error = await withClient([server], call, { connectTimeoutMs: 200 })
    expect([error.kind, error.reason]).toEqual(['timeout', 'attempt_timeout'])
  })
})

describe('a message that breaks the protocol ends the connection and no process', () => {
  const long = (size: number) => `"${'x'.repeat(size)}`
  test.each<[string, string | Buffer, string]>([
    ['no JSON', 'hello\n', 'not_json'],
    ['half of a JSON text', '{"id":\n', 'not_json'],
    ['a control character', '{"id":1,"result":"\u0000"}\n', 'not_json'],
    ['no UTF-8', Buffer.from('{"id":1,"result":"\xff"}\n', 'latin1'), 'malformed_text'],
    ['a list', '[]\n', 'wrong_envelope'],
    ['a number', '7\n', 'wrong_envelope'],
    ['an object without members', '{}\n', 'wrong_envelope'],
    ['an id that nobody used', '{"id":7000,"result":1}\n', 'wrong_envelope'],
    ['an id in text', '{"id":"1","result":1}\n', 'wrong_envelope'],
    ['an id below zero', '{"id":-1,"result":1}\n', 'wrong_envelope'],
    ['a broken id', '{"id":1.5,"result":1}\n', 'wrong_envelope'],
    ['an error for nobody', '{"id":null,"error":{"message":"bad"}}\n', 'wrong_envelope'],
    ['neither result nor error', '{"id":1}\n', 'wrong_envelope'],
    ['a member twice', '{"id":1,"id":2,"result":1}\n', 'duplicate_member'],
    ['a member that changes objects', '{"id":1,"__proto__":{},"result":1}\n', 'forbidden_member'],
    ['nesting without end', `{"id":1,"result":${'['.repeat(500)}\n`, 'nested_too_deep'],
    ['a line over the limit', long(600_000), 'reply_too_large'],
    ['values without end', `{"id":1,"result":[${'[],'.repeat(100_000)}[]]}\n`, 'wrong_envelope'],
  ])('%s', async (_, bytes, reason) => {
    await using server = await electrumServer((__, peer) => peer.raw(bytes))
    const error = await withClient([server], (client) =>
      errorOf(client.call('blockchain.transaction.get', ['11'])),
    )
    expect([error.kind, error.reason]).toEqual(['shape', reason])
    expect(server.connections).toBe(1)
  })

  test('an endless line takes no more memory than the longest answer', async () => {
    let sent = 0
    await using server = await electrumServer((_, peer) => {
      const part = 'x'.repeat(1 << 20)
      const more = (): void => {
        sent += 1
        peer.raw(part)
        if (sent < 500) setImmediate(more)
      }
      more()
    })
    const error = await withClient([server], (client) =>
      errorOf(client.call('blockchain.transaction.get', ['11'])),
    )
    expect(error.reason).toBe('reply_too_large')
  })
})

describe('answers are not crossed', () => {
  test('one that comes too late, or twice, is ignored', async () => {
    await using server = await electrumServer((request, peer) => {
      const answer = () => peer.answer(request, `00${request.params[0]}`)
      if (request.params[0] === '11') setTimeout(answer, 400)
      else answer()
      if (request.params[0] === '22') answer()
    })
    await withClient([server], async (client) => {
      const slow = errorOf(client.call('blockchain.transaction.get', ['11'], { timeoutMs: 200 }))
      expect(await client.call('blockchain.transaction.get', ['22'])).toBe('0022')
      expect((await slow).reason).toBe('call_timeout')
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await client.call('blockchain.transaction.get', ['33'])).toBe('0033')
    })
    expect(server.connections).toBe(1)
  })

  test('a message in pieces of a byte, and many in one piece, are each read once', async () => {
    await using server = await electrumServer((request, peer) => {
      const text = `${JSON.stringify({ id: request.id, result: 'ab', note: '\u20ac' })}\n`
      for (const byte of Buffer.from(text)) peer.raw(Buffer.of(byte))
    })
    await withClient([server], async (client) => {
      const answers = await client.batch('blockchain.transaction.get', [['11'], ['22'], ['33']])
      expect(answers.map((it) => it.status === 'fulfilled' && it.value)).toEqual(['ab', 'ab', 'ab'])
    })
  })

  test('an error beside a result counts as an error', async () => {
    await using server = await electrumServer((request, peer) =>
      peer.send({ id: request.id, result: '11', error: { code: 2, message: 'no' } }),
    )
    const error = await withClient([server], (client) =>
      errorOf(client.call('blockchain.transaction.get', ['11'])),
    )
    expect([error.kind, error.code]).toEqual(['daemon', 2])
  })
})

test.each([
  ['blockchain.transaction.get', 'xyz'],
  ['blockchain.transaction.get', 7],
  ['blockchain.transaction.broadcast', 'ab'],
  ['blockchain.scripthash.listunspent', [{ tx_hash: txid, tx_pos: 0, height: 1, value: -1 }]],
  ['blockchain.scripthash.listunspent', [{ tx_hash: txid, tx_pos: 1.5, height: 1, value: 1 }]],
  ['blockchain.scripthash.listunspent', [{ tx_hash: txid, tx_pos: 0, height: '1', value: 1 }]],
  ['blockchain.scripthash.listunspent', [{ tx_hash: 'ab', tx_pos: 0, height: 1, value: 1 }]],
  ['blockchain.scripthash.get_history', {}],
  ['blockchain.scripthash.get_history', null],
  ['blockchain.transaction.get_merkle', { block_height: 1, merkle: ['ab'], pos: 0 }],
  ['blockchain.transaction.get_merkle', { block_height: 1, merkle: [], pos: -1 }],
  ['blockchain.headers.subscribe', { height: -1, hex: '' }],
] as const)('%s does not answer %j', async (method, result) => {
  await using server = await electrumServer((request, peer) => peer.answer(request, result))
  const error = await withClient([server], (client) => errorOf(client.call(method, [txid])))
  expect([error.kind, error.method]).toEqual(['shape', method])
})

test('an amount keeps every digit', async () => {
  await using server = await electrumServer((request, peer) =>
    peer.raw(
      `{"id":${request.id},"result":[{"tx_hash":"${txid}","tx_pos":0,"height":0,"value":9223372036854775807}]}\n`,
    ),
  )
  const [coin] = await withClient([server], (client) =>
    client.call('blockchain.scripthash.listunspent', [hash]),
  )
  expect(coin!.value).toBe(2n ** 63n - 1n)
})

describe('certificates', () => {
  const certificateOf = async (server: ElectrumServer) => {
    const store = new Map<string, string>()
    const tls = { trust: 'first-use', store: storeOf(store) } as const
    await withClient([server], (client) => client.call('server.ping'), { tls })
    return store.get(server.url)!
  }
  const storeOf = (known: Map<string, string>) => ({
    get: async (server: string) => known.get(server),
    put: async (server: string, fingerprint: string) => void known.set(server, fingerprint),
  })
  const folder = mkdtempSync(join(tmpdir(), 'antara-tx-electrum-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  let folders = 0
  const path = () => {
    const own = join(folder, `${++folders}`)
    mkdirSync(own)
    return join(own, 'certificates.json')
  }

  test('certificates that nobody vouches for are refused', async () => {
    await using server = await electrumServer(honest, { certificate: 'first' })
    const error = await withClient([server], (client) => errorOf(client.call('server.ping')))
    expect([error.kind, error.reason]).toEqual(['transport', 'not_connected'])
    expect(server.requests).toHaveLength(0)
  })

  test('certificates of the first connection are kept in a file of your own, and must not change', async () => {
    const file = path()
    const tls = { trust: 'first-use', store: fileCertificateStore(file) } as const
    const trustOf = async (server: ElectrumServer) =>
      await withClient(
        [server],
        async (client) => {
          await client.call('server.ping')
          return client.server()!
        },
        { tls },
      )
    const server = await electrumServer(honest, { certificate: 'first' })
    const first = await trustOf(server)
    expect(first.trust).toBe('first-use')
    expect((await trustOf(server)).trust).toBe('stored')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ [server.url]: first.certificate })
    await server.close()

    const port = Number(new URL(server.url.replace('ssl:', 'http:')).port)
    await using changed = await electrumServer(honest, { certificate: 'second', port })
    const error = await errorOf(trustOf(changed))
    expect([error.kind, error.reason]).toEqual(['transport', 'certificate_changed'])
    expect(error.expected).toBe(first.certificate)
    expect(changed.requests).toHaveLength(0)
  })

  test('certificates that are pinned are the only ones', async () => {
    await using server = await electrumServer(honest, { certificate: 'first' })
    const pin = await certificateOf(server)
    const withPin = (given: string) => ({ tls: { pins: { [server.url]: given } } })
    const spelled = pin.toUpperCase().match(/../g)!.join(':')
    const call = async (client: ElectrumClient) => {
      await client.call('server.ping')
      return client.server()!.trust
    }
    expect(await withClient([server], call, withPin(spelled))).toBe('pinned')
    const error = await errorOf(withClient([server], call, withPin('11'.repeat(32))))
    expect(error.reason).toBe('certificate_changed')
  })

  test('are looked up before a word of the server is read', async () => {
    await using server = await electrumServer(honest, { certificate: 'first' })
    const heard: unknown[] = []
    const store = {
      async get() {
        await vi.waitUntil(() => server.connections > 0)
        const params = [{ height: 1_000_000, hex: '00' }]
        server.announce({ method: 'blockchain.headers.subscribe', params })
        await pause(50)
        return '11'.repeat(32)
      },
      put: async () => undefined,
    }
    const tls = { trust: 'first-use', store } as const
    await withClient(
      [server],
      async (client) => {
        client.subscribeHeaders((tip) => heard.push(tip))
        const { reason } = await errorOf(client.call('server.ping'))
        expect(reason).toBe('certificate_changed')
      },
      { tls },
    )
    expect(heard).toEqual([])
    expect(server.requests).toHaveLength(0)
  })

  test('are not asked for without TLS, and TLS is not left out', async () => {
    await using plain = await electrumServer(honest)
    const asTls = plain.url.replace('tcp:', 'ssl:')
    using client = createElectrumClient({ servers: [asTls], connectTimeoutMs: 2_000 })
    const { kind } = await errorOf(client.call('server.ping'))
    expect(['transport', 'timeout']).toContain(kind)
    expect(plain.requests).toHaveLength(0)
  })

  test.each([
    ['others can read', `{}`, 0o644],
    ['is not JSON', `hello`, 0o600],
    ['holds a list', `[]`, 0o600],
    ['holds something else', `{"a":"b"}`, 0o600],
  ])(
    'certificates in a file that %s are not used, and the file stays as it is',
    async (_, text, mode) => {
      const file = path()
      writeFileSync(file, text, { mode })
      await using server = await electrumServer(honest, { certificate: 'first' })
      const tls = { trust: 'first-use', store: fileCertificateStore(file) } as const
      const error = await withClient([server], (client) => errorOf(client.call('server.ping')), {
        tls,
      })
      expect([error.kind, error.reason]).toEqual(['transport', 'store_unusable'])
      expect(readFileSync(file, 'utf8')).toBe(text)
      expect(server.requests).toHaveLength(0)
    },
  )
})

describe('time', () => {
  test('a call ends with its signal and with its timeout, and leaves the connection', async () => {
    await using server = await electrumServer((request, peer) => {
      if (request.method === 'server.ping') peer.answer(request, null)
    })
    await withClient([server], async (client) => {
      const abort = new AbortController()
      const aborted = errorOf(
        client.call('blockchain.transaction.get', ['11'], { signal: abort.signal }),
      )
      await client.call('server.ping')
      abort.abort()
      expect((await aborted).kind).toBe('aborted')
      expect(await client.call('server.ping')).toBeNull()
    })
    expect(server.connections).toBe(1)
  })

  test('a closed client ends every call and makes no connection', async () => {
    await using server = await electrumServer(() => undefined)
    const client = createElectrumClient({ servers: [server.url] })
    const open = errorOf(client.call('blockchain.transaction.get', ['11']))
    await vi.waitFor(() => expect(server.requests).toHaveLength(2))
    client.close()
    expect(await open).toMatchObject({ kind: 'transport', message: 'the client is closed' })
    expect((await errorOf(client.call('server.ping'))).reason).toBe('not_connected')
    client.close()
    expect(server.connections).toBe(1)
  })

  test('a turn that is given up in the queue does not block the ones behind it', async () => {
    await using server = await electrumServer((request, peer) => {
      if (request.params[0] === '11') setTimeout(() => peer.answer(request, '11'), 300)
      else peer.answer(request, '22')
    })
    await withClient(
      [server],
      async (client) => {
        const first = client.call('blockchain.transaction.get', ['11'])
        const given = errorOf(client.call('blockchain.transaction.get', ['22'], { timeoutMs: 100 }))
        const third = client.call('blockchain.transaction.get', ['33'])
        expect((await given).kind).toBe('timeout')
        expect(await Promise.all([first, third])).toEqual(['11', '22'])
      },
      { inFlightMax: 1 },
    )
  })
})

test.each([
  [{}],
  [{ servers: [] }],
  [{ servers: ['127.0.0.1:50001'] }],
  [{ servers: ['http://127.0.0.1'] }],
  [{ servers: ['tcp://user@127.0.0.1:1'] }],
  [{ servers: ['tcp://127.0.0.1:0'] }],
  [{ servers: ['tcp://127.0.0.1:65536'] }],
  [{ servers: ['tcp://127.0.0.1/path'] }],
  [{ servers: ['tcp://127.0.0.1'], timeout: 5 }],
  [{ servers: ['tcp://127.0.0.1'], inFlightMax: 51 }],
  [{ servers: ['tcp://127.0.0.1'], inFlightMax: 0 }],
  [{ servers: ['tcp://127.0.0.1'], timeoutMs: Number.NaN }],
  [{ servers: ['tcp://127.0.0.1'], connectTimeoutMs: '10' }],
  [{ servers: ['tcp://127.0.0.1'], answerTimeoutMs: Number.NaN }],
  [{ servers: ['tcp://127.0.0.1'], tls: { trust: 'first-use' } }],
  [{ servers: ['tcp://127.0.0.1'], tls: { pin: 'x' } }],
  [{ servers: ['tcp://127.0.0.1'], tls: { pins: { 'ssl://a': 'ab' } } }],
])('%j are no options', (options) => {
  expect(() => createElectrumClient(options as never)).toThrow(TypeError)
})

test('methods that the client does not know, and arguments of other types, are a TypeError', async () => {
  using client = createElectrumClient({ servers: ['tcp://127.0.0.1:1'] })
  await expect(client.call('server.peers.subscribe' as never)).rejects.toThrow(TypeError)
  await expect(client.call('server.ping', 'x' as never)).rejects.toThrow(TypeError)
  const never = { timeoutMs: Number.NaN }
  await expect(client.call('server.ping', [], never)).rejects.toThrow(TypeError)
  expect(() => client.subscribeScript('ab', () => undefined)).toThrow(TypeError)
  expect(() => client.subscribeScript(hash, 'x' as never)).toThrow(TypeError)
})
