// How large a reply may be is up to the method, and reading a large one lets clocks and signals in.

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parametersOf } from '../../src/rpc/daemon/methods.ts'
import {
  createDaemonClient,
  createFrameworkClient,
  type DaemonClient,
  type RpcError,
} from '../../src/rpc/index.ts'
import { type Answer, answerText, reply, startServer, type TestServer } from './support/server.ts'

const kibibyte = 1024
const mebibyte = 1024 * kibibyte
const txid = '8ffef3263cfbdd65f3e6086e262da4295996e77d39c27a7c6aa46913a6ad517e'

let server: TestServer
beforeEach(async () => {
  server = await startServer(() => undefined)
})
afterEach(() => server.close())

const daemon = (more: object = {}): DaemonClient =>
  createDaemonClient({ url: server.url, user: 'user', password: 'pass', retry: false, ...more })
const framework = () => createFrameworkClient({ url: server.url, userpass: 'pass', retry: false })

/** Answers with so many bytes, however they are announced; counts those that are taken. */
function answerBytes(bytes: number, isAnnounced: boolean): { readonly written: () => number } {
  let written = 0
  server.answer((_, response) => {
    const length = isAnnounced ? { 'content-length': bytes } : {}
    response.writeHead(200, { 'content-type': 'application/json', ...length })
    const chunk = Buffer.alloc(64 * kibibyte, ' ')
    const write = (): void => {
      while (written < bytes && !response.destroyed) {
        const part = chunk.subarray(0, bytes - written)
        written += part.length
        if (!response.write(part)) return void response.once('drain', write)
      }
      if (!response.destroyed) response.end()
    }
    write()
  })
  return { written: () => written }
}

const failureOf = (call: PromiseLike<unknown>): Promise<RpcError> =>
  Promise.resolve(call).then(
    () => Promise.reject(new Error('succeeded')),
    (error) => error,
  )

describe('a reply', () => {
  test.each([true, false])(
    'a reply of 60 MiB to getblockcount is refused unread: %s',
    async (announced) => {
      const { written } = answerBytes(60 * mebibyte, announced)
      const began = performance.now()
      expect(await failureOf(daemon().getblockcount())).toMatchObject({
        kind: 'shape',
        reason: 'reply_too_large',
      })
      expect(performance.now() - began).toBeLessThan(2_000)
      expect(written()).toBeLessThan(8 * mebibyte)
    },
  )

  test.each<[string, number, (client: DaemonClient) => Promise<unknown>]>([
    ['a number', 64 * kibibyte, (client) => client.getblockcount()],
    ['a hash', 64 * kibibyte, (client) => client.sendrawtransaction({ hex: 'ab' })],
    ['an object', 256 * kibibyte, (client) => client.tokeninfo({ tokenid: txid })],
    ['a transaction', 410_000, (client) => client.getrawtransaction({ txid })],
    ['one by its position', 410_000, (client) => client.call('getrawtransaction', [txid, 0])],
    ['one in words', 8 * mebibyte, (client) => client.getrawtransaction({ txid, verbose: 1 })],
    ['a list', 16 * mebibyte, (client) => client.listunspent()],
    ['an unknown method', 16 * mebibyte, (client) => client.call('getblockdeltas', ['1'])],
    [
      'two numbers',
      128 * kibibyte,
      (client) =>
        client.batch([
          { method: 'getblockcount', params: {} },
          { method: 'getblockcount', params: {} },
        ]),
    ],
  ])('a reply to %s may have %i bytes and no more', async (_, bytes, call) => {
    answerBytes(bytes, true)
    expect(await failureOf(call(daemon()))).not.toMatchObject({ reason: 'reply_too_large' })
    answerBytes(bytes + 1, true)
    const error = await failureOf(call(daemon()))
    expect(error).toMatchObject({ reason: 'reply_too_large' })
    expect(error.message).toContain(`larger than ${bytes} bytes`)
  })

  test('a reply of the framework has the limit of its method, too', async () => {
    const calls: [number, () => PromiseLike<unknown>][] = [
      [64 * kibibyte, () => framework().myBalance({ coin: 'KMD' })],
      [64 * kibibyte, () => framework().taskCancel('enable_bch', { task_id: 1 })],
      [64 * kibibyte, () => framework().startTask('enable_bch', {})],
      [mebibyte, () => framework().withdraw({ coin: 'KMD', to: 'R', amount: '1' })],
      [16 * mebibyte, () => framework().taskStatus('enable_bch', { task_id: 1 })],
      [16 * mebibyte, () => framework().call('anything')],
    ]
    for (const [bytes, call] of calls) {
      answerBytes(bytes + 1, true)
      const error = await failureOf(call())
      expect(error.message).toContain(`larger than ${bytes} bytes`)
    }
  })

  test('may have more if the caller says so, and never more than the client takes', async () => {
    answerBytes(100_000, true)
    const more = { maxResponseBytes: 100_000 }
    const allowed = await failureOf(daemon().getblockcount({}, more))
    expect(allowed).toMatchObject({ reason: 'not_json' })
    const bounded = daemon({ maxResponseBytes: 99_999 }).getblockcount({}, more)
    expect(await failureOf(bounded)).toMatchObject({ reason: 'reply_too_large' })
  })

  test('a reply of every method of the tables has a limit', () => {
    for (const method of Object.keys(daemon())) {
      if (method === 'call' || method === 'batch') continue
      expect(parametersOf(method as never), method).toBeDefined()
    }
  })
})

describe('reading a large reply', () => {
  const numbers: Answer = (request, response) =>
    reply(response, 200, answerText(request, `[${'0,'.repeat(4_000_000)}0]`))

  test('ends with timeoutMs', async () => {
    server.answer(numbers)
    await daemon().call('getblockdeltas', ['1'], { timeoutMs: 600_000 })
    const error = await failureOf(daemon().call('getblockdeltas', ['1'], { timeoutMs: 150 }))
    expect(error).toMatchObject({ kind: 'timeout', reason: 'call_timeout' })
  })

  test('ends with the signal, and lets others work', async () => {
    server.answer(numbers)
    const controller = new AbortController()
    let ticks = 0
    const timer = setInterval(() => {
      ticks += 1
      if (ticks === 15) controller.abort()
    }, 10)
    const { signal } = controller
    const error = await failureOf(daemon().call('getblockdeltas', ['1'], { signal }))
    clearInterval(timer)
    expect(error).toMatchObject({ kind: 'aborted' })
  })

  test('gives what a small one gives', async () => {
    const entries = Array.from({ length: 5_000 }, (_, at) => `{"height":${at},"x":"${at}"}`)
    server.answer((request, response) =>
      reply(response, 200, answerText(request, `[${entries.join(',')}]`)),
    )
    const result = (await daemon().call('getentries', [])) as readonly { readonly x: string }[]
    expect(result).toHaveLength(5_000)
    expect(result.at(-1)?.x).toBe('4999')
    server.answer((request, response) =>
      reply(response, 200, answerText(request, `[${entries.join(',')},{"a":1,"a":2}]`)),
    )
    expect(await failureOf(daemon().call('getentries', []))).toMatchObject({
      reason: 'duplicate_member',
    })
  })
})
