// Functions of the options that give secrets or users may fail, or return none. No client gets in
// then, and the operator hears why.

import { afterEach, describe, expect, test } from 'vitest'
import {
  createFrameworkGuard,
  type Guard,
  type GuardedDaemon,
  type Users,
} from '../../src/guard/index.ts'
import { reply, startServer, type TestServer } from '../contract/support/server.ts'
import { callText, guardOf } from './support/guarded.ts'
import { basic, rawRequest } from './support/raw.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

async function startedServer(): Promise<TestServer> {
  const server = await startServer((_, response) => reply(response, 200, '{"result":1}'))
  open.push(server)
  return server
}

const hidden = 'guard: the call failed, see the log of the guard'
const seen: unknown[] = []
afterEach(() => void seen.splice(0))
const onFailure = (error: unknown) => void seen.push(String(error))
const throws = () => {
  throw new Error('the vault is sealed')
}
const rejects = () => Promise.reject(new Error('the vault is sealed'))

/** Each entry returns what the option must not, and a password that would equal it as text. */
const secrets: readonly [string, () => unknown, string][] = [
  ['throws', throws, ''],
  ['rejects', rejects, ''],
  ['returns undefined', () => undefined, 'undefined'],
  ['returns null', () => null, 'null'],
  ['returns an empty text', () => '', ''],
]

describe('credentials of the daemon', () => {
  async function answerTo(credentials: () => unknown, login: readonly [string, string]) {
    const server = await startedServer()
    const daemon = { url: server.url, credentials: credentials as GuardedDaemon['credentials'] }
    const guard = await guardOf(server.url, { daemon, onFailure })
    open.push(guard)
    const headers = { authorization: basic(...login) }
    const { status, body } = await rawRequest(guard.url, { headers, body: callText('getinfo') })
    return { status, body, received: server.received.length }
  }

  test.each([
    ...secrets.map(([name, given, text]) => [name, given, [text, text]] as const),
    ['returns no members', () => ({}), ['undefined', 'undefined']] as const,
    ['returns an empty password', () => ({ user: 'u', password: '' }), ['u', '']] as const,
  ])(
    'a function that %s admits no client, and onFailure gets the reason',
    async (_, credentials, login) => {
      const { status, body, received } = await answerTo(credentials, login)
      expect({ status, received }).toEqual({ status: 500, received: 0 })
      expect(JSON.parse(body)).toMatchObject({ error: { code: -32603, message: hidden }, id: null })
      expect(seen).toEqual([expect.stringMatching(/sealed|options\.daemon\.credentials\(\)/)])
    },
  )

  test('a function that fails once is called again', async () => {
    const server = await startedServer()
    const answers = [
      undefined,
      { user: 'u', password: 'p' },
      undefined,
      { user: 'u', password: 'p' },
    ]
    const credentials = (() => answers.shift()) as GuardedDaemon['credentials']
    const guard = await guardOf(server.url, { daemon: { url: server.url, credentials }, onFailure })
    open.push(guard)
    const post = () =>
      rawRequest(guard.url, {
        headers: { authorization: basic('u', 'p') },
        body: callText('getinfo'),
      })
    expect((await post()).status).toBe(500)
    // The guard knows the client now, and has no credentials for the daemon yet.
    expect((await post()).status).toBe(500)
    expect((await post()).body).toBe('{"result":1}')
    expect(seen).toHaveLength(2)
  })
})

describe('userpass of the framework', () => {
  test.each(secrets)(
    'a function that %s admits no client, and onFailure gets the reason',
    async (_, given, text) => {
      const server = await startedServer()
      const framework = { url: server.url, userpass: given as () => string }
      const guard = await createFrameworkGuard({ framework, onFailure })
      open.push(guard)
      const call = { userpass: text, mmrpc: '2.0', method: 'get_enabled_coins', id: 7 }
      const { status, body } = await rawRequest(guard.url, { body: JSON.stringify(call) })
      expect({ status, received: server.received.length }).toEqual({ status: 500, received: 0 })
      const { error, error_type, id } = JSON.parse(body)
      expect({ error, error_type, id }).toEqual({ error: hidden, error_type: 'Internal', id: 7 })
      expect(seen).toEqual([expect.stringMatching(/sealed|options\.framework\.userpass\(\)/)])
    },
  )

  test('an empty text starts no guard', async () => {
    const framework = { url: 'http://127.0.0.1:1', userpass: '' }
    await expect(createFrameworkGuard({ framework })).rejects.toThrow(
      'options.framework.userpass: expected a password, got an empty string',
    )
  })
})

describe('users', () => {
  const wrong: readonly [string, () => unknown][] = [
    ['throw', throws],
    ['reject', rejects],
    ['return null', async () => null],
    ['return false', async () => false],
  ]
  const guards: readonly [string, (users: Users, url: string) => Promise<Guard>][] = [
    ['daemon', (users, url) => guardOf(url, { users, onFailure })],
    [
      'framework',
      (users, url) =>
        createFrameworkGuard({ framework: { url, userpass: 'secret' }, users, onFailure }),
    ],
  ]
  test.each(
    guards.flatMap(([server, start]) =>
      wrong.map(([name, authenticate]) => ({ server, name, start, authenticate })),
    ),
  )('users that $name admit nobody to a $server', async ({ start, authenticate }) => {
    const server = await startedServer()
    const guard = await start({ authenticate: authenticate as Users['authenticate'] }, server.url)
    open.push(guard)
    const headers = { authorization: basic('alice', 'x') }
    const call = { userpass: 'alice:x', jsonrpc: '1.0', id: 1, method: 'getinfo', params: [] }
    const body = JSON.stringify(call)
    const answer = await rawRequest(guard.url, { headers, body })
    expect({ status: answer.status, received: server.received.length }).toEqual({
      status: 500,
      received: 0,
    })
    expect(answer.body).toContain(hidden)
    expect(seen).toHaveLength(1)
  })
})
