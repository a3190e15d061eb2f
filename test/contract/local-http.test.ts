// Calls to this machine go past `fetch`. A server of raw bytes says here what it wants, right or
// wrong: docs/adr/0046-http-to-this-machine.md lists what each party could do.

import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test, vi } from 'vitest'

import { createDaemonClient, type DaemonClientOptions, isRpcError } from '../../src/rpc/index.ts'
import { localServer } from '../../src/rpc/local-http.ts'

type Talk = (request: string, socket: Socket) => void

const undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.splice(0)) one()
  vi.unstubAllGlobals()
})

/** Listens with a talk that gets each request, head and body. */
async function listen(talk: Talk, host = '127.0.0.1') {
  const requests: string[] = []
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
      const [head, length] = /^[\s\S]*?content-length: (\d+)[\s\S]*?\r\n\r\n/i.exec(text) ?? []
      if (head === undefined || text.length < head.length + Number(length)) return
      requests.push(text)
      text = ''
      talk(requests.at(-1)!, socket)
    })
  })
  server.listen(0, host)
  await once(server, 'listening')
  undo.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { port, requests, sockets, url: `http://${host === '::1' ? '[::1]' : host}:${port}/` }
}

const hash = 'f'.repeat(64)
const headOf = (length: number, more = '') =>
  `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n${more}\r\n`
const answerTo = (request: string, result = hash) =>
  `{"result":"${result}","error":null,"id":"${/"id":"(\d+)"/.exec(request)![1]}"}`

const answers: Talk = (request, socket) => {
  const text = answerTo(request)
  socket.write(headOf(text.length) + text)
}
/** Says this, and ends the connection. */
const says =
  (text: string): Talk =>
  (_, socket) => {
    socket.end(text, 'latin1')
  }

function client(url: string, more: Partial<DaemonClientOptions> = {}) {
  const login = { user: 'user', password: 'correct horse' }
  return createDaemonClient({ url, ...login, retry: false, ...more } as DaemonClientOptions)
}

const ask = (url: string, more?: Partial<DaemonClientOptions>) =>
  client(url, more).getbestblockhash() as Promise<string>

/** The answer, or the kind and the reason of the error. */
async function outcome(asked: Promise<string>): Promise<string> {
  return asked.catch((error) => {
    if (!isRpcError(error)) throw error
    return `${error.kind} ${error.reason}`
  })
}

test('a call is one request with the login, and no cookie or name of a program', async () => {
  const { url, requests } = await listen(answers)
  expect(await ask(url)).toBe(hash)
  const lines = requests.flatMap((text) => text.split('\r\n'))
  expect(lines.slice(0, -1)).toEqual([
    'POST / HTTP/1.1',
    `authorization: Basic ${btoa('user:correct horse')}`,
    'content-type: text/plain;',
    `Host: ${new URL(url).host}`,
    'Connection: keep-alive',
    `Content-Length: ${lines.at(-1)!.length}`,
    '',
  ])
})

test('a call goes past fetch, though the program has used fetch', async () => {
  await fetch('data:,')
  const { url, requests } = await listen(answers)
  expect(await ask(url)).toBe(hash)
  expect(requests).toHaveLength(1)
  expect(requests[0]).not.toContain('user-agent')
})

test('many calls at once each get their own answer, and later ones use the same connections', async () => {
  const { url, sockets, requests } = await listen((request, socket) => {
    const [, id] = /"id":"(\d+)"/.exec(request)!
    const text = answerTo(request, id!.padStart(64, '0'))
    setImmediate(() => socket.write(headOf(text.length) + text))
  })
  const daemon = client(url)
  const ids = Array.from({ length: 40 }, (_, id) => String(id).padStart(64, '0'))
  expect(await Promise.all(ids.map(() => daemon.getbestblockhash()))).toEqual(ids)
  const opened = sockets.size
  await daemon.getbestblockhash()
  expect(requests).toHaveLength(41)
  expect(sockets.size).toBe(opened)
})

test('the loopback address of IPv6 is this machine', async () => {
  const { url } = await listen(answers, '::1')
  expect(await ask(url)).toBe(hash)
})

describe('a reply', () => {
  const text = `{"result":"${hash}","error":null,"id":"0"}`

  test('a text that ends within a character is refused', async () => {
    const cut = `${text} \xe6\xbc`
    const { url } = await listen(says(headOf(cut.length) + cut))
    expect(await outcome(ask(url))).toBe('shape malformed_text')
  })

  test.each([301, 302, 303, 307, 308])('a redirect by %i is refused', async (status) => {
    const elsewhere = await listen(answers)
    const { url, requests } = await listen(
      says(`HTTP/1.1 ${status} Moved\r\nlocation: ${elsewhere.url}\r\ncontent-length: 0\r\n\r\n`),
    )
    expect(await outcome(ask(url))).toBe('http redirected')
    expect(requests).toHaveLength(1)
    expect(elsewhere.requests).toEqual([])
  })

  test('a redirect is refused by its head, and its connection ends', async () => {
    const { url, sockets } = await listen((_request, socket) => {
      socket.write('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 5000\r\n\r\n')
    })
    expect(await outcome(ask(url, { timeoutMs: 5000 }))).toBe('http redirected')
    await vi.waitFor(() => expect(sockets.size).toBe(0))
  })

  test.each([
    ['by its head', headOf(5000)],
    [
      'by what comes',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1000\r\n${'a'.repeat(4096)}`,
    ],
  ])('a reply that is too large %s is refused, and its connection ends', async (_, head) => {
    const { url, sockets } = await listen((_request, socket) => {
      socket.write(head)
    })
    const limited = { maxResponseBytes: 4000 }
    expect(await outcome(ask(url, limited))).toBe('shape reply_too_large')
    await vi.waitFor(() => expect(sockets.size).toBe(0))
  })

  test.each([
    ['cut', `${headOf(text.length)}${text.slice(0, -1)}`],
    [
      'cut in its chunks',
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n${text.slice(0, 5)}\r\n`,
    ],
    ['empty', ''],
    ['no HTTP', `hello\r\n\r\n${text}`],
    ['another protocol', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['two lengths', `HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 4\r\n\r\n${text}`],
    ['a head without end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(20_000)}`],
  ])('a reply that is %s breaks the connection', async (_, bytes) => {
    const { url } = await listen(says(bytes))
    expect(await outcome(ask(url))).toBe('transport connection_lost')
  })

  test.each([
    ['not UTF-8', 'latin1', `{"result":"\xff","error":null,"id":"0"}`, 'shape malformed_text'],
    ['after a byte order mark', 'utf8', `\ufeff${text}`, 'shape not_json'],
    ['of another call', 'utf8', text.replace('"0"', '"7"'), 'shape wrong_id'],
  ] as const)('%s is refused', async (_, encoding, reply, expected) => {
    const bytes = Buffer.from(reply, encoding)
    const { url } = await listen((_request, socket) => {
      socket.end(Buffer.concat([Buffer.from(headOf(bytes.length)), bytes]))
    })
    expect(await outcome(ask(url))).toBe(expected)
  })

  test('a compressed text is not decompressed', async () => {
    const bytes = gzipSync(text)
    const { url } = await listen((_request, socket) => {
      const head = headOf(bytes.length, 'content-encoding: gzip\r\n')
      socket.end(Buffer.concat([Buffer.from(head), bytes]))
    })
    expect(await outcome(ask(url))).toBe('shape malformed_text')
  })

  test.each([
    ['that never comes', () => undefined],
    [
      'that announces itself for ever',
      (socket: Socket) => every(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
    ],
    [
      'that comes byte by byte',
      (socket: Socket) => {
        socket.write(headOf(5000))
        every(socket, ' ')
      },
    ],
  ])('%s ends with the time of the call, and its connection too', async (_, start) => {
    const { url, sockets } = await listen((_request, socket) => start(socket))
    expect(await outcome(ask(url, { timeoutMs: 60 }))).toBe('timeout call_timeout')
    await vi.waitFor(() => expect(sockets.size).toBe(0))
  })

  test('a caller that leaves waits for no reply', async () => {
    const caller = new AbortController()
    const { url, sockets } = await listen(() => caller.abort())
    const left = client(url).getbestblockhash({}, { signal: caller.signal }) as Promise<string>
    expect(await outcome(left)).toBe('aborted undefined')
    await vi.waitFor(() => expect(sockets.size).toBe(0))
  })
})

function every(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 2)
  socket.on('close', () => clearInterval(timer))
}

test('a second answer that nobody asked for is not the answer to the next call', async () => {
  const forged = 'e'.repeat(64)
  const { url } = await listen((request, socket) => {
    const text = answerTo(request)
    const next = answerTo('"id":"1"', forged)
    socket.write(headOf(text.length) + text + headOf(next.length) + next)
  })
  const daemon = client(url, { retry: { attempts: 2, baseMs: 1 } })
  expect(await daemon.getbestblockhash()).toBe(hash)
  expect(await outcome(daemon.getbestblockhash() as Promise<string>)).toBe(hash)
})

test('a connection that the server has closed meanwhile is not used again', async () => {
  const { url, sockets } = await listen(answers)
  const daemon = client(url)
  expect(await daemon.getbestblockhash()).toBe(hash)
  for (const socket of sockets) socket.end()
  await vi.waitFor(() => expect(sockets.size).toBe(0))
  expect(await daemon.getbestblockhash()).toBe(hash)
})

test('a server that does not listen was never reached', async () => {
  const { url, port } = await listen(answers)
  for (const one of undo.splice(0)) one()
  expect(await outcome(ask(url))).toBe('transport not_connected')
  expect(await outcome(ask(`http://localhost:${port}`))).toBe('transport not_connected')
})

describe('calls go through', () => {
  const stand = () =>
    vi.fn((_url: string, { body }: { body: string }) =>
      Promise.resolve(new Response(answerTo(body))),
    )

  test('a function that the program gives', async () => {
    const { url, requests } = await listen(answers)
    const fetch = stand()
    expect(await ask(url, { fetch: fetch as never })).toBe(hash)
    expect(fetch).toHaveBeenCalledOnce()
    expect(requests).toEqual([])
  })

  test('a function that has taken the place of fetch', async () => {
    const { url, requests } = await listen(answers)
    const fetch = stand()
    vi.stubGlobal('fetch', fetch)
    expect(await ask(url)).toBe(hash)
    expect(fetch).toHaveBeenCalledOnce()
    expect(requests).toEqual([])
  })

  // Node 26 reads the second place, and older ones the first. When `fetch` is first used, Node 24
  // fills both if the first is empty, and Node 26 if the second is.
  describe.each([
    [1, 'too'],
    [2, 'too'],
    [2, 'alone'],
  ])('the dispatcher of fetch if version %i of its symbol is set %s:', (version, others) => {
    test.each(Object.entries(dispatchers))('%s', async (_, dispatcherOf) => {
      const { url, requests } = await listen(answers)
      const Agent = await agentOfNode()
      // An older `fetch` leaves the first empty in no case.
      const isOld = Number.parseInt(process.versions.undici!, 10) < 8
      if (others === 'alone' && !isOld) setDispatcher(1, undefined)
      let dispatched = 0
      const dispatcher = dispatcherOf(Agent, () => {
        dispatched += 1
        throw new Error('this is the proxy')
      })
      setDispatcher(version, dispatcher)
      await fetch(url, { method: 'POST', body: '{"id":"0"}' }).catch(() => undefined)
      const byFetch = [dispatched, requests.length]
      await outcome(ask(url))
      expect([dispatched, requests.length]).toEqual(byFetch.map((count) => count * 2))
    })
  })
})

type Fail = () => never
interface UndiciAgent {
  dispatch(...args: unknown[]): boolean
  compose(interceptor: (dispatch: unknown) => (a: unknown, b: unknown) => never): UndiciAgent
}
type AgentClass = new (options?: Record<string, unknown>) => UndiciAgent

/** Each refuses a request, as a dispatcher does that leads it elsewhere. */
const dispatchers: Record<string, (Agent: AgentClass, fail: Fail) => unknown> = {
  'a proxy': (_, fail) =>
    new (class ProxyAgent {
      dispatch = fail
    })(),
  'a wrapper of undici 8': (_, fail) =>
    new (class Dispatcher1Wrapper {
      dispatch = fail
    })(),
  'an object without a class': (_, fail) => Object.assign(Object.create(null), { dispatch: fail }),
  'a class of the same name': (_, fail) =>
    new (class Agent {
      dispatch = fail
    })(),
  'an agent with another dispatch': (Agent, fail) => Object.assign(new Agent(), { dispatch: fail }),
  'an agent that a program has extended': (Base, fail) =>
    new (class Agent extends Base {
      override dispatch = fail
    })(),
  'an agent with an interceptor': (Agent, fail) => new Agent().compose(() => (_a, _b) => fail()),
  'an agent with its own connections, such as to a SOCKS proxy': (Agent, fail) =>
    new Agent({ connect: fail }),
  'an agent with its own pools': (Agent, fail) => new Agent({ factory: fail }),
  'an agent that connects to a file': (Agent) => new Agent({ socketPath: '/nowhere' }),
}

const globals = globalThis as Record<symbol, unknown>
const placeOf = (version: number) => Symbol.for(`undici.globalDispatcher.${version}`)

/** Returns the class of the agent that Node's own `fetch` makes when it is first used. */
async function agentOfNode(): Promise<AgentClass> {
  await fetch('data:,')
  const agents = [1, 2].map((version) => globals[placeOf(version)]?.constructor as AgentClass)
  return agents.find((one) => one?.name === 'Agent')!
}

function setDispatcher(version: number, dispatcher: unknown): void {
  const place = placeOf(version)
  const before = place in globals ? { is: globals[place] } : undefined
  undo.push(() => {
    if (before === undefined) delete globals[place]
    else globals[place] = before.is
  })
  globals[place] = dispatcher
}
test('a variable for proxies does not lead the login elsewhere', async () => {
  const proxy = await listen(answers)
  const { url } = await listen(answers)
  vi.stubEnv('http_proxy', proxy.url)
  undo.push(() => vi.unstubAllEnvs())
  expect(await ask(url)).toBe(hash)
  expect(proxy.requests).toEqual([])
})

test.each([
  ['http://127.0.0.1:7771/', { host: '127.0.0.1', port: '7771', path: '/' }],
  ['http://localhost/wallet?a=b', { host: 'localhost', port: '', path: '/wallet?a=b' }],
  ['http://[::1]:5/', { host: '::1', port: '5', path: '/' }],
  ['https://127.0.0.1/', undefined],
  ['http://127.0.0.1.example.org/', undefined],
  ['http://localhost.example.org/', undefined],
  ['http://192.168.0.1/', undefined],
  ['http://[::ffff:127.0.0.1]/', undefined],
])('%s is a server of this machine without TLS: %o', (url, expected) => {
  expect(localServer(url)).toEqual(expected)
})
