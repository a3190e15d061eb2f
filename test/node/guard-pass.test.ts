// A guard passes on the daemon's answers byte for byte, and no call that could move coins.

import { request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import type { Guard, GuardOptions, Policy } from '../../src/guard/index.ts'
import { classedMethods, classOfMethod } from '../../src/rpc/daemon/method-classes.ts'
import { recordings } from '../contract/support/recordings.ts'
import { type Answer, reply, startServer, type TestServer } from '../contract/support/server.ts'
import { authorization, callText, guardOf, password, post, user } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

let daemon: TestServer
let guard: Guard
const open: { close(): Promise<void> }[] = []

async function start(answer: Answer, options: Partial<GuardOptions> = {}): Promise<void> {
  daemon = await startServer(answer)
  guard = await guardOf(daemon.url, options)
  open.push(guard, daemon)
}

afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

const echo: Answer = ({ body }, response) => {
  const { method, id } = JSON.parse(body)
  reply(response, 200, `{"result":"${method}","error":null,"id":${JSON.stringify(id)}}\n`)
}

/** The bytes of an answer, which may not be UTF-8. */
function bytesOf(body: string): Promise<{ status: number; type: string; bytes: Buffer }> {
  return new Promise((resolve, reject) => {
    const sent = request(guard.url, { method: 'POST', headers: { authorization }, agent: false })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const { statusCode = 0, headers } = response
      const chunks: Buffer[] = []
      response.on('error', reject)
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const type = headers['content-type'] ?? ''
        resolve({ status: statusCode, type, bytes: Buffer.concat(chunks) })
      })
    })
    sent.end(body)
  })
}

describe.each([
  ['komodod', { passed: 509, refused: 268 }],
  ['tokeld', { passed: 257, refused: 146 }],
] as const)('the recorded %s', (name, expected) => {
  test('answers through the guard as without it, and the rest is refused', async () => {
    let recorded: { status: number; type: string | null; response: string } | undefined
    await start((_, response) => {
      response.writeHead(recorded!.status, { 'content-type': recorded!.type ?? 'text/html' })
      response.end(recorded!.response)
    })
    const counts = { passed: 0, refused: 0 }
    for (const exchange of recordings(name)) {
      if (exchange.raw !== undefined || exchange.status === 401) continue
      recorded = exchange
      const before = daemon.received.length
      const { status, body, headers } = await post(guard, exchange.request)
      const isPassed = daemon.received.length > before
      const method = methodOf(exchange.request)
      if (isPassed) {
        counts.passed += 1
        expect(classOfMethod(method), method).toBe('read')
        expect({ status, body }).toEqual({ status: exchange.status, body: exchange.response })
        expect(headers['content-type']).toBe(exchange.type)
      } else {
        counts.refused += 1
        expect(classOfMethod(method), method).not.toBe('read')
        expect(body, method).toContain('guard: ')
      }
    }
    expect(counts).toEqual(expected)
  })
})

function methodOf(text: string): string {
  try {
    const { method } = JSON.parse(text)
    return typeof method === 'string' ? method : ''
  } catch {
    return ''
  }
}

test('every method that is not read is refused, and the daemon hears of none', async () => {
  await start(echo)
  const others = classedMethods().filter((name) => classOfMethod(name) !== 'read')
  for (const method of [...others, 'nosuch', 'L1'.repeat(30)]) {
    const { status, body } = await post(guard, callText(method))
    expect(status, method).toBeGreaterThanOrEqual(400)
    expect(JSON.parse(body).error.message, method).toMatch(/^guard: /)
  }
  expect(daemon.received).toEqual([])
})

test('a refusal does not repeat what a client sent', async () => {
  await start(echo)
  const wif = 'UwoxbM3GwTvvoB2z2pkMnPaQuFZeTXYgPkcfs2r29x2ZKHxeYgPe'
  const { body } = await post(guard, callText(wif, [wif]))
  expect(body).not.toContain(wif)
  expect(body).toContain('this method is refused')
})

test('the daemon gets what the guard read, in a head and a body of its own', async () => {
  await start(echo)
  await post(
    guard,
    ' { "params" : [ 1.50, "\\u0061", {"b":[]} ], "x": 1, "id": 9007199254740993, "method": "getblock" } ',
    { headers: { 'x-forwarded-for': '10.0.0.1', 'x-http-method-override': 'PUT', cookie: 'a=b' } },
  )
  const [{ headers, body, path } = { headers: {}, body: '', path: '' }] = daemon.received
  expect(body).toBe(
    '{"jsonrpc":"1.0","id":9007199254740993,"method":"getblock","params":[1.50,"a",{"b":[]}]}',
  )
  expect(path).toBe('/')
  expect(Object.keys(headers).sort()).toEqual([
    'authorization',
    'connection',
    'content-length',
    'content-type',
    'host',
  ])
})

test('a batch is answered in order, with exact ids, and only refused calls fail', async () => {
  await start((received, response) => {
    const { method, id } = JSON.parse(received.body)
    const digits = /"id":([^,]+),/.exec(received.body)![1]
    reply(response, 200, `{"result":"${method}","error":null,"id":${digits ?? id}}\n`)
  })
  const { status, body } = await post(
    guard,
    `[{"method":"getinfo","id":7},{"method":"sendtoaddress","params":["R",1],"id":7},
      {"method":"stop"},5,{"method":"getinfo","id":9007199254740993},{"method":1,"id":"x"},
      {"method":"getinfo"}]`,
  )
  expect(status).toBe(200)
  expect(body.match(/"id":[^}]*/g)).toEqual([
    '"id":7',
    '"id":7',
    '"id":null',
    '"id":null',
    '"id":9007199254740993',
    '"id":"x"',
    '"id":null',
  ])
  expect(JSON.parse(body).map((it: { result: unknown }) => it.result)).toEqual([
    'getinfo',
    null,
    null,
    null,
    'getinfo',
    null,
    'getinfo',
  ])
  expect(daemon.received.map((it) => JSON.parse(it.body).method)).toEqual([
    'getinfo',
    'getinfo',
    'getinfo',
  ])
})

describe('answers that are not usual answers', () => {
  test.each<[string, number, string, Buffer]>([
    ['a name in Latin-1', 200, 'application/json', Buffer.from('{"result":"\xe9"}\n', 'latin1')],
    ['a page', 503, 'text/html', Buffer.from('<html>no</html>')],
    [
      'a full queue',
      500,
      'text/html; charset=ISO-8859-1',
      Buffer.from('Work queue depth exceeded'),
    ],
    ['nothing', 200, 'application/json', Buffer.alloc(0)],
  ])('%s is passed on unchanged', async (_, status, type, bytes) => {
    await start((_, response) => {
      response.writeHead(status, { 'content-type': type, 'set-cookie': 'a=b', location: '/x' })
      response.end(bytes)
    })
    expect(await bytesOf(callText('getinfo'))).toEqual({ status, type, bytes })
  })

  test('a redirect is not followed, and not passed on', async () => {
    const elsewhere = await startServer(echo)
    open.push(elsewhere)
    await start((_, response) => {
      response.writeHead(307, { location: elsewhere.url })
      response.end()
    })
    const { body, headers } = await post(guard, callText('getinfo'))
    expect(body).toContain('guard: the daemon answered with HTTP status 307')
    expect(headers.location).toBeUndefined()
    expect(elsewhere.received).toEqual([])
  })

  test('a reply that is too large ends in its middle, and the next call works', async () => {
    await start(
      (_, response, number) => {
        if (number > 1) return reply(response, 200, '{}')
        response.writeHead(200)
        for (let written = 0; written < 40; written += 1)
          response.write(Buffer.alloc(1 << 16, 0x20))
        response.end()
      },
      { replyBytesMax: 1 << 20 },
    )
    await expect(bytesOf(callText('getblock'))).rejects.toThrow(/aborted|hang up|ECONNRESET/)
    expect((await post(guard, callText('getinfo'))).body).toBe('{}')
  })

  test.each([
    ['as long as the daemon says', undefined],
    ['broken off, if the daemon says a length and ends before', 9],
  ])('is %s', async (_, written) => {
    const text = '{"result":"é"}\n'
    const length = Buffer.byteLength(text)
    await start((_, response) => {
      response.writeHead(200, { 'content-length': length })
      if (written === undefined) response.end(text)
      else response.write(Buffer.from(text).subarray(0, written), () => response.destroy())
    })
    const answer = post(guard, callText('getinfo'))
    if (written !== undefined) return expect(answer).rejects.toThrow(/aborted|hang up|ECONNRESET/)
    const { body, headers } = await answer
    expect(body).toBe(text)
    expect(headers).toMatchObject({ 'content-length': `${length}` })
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  test('a daemon that hangs is given up, and one that is gone is named', async () => {
    await start(() => undefined, { silenceMs: 200 })
    expect((await post(guard, callText('getinfo'))).body).toContain(
      'the daemon does not answer; the call may have been carried out',
    )
    await daemon.close()
    expect((await post(guard, callText('getinfo'))).body).toMatch(/no connection to the daemon/)
  })

  test('a daemon that stops in an answer, or answers too much, may have carried out', async () => {
    await start(
      ({ body }, response) => {
        response.writeHead(200, { 'content-length': 50 })
        response.write(methodOf(body) === 'getblock' ? '{' : ' '.repeat(50))
      },
      { silenceMs: 200, replyBytesMax: 49 },
    )
    for (const [method, what] of [
      ['getblock', 'the daemon stopped sending'],
      ['getinfo', 'the reply of the daemon is too large'],
    ] as const) {
      const { body } = await post(guard, `[${callText(method)}]`)
      expect(body).toContain(`${what}; the call may have been carried out`)
    }
  })

  test('a client that leaves breaks off no batch, and is no failure', async () => {
    let answer = (): void => undefined
    const failures: unknown[] = []
    await start(
      (received, response, number) => {
        if (methodOf(received.body) !== 'getblock') return echo(received, response, number)
        answer = () => echo(received, response, number)
      },
      { onFailure: (error) => failures.push(error) },
    )
    const leave = async (body: string) => {
      const asked = daemon.received.length
      const client = request(guard.url, {
        method: 'POST',
        headers: { authorization },
        agent: false,
      })
      client.on('error', () => undefined)
      client.end(body)
      await expect.poll(() => daemon.received.length).toBe(asked + 1)
      client.destroy()
      await new Promise((resolve) => setTimeout(resolve, 100))
      answer()
    }
    await leave(`[${callText('getblock')},${callText('getpeerinfo')}]`)
    await expect
      .poll(() => daemon.received.map(({ body }) => methodOf(body)))
      .toEqual(['getblock', 'getpeerinfo'])
    await leave(callText('getblock'))
    await expect.poll(() => daemon.openSockets()).toBeLessThan(2)
    expect(failures).toEqual([])
  })

  test('clients that leave before their answers keep no connection to the daemon', async () => {
    const waiting: (() => void)[] = []
    await start((received, response, number) => {
      if (methodOf(received.body) !== 'getblock') return echo(received, response, number)
      waiting.push(() => echo(received, response, number))
    })
    // As many as the guard has connections to the daemon.
    const clients = Array.from({ length: 16 }, () => {
      const client = request(guard.url, {
        method: 'POST',
        headers: { authorization },
        agent: false,
      })
      client.on('error', () => undefined)
      client.end(callText('getblock'))
      return client
    })
    await expect.poll(() => waiting.length).toBe(16)
    for (const client of clients) client.destroy()
    await new Promise((resolve) => setTimeout(resolve, 100))
    for (const answer of waiting) answer()
    await expect.poll(() => daemon.openSockets()).toBe(0)
    expect((await post(guard, callText('getinfo'))).body).toContain('"result":"getinfo"')
  })

  describe('that ends a kept connection just when a call comes', () => {
    /** Ends the connections of some requests without an answer. */
    const endingAt =
      (...ended: readonly number[]): Answer =>
      (received, response, number) => {
        if (ended.includes(number)) response.socket?.destroy()
        else echo(received, response, number)
      }
    const asked = () => daemon.received.map(({ body }) => methodOf(body))

    test('is asked once more for a read, alone and in a batch', async () => {
      await start(endingAt(2, 5))
      await post(guard, callText('getinfo'))
      expect((await post(guard, callText('getblock'))).body).toContain('"result":"getblock"')
      await post(guard, callText('getinfo'))
      const [{ result }] = JSON.parse((await post(guard, `[${callText('getpeerinfo')}]`)).body)
      expect(result).toBe('getpeerinfo')
      expect(asked()).toEqual([
        ...['getinfo', 'getblock', 'getblock'],
        ...['getinfo', 'getpeerinfo', 'getpeerinfo'],
      ])
    })

    test('is not asked a third time', async () => {
      await start(endingAt(2, 3))
      await post(guard, callText('getinfo'))
      expect((await post(guard, callText('getblock'))).body).toContain(
        'the daemon broke off its reply',
      )
      expect(asked()).toEqual(['getinfo', 'getblock', 'getblock'])
    })

    test('is asked once for what is not a read, which it may have carried out', async () => {
      const policy: Policy = { admit: () => 'allow', decide: () => ({ verdict: 'allow' }) }
      await start(endingAt(2), { policy })
      await post(guard, callText('getinfo'))
      const { body } = await post(guard, callText('keypoolrefill'))
      expect(body).toContain('broke off its reply (ECONNRESET); the call may have been carried out')
      expect(asked()).toEqual(['getinfo', 'keypoolrefill'])
    })

    test('is asked once for a first call on a connection, which it may refuse to all', async () => {
      await start(endingAt(1))
      expect((await post(guard, callText('getinfo'))).body).toContain('broke off its reply')
      expect(asked()).toEqual(['getinfo'])
    })

    test('is said to have broken off in the middle of an answer, too', async () => {
      await start((_, response) => {
        response.writeHead(200, { 'content-length': 50 })
        response.write('{"result":', () => response.destroy())
      })
      const { body } = await post(guard, `[${callText('getinfo')}]`)
      expect(body).toContain('broke off its reply (ECONNRESET); the call may have been carried out')
    })
  })

  test('an answer of no JSON fails its own call of a batch', async () => {
    await start(({ body }, response) => {
      if (body.includes('getblock')) return reply(response, 500, 'Work queue depth exceeded')
      reply(response, 200, '{"result":1,"error":null,"id":null}\n')
    })
    const { body } = await post(guard, '[{"method":"getblock"},{"method":"getinfo"}]')
    const [first, second] = JSON.parse(body)
    expect(first.error.message).toContain('HTTP status 500')
    expect(second.result).toBe(1)
  })

  const forged = `{"result":"${'ab'.repeat(32)}","error":null,"id":2}`
  test.each([
    ['that answers the next call too', `{"result":1,"error":null,"id":1},${forged}`],
    ['with the id of the next call', forged],
    ['with two ids', forged.replace('}', ',"id":1}')],
    ['that ends the list', '{"result":1,"error":null,"id":1}],[{}'],
    ['of two objects', '{} {}'],
    ['with brackets that do not match', '{"result":[1}],"id":1}'],
    ['that is a list', `[${forged}]`],
  ])('an answer %s fails its own call of a batch', async (_, text) => {
    await start((_, response) => reply(response, 200, text))
    const { body } = await post(
      guard,
      '[{"id":1,"method":"getinfo"},{"id":2,"method":"sendtoaddress"}]',
    )
    const [first, second, ...more] = JSON.parse(body)
    expect(first.error.message).toContain('no answer to this call')
    expect([first.id, second.id, more.length]).toEqual([1, 2, 0])
    expect(second.error.message).toContain('guard: sendtoaddress is refused')
  })

  test('the id of an answer is compared to its last digit', async () => {
    const ids = ['9007199254740993', '9007199254740992']
    await start((_, response) => reply(response, 200, `{"result":1,"error":null,"id":${ids[1]}}`))
    const { body } = await post(guard, `[${ids.map((id) => `{"id":${id},"method":"getinfo"}`)}]`)
    const [first, second] = JSON.parse(body)
    expect(first.error.message).toContain('no answer to this call')
    expect(second.result).toBe(1)
  })
})

describe('credentials', () => {
  test('wrong ones never reach the daemon, and its own refusal is not passed on', async () => {
    await start((_, response) => {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="jsonrpc"' })
      response.end()
    })
    for (const given of [undefined, basic(user, 'wrong'), 'Bearer x', authorization.slice(0, -4)]) {
      const headers = given === undefined ? {} : { authorization: given }
      const { status } = await rawRequest(guard.url, { headers, body: callText('getinfo') })
      expect(status).toBe(401)
    }
    expect(daemon.received).toEqual([])
    const { status, body } = await post(guard, callText('getinfo'))
    expect(status).toBe(500)
    expect(body).toContain('guard: the daemon refuses the credentials of the guard')
    expect(body).not.toContain(password)
  })

  test('new credentials of a restarted daemon are read again', async () => {
    let now = 'first'
    daemon = await startServer(({ headers }, response) => {
      const isRight = headers.authorization === basic(user, now)
      reply(response, isRight ? 200 : 401, isRight ? '{}' : '')
    })
    const { createGuard } = await import('../../src/guard/index.ts')
    guard = await createGuard({
      daemon: { url: daemon.url, credentials: () => ({ user, password: now }) },
    })
    open.push(guard, daemon)
    const ask = () =>
      rawRequest(guard.url, {
        headers: { authorization: basic(user, now) },
        body: callText('getinfo'),
      })
    expect((await ask()).status).toBe(200)
    now = 'second'
    expect((await ask()).status).toBe(200)
  })

  test('users of the guard replace the credentials of the daemon', async () => {
    const asked: string[] = []
    await start(echo, {
      users: {
        async authenticate(name, given) {
          return name === 'alice' && given === 'a:b' ? 'alice' : undefined
        },
      },
      onDecision: (entry) => asked.push(entry.user),
    })
    const ask = (given: string) =>
      rawRequest(guard.url, { headers: { authorization: given }, body: callText('getinfo') })
    expect((await ask(authorization)).status).toBe(401)
    expect((await ask(basic('alice', 'a:b'))).status).toBe(200)
    expect(asked).toEqual(['alice'])
  })

  test('the password goes to no host that is not named', async () => {
    await expect(guardOf('http://example.com:7771')).rejects.toThrow(/allowedHosts/)
    await expect(guardOf('http://user:pass@127.0.0.1:1')).rejects.toThrow(/credentials/)
    await expect(guardOf('http://127.0.0.1:1', { listen: { host: '0.0.0.0' } })).rejects.toThrow(
      /exposeToNetwork/,
    )
  })
})

test('a policy can allow a method by name, and refuse a read', async () => {
  await start(echo, {
    policy: {
      admit({ method }) {
        if (method === 'getbalance') {
          return { verdict: 'refuse', rule: 'methods.deny', reason: 'Not for programs.' }
        }
        return method === 'settxfee' ? 'allow' : undefined
      },
      decide: () => ({ verdict: 'allow' }),
    },
  })
  expect((await post(guard, callText('settxfee', [1]))).body).toContain('"settxfee"')
  expect((await post(guard, callText('getbalance'))).body).toContain('methods.deny')
  expect((await post(guard, callText('stop'))).body).toContain('guard: stop is refused')
})

test.each(['sendtoaddress', 'sendrawtransaction', 'guard_submit', 'tokentransfer'])(
  'a policy that names %s lets no call of it pass a guard without a key',
  async (method) => {
    await start(echo, {
      policy: { admit: () => 'allow', decide: () => ({ verdict: 'allow' }) },
    })
    const { body } = await post(guard, callText(method, ['RDY6gfRenTFYo7coYMAEt8ikMAibyx3eg2', 5]))
    expect(body).toContain(`guard: ${method} is refused: the guard has no key`)
    expect(daemon.received).toEqual([])
  },
)

test('other paths and methods of HTTP open no connection to the daemon', async () => {
  await start(echo)
  for (const path of ['/wallet/x', '/rest/tx/00', '/event-stream', '/?a', '/health']) {
    expect((await post(guard, callText('getinfo'), { path })).status, path).toBe(404)
  }
  for (const method of ['GET', 'PUT', 'HEAD', 'DELETE', 'OPTIONS']) {
    const { status } = await post(guard, callText('getinfo'), { method })
    expect(status, method).toBe(405)
  }
  const health = await rawRequest(guard.url, { method: 'GET', path: '/health' })
  expect(health).toMatchObject({ status: 200, body: 'ok\n' })
  expect(daemon.received).toEqual([])
})
