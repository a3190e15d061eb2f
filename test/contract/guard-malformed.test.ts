// Requests that two readers could read differently. Each is refused, or reaches the daemon as the
// guard read it; the guard goes on serving.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Guard } from '../../src/guard/index.ts'
import { authorization, callText, guardOf, post } from '../node/support/guarded.ts'
import { rawSocket } from '../node/support/raw.ts'
import { reply, startServer, type TestServer } from './support/server.ts'

let daemon: TestServer
let guard: Guard

beforeAll(async () => {
  daemon = await startServer((_, response) => {
    reply(response, 200, '{"result":1,"error":null,"id":1}\n')
  })
  guard = await guardOf(daemon.url, { listen: { requestMsMax: 2_000 } })
  return async () => {
    await guard.close()
    await daemon.close()
  }
})

afterAll(async () => {
  expect((await post(guard, callText('getinfo'))).status).toBe(200)
})

const heard = async (work: () => Promise<unknown>): Promise<number> => {
  const before = daemon.received.length
  await work()
  return daemon.received.length - before
}

const nested = (depth: number) =>
  `{"method":"getinfo","params":[${'['.repeat(depth)}${']'.repeat(depth)}]}`

const bodies: readonly (readonly [name: string, body: string | Buffer, message: RegExp])[] = [
  ['method twice', '{"method":"getinfo","method":"stop"}', /given twice/],
  ['params twice', '{"method":"getblock","params":["a"],"params":["b"]}', /given twice/],
  ['a member twice by an escape', '{"method":"getinfo","m\\u0065thod":"stop"}', /given twice/],
  [
    'a member of a parameter twice',
    '{"method":"getblock","params":[{"a":1,"a":2}]}',
    /given twice/,
  ],
  [
    'a member of a parameter twice with one value',
    '{"method":"getblock","params":[{"a":1,"a":1}]}',
    /given twice/,
  ],
  ['two documents', '{"method":"getinfo"}{"method":"stop"}', /Parse error/],
  ['two documents in lines', '{"method":"getinfo"}\n{"method":"stop"}', /Parse error/],
  ['NUL after the document', '{"method":"getinfo"}\0{"method":"stop"}', /Parse error/],
  ['NUL before the document', '\0{"method":"getinfo"}', /Parse error/],
  ['a byte order mark', '\ufeff{"method":"getinfo"}', /Parse error/],
  ['Latin-1', Buffer.from('{"method":"getinfo","params":["\xe9"]}', 'latin1'), /Parse error/],
  ['UTF-16', Buffer.from('{"method":"getinfo"}', 'utf16le'), /Parse error/],
  ['an overlong slash', Buffer.from('7b226d6574686f64223a2267c0af227d', 'hex'), /Parse error/],
  ['half of a character', '{"method":"getinfo","params":["\\ud800"]}', /Parse error/],
  ['nesting of 129', nested(127), /nested deeper/],
  ['nesting of 100,000', nested(100_000), /nested deeper/],
  ['__proto__', '{"method":"getblock","params":[{"__proto__":{}}]}', /__proto__/],
  ['nothing', '', /Parse error/],
  ['blanks', '  ', /Parse error/],
  ['a number', '1', /Top-level/],
  ['a text', '"getinfo"', /Top-level/],
  ['null', 'null', /Top-level/],
  ['single quotes', "{'method':'getinfo'}", /Parse error/],
  ['a comment', '{"method":"getinfo"/**/}', /Parse error/],
  ['a comma at the end', '{"method":"getinfo",}', /Parse error/],
  ['NaN', '{"method":"getinfo","params":[NaN]}', /Parse error/],
  ['a leading zero', '{"method":"getblockhash","params":[01]}', /Parse error/],
  ['a bare line break in a text', '{"method":"getinfo\n"}', /Parse error|refused/],
  ['no method', '{"params":[]}', /Missing method/],
  ['a method of null', '{"method":null}', /Missing method/],
  ['a list for a method', '{"method":["getinfo"]}', /must be a string/],
  ['named parameters', '{"method":"getblock","params":{"hash":"a"}}', /must be an array/],
  ['a text for parameters', '{"method":"getblock","params":"a"}', /must be an array/],
  ['a method with a blank', '{"method":"getinfo "}', /guard: this method is refused/],
  ['a method with NUL', '{"method":"getinfo\\u0000"}', /guard: this method is refused/],
  ['a method in capitals', '{"method":"GETINFO"}', /guard: this method is refused/],
  ['a method with a look-alike', '{"method":"getinf\u043e"}', /guard: this method is refused/],
  ['a method of an object', '{"method":"constructor"}', /guard: this method is refused/],
]

test.each(bodies)('%s is refused, and the daemon hears nothing', async (_, body, message) => {
  const count = await heard(async () => {
    const { status, body: answer } = await post(guard, body)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(JSON.parse(answer).error.message).toMatch(message)
  })
  expect(count).toBe(0)
})

describe('heads', () => {
  const length = callText('getinfo').length
  const head = (...lines: string[]) =>
    [
      'POST / HTTP/1.1',
      'Host: 127.0.0.1',
      `Authorization: ${authorization}`,
      ...lines,
      '',
      '',
    ].join('\r\n')
  const chunked = `${length.toString(16)}\r\n${callText('getinfo')}\r\n0\r\n`

  const heads: readonly (readonly [name: string, text: string, status: RegExp])[] = [
    [
      'a length and chunks',
      `${head(`Content-Length: ${length}`, 'Transfer-Encoding: chunked')}${chunked}\r\n`,
      /^HTTP\/1\.1 400/,
    ],
    [
      'two lengths',
      `${head(`Content-Length: ${length}`, 'Content-Length: 3')}${callText('getinfo')}`,
      /^HTTP\/1\.1 400/,
    ],
    ['a negative length', head('Content-Length: -1'), /^HTTP\/1\.1 400/],
    ['a length in hex', head('Content-Length: 0x10'), /^HTTP\/1\.1 400/],
    ['an unknown transfer coding', head('Transfer-Encoding: cow'), /^HTTP\/1\.1 (400|501)/],
    [
      'an encoded body',
      `${head('Content-Encoding: gzip', `Content-Length: ${length}`)}${callText('getinfo')}`,
      /^HTTP\/1\.1 415/,
    ],
    [
      'a name in quotation marks',
      `${head('Idempotency-Key: "inv-1"', `Content-Length: ${length}`)}${callText('getinfo')}`,
      /^HTTP\/1\.1 400/,
    ],
    [
      'two authorizations',
      `${head(`Authorization: ${authorization}`, `Content-Length: ${length}`)}${callText('getinfo')}`,
      /^HTTP\/1\.1 400/,
    ],
    [
      'two names of a payment',
      `${head('Idempotency-Key: a', 'Idempotency-Key: b', `Content-Length: ${length}`)}${callText('getinfo')}`,
      /^HTTP\/1\.1 400/,
    ],
    [
      'a blank before a colon',
      head('Content-Length : 3').replace('Host:', 'Host :'),
      /^HTTP\/1\.1 400/,
    ],
    [
      'a request to another machine',
      `POST http://169.254.169.254/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: ${authorization}\r\nContent-Length: 0\r\n\r\n`,
      /^HTTP\/1\.1 404/,
    ],
    [
      'a path of two slashes',
      head('Content-Length: 0').replace('POST /', 'POST //'),
      /^HTTP\/1\.1 404/,
    ],
    ['a tunnel', 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', /^(HTTP\/1\.1 4|$)/],
    [
      'a request in the body of a GET',
      `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 500\r\n\r\n${head(`Content-Length: ${length}`)}`,
      /^HTTP\/1\.1 405/,
    ],
    [
      'the name of a page',
      `${head('Origin: http://evil.example', `Content-Length: ${length}`)}${callText('getinfo')}`,
      /^HTTP\/1\.1 403/,
    ],
    [
      'a foreign host',
      head('Content-Length: 0').replace('127.0.0.1', 'evil.example'),
      /^HTTP\/1\.1 403/,
    ],
    ['a head of 20 kB', head(`X: ${'a'.repeat(20_000)}`), /^HTTP\/1\.1 431/],
    ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400/],
  ]

  test.each(heads)('%s is refused, and the daemon hears nothing', async (_, text, status) => {
    const count = await heard(async () => {
      const { socket, received, closed } = await rawSocket(guard.port)
      socket.write(text)
      await Promise.race([closed, untilReceived(received)])
      expect(received()).toMatch(status)
      socket.destroy()
    })
    expect(count).toBe(0)
  })

  test('chunks with trailers are read as one body', async () => {
    const { socket, received } = await rawSocket(guard.port)
    socket.write(`${head('Transfer-Encoding: chunked')}${chunked}Authorization: other\r\n\r\n`)
    await untilReceived(received)
    expect(received()).toMatch(/^HTTP\/1\.1 200/)
    socket.destroy()
    const { headers } = daemon.received.at(-1)!
    expect(headers['content-length']).toBeDefined()
    expect(headers['transfer-encoding']).toBeUndefined()
  })
})

async function untilReceived(received: () => string): Promise<void> {
  while (!received().includes('\r\n\r\n')) await new Promise((resolve) => setTimeout(resolve, 5))
}

test('10,000 requests with one byte changed leave the guard serving', async () => {
  const text = callText('getblock', ['ab', { cd: [1.5, 'é'] }])
  const bytes = Buffer.from(text)
  let seed = 1
  const next = (below: number) => {
    seed = (seed * 48_271) % 0x7fffffff
    return seed % below
  }
  const statuses = new Set<number>()
  const one = async () => {
    const changed = Buffer.from(bytes)
    changed[next(changed.length)] = next(256)
    const { status } = await post(guard, changed)
    statuses.add(status)
  }
  const rounds = Number(process.env.ANTARA_GUARD_REQUESTS ?? 400) / 20
  for (let round = 0; round < rounds; round += 1) {
    await Promise.all(Array.from({ length: 20 }, one))
  }
  for (const status of statuses) expect([200, 400, 404, 500]).toContain(status)
  const methods = new Set(daemon.received.map(({ body }) => JSON.parse(body).method))
  expect([...methods].filter((name) => !['getblock', 'getinfo'].includes(name))).toEqual([])
})

test('a body of 64 MiB is refused, and slow clients are dropped', async () => {
  expect((await post(guard, Buffer.alloc(64 << 20, 0x20))).status).toBe(413)
  const slow = await Promise.all(
    Array.from({ length: 200 }, async () => {
      const connection = await rawSocket(guard.port)
      connection.socket.write('POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n')
      return connection
    }),
  )
  expect((await post(guard, callText('getinfo'))).status).toBe(200)
  await Promise.all(slow.map(({ closed }) => closed))
  expect(slow[0]!.received()).toMatch(/^HTTP\/1\.1 408/)
})
