// The client's own words stay as they are, whatever the password is: a gap in a known sentence would
// show it. What a server wrote is redacted as ever.

import { expect, test } from 'vitest'

import { createDaemonClient, type RpcError } from '../../../src/rpc/index.ts'

type Answered = (request: string) => { status: number; body: string } | Error

/** Returns the error of a call whose server answers as given. */
async function failure(password: string, answered: Answered): Promise<RpcError> {
  const daemon = createDaemonClient({
    ...{ url: 'http://127.0.0.1:1', user: 'user', password, retry: false },
    fetch: async (_, init) => {
      const answer = answered(init.body ?? '')
      if (answer instanceof Error) throw answer
      const { status, body } = answer
      return { status, headers: { get: () => null }, text: async () => body }
    },
  })
  return daemon.getblockcount().then(
    () => expect.unreachable('it succeeded'),
    (error: RpcError) => error,
  )
}

const socketError = (code: string) => Object.assign(new Error('no'), { code })

test.each<[string, Answered, string]>([
  ['wrong', () => ({ status: 401, body: '' }), 'user or password is wrong (HTTP 401)'],
  ['address', () => ({ status: 403, body: '' }), 'this address is not allowed to call (HTTP 403)'],
  ['HTTP', () => ({ status: 502, body: '' }), 'HTTP 502 without an answer'],
  [
    'redirect',
    () => ({ status: 302, body: '' }),
    'the server wants to redirect, which is never followed',
  ],
  ['connection', () => socketError('ECONNREFUSED'), 'no connection (ECONNREFUSED)'],
  ['broke', () => new Error('broke'), 'the connection broke'],
])('the password %j leaves no gap in a sentence of the client', async (password, answer, text) => {
  const error = await failure(password, answer)
  expect(error.message).toBe(`getblockcount: ${text}`)
  expect(JSON.stringify(error.cause ?? null)).not.toContain(password)
})

test('a body that repeats the password is still dropped', async () => {
  const error = await failure('wrong', () => ({ status: 401, body: 'the password wrong' }))
  expect(error.body).toBeUndefined()
})

test('a message of the server is still redacted, also one in the words of the client', async () => {
  const message = 'user or password is wrong (HTTP 401)'
  const error = await failure('wrong', (request) => {
    const { id } = JSON.parse(request)
    return { status: 500, body: JSON.stringify({ result: null, error: { code: -1, message }, id }) }
  })
  expect(error.message).toContain('user or password is [redacted] (HTTP 401)')
})

test('a code that no system gives is still redacted', async () => {
  const error = await failure('hunter2', () => socketError('hunter2'))
  expect(error.message).toBe('getblockcount: the connection broke ([redacted])')
})
