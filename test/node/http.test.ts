import { networkInterfaces } from 'node:os'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createDaemonClient, isRpcError } from '../../src/rpc/index.ts'
import type { Answer, HttpServer, Refusal } from '../../src/server/http-server.ts'
import { jsonRpc, methodNotFound, type RpcCall, RpcFailure } from '../../src/server/json-rpc.ts'
import { type ServeOptions, serve, workQueueFull } from '../../src/server/serve.ts'
import { type Recorded, recordings } from '../contract/support/recordings.ts'
import { basic, type RawReply, rawRequest, rawSocket } from './support/raw.ts'

const user = 'user'
const password = 'pass'
const authorization = basic(user, password)

let server: HttpServer
let refusals: Refusal[]
afterEach(() => server.close())

async function open(
  handle: ServeOptions['handle'],
  options: Partial<ServeOptions> = {},
): Promise<void> {
  refusals = []
  server = await serve({
    user,
    password,
    wrongPasswordMs: 0,
    onRefusal: (refusal) => refusals.push(refusal),
    handle,
    ...options,
  })
}

/** An answer that does not come. */
const never = new Promise<never>(() => undefined)

const fortyTwo = jsonRpc(() => '42')
const call = '{"id":1,"method":"getblockcount"}'
const answered = '{"result":42,"error":null,"id":1}\n'

const post = (
  body: string | Buffer = call,
  headers: Record<string, string> = {},
): Promise<RawReply> => rawRequest(server.url, { headers: { authorization, ...headers }, body })

describe('recorded exchanges of a daemon', () => {
  /** The `result` of a recorded answer as it was written, or its error thrown. */
  function recordedResult({ response }: Recorded): string {
    const found = /^\{"result":(.*),"error":null,"id":.*\}\n$/s.exec(response)
    if (found?.[1] !== undefined) return found[1]
    const { code, message } = JSON.parse(response).error
    throw new RpcFailure(code, message)
  }

  test.each([
    ['komodod', 818],
    ['tokeld', 403],
  ] as const)('%s: each answer is the recorded one, byte for byte', async (daemon, total) => {
    const methods = new Map<string, (recorded: Recorded) => string>([
      ['getblockcount', () => '39'],
      ['validateaddress', () => '{"isvalid":false}'],
    ])
    let onStage: Recorded
    /** For the raw ones the answer is made here, for the others it is what was recorded. */
    const execute = ({ method, params }: RpcCall): string => {
      if (onStage.raw === undefined) return recordedResult(onStage)
      if (method === 'tokenlist') {
        if (params.length > 0) throw new RpcFailure(-1, 'tokenlist\n')
        return /"result":(\[.*?\])/.exec(onStage.response)?.[1] ?? '[]'
      }
      const known = methods.get(method)
      if (known === undefined) throw methodNotFound()
      return known(onStage)
    }
    await open(jsonRpc(execute))
    const rows = recordings(daemon)
    for (onStage of rows) {
      const { raw, request } = onStage
      const isOpen = raw?.auth !== false
      const given = basic(String(raw?.user ?? user), String(raw?.pw ?? password))
      const reply = await rawRequest(server.url, {
        ...(raw?.method !== undefined && { method: raw.method }),
        ...(raw?.path !== undefined && { path: raw.path }),
        headers: isOpen ? { authorization: given } : {},
        body: request,
      })
      const { status, headers, body } = reply
      const at = `${onStage.at} ${onStage.note} ${request}`
      expect({ status, type: headers['content-type'] ?? null, body }, at).toEqual({
        status: onStage.status,
        type: onStage.type,
        body: onStage.response,
      })
      expect(headers['www-authenticate'], at).toBe(
        status === 401 ? 'Basic realm="jsonrpc"' : undefined,
      )
    }
    expect(rows.length).toBe(total)
  })
})

describe('requests', () => {
  test('ids come back as they were written', async () => {
    await open(fortyTwo)
    const ids = ['1e5', '0.10', '-0', '"\\u00e9\\ud83d\\ude00"', '[1,{"b":null}]', 'true', '"a\\n"']
    const written = ['1e5', '0.10', '-0', '"é😀"', '[1,{"b":null}]', 'true', '"a\\n"']
    for (const [at, id] of ids.entries()) {
      const { body } = await post(`{"id":${id},"method":"any"}`)
      expect(body).toBe(`{"result":42,"error":null,"id":${written[at]}}\n`)
    }
    const { body } = await post('{"id":"\x7f","method":"any"}')
    expect(body).toContain('"id":"\\u007f"')
  })

  test('numbers reach a method with all their digits', async () => {
    const seen: unknown[] = []
    await open(
      jsonRpc(({ params }) => {
        seen.push(...params.map(String))
        return 'null'
      }),
    )
    await post('{"method":"m","params":[9007199254740993,0.10000000,1e-8,-0]}')
    expect(seen).toEqual(['9007199254740993', '0.10000000', '1e-8', '-0'])
  })

  test.each([
    ['bytes that are not UTF-8', Buffer.from('7b226964223a22ff227d', 'hex'), -32700],
    ['half a character', '{"id":1,"method":"\\ud800"}', -32700],
    ['a number with a leading zero', '{"id":01,"method":"m"}', -32700],
    ['members without a comma', '{"id":1 "method":"m"}', -32700],
    ['a control character', '{"id":"\n","method":"m"}', -32700],
    ['nesting that a stack could not hold', '['.repeat(1_000_000), -32603],
    ['a member that changes objects', '{"__proto__":{"method":"m"}}', -32603],
  ])('%s', async (_name, body, code) => {
    await open(fortyTwo)
    const reply = await post(body)
    expect(reply.status).toBe(500)
    expect(JSON.parse(reply.body)).toMatchObject({ result: null, error: { code }, id: null })
  })

  test('a batch is performed in order, one after the other', async () => {
    const running: string[] = []
    await open(
      jsonRpc(async ({ method }) => {
        running.push(`${method} begins`)
        await new Promise((resolve) => setTimeout(resolve, method === 'a' ? 20 : 0))
        running.push(`${method} ends`)
        return `"${method}"`
      }),
    )
    const { body } = await post(
      '[{"method":"a","id":"1"},{"method":"b","params":{}},{"method":"c"}]',
    )
    expect(running).toEqual(['a begins', 'a ends', 'c begins', 'c ends'])
    expect(body).toBe(
      '[{"result":"a","error":null,"id":"1"},{"result":null,"error":{"code":-32600,"message":"Params must be an array"},"id":null},{"result":"c","error":null,"id":null}]\n',
    )
  })

  test('answers -32603 with the reason where a daemon would crash', async () => {
    await open(
      jsonRpc(() => {
        throw new RangeError('out of memory')
      }),
    )
    const reply = await post()
    expect([reply.status, JSON.parse(reply.body).error]).toEqual([
      500,
      { code: -32603, message: 'out of memory' },
    ])
  })

  test('a handler that throws is answered as a daemon answers what nobody handles', async () => {
    await open(() => {
      throw new Error('broken')
    })
    expect(await post()).toMatchObject({ status: 500, body: 'Unhandled request' })
    expect(refusals).toMatchObject([{ status: 500, reason: 'the request failed: broken' }])
  })

  test('our own client is served', async () => {
    await open(fortyTwo)
    const daemon = createDaemonClient({ url: server.url, user, password, retry: false })
    expect(await daemon.getblockcount({})).toBe(42)
    const stranger = createDaemonClient({ url: server.url, user, password: 'no', retry: false })
    const error = await stranger.getblockcount({}).catch((cause) => cause)
    expect(isRpcError(error, 'http') && error.reason).toBe('unauthorized')
  })
})

describe('requests that are let in', () => {
  test('a wrong password waits for its answer, a missing one does not', async () => {
    await open(fortyTwo, { wrongPasswordMs: 300 })
    const arrivals: string[] = []
    const knock = async (name: string, headers: Record<string, string>): Promise<void> => {
      const { status } = await rawRequest(server.url, { headers })
      expect(status).toBe(401)
      arrivals.push(name)
    }
    await Promise.all([
      knock('wrong', { authorization: basic(user, 'no') }),
      knock('missing', {}),
      knock('other scheme', { authorization: `Bearer ${authorization}` }),
    ])
    expect(arrivals[0]).toBe('missing')
    expect(refusals.map(({ reason }) => reason).sort()).toEqual([
      'user and password are missing',
      'user or password is wrong',
      'user or password is wrong',
    ])
  })

  test.each([
    ['a page of the web', { origin: 'https://example.com' }, 403],
    ['a wrong password', { authorization: basic(user, 'no') }, 401],
    ['a failed request', {}, 500],
  ])('an observer that fails changes no answer to %s', async (_name, headers, status) => {
    const fail = (): never => {
      throw new Error('the log is full')
    }
    await open(fail, { onRefusal: fail })
    expect((await post(call, headers)).status).toBe(status)
  })

  test('a verb the daemon does not know is refused before anything else', async () => {
    await open(fortyTwo)
    const reply = await rawRequest(server.url, { method: 'DELETE', path: '/foo' })
    expect([reply.status, reply.body]).toEqual([405, ''])
  })

  test.each([
    ['a page of the web', { origin: 'https://example.com' }],
    ['a page of this machine', { origin: 'http://localhost:3000' }],
    ['a page in a frame or file', { origin: 'null' }],
    ['an image of a page of the web', { 'sec-fetch-site': 'cross-site' }],
    ['an image of a page of this machine', { 'sec-fetch-site': 'same-site' }],
    ['a link', { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }],
    ['a page whose name was pointed here', { host: 'rebound.example:80' }],
    ['a name that only begins like ours', { host: 'localhost.example' }],
    ['a name that only ends like ours', { host: 'notlocalhost' }],
  ])('%s is refused, password or not', async (_name, headers) => {
    let handled = 0
    await open(() => {
      handled++
      return workQueueFull
    })
    const reply = await post(call, headers)
    expect(reply.status).toBe(403)
    expect(handled).toBe(0)
    expect(refusals).toHaveLength(1)
    // No header lets a page read the answer, or request permission to do so.
    const asked = await rawRequest(server.url, {
      method: 'OPTIONS',
      headers: { ...headers, 'access-control-request-method': 'POST' },
    })
    for (const { headers: sent } of [reply, asked]) {
      expect(Object.keys(sent).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  test.each(['127.0.0.1', 'localhost:7771', '[::1]:80', '192.0.2.7', 'LOCALHOST'])(
    'a program that calls it %s is answered',
    async (host) => {
      await open(fortyTwo)
      expect((await post(call, { host })).body).toBe(answered)
    },
  )

  test('a name that was allowed is answered', async () => {
    await open(fortyTwo, { allowedHosts: ['host.docker.internal'] })
    expect((await post(call, { host: 'host.docker.internal:80' })).body).toBe(answered)
  })

  test('only this machine reaches it, unless told otherwise in so many words', async () => {
    await open(fortyTwo)
    for (const host of ['0.0.0.0', '::', '192.0.2.7', 'example.com']) {
      await expect(serve({ user, password, handle: fortyTwo, host })).rejects.toThrow(TypeError)
    }
    const outside = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === 'IPv4')
    for (const { address } of outside) {
      const url = `http://${address}:${server.port}/`
      await expect(rawRequest(url, { headers: { authorization } })).rejects.toThrow(/ECONNREFUSED/)
    }
    const exposed = await serve({
      user,
      password,
      handle: fortyTwo,
      host: '0.0.0.0',
      exposeToNetwork: true,
    })
    expect(exposed.url).toBe(`http://127.0.0.1:${exposed.port}/`)
    expect((await rawRequest(exposed.url, { headers: { authorization }, body: call })).body).toBe(
      answered,
    )
    await exposed.close()
  })

  test('a port that is taken is said to be', async () => {
    await open(fortyTwo)
    await expect(
      serve({ user, password, handle: fortyTwo, port: server.port }),
    ).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })
})

describe('too much, too slow, too odd', () => {
  test('a body over the limit is refused, by its length or as it comes', async () => {
    await open(fortyTwo, { bodyBytesMax: 1_000 })
    const fits = `${call}${' '.repeat(1_000 - call.length)}`
    expect((await post(fits)).body).toBe(answered)
    // One more byte, and more than a connection holds: the answer is read all the same.
    for (const body of [`${fits} `, `${fits}${' '.repeat(8_000_000)}`]) {
      expect((await post(body)).status).toBe(413)
      expect((await post(body, { 'transfer-encoding': 'chunked' })).status).toBe(413)
    }
    expect((await post()).body).toBe(answered)
  })

  test('answers 401 to a stranger before it reads the body', async () => {
    await open(fortyTwo)
    const { socket, received } = await rawSocket(server.port)
    socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30000000\r\n\r\n{')
    await expect.poll(received).toMatch(/^HTTP\/1.1 401 /)
    socket.destroy()
  })

  test('headers over the limit are refused', async () => {
    await open(fortyTwo)
    expect((await post(call, { 'x-long': 'a'.repeat(20_000) })).status).toBe(431)
    expect((await post()).body).toBe(answered)
  })

  test('a hundred slow requests at once are dropped, and leave it serving', async () => {
    await open(fortyTwo, { requestMsMax: 600 })
    const slow = await Promise.all(Array.from({ length: 100 }, () => rawSocket(server.port)))
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Length: 9999\r\n\r\n`
    let sent = 0
    const drip = setInterval(() => {
      // Half of them never get beyond the headers, the other half into the body.
      for (const [at, { socket }] of slow.entries()) {
        socket.write(at % 2 === 0 ? (head[sent] ?? 'x') : sent === 0 ? head : ' ')
      }
      sent++
    }, 20)
    for (let round = 0; round < 20; round++) expect((await post()).body).toBe(answered)
    await Promise.all(slow.map(({ closed }) => closed))
    clearInterval(drip)
    expect((await post()).body).toBe(answered)
  })

  test('ten thousand malformed requests leave it serving', async () => {
    await open(fortyTwo)
    const good = `POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Length: ${call.length}\r\n\r\n${call}`
    const place = fc.nat(good.length - 1)
    const byte = fc.nat(255).map((code) => String.fromCharCode(code))
    const requests = fc.oneof(
      fc.array(byte, { maxLength: 100 }).map((bytes) => bytes.join('')),
      place.map((at) => good.slice(0, at)),
      fc.tuple(place, byte).map(([at, other]) => good.slice(0, at) + other + good.slice(at + 1)),
      fc.tuple(place, fc.string()).map(([at, more]) => good.slice(0, at) + more + good.slice(at)),
      fc.constant(good.replace('HTTP/1.1', 'HTTP/9.9')),
      fc.integer().map((length) => good.replace(/h: \d+/, `h: ${length}`)),
      fc.string().map((length) => good.replace(/Content-Length: \d+/, `Content-Length: ${length}`)),
      fc.constant(good.replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')),
      fc.constant(good.replace('Host: localhost', 'Host: localhost\r\nHost: other')),
      fc.nat(20_000).map((length) => good.replace('POST /', `POST ${'/'.repeat(length)}`)),
      fc.nat(200).map((lines) => '\r\n'.repeat(lines)),
      fc.constantFrom('[', '}', '\\', '"', ',').map((mark) => good.replace('{', mark)),
    )
    const left = fc.sample(requests, { numRuns: 10_000, seed: 13 })
    const malformed = async (): Promise<void> => {
      for (let text = left.pop(); text !== undefined; text = left.pop()) {
        const { socket, closed } = await rawSocket(server.port)
        // The server answers a complete request. The connection ends because this side has ended.
        socket.end(text, 'latin1')
        await closed
      }
    }
    await Promise.all(Array.from({ length: 50 }, malformed))
    expect((await post()).body).toBe(answered)
    // Three seconds on an idle machine; one that is busy gets time.
  }, 240_000)
})

describe('answers that go wrong on purpose', () => {
  let answer: Answer
  const good = { status: 200, headers: { 'content-type': 'application/json' }, body: answered }

  test('arrive late, and the client waits for them', async () => {
    answer = { fault: 'delay', delayMs: 50, reply: good }
    await open(() => answer)
    expect((await post()).body).toBe(answered)
  })

  test('break off, and the client reports a lost connection', async () => {
    answer = { fault: 'reset', reply: good }
    await open(() => answer)
    await expect(post()).rejects.toMatchObject({ code: 'ECONNRESET' })
    const daemon = createDaemonClient({ url: server.url, user, password, retry: false })
    await expect(daemon.getblockcount({})).rejects.toMatchObject({ kind: 'transport' })
  })

  test('are missing, and the client times out', async () => {
    await open(() => never)
    const daemon = createDaemonClient({ url: server.url, user, password, retry: false })
    await expect(daemon.getblockcount({}, { timeoutMs: 50 })).rejects.toMatchObject({
      kind: 'timeout',
    })
  })

  test('a full work queue is what our client takes it for', async () => {
    await open(() => workQueueFull)
    const daemon = createDaemonClient({ url: server.url, user, password, retry: false })
    await expect(daemon.getblockcount({})).rejects.toMatchObject({ reason: 'queue_full' })
  })
})

describe('the end', () => {
  test('closing twice is closing once', async () => {
    await open(fortyTwo)
    await Promise.all([server.close(), server.close()])
    await server.close()
    await expect(post()).rejects.toThrow(/ECONNREFUSED/)
  })

  test('ends kept-alive connections, silent, late and half-sent ones', async () => {
    await open(({ body }) => {
      if (body === 'silent') return never
      return {
        fault: 'delay',
        delayMs: body === 'arrive late, and the client waits for them' ? 60_000 : 0,
        reply: workQueueFull,
      }
    })
    const sockets = await Promise.all(Array.from({ length: 5 }, () => rawSocket(server.port)))
    const request = (body: string): string =>
      `POST / HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const sent = [
      request('served'),
      request('silent'),
      request('arrive late, and the client waits for them'),
      request('half').slice(0, -2),
    ]
    for (const [at, text] of sent.entries()) sockets[at]?.socket.write(text)
    await expect.poll(sockets[0]!.received).toMatch(/depth exceeded$/)
    await server.close()
    await Promise.all(sockets.map(({ closed }) => closed))
    expect(sockets[1]?.received()).toBe('')
  })

  test('lets an answer on its way arrive', async () => {
    let begin: () => void
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    await open(async () => {
      begin()
      await new Promise((resolve) => setTimeout(resolve, 50))
      return { status: 200, body: 'stopping' }
    })
    const reply = post()
    await begun
    await server.close()
    expect((await reply).body).toBe('stopping')
  })
})
