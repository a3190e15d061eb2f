import { networkInterfaces } from 'node:os'
import { afterEach, describe, expect, test } from 'vitest'
import type { CallRecord } from '../../src/node/framework/dispatch.ts'
import { unsigned } from '../../src/node/framework/read.ts'
import { documentedCoins, documentedScript } from '../../src/node/framework/samples.ts'
import type { CoinScript, DeviceScript, FrameworkScript } from '../../src/node/framework/script.ts'
import {
  createDevFramework,
  type DevFramework,
  type DevFrameworkOptions,
} from '../../src/node/index.ts'
import { parseJson } from '../../src/primitives/json.ts'
import {
  createFrameworkClient,
  type EnableBchParams,
  type FrameworkClient,
  isFrameworkError,
  type TaskStatus,
  type UserAction,
} from '../../src/rpc/index.ts'
import { errorTypes } from '../contract/support/error-types.ts'
import { documentedFramework } from '../contract/support/recordings.ts'
import { testUnless } from '../support/skip.ts'
import { rawRequest } from './support/raw.ts'

let server: DevFramework
let client: FrameworkClient
let calls: CallRecord[]
afterEach(() => server.close())

async function open(options: DevFrameworkOptions): Promise<void> {
  await (server as DevFramework | undefined)?.close()
  calls = []
  server = await createDevFramework({ onCall: (record) => calls.push(record), ...options })
  client = createFrameworkClient({ url: server.url, userpass: server.userpass, retry: false })
}

const bch: CoinScript = {
  address: 'bitcoincash:q',
  current_block: 895348,
  balance: { spendable: '0.11398301', unspendable: '0' },
}
const coins = documentedCoins
const opened = (script: FrameworkScript, more: Partial<DevFrameworkOptions> = {}) =>
  open({ coins, script: { coins: { BCH: bch }, ...script }, ...more })

const params = (more: object = {}): EnableBchParams => ({
  ticker: 'BCH',
  activation_params: {
    bchd_urls: ['https://bchd.example'],
    mode: { rpc: 'Electrum', rpc_data: { servers: [{ url: 'electrum.example:20055' }] } },
    ...more,
  },
})
const onDevice = params({ priv_key_policy: 'Trezor' })

/** A request as text, without a client's help. */
async function ask(request: unknown): Promise<{ status: number; answer: unknown }> {
  const text = typeof request === 'string' ? request : JSON.stringify(request)
  const { status, body } = await server.request(text)
  return { status, answer: JSON.parse(body) }
}
const mmrpc = (method: string, given?: unknown, more: object = {}) => ({
  userpass: server.userpass,
  mmrpc: '2.0',
  method,
  ...(given !== undefined && { params: given }),
  ...more,
})

describe("the documentation's samples", () => {
  const samples = new Map(documentedFramework().map((row) => [row.at, row]))
  const sample = (at: string) => {
    const { request, response, status } = samples.get(at)!
    return { request: request ?? '', answer: JSON.parse(response ?? 'null'), status }
  }

  test.each([
    'mdx-enable_tendermint_with_assets__ok_get_balances_true',
    'mdx-enable_tendermint_with_assets__ok_walletconnect',
    'mdx-task_enable_bch__user_action_ok',
    'mdx-task_enable_bch__cancel_ok',
  ])('%s', async (at) => {
    await open({ preset: 'docs' })
    // The task that the sample is about runs already, and waits if it is to be answered.
    const ids = [0, 1, 2, 3]
    for (const _ of ids) await ask(mmrpc('task::enable_bch::init', onDevice))
    for (const _ of ids) {
      await ask(mmrpc('task::enable_bch::status', { task_id: 0, forget_if_finished: false }))
    }
    const { request, answer, status } = sample(at)
    expect(await ask(request)).toEqual({ status, answer })
  })

  test('balances may be left out', async () => {
    const { IRIS } = documentedScript.coins!
    const coin = { ...IRIS!, current_block: 19769628 }
    await open({
      preset: 'docs',
      script: { ...documentedScript, coins: { ...documentedScript.coins, IRIS: coin } },
    })
    const { request, answer, status } = sample(
      'mdx-enable_tendermint_with_assets__ok_get_balances_false',
    )
    expect(await ask(request)).toEqual({ status, answer })
  })

  test('a task of the samples goes from its number to its result', async () => {
    await open({ preset: 'docs' })
    const first = sample('mdx-task_enable_bch__init_ok')
    await ask(first.request)
    // The documented number is 1, so another task was first.
    expect((await ask(first.request)).answer).toEqual(first.answer)
    const { request, answer: inProgress } = sample('mdx-task_enable_bch__status_in_progress')
    const { answer: done } = sample('mdx-task_enable_bch__status_ok_hd')
    const seen = []
    for (let looks = 0; looks < 4; looks++) seen.push((await ask(request)).answer)
    expect(seen[1]).toEqual(inProgress)
    expect(seen[3]).toEqual(done)
  })

  const tendermint = (ticker: string, tokens: readonly string[] = []) =>
    mmrpc('enable_tendermint_with_assets', {
      ticker,
      nodes: [{ url: 'https://rpc.example' }],
      tokens_params: tokens.map((token) => ({ ticker: token })),
    })
  const noProtocol = coins.map((coin) =>
    coin.coin === 'IRIS' ? { ...coin, protocol: null } : coin,
  )

  test.each([
    ['PlatformConfigIsNotFound', 'WALDO', []],
    ['CoinProtocolParseError', 'IRIS', []],
    ['UnexpectedPlatformProtocol', 'BCH', []],
    ['TokenConfigIsNotFound', 'IRIS', ['GALT']],
    ['TokenProtocolParseError', 'IRIS', ['BABYDOGE-BEP20']],
    ['UnexpectedTokenProtocol', 'IRIS', ['KMD']],
  ] as const)('the error %s is computed from the coins file', async (type, ticker, tokens) => {
    await open({
      preset: 'docs',
      ...(type === 'CoinProtocolParseError' && { coins: noProtocol }),
    })
    const { answer, status } = sample(`mdx-enable_tendermint_with_assets__err_${type}`)
    expect(await ask(tendermint(ticker, tokens))).toEqual({ status, answer })
  })

  test('a second activation is refused', async () => {
    await open({ preset: 'docs' })
    await ask(tendermint('IRIS'))
    const { answer, status } = sample(
      'mdx-enable_tendermint_with_assets__err_PlatformIsAlreadyActivated',
    )
    expect(await ask(tendermint('IRIS'))).toEqual({ status, answer })
  })

  test('a finished task is not cancelled, an unknown one is not known', async () => {
    await open({ preset: 'docs' })
    await ask(mmrpc('task::enable_bch::init', params()))
    const look = mmrpc('task::enable_bch::status', { task_id: 0, forget_if_finished: false })
    for (let looks = 0; looks < 4; looks++) await ask(look)
    const { answer, status } = sample('mdx-task_enable_bch__cancel_err_TaskFinished')
    const cancel = mmrpc('task::enable_bch::cancel', { task_id: 0 })
    expect(await ask(cancel)).toEqual({ status, answer })
    // Documented under cancel, in the form that status gives it.
    const unknown = sample('mdx-task_enable_bch__cancel_err_NoSuchTask')
    const other = mmrpc('task::enable_bch::status', { task_id: 1 })
    expect(await ask(other)).toEqual({ status: 400, answer: unknown.answer })
  })

  test.each([
    ['a device that is confirmed', '02', 'FollowHwDeviceInstructions'],
    ['a PIN that is asked for', '03', 'EnterTrezorPin'],
    ['a device that is looked for', '01', 'WaitingForTrezorToConnect'],
  ])('%s', async (_name, number, details) => {
    await open({ preset: 'docs' })
    const { request, answer } = sample(
      `dev-trezor_initialisation__task__init_trezor__status__kdf__${number}`,
    )
    // The page has another password than the other pages.
    const look = request.replace('YOUR_PASS', server.userpass)
    await ask(mmrpc('task::init_trezor::init', {}))
    for (let looks = 0; looks < 10; looks++) {
      const seen = (await ask(look)).answer as { result: TaskStatus }
      if (seen.result.details === details) {
        expect(seen).toEqual(answer)
        return
      }
      if (seen.result.status === 'UserActionRequired') {
        const user_action = { action_type: 'TrezorPin', pin: '862743' }
        await ask(mmrpc('task::init_trezor::user_action', { task_id: 0, user_action }))
      }
    }
    throw new Error(`${details} was never seen`)
  })
})

describe('enable_tendermint_with_assets', () => {
  const iris = coins.find(({ coin }) => coin === 'IRIS')!
  const { protocol_data } = iris.protocol as { protocol_data: object }
  const protocol = (more: object) => ({
    type: 'TENDERMINT',
    protocol_data: { ...protocol_data, ...more },
  })
  const request = { ticker: 'IRIS', nodes: [{ url: 'https://rpc.example' }], tokens_params: [] }
  const failure = (given: object = {}) =>
    client.enableTendermintWithAssets({ ...request, ...given } as typeof request).then(
      () => 'activated',
      (cause) => cause,
    )

  test.each([
    [
      'no time of blocks',
      { avg_blocktime: undefined },
      'avg_blocktime is missing in coin configuration',
    ],
    [
      'another one than a byte',
      { avg_blocktime: 256 },
      "avg_blocktime must be in-between '0' and '255'.",
    ],
    ['one that is text', { avg_blocktime: '5' }, "avg_blocktime must be in-between '0' and '255'."],
    [
      'no path for a wallet that wants one',
      { derivation_path: null },
      "'derivation_path' field is not found in config",
    ],
    [
      'more decimals than there are',
      { protocol: protocol({ decimals: 19 }) },
      "'decimals' value is too high; it must be 18 or lower but the current value is 19",
    ],
  ])('%s', async (_name, more, error) => {
    const others = coins.filter(({ coin }) => coin !== 'IRIS')
    await open({
      coins: [{ ...iris, ...more }, ...others],
      script: documentedScript,
    })
    expect(await failure()).toMatchObject({
      status: 500,
      errorType: 'PlatformCoinCreationError',
      errorData: { ticker: 'IRIS', error },
    })
  })

  test.each([0, 255, 18])('limits are within: a time of %i', async (avg_blocktime) => {
    const entry = { ...iris, avg_blocktime, protocol: protocol({ decimals: 18 }) }
    await open({ coins: [entry], script: documentedScript })
    expect(await failure()).toBe('activated')
  })

  test('no node, no such session', async () => {
    await open({ coins, script: documentedScript })
    expect(await failure({ nodes: [] })).toMatchObject({ errorData: { error: 'EmptyRpcUrls' } })
    const activation_params = { type: 'WalletConnect', params: { session_topic: 'ab' } }
    expect(await failure({ activation_params })).toMatchObject({
      errorType: 'PlatformCoinCreationError',
      errorData: { error: expect.stringMatching(/^Unable to fetch account for chain: /) },
    })
  })

  test('a token that the coins file has is not a custom token; one of another platform is refused', async () => {
    const protocol = {
      type: 'TENDERMINTTOKEN',
      protocol_data: { platform: 'IRIS', decimals: 6, denom: 'ibc/27' },
    }
    const custom = { ticker: 'ATOM-IBC_IRIS', protocol }
    await open({ coins, script: documentedScript })
    expect(await failure({ tokens_params: [custom] })).toMatchObject({
      errorType: 'CustomTokenError',
      errorData: { DuplicateTickerInConfig: { ticker_in_config: 'ATOM-IBC_IRIS' } },
    })
    const asset = { ticker: 'ATOM', tokens_params: [{ ticker: 'ATOM-IBC_IRIS' }] }
    expect(await failure(asset)).toMatchObject({ errorType: 'PlatformCoinMismatch', status: 400 })
    await open({ coins, script: documentedScript, preset: '2.5.1' })
    expect(await failure(asset)).toBe('activated')
  })

  test('a wrong configuration shows in the status of its task', async () => {
    await open({ coins, script: documentedScript })
    const wrong = client.startTask(
      'enable_tendermint',
      { ...request, ticker: 'KMD' },
      { pollMs: 0 },
    )
    await expect(Promise.resolve(wrong)).rejects.toMatchObject({
      kind: 'task',
      taskId: 0,
      errorType: 'UnexpectedPlatformProtocol',
    })
    const asTask = await client.startTask('enable_tendermint', request, { pollMs: 0 })
    const again = await Promise.resolve(client.startTask('enable_tendermint', request)).catch(
      (cause) => cause,
    )
    expect(isFrameworkError(again, 'PlatformIsAlreadyActivated')).toBe(true)
    expect(again.kind).toBe('framework')
    await open({ coins, script: documentedScript })
    const asCall = await client.enableTendermintWithAssets(request)
    expect(JSON.parse(JSON.stringify(asTask)).address).toEqual(asCall.address)
  })

  test('a token by itself needs its chain, and is activated once', async () => {
    await open({ coins, script: documentedScript })
    const token = { ticker: 'ATOM-IBC_IRIS' }
    const failed = () => client.enableTendermintToken(token).catch((cause) => cause)
    expect(await failed()).toMatchObject({
      status: 400,
      errorType: 'PlatformCoinIsNotActivated',
      errorData: 'IRIS',
    })
    await client.enableTendermintWithAssets(request)
    expect(await client.enableTendermintToken(token)).toMatchObject({
      balances: { iaa16drqvl3u8sukfsu4lm3qsk28jr3fahja9vsv6k: { spendable: '0.028306' } },
      platform_coin: 'IRIS',
    })
    expect(await failed()).toMatchObject({ errorType: 'TokenIsAlreadyActivated' })
    const custom = { ticker: 'KMD', protocol: { type: 'UTXO' } }
    const known = await client.enableTendermintToken(custom).catch((cause) => cause)
    expect(known).toMatchObject({ errorType: 'CustomTokenError', status: 400 })
    const other = { ...custom, ticker: 'NEW' }
    const wrong = await client.enableTendermintToken(other).catch((cause) => cause)
    expect(wrong).toMatchObject({ errorType: 'UnexpectedTokenProtocol' })
    const none = { ticker: 'NEW', protocol: { type: 'WOOF' } }
    const unread = await client.enableTendermintToken(none).catch((cause) => cause)
    expect(unread).toMatchObject({ errorType: 'InvalidRequest' })
  })

  test('protocols in errors are JSON, as the source has them', async () => {
    await open({ coins, script: documentedScript })
    const error = await failure({ ticker: 'BCH' })
    expect(error.message).toContain(
      'Unexpected platform protocol {"type":"BCH","protocol_data":{"slp_prefix":"simpleledger"}} for BCH',
    )
  })
})

describe('requests that may be made', () => {
  test('ten wrong passwords end it, for the right one too', async () => {
    await opened({})
    const stranger = createFrameworkClient({ url: server.url, userpass: 'no', retry: false })
    for (let left = 9; left >= 0; left--) {
      const error = await stranger.getEnabledCoins().catch((cause) => cause)
      expect(isFrameworkError(error, 'UserpassIsInvalid')).toBe(true)
      expect(error).toMatchObject({
        status: 403,
        errorData: { error_type: 'NbAttemptsLeft', error_data: left },
      })
    }
    for (const one of [stranger, client]) {
      const error = await one.getEnabledCoins().catch((cause) => cause)
      expect(isFrameworkError(error, 'Banned')).toBe(true)
      expect(error.status).toBe(403)
    }
    expect(calls.at(-1)).toMatchObject({ status: 403, errorType: 'Banned' })
  })

  test('a missing password is no attempt, and public methods need none', async () => {
    await opened({})
    for (let times = 0; times < 12; times++) {
      const { status, answer } = await ask({ mmrpc: '2.0', method: 'get_enabled_coins' })
      expect([status, answer]).toMatchObject([403, { error_type: 'UserpassIsNotSet', id: null }])
    }
    expect((await ask({ method: 'version' })).answer).toEqual({ result: '3.0.0-beta_d56a7bc5' })
  })

  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')

  testUnless(outside === undefined && 'this machine has no other address')(
    'another address may call public methods only',
    async () => {
      await opened({}, { host: '0.0.0.0', exposeToNetwork: true })
      const url = new URL(server.url)
      const from = async (hostname: string, request: object) => {
        const sent = Object.assign(new URL(url), { hostname }).href
        const { status, body } = await rawRequest(sent, { body: JSON.stringify(request) })
        return { status, answer: JSON.parse(body) }
      }
      const { address } = outside!
      const look = mmrpc('get_enabled_coins')
      expect(await from(address, look)).toMatchObject({
        status: 403,
        answer: { error_type: 'LocalHostOnly' },
      })
      const { mmrpc: _, ...legacy } = look
      expect(await from(address, legacy)).toMatchObject({
        status: 500,
        answer: { error: expect.stringContaining('can only be called from localhost.') },
      })
      expect((await from(address, { method: 'version' })).status).toBe(200)
      expect((await from('127.0.0.1', look)).status).toBe(200)
    },
  )

  test('no page in a browser', async () => {
    await opened({})
    const body = JSON.stringify(mmrpc('get_enabled_coins'))
    for (const headers of [{ origin: 'http://localhost:3000' }, { host: 'rebound.example' }]) {
      expect((await rawRequest(server.url, { headers, body })).status).toBe(403)
      expect((await rawRequest(server.url, { method: 'OPTIONS', headers })).status).toBe(403)
    }
    expect((await rawRequest(server.url, { body })).status).toBe(200)
    // an image needs no leave, and would hold the stream that a wallet wants
    const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' }
    const options = { method: 'GET', path: '/event-stream?id=1', headers: image }
    expect((await rawRequest(server.url, options)).status).toBe(403)
  })
})

const otherAction = { task_id: 0, user_action: { action_type: 'Nope', pin: '1' } }

describe('requests', () => {
  test.each([
    ['a member of another protocol', { jsonrpc: '2.0' }, /^unknown field `jsonrpc`, expected one/],
    ['a text as id', { id: 'a' }, /^invalid type: string "a", expected usize$/],
    ['a negative id', { id: -1 }, /^invalid value: integer `-1`, expected usize$/],
    ['no method', { method: undefined }, /^missing field `method`$/],
    ['no number of a task', { params: {} }, /^missing field `task_id`$/],
    ['no parameters', { params: undefined }, /^invalid type: null, expected struct/],
    ['a number as text', { params: { task_id: '1' } }, /^invalid type: string "1", expected u64$/],
    [
      'another action than two known ones',
      { method: 'task::init_trezor::user_action', params: otherAction },
      /^unknown variant `Nope`, expected `TrezorPin` or `TrezorPassphrase`$/,
    ],
  ])('%s is InvalidRequest', async (_name, more, words) => {
    await opened({})
    const request = { ...mmrpc('task::enable_bch::status', { task_id: 0 }), ...more }
    const { status, answer } = await ask(request)
    expect([status, answer]).toMatchObject([
      400,
      { error_type: 'InvalidRequest', error_data: expect.stringMatching(words), id: null },
    ])
  })

  test('an id comes back', async () => {
    await opened({})
    expect((await ask(mmrpc('get_enabled_coins', undefined, { id: 7 }))).answer).toEqual({
      mmrpc: '2.0',
      result: { coins: [] },
      id: 7,
    })
    expect((await ask(mmrpc('nothing', {}, { id: 8 }))).answer).toMatchObject({ id: 8 })
  })

  test('a version that there is none of', async () => {
    await opened({})
    const { status, answer } = await ask({ ...mmrpc('any'), mmrpc: '1.0' })
    expect([status, answer]).toMatchObject([400, { error_type: 'InvalidMmRpcVersion' }])
  })

  test('refuses bodies that are not JSON and methods other than POST, at any path', async () => {
    await opened({})
    for (const body of ['', '{', 'hello', '{"a":1} x']) {
      const { status, answer } = await ask(body)
      expect([status, answer]).toMatchObject([500, { error: expect.stringMatching(/at line 1/) }])
    }
    const get = await rawRequest(server.url, { method: 'GET' })
    expect([get.status, get.body]).toMatchObject([500, expect.stringContaining('Only POST')])
    const body = JSON.stringify(mmrpc('get_enabled_coins'))
    expect((await rawRequest(server.url, { path: '/any/where?x', body })).status).toBe(200)
  })

  test('a batch answers each call by itself, with its own password', async () => {
    await opened({})
    const { status, answer } = await ask([
      mmrpc('get_enabled_coins', undefined, { id: 1 }),
      { ...mmrpc('get_enabled_coins'), userpass: 'no' },
      { method: 'version' },
      mmrpc('enable_tendermint_with_assets', {
        ticker: 'IRIS',
        nodes: [],
        tokens_params: [],
        activation_params: {
          type: 'WithPubkey',
          params: { pubkey: { type: 'secp256k1', value: 'text' }, is_ledger_connection: false },
        },
      }),
      5,
    ])
    expect(status).toBe(200)
    expect(answer).toMatchObject([
      { result: { coins: [] }, id: 1 },
      { error_type: 'UserpassIsInvalid' },
      { result: '3.0.0-beta_d56a7bc5' },
      // The server panics there, and its answer is not JSON.
      null,
      { error: expect.stringContaining('Userpass is not set!') },
    ])
    expect((await ask([])).answer).toEqual([])
  })

  test('a panic is a text', async () => {
    await opened({})
    const panic = mmrpc('enable_tendermint_with_assets', {
      ticker: 'IRIS',
      nodes: [],
      tokens_params: [],
      activation_params: {
        type: 'WithPubkey',
        params: { pubkey: { type: 'ed25519', value: [256] }, is_ledger_connection: true },
      },
    })
    const { status, body } = await server.request(JSON.stringify(panic))
    expect([status, body]).toEqual([500, 'The RPC service aborted without responding.'])
  })

  test('older methods are where they were, and only there', async () => {
    await opened({})
    await client.enableBch(params(), { pollMs: 0 })
    expect(await client.myBalance({ coin: 'BCH' })).toMatchObject({
      balance: '0.11398301',
      address: 'bitcoincash:q',
    })
    await expect(client.myBalance({ coin: 'KMD' })).rejects.toThrow(/No such coin: KMD/)
    const error = await client.call('my_balance', { coin: 'BCH' }).catch((cause) => cause)
    expect(isFrameworkError(error, 'NoSuchMethod')).toBe(true)
    // Without a version, what the older dispatcher does not know goes to the other one.
    const { mmrpc: _, ...unversioned } = mmrpc('task::enable_bch::cancel', { task_id: 9 })
    expect((await ask(unversioned)).answer).toMatchObject({ error_type: 'NoSuchTask' })
  })

  test.each([
    ['2.5.1', 400],
    ['2.6.0', 200],
    ['3.0.0', 200],
  ] as const)('%s and empty params of get_enabled_coins', async (preset, status) => {
    await opened({}, { preset })
    expect((await ask(mmrpc('get_enabled_coins', {}))).status).toBe(status)
    expect((await ask(mmrpc('get_enabled_coins'))).status).toBe(200)
  })
})

describe('calls that the server does not compute', () => {
  test.each(errorTypes)('%s, as a script has it', async (error_type, type, status, error_data) => {
    const fails = { error: 'words', error_type, error_data, error_trace: 'a:1] b:2] b:3]' }
    await opened({
      methods: { any: { error: { ...fails, status } } },
      coins: { BCH: { ...bch, steps: [], fails } },
    })
    const error = await client.call('any').catch((cause) => cause)
    expect(isFrameworkError(error, type)).toBe(true)
    expect(error).toMatchObject({ kind: 'framework', status, errorPath: 'a.b' })
    expect(error.errorData).toEqual(error_data)
    const task = await Promise.resolve(client.enableBch(params())).catch((cause) => cause)
    expect(isFrameworkError(task, type)).toBe(true)
    expect(task).toMatchObject({ kind: 'task', errorTrace: 'a:1] b:2] b:3]' })
    expect(task.errorData).toEqual(error_data)
  })

  test('is a loud error, in the answer and in the log', async () => {
    await opened({})
    for (const [call, what] of [
      [() => client.call('withdraw', { coin: 'BCH' }), 'the method withdraw'],
      [() => client.enableBch({ ...params(), ticker: 'tBCH' }), 'the coin tBCH'],
    ] as const) {
      const error = await Promise.resolve(call()).catch((cause) => cause)
      expect(error).toMatchObject({ errorType: 'NotScripted', status: 501, errorData: what })
      expect(calls.at(-1)).toMatchObject({ status: 501, errorType: 'NotScripted' })
      expect(calls.at(-1)?.reason).toContain(`${what} is not scripted`)
    }
    await expect(client.callLegacy('electrum', { coin: 'KMD' })).rejects.toThrow(/not scripted/)
  })

  test('is answered as the script says, one answer after the other', async () => {
    const refused = { error: 'no funds', error_type: 'NotSufficientBalance', error_data: { a: 1 } }
    await opened({
      methods: {
        withdraw: [{ result: { tx_hex: '00' } }, { error: refused }],
        get_enabled_coins: { result: { coins: [{ ticker: 'KMD' }] } },
      },
      legacy: { electrum: { body: { result: 'success', coin: 'KMD' } } },
    })
    expect(await client.call('withdraw', {})).toEqual({ tx_hex: '00' })
    for (let times = 0; times < 2; times++) {
      await expect(client.call('withdraw', {})).rejects.toMatchObject({
        errorType: 'NotSufficientBalance',
        status: 500,
      })
    }
    expect(await client.getEnabledCoins()).toEqual({ coins: [{ ticker: 'KMD' }] })
    expect(await client.callLegacy('electrum', { coin: 'KMD' })).toMatchObject({ coin: 'KMD' })
  })
})

describe('tasks', () => {
  test('are shown step by step, each look one step', async () => {
    const steps = [
      { progress: { SyncingBlockHeaders: { current_scanned_block: 1, last_block: 9 } }, ms: 10 },
      { progress: { TemporaryError: 'electrum.example is away' }, ms: 20 },
      { progress: 'RequestingWalletBalance', ms: 30 },
    ]
    await opened({ coins: { BCH: { ...bch, steps } } })
    const seen: unknown[] = []
    const task = client.enableBch(params(), { pollMs: 0 })
    for await (const { status, details } of task) {
      seen.push(status === 'InProgress' ? details : status)
    }
    expect(seen).toEqual([...steps.map(({ progress }) => progress), 'Ok'])
    expect(await task).toEqual({
      ticker: 'BCH',
      current_block: 895348,
      wallet_balance: {
        wallet_type: 'Iguana',
        address: 'bitcoincash:q',
        balance: { BCH: { spendable: '0.11398301', unspendable: '0' } },
      },
    })
    expect(server.now()).toBe(60)
    const again = await Promise.resolve(client.enableBch(params())).catch((cause) => cause)
    expect(isFrameworkError(again, 'CoinIsAlreadyActivated')).toBe(true)
  })

  test('take the usual course, in the order of the source', async () => {
    await opened({})
    const seen: unknown[] = []
    const task = client.enableBch(params(), { pollMs: 0 })
    for await (const { details } of task) seen.push(details)
    expect(seen.slice(0, -1)).toEqual([
      'ActivatingCoin',
      'RequestingWalletBalance',
      'ActivatingCoin',
    ])
  })

  test('have numbers of the process and tables of their family', async () => {
    await opened({ coins: { BCH: bch, KMD: bch } })
    const start = async (method: string, given: object): Promise<unknown> =>
      ((await ask(mmrpc(method, given))).answer as { result: unknown }).result
    const { bchd_urls: _, ...activation_params } = params().activation_params
    expect(await start('task::enable_bch::init', params())).toEqual({ task_id: 0 })
    expect(await start('task::enable_utxo::init', { ticker: 'KMD', activation_params })).toEqual({
      task_id: 1,
    })
    expect(await start('task::init_trezor::init', {})).toEqual({ task_id: 2 })
    for (const [family, own] of [
      ['enable_bch', 0],
      ['enable_utxo', 1],
      ['init_trezor', 2],
    ] as const) {
      for (const task_id of [0, 1, 2]) {
        const { status } = await ask(mmrpc(`task::${family}::status`, { task_id }))
        expect(status).toBe(task_id === own ? 200 : 400)
      }
    }
  })

  test('are forgotten by the look that says so, and cancelled ones at once', async () => {
    await opened({})
    const status = (forget_if_finished: boolean) =>
      client.taskStatus('enable_bch', { task_id: 0, forget_if_finished })
    await client.startTask('enable_bch', params(), { pollMs: 60_000 }).id
    expect(await client.taskCancel('enable_bch', { task_id: 0 })).toBe('success')
    await expect(status(false)).rejects.toMatchObject({ errorType: 'NoSuchTask', status: 400 })
    await expect(client.taskCancel('enable_bch', { task_id: 0 })).rejects.toMatchObject({
      errorType: 'NoSuchTask',
      status: 404,
    })
    await opened({})
    await ask(mmrpc('task::enable_bch::init', params()))
    for (let looks = 0; looks < 5; looks++) await status(false)
    expect((await status(true)).status).toBe('Ok')
    await expect(status(false)).rejects.toMatchObject({ errorType: 'NoSuchTask', errorData: 0 })
  })

  test('tasks that wait for nobody take no answer', async () => {
    await opened({})
    await ask(mmrpc('task::enable_bch::init', params()))
    const user_action = { action_type: 'TrezorPin', pin: '1' } as const
    const error = await client
      .taskUserAction('enable_bch', { task_id: 0, user_action })
      .catch((cause) => cause)
    expect(error).toMatchObject({
      status: 500,
      errorType: 'Internal',
      errorData:
        "RPC '0' task is in unexpected status. Actual: 'InProgress', expected: 'AwaitingUserAction'",
    })
  })

  test('end as the script says', async () => {
    const fails = {
      error_type: 'CoinCreationError',
      error: 'Error on platform coin BCH creation: Failed to connect',
      error_data: { ticker: 'BCH', error: 'Failed to connect' },
    }
    await opened({ coins: { BCH: { ...bch, fails } } })
    await expect(Promise.resolve(client.enableBch(params(), { pollMs: 0 }))).rejects.toMatchObject({
      kind: 'task',
      errorType: 'CoinCreationError',
      errorData: fails.error_data,
    })
    expect(await client.getEnabledCoins()).toEqual({ coins: [] })
  })

  test.each([
    ['no gRPC server', { bchd_urls: [] }, 'Using empty bchd_urls is unsafe for SLP users!'],
    [
      'no Electrum server',
      { mode: { rpc: 'Electrum', rpc_data: { servers: [] } } },
      'Electrum servers list is empty',
    ],
  ])('%s fails the task, not its start', async (_name, more, error) => {
    await opened({})
    const task = client.enableBch(params(more), { pollMs: 0 })
    expect(await task.id).toBe(0)
    await expect(Promise.resolve(task)).rejects.toMatchObject({
      kind: 'task',
      errorData: { ticker: 'BCH', error },
    })
  })

  test.each([
    ['WALDO', 'CoinConfigIsNotFound', 'WALDO'],
    ['KMD', 'UnexpectedCoinProtocol', { ticker: 'KMD', protocol: { type: 'UTXO' } }],
    ['BABYDOGE-BEP20', 'CoinProtocolParseError', { ticker: 'BABYDOGE-BEP20' }],
  ])('a configuration of %s that is wrong fails the start', async (ticker, errorType, data) => {
    await opened({})
    const task = client.enableBch({ ...params(), ticker })
    const error = await task.id.catch((cause) => cause)
    expect(error).toMatchObject({ kind: 'framework', status: 400, errorType })
    expect(error.errorData).toMatchObject(data as object)
    await Promise.resolve(task).catch(() => undefined)
  })

  test('the total of an HD account is computed, whatever the digits', async () => {
    const address = (spendable: string, unspendable: string) => ({
      address: 'a',
      derivation_path: 'm',
      chain: 'External' as const,
      balance: { spendable, unspendable },
    })
    const accounts = [
      {
        account_index: 0,
        derivation_path: 'm',
        addresses: [
          address('0.1', '0'),
          address('0.20', '1.5'),
          address('90071992547.40993', '0.5'),
        ],
      },
    ]
    await opened({ wallet: 'HD', coins: { BCH: { ...bch, accounts } } })
    const { wallet_balance } = await client.enableBch(params(), { pollMs: 0 })
    expect(wallet_balance).toMatchObject({
      accounts: [{ total_balance: { BCH: { spendable: '90071992547.70993', unspendable: '2' } } }],
    })
  })

  test('an event stream is one client, whose number nobody else has', async () => {
    await opened({})
    const look = (query: string) => fetch(`${server.url}event-stream${query}`)
    const first = await look('?id=7')
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/event-stream'])
    const second = await look('?x=1&id=7')
    expect([second.status, await second.text()]).toEqual([500, 'ID already in use'])
    const unnumbered = await look('?id=seven')
    expect(unnumbered.status).toBe(200)
    expect((await look('')).status).toBe(500)

    await ask(mmrpc('task::enable_bch::init', { ...params(), client_id: 7 }))
    await ask(mmrpc('task::enable_bch::status', { task_id: 0 }))
    const reader = first.body!.getReader()
    let text = ''
    while (!text.includes('RequestingWalletBalance')) {
      text += new TextDecoder().decode((await reader.read()).value)
    }
    const status = { status: 'InProgress', details: 'RequestingWalletBalance' }
    expect(text).toContain(`data: ${JSON.stringify({ _type: 'TASK:0', message: status })} \n\n`)
    // Once it has gone, its number is free.
    await reader.cancel()
    await unnumbered.body!.cancel()
    await expect.poll(async () => (await look('?id=7')).status).toBe(200)
  })

  test('tell the event stream, so that a client need not wait', async () => {
    await opened({})
    const task = client.enableBch(params(), { events: true, pollMs: 60_000 })
    expect(await task).toMatchObject({ ticker: 'BCH' })
  })
})

describe('devices', () => {
  const trezor: DeviceScript = { name: 'T', device_pubkey: 'ab', pin: '862743' }
  /** Answers questions with these, in order. */
  const answering = (...texts: string[]) => {
    const asked: string[] = []
    return {
      asked,
      onUserAction: (need: string): UserAction => {
        asked.push(need)
        const text = texts[asked.length - 1] ?? ''
        return need === 'EnterTrezorPin'
          ? { action_type: 'TrezorPin', pin: text }
          : { action_type: 'TrezorPassphrase', passphrase: text }
      },
    }
  }
  const start = async (devices: readonly DeviceScript[], more: FrameworkScript = {}) => {
    await opened({ devices, ...more })
    await initialized()
  }
  const initialized = async () => {
    const answers = answering('862743')
    await client.startTask('init_trezor', {}, { pollMs: 0, onUserAction: answers.onUserAction })
  }
  const failure = (...texts: string[]) =>
    Promise.resolve(
      client.enableBch(onDevice, { pollMs: 0, onUserAction: answering(...texts).onUserAction }),
    ).then(
      () => 'it did not fail',
      (cause) => cause,
    )

  test('the right PIN opens it', async () => {
    await start([trezor])
    const { asked, onUserAction } = answering('862743')
    const seen: unknown[] = []
    const task = client.enableBch(onDevice, { pollMs: 0, onUserAction })
    for await (const { details } of task) seen.push(details)
    expect(asked).toEqual(['EnterTrezorPin'])
    expect(seen.slice(0, -1)).toEqual([
      'ActivatingCoin',
      'RequestingWalletBalance',
      'WaitingForTrezorToConnect',
      'EnterTrezorPin',
      'FollowHwDeviceInstructions',
      'ActivatingCoin',
    ])
  })

  test('has to be made known first', async () => {
    await opened({ devices: [trezor] })
    expect(await failure('862743')).toMatchObject({
      errorType: 'CoinCreationError',
      errorData: { error: 'Hardware Wallet context is not initialized' },
    })
    const { reason } = calls.find(({ errorType }) => errorType === 'CoinCreationError')!
    expect(reason).toMatch(/context is not initialized; call task::init_trezor first$/)
  })

  test('the wrong PIN is words in the error of the coin', async () => {
    await start([trezor])
    expect(await failure('1')).toMatchObject({
      errorType: 'CoinCreationError',
      errorData: { ticker: 'BCH', error: 'Pin is invalid' },
    })
  })

  test('the wrong PIN is an error of the device where it is made known', async () => {
    await opened({ devices: [trezor] })
    const task = client.startTask(
      'init_trezor',
      {},
      { pollMs: 0, onUserAction: answering('1').onUserAction },
    )
    await expect(Promise.resolve(task)).rejects.toMatchObject({
      errorType: 'HwError',
      errorData: 'InvalidPin',
    })
  })

  test('a passphrase is asked for after the PIN; another one is another wallet', async () => {
    const devices = [{ ...trezor, passphrase: 'breakfast' }]
    await opened({ devices })
    const answers = answering('862743', 'breakfast')
    await client.startTask('init_trezor', {}, { pollMs: 0, onUserAction: answers.onUserAction })
    expect(answers.asked).toEqual(['EnterTrezorPin', 'EnterTrezorPassphrase'])
    const task = client.enableBch(onDevice, {
      pollMs: 0,
      onUserAction: answering('862743', 'breakfast').onUserAction,
    })
    expect(await task).toMatchObject({ ticker: 'BCH' })
    await opened({ devices })
    const init = client.startTask(
      'init_trezor',
      {},
      { pollMs: 0, onUserAction: answering('862743', 'dinner').onUserAction },
    )
    await expect(Promise.resolve(init)).rejects.toMatchObject({
      errorData: 'FoundUnexpectedDevice',
    })
  })

  test('an answer of the wrong kind is accepted, and then fails the task', async () => {
    await start([trezor])
    const task = client.enableBch(onDevice, { pollMs: 0 })
    for await (const { status } of task) {
      if (status !== 'UserActionRequired') continue
      await task.act({ action_type: 'TrezorPassphrase', passphrase: '' })
      break
    }
    await expect(Promise.resolve(task)).rejects.toMatchObject({ errorType: 'Internal' })
  })

  test.each(['connect', 'pin', 'confirm'] as const)('unplugged at %s', async (moment) => {
    await opened({ devices: [{ ...trezor, unplugsAt: moment }] })
    const task = client.startTask(
      'init_trezor',
      {},
      { pollMs: 0, onUserAction: answering('862743').onUserAction },
    )
    await expect(Promise.resolve(task)).rejects.toMatchObject({
      errorType: 'HwError',
      errorData: 'NoTrezorDeviceAvailable',
    })
  })

  test('two devices are one too many', async () => {
    await start([trezor, { name: 'second', plugged: false }])
    server.plug('second')
    expect(await failure()).toMatchObject({
      errorType: 'HwError',
      errorData: 'FoundMultipleDevices',
    })
  })

  test('another device than the known one is unexpected', async () => {
    await start([trezor, { name: 'second', plugged: false }])
    server.unplug('T')
    server.plug('second')
    expect(await failure()).toMatchObject({ errorData: 'FoundUnexpectedDevice' })
    expect(() => server.plug('third')).toThrow(TypeError)
  })

  test.each([
    ['was never set up', { initialized: false }, 'NotInitialized'],
    ['whose user declines', { declines: true }, 'UserCancelled'],
  ])('one that %s', async (_name, more, errorData) => {
    await opened({ devices: [{ ...trezor, ...more }] })
    const task = client.startTask(
      'init_trezor',
      {},
      { pollMs: 0, onUserAction: answering('862743').onUserAction },
    )
    await expect(Promise.resolve(task)).rejects.toMatchObject({ errorType: 'HwError', errorData })
  })

  test('a slow one is waited for, one that never comes is not', async () => {
    await opened({ devices: [{ name: 'slow', pluggedAfterMs: 20_000, connectMs: 50_000 }] })
    await client.startTask('init_trezor', {}, { pollMs: 0 })
    expect(server.now()).toBe(71_000)
    await opened({ devices: [], clock: 'manual' })
    await ask(mmrpc('task::init_trezor::init', {}))
    server.advance(299_999)
    const look = mmrpc('task::init_trezor::status', { task_id: 0 })
    expect((await ask(look)).answer).toMatchObject({ result: { status: 'InProgress' } })
    server.advance(1)
    expect((await ask(look)).answer).toMatchObject({
      result: { details: { error_type: 'Timeout', error_data: { secs: 300, nanos: 0 } } },
    })
  })

  test('a question that nobody answers times out, on a clock that is moved by hand', async () => {
    await opened({ devices: [trezor], clock: 'manual' })
    await ask(mmrpc('task::init_trezor::init', {}))
    const look = () => client.taskStatus('init_trezor', { task_id: 0, forget_if_finished: false })
    expect(await look()).toMatchObject({ details: 'WaitingForTrezorToConnect' })
    expect(await look()).toMatchObject({ details: 'WaitingForTrezorToConnect' })
    server.advance(500)
    expect(await look()).toMatchObject({ details: 'EnterTrezorPin' })
    server.advance(599_999)
    expect(await look()).toMatchObject({ details: 'EnterTrezorPin' })
    server.advance(1)
    expect(await look()).toMatchObject({ status: 'Error', details: { error_type: 'Timeout' } })
    // A cancelled one leaves room for the next.
    await ask(mmrpc('task::init_trezor::init', {}))
    const second = (await ask(mmrpc('task::init_trezor::init', {}))).answer
    expect(second).toMatchObject({ result: { task_id: 2 } })
    expect((await ask(mmrpc('task::init_trezor::status', { task_id: 2 }))).answer).toMatchObject({
      result: { details: { error_type: 'HwContextInitializingAlready' } },
    })
    await client.taskCancel('init_trezor', { task_id: 1 })
    await ask(mmrpc('task::init_trezor::init', {}))
    expect((await ask(mmrpc('task::init_trezor::status', { task_id: 3 }))).answer).toMatchObject({
      result: { status: 'InProgress' },
    })
  })
})

const failing = (status: number) => ({ ...bch, fails: { error_type: 'X', error: 'y', status } })

describe('a script of another form', () => {
  test.each([
    ['an unknown member', { coin: {} }, 'script.coin'],
    ['a number as amount', { coins: { BCH: { ...bch, balance: 5 } } }, 'script.coins.BCH.balance'],
    ['a PIN of letters', { devices: [{ name: 'T', pin: 'abc' }] }, 'script.devices.0.pin'],
    ['another clock', { clock: 'sun' }, 'script.clock'],
    // A `Response` has a status from 200 to 599, and timers of Node fire at once above 2^31 - 1 ms.
    [
      'a status that is not final',
      { coins: { BCH: failing(199) } },
      'script.coins.BCH.fails.status',
    ],
    ['a status above all', { coins: { BCH: failing(600) } }, 'script.coins.BCH.fails.status'],
    [
      'an answer after 2^31 ms',
      { coins: { BCH: { ...bch, latencyMs: 2 ** 31 } } },
      'script.coins.BCH.latencyMs',
    ],
    [
      'a confirmation after 2^31 ms',
      { devices: [{ name: 'T', confirmMs: 2 ** 31 }] },
      'script.devices.0.confirmMs',
    ],
  ])('%s', async (_name, script, path) => {
    await opened({})
    const error = await createDevFramework({ script: script as never }).catch((cause) => cause)
    expect(error).toMatchObject({ code: 'malformed_case', context: { path } })
    expect(error.message).not.toContain('abc')
  })

  test('a preset that there is none of', async () => {
    await opened({})
    await expect(createDevFramework({ preset: '1.0' as never })).rejects.toThrow(TypeError)
  })
})

// serde src/de/impls.rs: an integer is read if its type holds it.
test.each([
  ['u8', 255],
  ['u32', 4_294_967_295],
] as const)('%s holds %i, and not one more', (name, most) => {
  const read = (value: number) => unsigned(name)(parseJson(String(value)))
  expect(read(most)).toBe(most)
  expect(() => read(most + 1)).toThrow(`invalid value: integer \`${most + 1}\`, expected ${name}`)
})
