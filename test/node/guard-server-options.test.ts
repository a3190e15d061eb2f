// Wrong options of the guarded server and of its wallet: each error names the path, what was found
// and what is expected.

import { describe, expect, test } from 'vitest'
import { moduleOfEvalCode } from '../../src/chain/modules.ts'
import {
  createFrameworkGuard,
  createGuard,
  type FrameworkGuardOptions,
  type GuardOptions,
} from '../../src/guard/index.ts'

const framework = { url: 'http://127.0.0.1:1', userpass: 'secret' }
const daemon = { url: 'http://127.0.0.1:1', credentials: () => ({ user: 'u', password: 'p' }) }
const right = 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb'
const ofTokens = moduleOfEvalCode(0xf2)!

const frameworkGuard = (options: object) =>
  createFrameworkGuard({ framework, ...options } as FrameworkGuardOptions)
const daemonGuard = (options: object) => createGuard({ daemon, ...options } as GuardOptions)

describe('the option own', () => {
  // biome-ignore lint/suspicious/noSparseArray: a hole is what is tested
  const hole = [right, , right]
  const wif = 'UwoxbM3GwTvvoB2z2pkMnPaQuFZeTXYgPkcfs2r29x2ZKHxeYgPe'
  const bitcoin = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
  const expected = 'expected an address or a key of assetChain'
  test.each<[string, unknown, string]>([
    ['another network', [right, bitcoin], `options.own[1]: ${expected}, got "${bitcoin}"`],
    ['a private key', [wif], `options.own[0]: ${expected}, got "what may be a private key"`],
    [
      "a module's key",
      [right, right, ofTokens.key!.publicKey],
      `options.own[2]: ${expected} that only the wallet can spend from; got a key of the module ${ofTokens.name}, whose private key is public`,
    ],
    ['a number', [5], 'options.own[0]: expected a string, got a number'],
    ['a hole', hole, 'options.own[1]: expected an item, got none'],
    [
      'nothing',
      [],
      'options.own: expected at least one address or key of the wallet, got an empty array',
    ],
    ['a text', right, 'options.own: expected an array, got a string'],
  ])('%s is an error that names the path', async (_, own, message) => {
    const started = frameworkGuard({ coin: 'TOKTEST', own })
    await expect(started).rejects.toThrow(new TypeError(message))
  })
})

describe.each([
  ['framework', (server: object) => frameworkGuard({ framework: { ...framework, ...server } })],
  ['daemon', (server: object) => daemonGuard({ daemon: { ...daemon, ...server } })],
] as const)('the option %s', (name, start) => {
  const allowedHosts = `options.${name}.allowedHosts`
  test.each<[string, object, string]>([
    [
      'a misspelt member',
      { allowedHost: ['10.0.0.1'] },
      `options.${name}: unknown member allowedHost; did you mean allowedHosts?`,
    ],
    [
      'hosts in a text',
      { allowedHosts: '10.0.0.1' },
      `${allowedHosts}: expected an array, got a string`,
    ],
    [
      'a host that is no text',
      { allowedHosts: ['a', 5] },
      `${allowedHosts}[1]: expected a string, got a number`,
    ],
    [
      'a host that is not allowed',
      { url: 'http://10.0.0.1/' },
      `10.0.0.1 is not this machine: name it in ${allowedHosts}`,
    ],
    ['no URL', { url: 5 }, `options.${name}.url: expected a string, got a number`],
  ])('%s is an error that names the path', async (_, server, message) => {
    await expect(start(server)).rejects.toThrow(new TypeError(message))
  })
})

test('credentials that are no function are an error', async () => {
  const started = daemonGuard({ daemon: { ...daemon, credentials: { user: 'u', password: 'p' } } })
  await expect(started).rejects.toThrow(
    new TypeError('options.daemon.credentials: expected a function, got Object'),
  )
})

test('a development framework can be passed as it is', async () => {
  const request = () => undefined
  const guard = await frameworkGuard({ framework: { ...framework, request, preset: 'x' } })
  expect(guard.port).toBeGreaterThan(0)
  await guard.close()
})
