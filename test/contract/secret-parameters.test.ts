// A server that repeats what it was sent gets no secret parameter into an error.

import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDaemonClient, createFrameworkClient, type RpcError } from '../../src/rpc/index.ts'
import { reply, startServer, type TestServer } from './support/server.ts'

const wif = 'UtrRXqvRFUAtCrCTRAHPH6yroQKUrrTJRmxt2h5U4QTUN1jCxTAh'
const secret = 'corr"ect hörse/battery'

let server: TestServer
/** How the server writes what it was sent. */
let write: (body: string) => string

beforeEach(async () => {
  server = await startServer((request, response) => {
    const reported = write(request.body)
    const parsed = JSON.parse(request.body)
    const answerTo = ({ id }: { id?: unknown }) => ({
      result: null,
      error: { code: -5, message: reported },
      id,
    })
    const answer = Array.isArray(parsed) ? parsed.map(answerTo) : answerTo(parsed)
    const isDaemon = !request.body.includes('"userpass"')
    const failure = {
      mmrpc: '2.0',
      error: reported,
      error_type: reported,
      error_data: [reported],
      id: 0,
    }
    reply(response, 500, JSON.stringify(isDaemon ? answer : failure))
  })
})
afterEach(() => server.close())

const seen: unknown[] = []
const hooks = { onResponse: (event: unknown) => seen.push(event) }
const daemon = () =>
  createDaemonClient({ url: server.url, user: 'user', password: 'pass', retry: false, ...hooks })
const framework = () =>
  createFrameworkClient({ url: server.url, userpass: 'pass', retry: false, ...hooks })

const daemonCalls: [string, readonly unknown[]][] = [
  ['importprivkey', [wif, 'label']],
  ['importprivkey', [secret]],
  ['signrawtransaction', ['00', [], [wif, secret]]],
  ['walletpassphrase', [secret, 60]],
  ['walletpassphrasechange', [secret, `${secret} new`]],
  ['encryptwallet', [secret]],
  ['convertpassphrase', [secret]],
  ['z_importkey', [secret]],
  ['z_importviewingkey', [secret]],
  ['nspv_login', [secret]],
  ['channelspayment', ['00', '1', secret]],
  ['amethodofnobody', [{ deep: [wif] }]],
]
const frameworkCalls: [string, object][] = [
  ['get_mnemonic', { format: 'plaintext', password: secret }],
  ['change_mnemonic_password', { current_password: secret, new_password: `${secret} new` }],
  ['delete_wallet', { wallet_name: 'w', password: secret }],
  ['task::init_trezor::user_action', { user_action: { passphrase: secret } }],
  ['import', { nested: [{ private_key: wif, seed: secret, mnemonic: secret }] }],
]

const writings: [string, (body: string) => string][] = [
  ['as it is', (body) => body],
  ['for a URL', encodeURIComponent],
  ['in base64', (body) => Buffer.from(body).toString('base64')],
  ['in hex', (body) => Buffer.from(body).toString('hex').toUpperCase()],
  ['as JSON', (body) => JSON.stringify(body)],
]

describe.each(writings)('a repeated request %s', (_, how) => {
  const expectHidden = (error: RpcError, kept: string): void => {
    const reported = inspect([error, ...seen], {
      depth: 9,
      showHidden: true,
      maxStringLength: null,
    })
    const all = [secret, wif].flatMap((it) =>
      writings.map(([, encode]) => encode(it).replace(/=+$/, '')),
    )
    for (const form of all) {
      // Within something longer, the ends of base64 depend on what stands around.
      expect(reported).not.toContain(form.slice(2, -2))
    }
    expect(reported).toContain('[redacted]')
    expect(error.message).toContain(kept)
  }

  test.each(daemonCalls)('a daemon that repeats %s is redacted', async (method, params) => {
    write = how
    seen.length = 0
    const error: RpcError = await daemon()
      .call(method, params)
      .catch((thrown) => thrown)
    expectHidden(error, 'RPC_INVALID_ADDRESS_OR_KEY')
    const [settled] = await daemon().batch([{ method, params }])
    expectHidden((settled as PromiseRejectedResult).reason, 'RPC_INVALID_ADDRESS_OR_KEY')
  })

  test.each(frameworkCalls)('a framework that repeats %s is redacted', async (method, params) => {
    write = how
    seen.length = 0
    const error: RpcError = await framework()
      .call(method, params)
      .catch((thrown) => thrown)
    expectHidden(error, method)
  })
})

test.each([
  ['as it is', (body: string) => body],
  ['with escaped slashes', (body: string) => body.replaceAll('/', '\\/')],
  ['in ASCII', (body: string) => body.replaceAll('ö', '\\u00f6')],
])('a body that has a secret %s is not kept, and one without is', async (_, how) => {
  server.answer((request, response) => reply(response, 502, `<p>${how(request.body)}</p>`))
  const call = daemon().call('walletpassphrase', [secret, 60])
  const error = await call.catch((thrown) => thrown)
  expect(error).toMatchObject({ kind: 'http', status: 502 })
  expect(error).not.toHaveProperty('body')
  server.answer((_request, response) => reply(response, 502, '<p>Bad gateway</p>'))
  const other = await daemon()
    .call('walletpassphrase', [secret, 60])
    .catch((thrown) => thrown)
  expect(other).toMatchObject({ body: '<p>Bad gateway</p>' })
})
