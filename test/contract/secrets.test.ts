import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  createDaemonClient,
  createFrameworkClient,
  type DaemonClient,
  replyText,
} from '../../src/rpc/index.ts'
import { type Answer, reply, startServer, type TestServer } from './support/server.ts'

// These tests search everything that a client emits for every secret that it was given. The server
// does its worst: it quotes headers and bodies back, in every place of an answer.

const password = 'pässw"rd\\ \u{1f511}/='
const userpass = 'RPC_UserP@SSW0RD'
const pin = '862743915'
const passphrase = 'correct horse'
const token = Buffer.from(`user:${password}`).toString('base64')
const secrets = [password, userpass, pin, passphrase, token].flatMap((secret) => [
  secret,
  JSON.stringify(secret).slice(1, -1),
  Buffer.from(secret).toString('base64'),
  encodeURIComponent(secret),
])

/** Whatever could be printed or logged, as text. */
const outlet: string[] = []

function watch(value: unknown): void {
  outlet.push(
    inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null }),
  )
  outlet.push(String(value))
  for (let error = value; error instanceof Error; error = error.cause) {
    outlet.push(String(error.stack), error.message, JSON.stringify({ ...error }))
  }
}

let server: TestServer
beforeAll(async () => {
  server = await startServer(() => undefined)
})
afterAll(() => server.close())

const quoted = ({ headers, body }: { headers: object; body: string }): string =>
  `${JSON.stringify(headers)} ${body}`

/** Ids are repeated so that the answer is read to the end. */
const idOf = (body: string): unknown => {
  const call = JSON.parse(body)
  return Array.isArray(call) ? call[0]?.id : call.id
}

const answers: [string, Answer][] = [
  ['an html page', (request, response) => reply(response, 500, `<p>${quoted(request)}</p>`)],
  ['a 401', (request, response) => reply(response, 401, quoted(request))],
  ['a 403', (request, response) => reply(response, 403, quoted(request))],
  ['a 503', (request, response) => reply(response, 503, quoted(request))],
  ['no JSON', (request, response) => reply(response, 200, quoted(request))],
  ['broken JSON', (request, response) => reply(response, 200, `{"${quoted(request)}`)],
  [
    'a JSON-RPC error',
    (request, response) =>
      reply(
        response,
        500,
        JSON.stringify({
          result: null,
          error: { code: -1, message: quoted(request) },
          id: idOf(request.body),
        }),
      ),
  ],
  [
    'an error that is text',
    (request, response) =>
      reply(
        response,
        500,
        JSON.stringify({
          result: null,
          error: quoted(request),
          error_type: quoted(request),
          error_path: quoted(request),
          error_trace: quoted(request),
          error_data: { [quoted(request)]: [quoted(request)] },
          id: idOf(request.body),
        }),
      ),
  ],
  [
    'a module failure',
    (request, response) =>
      reply(
        response,
        200,
        JSON.stringify({
          result: { result: 'error', error: quoted(request) },
          error: null,
          id: idOf(request.body),
        }),
      ),
  ],
  [
    'a value of another type',
    (request, response) =>
      reply(
        response,
        200,
        JSON.stringify({
          result: [quoted(request), Object.values(request.headers)],
          error: null,
          id: idOf(request.body),
        }),
      ),
  ],
  [
    'a member named so',
    (request, response) =>
      reply(
        response,
        200,
        JSON.stringify({
          result: { [quoted(request)]: { a: quoted(request) } },
          error: null,
          id: idOf(request.body),
        }),
      ),
  ],
  [
    'another id',
    (request, response) =>
      reply(response, 200, JSON.stringify({ result: 1, error: null, id: quoted(request) })),
  ],
  [
    'a failed task',
    (request, response) =>
      reply(
        response,
        200,
        JSON.stringify({
          result: {
            status: 'Error',
            details: {
              error: quoted(request),
              error_type: quoted(request),
              error_data: quoted(request),
            },
          },
          id: idOf(request.body),
        }),
      ),
  ],
  [
    'a redirect',
    (request, response) => {
      response.writeHead(302, { location: `/?${encodeURIComponent(quoted(request))}` })
      response.end(quoted(request))
    },
  ],
  ['a reset', (_, response) => void response.socket?.resetAndDestroy()],
  [
    'a reset in the body',
    (request, response) => {
      response.writeHead(200)
      response.write(quoted(request))
      setTimeout(() => response.socket?.resetAndDestroy(), 5)
    },
  ],
  ['silence', () => undefined],
  [
    'duplicates',
    (request, response) =>
      reply(
        response,
        200,
        `{${JSON.stringify(quoted(request))}:1,${JSON.stringify(quoted(request))}:2}`,
      ),
  ],
]

const hooks = { onRequest: watch, onResponse: watch, onRetry: watch }
const limits = { timeoutMs: 150, retry: { attempts: 2, baseMs: 1 }, maxResponseBytes: 100_000 }

test.each(answers)('shows no secret when the server answers with %s', async (_, how) => {
  outlet.length = 0
  server.answer(how)
  const daemon = createDaemonClient({
    url: server.url,
    user: 'user',
    password,
    ...limits,
    ...hooks,
  })
  const framework = createFrameworkClient({ url: server.url, userpass, ...limits, ...hooks })
  watch(daemon)
  watch(framework)
  const calls: PromiseLike<unknown>[] = [
    daemon.getblockcount(),
    daemon.call('any', []),
    daemon.batch([
      { method: 'getblockcount', params: {} },
      { method: 'any', params: [] },
    ]),
    framework.call('any', {}),
    framework.callLegacy('any', {}),
    framework.batch([{ method: 'any' }]),
    framework.taskStatus('enable_bch', { task_id: 1 }),
    framework.taskUserAction('enable_bch', {
      task_id: 1,
      user_action: { action_type: 'TrezorPin', pin },
    }),
    framework.taskUserAction('enable_bch', {
      task_id: 1,
      user_action: { action_type: 'TrezorPassphrase', passphrase },
    }),
  ]
  const follow = framework.followTask('enable_bch', 1, { onStatus: watch, pollMs: 1 })
  setTimeout(() => void follow.cancel().catch(watch), 30)
  watch(follow)
  // The caller owns what a hostile server puts into a result, but not what it puts into an error.
  for (const outcome of await Promise.allSettled([...calls, follow])) {
    if (outcome.status === 'rejected') watch(outcome.reason)
    else if (Array.isArray(outcome.value)) {
      for (const element of outcome.value) if (element?.status === 'rejected') watch(element.reason)
    }
  }
  expect(outlet.length).toBeGreaterThan(40)
  const found = secrets.filter((secret) => outlet.some((text) => text.includes(secret)))
  expect(found).toEqual([])
})

/** A batch of an earlier test may still arrive; it has no method. */
const isStatus = (method: unknown) => `${method}`.endsWith('::status')

test('the search would find what it looks for', async () => {
  outlet.length = 0
  watch(new Error(`a ${token} b`, { cause: { password } }))
  const found = secrets.filter((secret) => outlet.some((text) => text.includes(secret)))
  expect(found).toContain(token)
})

test('a status that sends a PIN or a passphrase back shows neither', async () => {
  const typed = [
    { action_type: 'TrezorPin', pin },
    { action_type: 'TrezorPassphrase', passphrase },
  ] as const
  const echo = `${pin} and ${passphrase}`
  const activated = {
    ticker: 'BCH',
    current_block: 1,
    wallet_balance: {
      wallet_type: 'Iguana',
      address: echo,
      // An amount that holds the digits of a PIN is still that amount.
      balance: { BCH: { spendable: `0.1${pin}`, unspendable: '0' } },
      echo: [pin, passphrase],
    },
  }
  const failure = { error: echo, error_type: 'HwError', error_data: { [echo]: [echo] } }
  const statuses = [
    { status: 'InProgress', details: echo },
    { status: 'InProgress', details: { TemporaryError: echo, [echo]: 1, number: Number(pin) } },
    { status: 'UserActionRequired', details: echo },
    { status: 'Error', details: failure },
    { status: 'Ok', details: activated },
  ]
  for (const status of statuses) {
    outlet.length = 0
    server.answer((request, response) => {
      const { id, method } = JSON.parse(request.body)
      const result = isStatus(method) ? status : 'success'
      reply(response, 200, JSON.stringify({ mmrpc: '2.0', result, id }))
    })
    const framework = createFrameworkClient({ url: server.url, userpass, ...limits, ...hooks })
    for (const user_action of typed) {
      await framework.taskUserAction('enable_bch', { task_id: 7, user_action })
    }
    const shown = await framework.taskStatus('enable_bch', { task_id: 7 })
    const isKept = JSON.stringify(shown).includes(`"0.1${pin}"`)
    expect(isKept).toBe(status.status === 'Ok')
    watch(isKept ? JSON.parse(JSON.stringify(shown).replace(`0.1${pin}`, '')) : shown)
    watch(replyText(shown)?.replace(`0.1${pin}`, ''))
    const task = framework.followTask('enable_bch', 7, { onStatus: watch, pollMs: 1 })
    setTimeout(() => void task.cancel().catch(watch), 20)
    await Promise.resolve(task).catch(watch)
    const text = outlet.map((one) => one.replaceAll(`0.1${pin}`, '')).join('\n')
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([])
    expect(text).toContain('[redacted]')
    // The client knows nothing of another task, and redacts nothing there.
    const other = await framework.taskStatus('enable_bch', { task_id: 8 })
    expect(JSON.stringify(other)).toContain(pin)
  }
})

test('a signed transaction that contains the digits of a PIN by chance is not changed', async () => {
  const signed = {
    tx_hex: `0400008085202f8901ab${pin}4cd${'5e'.repeat(60)}`,
    tx_hash: `f1234e${'0'.repeat(58)}`,
    from: [`R${pin}yz`],
    to: ['Rx1234yz'],
    total_amount: '1.1234',
    spent_by_me: '1',
    received_by_me: '0',
    my_balance_change: '-1',
    block_height: 0,
    timestamp: 51234,
    coin: 'KMD',
    internal_id: '',
  }
  server.answer((request, response) => {
    const { id, method } = JSON.parse(request.body)
    const status = { status: 'Ok', details: signed }
    const result = isStatus(method) ? status : 'success'
    reply(response, 200, JSON.stringify({ mmrpc: '2.0', result, id }))
  })
  const framework = createFrameworkClient({ url: server.url, userpass })
  for (const typed of [pin, '1234']) {
    await framework.taskUserAction('withdraw', {
      task_id: 7,
      user_action: { action_type: 'TrezorPin', pin: typed },
    })
  }
  const shown: unknown[] = []
  const onStatus = (one: unknown) => shown.push(one)
  expect(await framework.followTask('withdraw', 7, { onStatus })).toEqual(signed)
  expect(shown).toEqual([{ status: 'Ok', details: signed }])
  const status = await framework.taskStatus('withdraw', { task_id: 7 })
  expect(JSON.parse(replyText(status)!).result.details).toEqual(signed)
})

test('an injected fetch cannot leak what it was given', async () => {
  outlet.length = 0
  const leaky = async (url: string, init: { headers: object; body?: string }) => {
    const error = new Error(`${url} ${JSON.stringify(init)}`, {
      cause: new Error(String(init.body)),
    })
    throw Object.assign(error, { config: init, code: JSON.stringify(init.headers) })
  }
  const daemon: DaemonClient = createDaemonClient({
    url: server.url,
    user: 'user',
    password,
    fetch: leaky,
    ...limits,
    ...hooks,
  })
  const framework = createFrameworkClient({
    url: server.url,
    userpass,
    fetch: leaky,
    ...limits,
    ...hooks,
  })
  const outcomes = await Promise.allSettled([daemon.getblockcount(), framework.call('any')])
  for (const outcome of outcomes) watch((outcome as PromiseRejectedResult).reason)
  const found = secrets.filter((secret) => outlet.some((text) => text.includes(secret)))
  expect(found).toEqual([])
})
