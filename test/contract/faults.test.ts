import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Stopped, sleep, startClock } from '../../src/rpc/clock.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  type DaemonClient,
  type DaemonClientOptions,
  isRpcError,
  LosslessNumber,
  type RpcError,
  type RpcErrorKind,
} from '../../src/rpc/index.ts'
import {
  type Answer,
  answerText,
  errorText,
  idTextOf,
  reply,
  startServer,
  type TestServer,
} from './support/server.ts'

const tokenid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'
const destpubkey = '036a195c9b7c5c7f494bb7d5a3e946edb76de4eb5ee40196ef7722b66a7cd69689'
const quick = { attempts: 3, baseMs: 1, maxMs: 2, jitter: false }

let server: TestServer

beforeEach(async () => {
  server = await startServer((_, response) => reply(response, 500, 'no answer set'))
})
afterEach(() => server.close())

function daemon(options: Partial<DaemonClientOptions> = {}): DaemonClient {
  return createDaemonClient({
    url: server.url,
    user: 'user',
    password: 'pass',
    retry: quick,
    ...options,
  } as DaemonClientOptions)
}

/** Answers every request with `result`, JSON text, in the daemon's envelope. */
function resultIs(result: string): void {
  server.answer((request, response) => reply(response, 200, answerText(request, result)))
}

/** Answers every request with these very bytes. */
function bodyIs(body: string | Buffer, status = 200): void {
  server.answer((_, response) => reply(response, status, body))
}

async function failure(call: Promise<unknown>): Promise<RpcError> {
  const outcome = await call.then(
    (value) => ({ value }),
    (error) => ({ error }),
  )
  if (!('error' in outcome)) throw new Error(`succeeded: ${String(outcome.value)}`)
  if (!isRpcError(outcome.error)) throw outcome.error
  return outcome.error
}

/** The facts that a program may branch on. */
function facts({ kind, reason, status, code, attempts }: RpcError) {
  return { kind, reason, status, code, attempts }
}

describe('statuses and bodies (J1)', () => {
  test.each<[string, string, number, RpcErrorKind, string | undefined]>([
    ['an error object inside a 200', '', 200, 'daemon', undefined],
    ['HTML with a 500', '<html><h1>Internal</h1></html>', 500, 'http', undefined],
    ['HTML with a 200', '<html>welcome</html>', 200, 'shape', 'not_json'],
    ['nothing with a 200', '', 200, 'shape', 'not_json'],
    ['nothing with a 500', '', 500, 'http', undefined],
    ['half an answer', '{"result":{"name":"TO', 200, 'shape', 'not_json'],
    ['half an error', '{"result":null,"error":{"co', 500, 'http', undefined],
    ['a byte order mark', '\ufeff{"result":1,"error":null,"id":"0"}', 200, 'shape', 'not_json'],
    ['a list', '[1]', 200, 'shape', 'wrong_envelope'],
    ['a bare string', '"ok"', 200, 'shape', 'wrong_envelope'],
    ['null', 'null', 200, 'shape', 'wrong_envelope'],
    ['two answers', '{"result":1,"error":null,"id":"0"}{}', 200, 'shape', 'not_json'],
    ['a result with a 500', '{"result":1,"error":null,"id":"0"}', 500, 'http', undefined],
    ['a method that does not exist here', '', 404, 'http', undefined],
  ])('%s', async (name, body, status, kind, reason) => {
    if (name.startsWith('an error object')) {
      server.answer((request, response) =>
        reply(response, 200, errorText(request, -8, 'bad parameter')),
      )
    } else bodyIs(body, status)
    const error = await failure(daemon().getblockcount())
    expect(facts(error)).toMatchObject({ kind, reason, status })
    expect(server.received).toHaveLength(1)
  })

  test('every JSON-RPC code of the daemon is known by name', async () => {
    const names: (string | undefined)[] = []
    for (const code of [-32700, -32600, -32601, -1, -2, -3, -5, -8, -13, -22, -25, -26, -27, 7]) {
      server.answer((request, response) => reply(response, 500, errorText(request, code, 'text')))
      const error = await failure(daemon().getblockcount())
      expect(error).toMatchObject({ kind: 'daemon', code, status: 500 })
      names.push(error.codeName)
    }
    expect(names).toEqual([
      'RPC_PARSE_ERROR',
      'RPC_INVALID_REQUEST',
      'RPC_METHOD_NOT_FOUND',
      'RPC_MISC_ERROR',
      'RPC_FORBIDDEN_BY_SAFE_MODE',
      'RPC_TYPE_ERROR',
      'RPC_INVALID_ADDRESS_OR_KEY',
      'RPC_INVALID_PARAMETER',
      'RPC_WALLET_UNLOCK_NEEDED',
      'RPC_DESERIALIZATION_ERROR',
      'RPC_VERIFY_ERROR',
      'RPC_VERIFY_REJECTED',
      'RPC_VERIFY_ALREADY_IN_CHAIN',
      'RPC_UNKNOWN',
    ])
  })
})

describe('hostile JSON (J2, J3, J5, J6)', () => {
  const envelope = (result: string) => `{"result":${result},"error":null,"id":"0"}`

  test.each<[string, string | Buffer, string]>([
    [
      'a member twice',
      envelope('{"result":"success","hex":"00aa","hex":"00bb"}'),
      'duplicate_member',
    ],
    ['the result twice', '{"result":1,"result":2,"error":null,"id":"0"}', 'duplicate_member'],
    ['__proto__', envelope('{"__proto__":{"hex":"00aa"}}'), 'forbidden_member'],
    ['__proto__ in escapes', envelope('{"\\u005f_pr\\u006fto__":{}}'), 'forbidden_member'],
    [
      '100 000 lists in each other',
      envelope('['.repeat(100_000) + ']'.repeat(100_000)),
      'nested_too_deep',
    ],
    ['100 000 open objects', '{"a":'.repeat(100_000), 'nested_too_deep'],
    ['NaN', envelope('NaN'), 'not_json'],
    ['Infinity', envelope('-Infinity'), 'not_json'],
    ['a number with a plus', envelope('+1'), 'not_json'],
    ['a number with a leading zero', envelope('01'), 'not_json'],
    ['a number without an integer part', envelope('.5'), 'not_json'],
    ['a number without a fraction', envelope('1.'), 'not_json'],
    ['a hexadecimal number', envelope('0x1f'), 'not_json'],
    [
      'bytes that are not UTF-8',
      Buffer.from('{"result":"\xff\xfe","error":null,"id":"0"}', 'latin1'),
      'malformed_text',
    ],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'malformed_text'],
    ['a surrogate as bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'malformed_text'],
    ['a lone surrogate in an escape', envelope('"\\ud800"'), 'malformed_text'],
    ['surrogates the wrong way round', envelope('"\\udc00\\ud800"'), 'malformed_text'],
    ['a lone surrogate as a name', envelope('{"\\udfff":1}'), 'malformed_text'],
    ['a raw NUL in a string', envelope('"a\u0000b"'), 'not_json'],
    ['a raw line feed in a string', envelope('"a\nb"'), 'not_json'],
    ['a comma too many', envelope('[1,]'), 'not_json'],
    ['a comma at the end of an object', envelope('{"a":1,}'), 'not_json'],
    ['a missing colon', envelope('{"a" 1}'), 'not_json'],
    ['a name without quotes', envelope('{a:1}'), 'not_json'],
    ['single quotes', envelope("'a'"), 'not_json'],
    ['an unknown escape', envelope('"\\x41"'), 'not_json'],
    ['half an escape', envelope('"\\u12"'), 'not_json'],
    ['an open string', '{"result":"abc', 'not_json'],
    ['a wrong bracket', envelope('[1}'), 'not_json'],
    ['a comment', envelope('1 /* one */'), 'not_json'],
    ['a word', envelope('undefined'), 'not_json'],
  ])('%s', async (_name, body, reason) => {
    bodyIs(body)
    expect(facts(await failure(daemon().call('any', [])))).toMatchObject({ kind: 'shape', reason })
    expect(({} as { hex?: string }).hex).toBeUndefined()
  })

  test('members that only look dangerous are plain data', async () => {
    resultIs('{"constructor":"a","toString":"b","hasOwnProperty":"c","x":"__proto__"}')
    const result = await daemon().call('any', [])
    expect(Object.keys(result as object)).toEqual([
      'constructor',
      'toString',
      'hasOwnProperty',
      'x',
    ])
    resultIs('{"result":"success","hex":"aabb","constructor":"a"}')
    expect(await daemon().tokencreate({ name: 'T', supply: 1n })).toMatchObject({ hex: 'aabb' })
  })

  test('escapes, pairs of surrogates and NUL in an escape arrive as meant', async () => {
    resultIs('"\\u0000\\ud83d\\ude00\\\\ud800 \u{1f600}"')
    expect(await daemon().help()).toBe('\0\u{1f600}\\ud800 \u{1f600}')
  })
})

describe('numbers (J4, J5, J15)', () => {
  const utxo = (amount: string) =>
    `[{"txid":"${tokenid}","vout":0,"amount":${amount},"scriptPubKey":"","confirmations":1,"spendable":true}]`

  test.each([
    ['0.10000000', 10_000_000n],
    ['0.20000000', 20_000_000n],
    ['90071992.54740993', 9_007_199_254_740_993n],
    ['92233720368.54775807', 2n ** 63n - 1n],
    ['-1.00000001', -100_000_001n],
    ['-0.00000000', 0n],
    ['-0', 0n],
    ['1e-06', 100n],
    ['1E+2', 10_000_000_000n],
    ['"10.00000001"', 1_000_000_001n],
  ])('%s coins are %s satoshis', async (text, sats) => {
    resultIs(utxo(text))
    const [entry] = await daemon().listunspent()
    expect(entry?.amount).toBe(sats)
  })

  test.each([
    '1e400',
    '-1e400',
    '1E-9',
    '0.000000001',
    '92233720368.54775808',
    '"ten"',
    'null',
    '1e99999999999',
    `1${'0'.repeat(5_000)}`,
  ])('%s coins are refused', async (text) => {
    resultIs(utxo(text))
    expect(facts(await failure(daemon().listunspent()))).toMatchObject({
      kind: 'shape',
      reason: 'unexpected_value',
    })
  })

  const info = (supply: string) =>
    `{"result":"success","tokenid":"${tokenid}","owner":"02","name":"T","supply":${supply},"description":""}`

  test.each([
    ['9007199254740993', 9_007_199_254_740_993n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['"100000.00000000"', 10_000_000_000_000n],
    ['100000.00000001', 10_000_000_000_001n],
    ['"7"', 7n],
  ])('a supply of %s is %s units', async (text, supply) => {
    resultIs(info(text))
    expect((await daemon().tokeninfo({ tokenid })).supply).toBe(supply)
  })

  test.each(['-1', '9223372036854775808', '1e5', '"1e5"', '"-1.00000000"', 'true', '1.5e3'])(
    'a supply of %s is refused',
    async (text) => {
      resultIs(info(text))
      expect(await failure(daemon().tokeninfo({ tokenid }))).toMatchObject({
        kind: 'shape',
        path: 'result.supply',
      })
    },
  )

  test('a number without a type keeps its digits', async () => {
    resultIs('{"a":123456789012345678901234567890.12345678901234567890,"b":1E400}')
    const { a, b } = (await daemon().call('any', [])) as { a: unknown; b: unknown }
    expect([String(a), String(b)]).toEqual([
      '123456789012345678901234567890.12345678901234567890',
      '1E400',
    ])
  })
})

describe('results in other shapes (J7, J14)', () => {
  const transfer = () => daemon().tokentransfer({ tokenid, destpubkey, amount: 1n })

  test.each<[string, RpcErrorKind, string | undefined]>([
    ['"0400"', 'shape', 'unexpected_value'],
    ['{"hex":"0400"}', 'shape', 'unexpected_value'],
    ['{"result":"success","hex":null}', 'shape', 'unusable_hex'],
    ['{"result":"success","hex":"0"}', 'shape', 'unusable_hex'],
    ['{"result":"success","hex":""}', 'shape', 'unusable_hex'],
    ['{"result":"success","hex":"00"}', 'shape', 'unusable_hex'],
    ['{"result":"success","hex":"04000"}', 'shape', 'unusable_hex'],
    ['{"result":"success","hex":"signing failed"}', 'shape', 'unusable_hex'],
    ['{"result":"success","hex":"0x0400"}', 'shape', 'unusable_hex'],
    ['{"result":"success"}', 'shape', 'unexpected_value'],
    ['{"result":"error","error":"no token inputs"}', 'module', undefined],
    ['{"result":"error","error":"no token inputs","hex":"0400"}', 'module', undefined],
    ['{"result":"error"}', 'module', undefined],
    ['[]', 'shape', 'unexpected_value'],
    ['null', 'shape', 'unexpected_value'],
    ['7', 'shape', 'unexpected_value'],
  ])('a transfer that answers %s', async (result, kind, reason) => {
    resultIs(result)
    expect(facts(await failure(transfer()))).toMatchObject({ kind, reason })
    expect(server.received).toHaveLength(1)
  })

  const entry = {
    address: 'R',
    txid: tokenid,
    outputIndex: 0,
    script: '76',
    satoshis: 5,
    height: 9,
  }
  test.each<[string, object[]]>([
    ['a negative amount', [{ ...entry, satoshis: -5 }]],
    ['a fraction of a satoshi', [{ ...entry, satoshis: 0.5 }]],
    ['the same output twice', [entry, { ...entry }]],
    ['a txid of 63 digits', [{ ...entry, txid: tokenid.slice(1) }]],
    ['a txid that is none', [{ ...entry, txid: 'z'.repeat(64) }]],
    ['height -1', [{ ...entry, height: -1 }]],
    ['a negative index', [{ ...entry, outputIndex: -1 }]],
    ['an amount as text', [{ ...entry, satoshis: '5' }]],
  ])('the address index with %s', async (_name, utxos) => {
    for (const body of [utxos, { utxos, hash: tokenid, height: 9 }]) {
      resultIs(JSON.stringify(body))
      const call = daemon().getaddressutxos({ addresses: ['R'] })
      expect(facts(await failure(call))).toMatchObject({ kind: 'shape' })
    }
  })

  test('the daemon and the documentation spell addresses differently; both are read', async () => {
    resultIs('{"result":"success","TokensCCaddress":"RT","myCCaddress":"RC","myaddress":"RM"}')
    expect(await daemon().tokenaddress()).toEqual({
      result: 'success',
      TokensCCAddress: 'RT',
      'myCCAddress(Tokens)': 'RC',
      myaddress: 'RM',
    })
  })
})

describe('ids and batches (J8)', () => {
  test.each(['"other"', '1', 'null', '{"a":1}'])('an answer with id %s', async (id) => {
    bodyIs(`{"result":5,"error":null,"id":${id}}`)
    expect(facts(await failure(daemon().getblockcount()))).toMatchObject({
      kind: 'shape',
      reason: 'wrong_id',
    })
  })

  const three = [
    { method: 'getblockcount', params: {} },
    { method: 'help', params: {} },
    { method: 'getrawmempool', params: {} },
  ] as const
  const answers = (body: string, results: readonly string[]): string[] =>
    (JSON.parse(body) as { id: string }[]).map(
      ({ id }, at) => `{"result":${results[at]},"error":null,"id":${JSON.stringify(id)}}`,
    )
  const batchReply =
    (rearrange: (answers: string[]) => string[]): Answer =>
    (request, response) =>
      reply(response, 200, `[${rearrange(answers(request.body, ['5', '"text"', '[]'])).join(',')}]`)
  const shown = (settled: readonly PromiseSettledResult<unknown>[]) =>
    settled.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.reason))

  test.each<[string, (answers: string[]) => string[], unknown[]]>([
    ['in order', (all) => all, [5, 'text', []]],
    ['permuted', ([a, b, c]) => [b, a, c] as string[], ['wrong_id', 'wrong_id', []]],
    ['the last one missing', (all) => all.slice(0, 2), [5, 'text', 'missing_reply']],
    ['the first one missing', (all) => all.slice(1), ['wrong_id', 'wrong_id', 'missing_reply']],
    ['one too many', (all) => [...all, all[0] as string], [5, 'text', []]],
    ['the same one thrice', ([a]) => [a, a, a] as string[], [5, 'wrong_id', 'wrong_id']],
    [
      'no answer in it',
      () => ['7', 'null', '"x"'],
      ['wrong_envelope', 'wrong_envelope', 'wrong_envelope'],
    ],
  ])('a batch %s', async (_name, rearrange, expected) => {
    server.answer(batchReply(rearrange))
    expect(shown(await daemon().batch(three))).toEqual(expected)
  })

  test('a batch that is refused whole rejects', async () => {
    bodyIs('{"result":null,"error":{"code":-32700,"message":"Parse error"},"id":null}', 500)
    expect(facts(await failure(daemon().batch(three)))).toMatchObject({
      kind: 'daemon',
      code: -32700,
    })
    bodyIs('{"answers":[]}')
    expect(facts(await failure(daemon().batch(three)))).toMatchObject({ kind: 'shape' })
  })

  test('a batch sends again only the calls that may be repeated', async () => {
    const transfer = {
      method: 'tokentransfer',
      params: { tokenid, destpubkey, amount: 1n },
    } as const
    server.answer((request, response, number) => {
      const calls: { id: string; method: string }[] = JSON.parse(request.body)
      const all = calls.map(({ id }) =>
        number === 1
          ? { result: null, error: { code: -28, message: 'Loading block index...' }, id }
          : { result: 5, error: null, id },
      )
      reply(response, 200, JSON.stringify(all))
    })
    const [count, built] = await daemon().batch([three[0], transfer])
    expect(count).toEqual({ status: 'fulfilled', value: 5 })
    expect(built).toMatchObject({
      status: 'rejected',
      reason: { code: -28, method: 'tokentransfer' },
    })
    const second: { method: string }[] = JSON.parse(server.received[1]?.body ?? '[]')
    expect(second.map(({ method }) => method)).toEqual(['getblockcount'])
  })

  describe('of a batch what was answered stays, when asking the rest again', () => {
    const isSettled = (
      [known, count]: readonly PromiseSettledResult<unknown>[],
      reason: object,
    ): void => {
      expect(known).toEqual({ status: 'fulfilled', value: ['ab'.repeat(32)] })
      expect(count).toMatchObject({ status: 'rejected', reason })
    }
    const calls = [three[2], three[0]] as const
    const firstWarmingUp: Answer = (request, response) => {
      const [{ id: known }, { id }] = JSON.parse(request.body)
      const all = [
        { result: ['ab'.repeat(32)], error: null, id: known },
        { result: null, error: { code: -28, message: 'Loading block index...' }, id },
      ]
      reply(response, 200, JSON.stringify(all))
    }

    test('breaks', async () => {
      server.answer((request, response, number) => {
        if (number === 1) firstWarmingUp(request, response, number)
        else response.destroy()
      })
      isSettled(await daemon({ retry: quick }).batch(calls), { reason: 'connection_lost' })
    })

    test('is aborted while it waits', async () => {
      server.answer(firstWarmingUp)
      const controller = new AbortController()
      const onRetry = () => controller.abort(new Error('enough'))
      const retry = { ...quick, baseMs: 5_000, maxMs: 5_000 }
      const { signal } = controller
      isSettled(await daemon({ retry, onRetry }).batch(calls, { signal }), { kind: 'aborted' })
    })
  })
})

test('a number in JSON that is sent as text keeps its digits', async () => {
  bodyIs('{"result":{"result":"success","hex":"aabb"},"error":null,"id":0}')
  for (const id of [new LosslessNumber('12345678901234567890'), 12345678901234567890n]) {
    const data = { id: id as never }
    await failure(daemon().tokenv2createtokel({ name: 'A', supply: 1n, data }))
    const { params } = JSON.parse(server.received.at(-1)!.body)
    expect(params.at(-1)).toBe('{"id":12345678901234567890}')
  }
})

describe('size and time (J9, J12, J16)', () => {
  test('a reply announced as too large is not read', async () => {
    server.answer((_, response) => {
      response.writeHead(200, { 'content-length': String(100 * 2 ** 20) })
      response.write('{"result":"')
    })
    const error = await failure(daemon().help())
    expect(facts(error)).toMatchObject({ kind: 'shape', reason: 'reply_too_large' })
  })

  test('a reply without an end is cut at the limit', async () => {
    let sent = 0
    server.answer((_, response) => {
      const chunk = 'a'.repeat(65_536)
      const pump = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
      }
      response.on('drain', pump)
      response.on('error', () => undefined)
      response.writeHead(200)
      response.write('{"result":"')
      pump()
    })
    const error = await failure(daemon({ maxResponseBytes: 1_000_000 }).help())
    expect(facts(error)).toMatchObject({ kind: 'shape', reason: 'reply_too_large', attempts: 1 })
    expect(sent).toBeLessThan(50_000_000)
  })

  test('a reply that drips is given up in time, with every attempt', async () => {
    server.answer((_, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 10)
      response.on('close', () => clearInterval(drip))
    })
    const started = performance.now()
    const error = await failure(daemon({ attemptTimeoutMs: 60 }).help())
    expect(facts(error)).toMatchObject({ kind: 'timeout', reason: 'attempt_timeout', attempts: 3 })
    expect(performance.now() - started).toBeLessThan(2_000)
  })

  test('a server that never answers is given up when the whole call is over', async () => {
    server.answer(() => undefined)
    const limits = { timeoutMs: 120, attemptTimeoutMs: 50, retry: { ...quick, attempts: 99 } }
    const error = await failure(daemon().help({}, limits))
    expect(facts(error)).toMatchObject({ kind: 'timeout', reason: 'call_timeout' })
  })

  test('retries end although their limits are undefined or no numbers', async () => {
    const gone = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' })
    const fetch = () => Promise.reject(gone)
    const limits = { timeoutMs: 2_000, retry: { ...quick, attempts: undefined as never } }
    const left = await failure(daemon({ fetch }).help({}, limits))
    expect(facts(left)).toMatchObject({ reason: 'not_connected', attempts: 3 })
    const retry = { ...quick, attempts: Number.NaN }
    const single = await failure(daemon({ fetch }).help({}, { timeoutMs: 2_000, retry }))
    expect(facts(single)).toMatchObject({ reason: 'not_connected', attempts: 1 })
    for (const name of ['timeoutMs', 'attemptTimeoutMs']) {
      const words = `${name}: expected a number of milliseconds`
      await expect(daemon().help({}, { [name]: Number.NaN })).rejects.toThrow(words)
      await expect(daemon({ [name]: '5' as never }).help()).rejects.toThrow(TypeError)
    }
  })

  test.each([
    ['connect', 'not_connected'],
    ['read', 'connection_lost'],
    [undefined, 'connection_lost'],
  ])('a host that is unreachable in %s', async (syscall, reason) => {
    const cause = Object.assign(new Error('gone'), { code: 'EHOSTUNREACH', syscall })
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
    expect(facts(await failure(daemon({ fetch, retry: false }).help()))).toMatchObject({ reason })
  })

  test('a host that is unreachable at every address of its name', async () => {
    const cause = Object.assign(new AggregateError([]), { code: 'ENETUNREACH' })
    const fetch = () => Promise.reject(new TypeError('fetch failed', { cause }))
    const error = await failure(daemon({ fetch, retry: false }).help())
    expect(facts(error)).toMatchObject({ reason: 'not_connected' })
  })

  test('a pause that no timer is long enough for does not end at once', async () => {
    const over = sleep(Number.POSITIVE_INFINITY, startClock(1_000)).then(() => 'over')
    expect(await Promise.race([over, sleep(20, startClock(1_000)).then(() => 'waits')])).toBe(
      'waits',
    )
    await expect(over).rejects.toThrow(Stopped)
  })

  test('a port that fetch refuses is reported as that', async () => {
    const { fetch } = globalThis
    const url = 'http://127.0.0.1:10080'
    const error = await failure(daemon({ url, fetch, retry: false } as never).help())
    expect(facts(error)).toMatchObject({ kind: 'transport', reason: 'not_connected' })
    expect(error.message).toContain('fetch refuses this port')
  })

  test('characters cut between two chunks arrive whole', async () => {
    server.answer(async (request, response) => {
      response.writeHead(200)
      for (const byte of Buffer.from(answerText(request, '"zł 漢字 \u{1f600}"'))) {
        response.write(Buffer.from([byte]))
        await new Promise((resolve) => setImmediate(resolve))
      }
      response.end()
    })
    expect(await daemon().help()).toBe('zł 漢字 \u{1f600}')
  })

  test('an abort ends a call at once: before it, in it, and between two attempts', async () => {
    server.answer(() => undefined)
    const reason = new Error('user left')
    const early = await failure(daemon().help({}, { signal: AbortSignal.abort(reason) }))
    expect(facts(early)).toMatchObject({ kind: 'aborted' })
    expect(early.cause).toBe(reason)
    expect(server.received).toHaveLength(0)

    const controller = new AbortController()
    setTimeout(() => controller.abort(reason), 20)
    const during = await failure(daemon().help({}, { signal: controller.signal }))
    expect(during).toMatchObject({ kind: 'aborted', cause: reason })

    bodyIs('busy', 503)
    const slow = { attempts: 3, baseMs: 60_000, maxMs: 60_000 }
    const between = new AbortController()
    const client = daemon({ retry: slow, onRetry: () => between.abort(reason) })
    const waiting = await failure(client.help({}, { signal: between.signal }))
    expect(waiting).toMatchObject({ kind: 'aborted', cause: reason })
  })

  test('a fetch that ignores its signal cannot hold a call', async () => {
    const client = daemon({ fetch: () => new Promise(() => undefined), retry: false })
    const error = await failure(client.help({}, { timeoutMs: 20 }))
    expect(facts(error)).toMatchObject({ kind: 'timeout' })
  })
})

describe('where calls go (J10, J11)', () => {
  test.each([301, 302, 303, 307, 308])('a redirect with %s is refused', async (status) => {
    const other = await startServer((_, response) => reply(response, 200, '{}'))
    server.answer((_, response) => {
      response.writeHead(status, { location: other.url })
      response.end()
    })
    const error = await failure(daemon().getblockcount())
    expect(facts(error)).toMatchObject({ kind: 'http', reason: 'redirected', status })
    expect(other.received).toHaveLength(0)
    await other.close()
  })

  test('a fetch that followed a redirect by itself is not believed', async () => {
    const followed = { status: 200, redirected: true, headers: new Headers(), body: null }
    const error = await failure(daemon({ fetch: async () => followed }).help())
    expect(facts(error)).toMatchObject({ kind: 'http', reason: 'redirected' })
  })

  test.each([
    'http://node.example:7771',
    'https://127.0.0.1.example/',
    'http://evil.localhost/',
    'http://localhost./',
    'http://169.254.169.254/',
    'http://10.0.0.1/',
    'http://[::2]/',
    'http://0x7f.1.example/',
    'ftp://127.0.0.1/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'localhost',
    '',
  ])('%s is not an address to send a password to', (url) => {
    expect(() => createDaemonClient({ url, user: 'u', password: 'p' })).toThrow(TypeError)
    expect(() => createFrameworkClient({ url, userpass: 'p' })).toThrow(TypeError)
  })

  test('loopback in every spelling, and what is named, is allowed', () => {
    for (const url of [
      'http://127.0.0.1:7771',
      'http://localhost:1/',
      'http://[::1]:2',
      'http://127.1/',
    ]) {
      expect(() => createDaemonClient({ url, user: 'u', password: 'p' })).not.toThrow()
    }
    const allowedHosts = ['Node.Example']
    expect(() =>
      createDaemonClient({ url: 'https://node.example/', user: 'u', password: 'p', allowedHosts }),
    ).not.toThrow()
  })

  test('credentials in the url are refused, and not repeated', () => {
    const url = 'http://user:hunter2@127.0.0.1:7771/'
    const attempt = () => createDaemonClient({ url, user: 'u', password: 'p' })
    expect(attempt).toThrow(TypeError)
    expect(attempt).not.toThrow('hunter2')
  })
})

describe('repetitions', () => {
  const raw = '0400008085202f89'

  /** Fails the first `times` requests with `how`, then answers with `result`. */
  const failing =
    (times: number, how: Answer, result: string): Answer =>
    (request, response, number) =>
      number <= times
        ? how(request, response, number)
        : reply(response, 200, answerText(request, result))
  const queueFull: Answer = (_, response) => {
    response.writeHead(500)
    response.end('Work queue depth exceeded')
  }
  const unavailable: Answer = (_, response) => {
    response.writeHead(503, { 'content-type': 'text/html' })
    response.end('<h1>Service Unavailable</h1>')
  }
  const warmUp: Answer = (request, response) =>
    reply(response, 500, errorText(request, -28, 'Loading block index...'))
  const reset: Answer = (_, response) => void response.socket?.resetAndDestroy()
  const resetInBody: Answer = (_, response) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write('{"result":')
    setTimeout(() => response.socket?.resetAndDestroy(), 5)
  }
  const cutShort: Answer = (_, response) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write('{"result":')
    setTimeout(() => response.socket?.end(), 5)
  }
  const passing: [string, Answer][] = [
    ['a full queue', queueFull],
    ['503', unavailable],
    ['the start-up', warmUp],
    ['a reset', reset],
    ['a reset inside the body', resetInBody],
    ['a body cut short', cutShort],
  ]

  test.each(passing)('a look-up survives %s', async (_name, how) => {
    server.answer(failing(2, how, '41'))
    expect(await daemon().getblockcount()).toBe(41)
    expect(server.received).toHaveLength(3)
  })

  test.each(passing)('a creation or a transfer is never sent twice, for %s', async (_name, how) => {
    server.answer(failing(9, how, '0'))
    await failure(daemon().tokentransfer({ tokenid, destpubkey, amount: 1n }))
    await failure(daemon().tokencreate({ name: 'T', supply: 1n }))
    expect(server.received).toHaveLength(2)
  })

  test.each<[string, Answer, number]>([
    ['a full queue', queueFull, 3],
    ['the start-up', warmUp, 3],
    ['503', unavailable, 1],
    ['a reset', reset, 1],
  ])(
    'an unknown method is repeated only if it cannot have begun: %s',
    async (_n, how, requests) => {
      server.answer(failing(9, how, '0'))
      await failure(daemon().call('sendtoaddress', ['R', 1]))
      expect(server.received).toHaveLength(requests)
    },
  )

  test.each(passing)('a broadcast is repeated once, for %s', async (_name, how) => {
    server.answer(failing(9, how, '0'))
    await failure(daemon().sendrawtransaction({ hex: raw }))
    expect(server.received).toHaveLength(2)
  })

  test('a broadcast whose first answer was lost finds its transaction in the chain', async () => {
    const inChain: Answer = (request, response) =>
      reply(response, 500, errorText(request, -27, 'transaction already in block chain'))
    server.answer((request, response, number) =>
      (number === 1 ? reset : inChain)(request, response, number),
    )
    const txid = await daemon().sendrawtransaction({ hexstring: raw })
    expect(txid).toMatch(/^[0-9a-f]{64}$/)

    // At the first attempt another party sent it: an error, unless that very id was expected.
    server.answer(inChain)
    const error = await failure(daemon().sendrawtransaction({ hex: raw }))
    expect(facts(error)).toMatchObject({ kind: 'daemon', code: -27, attempts: 1 })
    const expectedTxid = txid.toUpperCase()
    expect(await daemon().sendrawtransaction({ hex: raw }, { expectedTxid })).toBe(txid)
    const other = await failure(
      daemon().sendrawtransaction({ hex: raw }, { expectedTxid: tokenid }),
    )
    expect(facts(other)).toMatchObject({ kind: 'daemon', code: -27 })
  })

  test('a broadcast that answers with another id than expected is an error', async () => {
    resultIs(`"${tokenid}"`)
    expect(await daemon().sendrawtransaction({ hex: raw })).toBe(tokenid)
    const expectedTxid = `${tokenid.slice(1)}0`
    const error = await failure(daemon().sendrawtransaction({ hex: raw }, { expectedTxid }))
    expect(facts(error)).toMatchObject({ kind: 'shape', reason: 'wrong_txid' })
  })

  test.each([
    [401, 'unauthorized'],
    [403, 'forbidden'],
  ])('%s is final', async (status, reason) => {
    server.answer((_, response) => {
      setTimeout(() => {
        response.writeHead(status, { 'www-authenticate': 'Basic realm="jsonrpc"' })
        response.end()
      }, 50)
    })
    expect(facts(await failure(daemon().getblockcount()))).toMatchObject({
      kind: 'http',
      status,
      reason,
      attempts: 1,
    })
    expect(server.received).toHaveLength(1)
  })

  test('a port where nobody listens is reported as that', async () => {
    await server.close()
    const error = await failure(daemon().getblockcount())
    expect(facts(error)).toMatchObject({ kind: 'transport', reason: 'not_connected', attempts: 3 })
    expect(error.message).toContain('ECONNREFUSED')
  })

  test('credentials from a function are asked for at each attempt', async () => {
    let asked = 0
    const client = daemon({
      user: undefined,
      password: undefined,
      credentials: async () => ({ user: 'u', password: `p${++asked}` }),
    } as object)
    server.answer(failing(1, unavailable, '1'))
    await client.getblockcount()
    const sent = server.received.map(({ headers }) =>
      Buffer.from(String(headers.authorization).slice(6), 'base64').toString(),
    )
    expect(sent).toEqual(['u:p1', 'u:p2'])
  })

  test('hooks see every attempt and may throw', async () => {
    const seen: string[] = []
    server.answer(failing(1, unavailable, '1'))
    const client = daemon({
      onRequest: ({ method, attempt }) => {
        seen.push(`request ${method} ${attempt}`)
        throw new Error('hook')
      },
      onResponse: ({ attempt, status, error }) => {
        seen.push(`response ${attempt} ${status} ${error?.reason}`)
        throw new Error('hook')
      },
      onRetry: ({ attempt, delayMs }) => {
        seen.push(`retry ${attempt} ${delayMs}`)
        throw new Error('hook')
      },
    })
    expect(await client.getblockcount()).toBe(1)
    expect(seen).toEqual([
      'request getblockcount 1',
      'response 1 503 unavailable',
      'retry 1 1',
      'request getblockcount 2',
      'response 2 200 undefined',
    ])
  })
})

test('sends a plain JSON-RPC 1.0 call with Basic credentials', async () => {
  resultIs('1')
  await daemon({ password: 'p\u00e4ss:"\u{1f600}' }).getblockcount()
  const [request] = server.received
  expect(request).toMatchObject({ method: 'POST', path: '/' })
  expect(request?.headers).toMatchObject({ 'content-type': 'text/plain;' })
  expect(JSON.parse(request?.body ?? '')).toEqual({
    jsonrpc: '1.0',
    id: '0',
    method: 'getblockcount',
    params: [],
  })
  const [scheme, token = ''] = String(request?.headers.authorization).split(' ')
  expect([scheme, Buffer.from(token, 'base64').toString()]).toEqual([
    'Basic',
    'user:p\u00e4ss:"\u{1f600}',
  ])
  expect(idTextOf(request?.body ?? '')).toBe('"0"')
})
