import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createFrameworkClient,
  type EnableTendermintWithAssetsParams,
  type FrameworkClient,
  isFrameworkError,
  isRpcError,
} from '../../src/rpc/index.ts'
import { errorTypes } from './support/error-types.ts'
import { reply, startServer, type TestServer } from './support/server.ts'

let server: TestServer
let client: FrameworkClient

beforeEach(async () => {
  server = await startServer((_, response) => reply(response, 500, 'no answer set'))
  client = createFrameworkClient({ url: server.url, userpass: 'secret', retry: false })
})
afterEach(() => server.close())

const tendermint: EnableTendermintWithAssetsParams = {
  ticker: 'IRIS',
  nodes: [{ url: 'https://iris.example' }],
  tokens_params: [{ ticker: 'ATOM-IBC_IRIS' }],
}

function answer(members: object, status = 200): void {
  server.answer((request, response) => {
    const { id } = JSON.parse(request.body)
    reply(response, status, JSON.stringify({ mmrpc: '2.0', ...members, id }))
  })
}

function sent(): Record<string, unknown> {
  return JSON.parse(server.received.at(-1)?.body ?? '{}')
}

describe('every error type', () => {
  test.each(errorTypes)('%s, as an answer', async (error_type, type, status, error_data) => {
    answer(
      { error: 'words', error_path: 'a.b', error_trace: 'a:1] b:2]', error_type, error_data },
      status,
    )
    const error = await client.enableTendermintWithAssets(tendermint).catch((cause) => cause)
    expect(isRpcError(error, 'framework') && error.errorType).toBe(error_type)
    expect(error).toMatchObject({ status, attempts: 1, errorPath: 'a.b', errorTrace: 'a:1] b:2]' })
    expect(error.errorData).toEqual(error_data)
    expect(isFrameworkError(error, type)).toBe(true)
    expect(isFrameworkError(error, type === 'Banned' ? 'Internal' : 'Banned')).toBe(false)
    // 403 is never tried again: ten wrong passwords ban the address.
    expect(server.received).toHaveLength(1)
  })

  test.each(errorTypes)('%s, as the end of a task', async (error_type, type, _, error_data) => {
    const details = { error: 'words', error_path: 'a', error_trace: 'a:1]', error_type, error_data }
    // As the source has it, and as the documentation describes it.
    for (const form of [details, { result: details }]) {
      answer({ result: { status: 'Error', details: form } })
      const task = client.followTask('enable_bch', 5)
      const error = await Promise.resolve(task).catch((cause) => cause)
      expect(isRpcError(error, 'task') && error.taskId).toBe(5)
      expect(error.errorData).toEqual(error_data)
      expect(isFrameworkError(error, type)).toBe(true)
    }
  })

  test('a type nobody knows is passed on', async () => {
    answer({ error: 'words', error_type: 'Unheard', error_data: { a: [1] } }, 400)
    const error = await client.call('any', {}).catch((cause) => cause)
    expect(error).toMatchObject({ kind: 'framework', errorType: 'Unheard' })
  })
})

test('a panic of the server is an http error with its words', async () => {
  server.answer((_, response) =>
    reply(response, 500, 'The RPC service aborted without responding.'),
  )
  const error = await client.call('any').catch((cause) => cause)
  expect(error).toMatchObject({
    kind: 'http',
    status: 500,
    body: 'The RPC service aborted without responding.',
  })
})

test('a request has the five members the server allows, and an id that counts', async () => {
  answer({ result: { coins: [{ ticker: 'KMD' }] } })
  await client.call('get_public_key', {})
  expect(Object.keys(sent())).toEqual(['userpass', 'mmrpc', 'method', 'params', 'id'])
  expect(sent()).toMatchObject({ userpass: 'secret', mmrpc: '2.0', id: 0 })
  expect(await client.getEnabledCoins()).toEqual({ coins: [{ ticker: 'KMD' }] })
  expect(Object.keys(sent())).toEqual(['userpass', 'mmrpc', 'method', 'id'])
  expect(sent().id).toBe(1)
})

test('older methods have their parameters beside them', async () => {
  server.answer((_, response) =>
    reply(
      response,
      200,
      '{"coin":"KMD","balance":"60.00253836","address":"R","unspendable_balance":"0.1"}',
    ),
  )
  expect(await client.myBalance({ coin: 'KMD' })).toMatchObject({ balance: '60.00253836' })
  expect(sent()).toEqual({ coin: 'KMD', userpass: 'secret', method: 'my_balance' })
  server.answer((_, response) => reply(response, 200, '{"result":"2.5.1-beta","datetime":"now"}'))
  expect(await client.version()).toEqual({ result: '2.5.1-beta', datetime: 'now' })
  server.answer((_, response) => reply(response, 500, '{"error":"lp_coins:1011] no such coin"}'))
  await expect(client.callLegacy('disable_coin', { coin: 'X' })).rejects.toMatchObject({
    kind: 'framework',
    errorType: 'Unspecified',
  })
})

test('a parameter cannot take the place of the password or of the method', async () => {
  answer({ result: {} })
  await client.callLegacy('version', { userpass: 'other', method: 'stop' })
  expect(sent()).toMatchObject({ userpass: 'secret', method: 'version' })
})

test('documented forms are sent in the form the source reads', async () => {
  answer({ result: { task_id: 1 } })
  await client.startTask('enable_bch', {}).id
  const activation_params = {
    bchd_urls: [],
    allow_slp_unsafe_conf: true,
    mode: { rpc: 'Native' },
    priv_key_policy: { type: 'Trezor' },
    path_to_address: { address_id: 4 },
    slp_tokens_requests: [{ ticker: 'USDF' }],
    get_balances: false,
  } as const
  await client.enableBch({ ticker: 'BCH', activation_params }, { pollMs: 10_000 }).id
  const starts = server.received
    .map(({ body }) => JSON.parse(body))
    .filter(({ method }) => method.endsWith('init'))
  expect(starts.at(-1)?.params.activation_params).toEqual({
    ...activation_params,
    priv_key_policy: 'Trezor',
    path_to_address: { account_id: 0, chain: 'External', address_id: 4 },
  })

  answer({ result: { ticker: 'IRIS', address: 'iaa1', current_block: 5, tokens_tickers: [] } })
  await client.enableTendermintWithAssets({
    ...tendermint,
    activation_params: { priv_key_policy: { type: 'WalletConnect', data: 'ab'.repeat(32) } },
  })
  expect(sent().params).toMatchObject({
    activation_params: { type: 'WalletConnect', params: { session_topic: 'ab'.repeat(32) } },
  })
  await client.enableTendermintWithAssets({
    ...tendermint,
    activation_params: { type: 'WalletConnect', params: { session_topic: 'cd' } },
  })
  expect(sent().params).toMatchObject({
    activation_params: { type: 'WalletConnect', params: { session_topic: 'cd' } },
  })
})

test('an answer to another request is refused, one without an id is not', async () => {
  server.answer((_, response) => reply(response, 200, '{"mmrpc":"2.0","result":{},"id":999}'))
  await expect(client.call('any')).rejects.toMatchObject({ kind: 'shape', reason: 'wrong_id' })
  server.answer((_, response) =>
    reply(response, 200, '{"mmrpc":"2.0","result":{"a":"b"},"id":null}'),
  )
  expect(await client.call('any')).toEqual({ a: 'b' })
})

test.each([{ message: 'not enough' }, ['no'], 7])(
  'an older answer with the error %j is no result',
  async (error) => {
    const refused = { kind: 'shape', reason: 'wrong_envelope', uncertain: true }
    server.answer((_, response) => reply(response, 200, JSON.stringify({ error, result: null })))
    await expect(client.callLegacy('buy', { base: 'KMD' })).rejects.toMatchObject(refused)
    server.answer((_, response) => reply(response, 200, '{"error":null,"result":{"uuid":"x"}}'))
    expect(await client.callLegacy('buy', { base: 'KMD' })).toMatchObject({ result: { uuid: 'x' } })
  },
)

describe('an answer about another coin', () => {
  const refused = { kind: 'shape', reason: 'wrong_id' }

  test('is refused where the result names its coin', async () => {
    const history = {
      ...{ target: { type: 'iguana' }, current_block: 1, transactions: [], limit: 10, skipped: 0 },
      ...{ sync_status: { state: 'Finished' }, total: 0, total_pages: 0 },
      paging_options: { PageNumber: 1 },
    }
    answer({ result: { coin: 'BTC', ...history } })
    await expect(client.myTxHistory({ coin: 'KMD' })).rejects.toMatchObject({
      ...refused,
      path: 'coin',
      expected: 'KMD',
      received: 'BTC',
    })
    expect(await client.myTxHistory({ coin: 'btc' })).toMatchObject({ coin: 'BTC' })
    const balance = { balance: '1', unspendable_balance: '0', address: 'x' }
    server.answer((_, response) =>
      reply(response, 200, JSON.stringify({ coin: 'BTC', ...balance })),
    )
    await expect(client.myBalance({ coin: 'KMD' })).rejects.toMatchObject(refused)
    const active = { address: 'osmo1', current_block: 1 }
    answer({
      result: { ticker: 'OSMO', ...active, balance: { spendable: '7', unspendable: '0' } },
    })
    await expect(client.enableTendermintWithAssets(tendermint)).rejects.toMatchObject(refused)
  })

  test('ends a task, which the server may have begun for another program', async () => {
    let ticker: string | undefined = 'tBCH'
    server.answer((request, response) => {
      const { id, method } = JSON.parse(request.body)
      const wallet_balance = { wallet_type: 'Iguana', address: 'x', balance: {} }
      const details = { ticker, current_block: 9, wallet_balance }
      const isInit = method === 'task::enable_bch::init'
      const result = isInit ? { task_id: 0 } : { status: 'Ok', details }
      reply(response, 200, JSON.stringify({ mmrpc: '2.0', result, id }))
    })
    const start = () =>
      client.enableBch({
        ticker: 'BCH',
        activation_params: { bchd_urls: ['https://b'], mode: { rpc: 'Native' } },
      } as never)
    const calls = () => server.received.map(({ body }) => JSON.parse(body))
    await expect(Promise.resolve(start())).rejects.toMatchObject({ ...refused, path: 'ticker' })
    // The task of the other program keeps its result.
    expect(calls().filter(({ params }) => params?.forget_if_finished === true)).toEqual([])
    for (ticker of ['BCH', 'bch', undefined]) {
      expect(await start()).toMatchObject({ current_block: 9 })
    }
  })

  test('is returned by followTask, which knows no coin', async () => {
    const wallet_balance = { wallet_type: 'Iguana', address: 'x', balance: {} }
    const details = { ticker: 'tBCH', current_block: 9, wallet_balance }
    answer({ result: { status: 'Ok', details } })
    expect(await client.followTask('enable_bch', 0)).toMatchObject({ ticker: 'tBCH' })
  })
})

test('a batch settles each call, with its own password and id', async () => {
  server.answer((request, response) => {
    const calls: { id: number }[] = JSON.parse(request.body)
    const answers = calls.map(
      ({ id }, at) =>
        [
          { mmrpc: '2.0', result: { at }, id },
          { mmrpc: '2.0', error: 'No such method', error_type: 'NoSuchMethod', id },
          null,
          { mmrpc: '2.0', result: {}, id: id + 1 },
        ][at],
    )
    reply(response, 200, JSON.stringify(answers))
  })
  const method = 'my_tx_history'
  const settled = await client.batch([{ method }, { method }, { method }, { method }])
  expect(
    settled.map((one) =>
      one.status === 'fulfilled' ? 'ok' : (one.reason.reason ?? one.reason.errorType),
    ),
  ).toEqual(['ok', 'NoSuchMethod', 'missing_reply', 'wrong_id'])
  const calls: { userpass: string; id: number }[] = JSON.parse(server.received[0]?.body ?? '[]')
  expect(calls.map(({ userpass }) => userpass)).toEqual(Array(4).fill('secret'))
  expect(new Set(calls.map(({ id }) => id)).size).toBe(4)
})

test.each([
  ['a ticker', () => client.enableSlp({} as never)],
  [
    'nodes',
    () => client.enableTendermintWithAssets({ ticker: 'IRIS', tokens_params: [] } as never),
  ],
  ['the tokens', () => client.enableTendermintWithAssets({ ticker: 'IRIS', nodes: [] } as never)],
  ['a task number', () => client.taskStatus('enable_bch', { task_id: '3' as never })],
  [
    'a PIN that is text',
    () =>
      client.taskUserAction('enable_bch', {
        task_id: 3,
        user_action: { action_type: 'TrezorPin', pin: 123 as never },
      }),
  ],
])('the client sends nothing without %s', async (_name, call) => {
  await expect(call()).rejects.toThrow(TypeError)
  expect(server.received).toHaveLength(0)
})

describe('which calls are repeated', () => {
  test('look-ups are, starts and answers to devices are not', async () => {
    const patient = createFrameworkClient({
      url: server.url,
      userpass: 'secret',
      retry: { attempts: 3, baseMs: 1 },
    })
    server.answer((_, response) => void response.socket?.resetAndDestroy())
    const requestsOf = async (call: () => PromiseLike<unknown>): Promise<number> => {
      const before = server.received.length
      await call().then(
        () => undefined,
        () => undefined,
      )
      return server.received.length - before
    }
    const status = (forget_if_finished?: boolean) => () =>
      patient.taskStatus('enable_bch', {
        task_id: 1,
        ...(forget_if_finished !== undefined && { forget_if_finished }),
      })
    expect(await requestsOf(() => patient.getEnabledCoins())).toBe(3)
    expect(await requestsOf(() => patient.myBalance({ coin: 'KMD' }))).toBe(3)
    expect(await requestsOf(() => patient.version())).toBe(3)
    expect(await requestsOf(status(false))).toBe(3)
    expect(await requestsOf(status(true))).toBe(1)
    expect(await requestsOf(status())).toBe(1)
    expect(await requestsOf(() => patient.startTask('enable_utxo', {}))).toBe(1)
    expect(await requestsOf(() => patient.enableTendermintWithAssets(tendermint))).toBe(1)
    expect(await requestsOf(() => patient.call('enable_erc20', {}))).toBe(1)
    expect(await requestsOf(() => patient.callLegacy('electrum', {}))).toBe(1)
    expect(
      await requestsOf(() =>
        patient.taskUserAction('enable_bch', {
          task_id: 1,
          user_action: { action_type: 'TrezorPin', pin: '1' },
        }),
      ),
    ).toBe(1)
  })
})
