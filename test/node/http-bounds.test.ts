// These tests limit what one request, or many at once, can cost a server: it still answers the
// others.

import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { createDevFramework, createDevNode } from '../../src/node/index.ts'
import { batchCallsMax, connectionsMax, HeldBytes } from '../../src/server/bounds.ts'
import type { HttpServer } from '../../src/server/http-server.ts'
import { openHttpServer } from '../../src/server/http-server.ts'
import { jsonRpc } from '../../src/server/json-rpc.ts'
import { rawRequest, rawSocket } from './support/raw.ts'

const ask = async (execute: () => string, body: string) => {
  const reply = await jsonRpc(execute)({ body })
  return { status: reply.status, body: reply.body }
}
const call = '{"id":1,"method":"getblockcount"}'
const batchOf = (calls: number) => `[${Array(calls).fill(call).join(',')}]`

describe('one request', () => {
  test.each([
    ['700,000 calls', batchOf(700_000)],
    ['ten million empty objects', `[${'{},'.repeat(10_000_000)}{}]`],
    ['params of ten million numbers', `{"method":"m","params":[${'0,'.repeat(10_000_000)}0]}`],
  ])('a request of %s is refused before it is parsed', async (_, body) => {
    let calls = 0
    const start = performance.now()
    const reply = await ask(() => `${++calls}`, body)
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(reply.status).toBe(500)
    expect(JSON.parse(reply.body)).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('send it in parts') },
    })
    expect(calls).toBe(0)
  })

  test('carries out the largest batch, and no call of one that is larger', async () => {
    let calls = 0
    const execute = () => `${++calls}`
    expect((await ask(execute, batchOf(batchCallsMax))).status).toBe(200)
    expect(calls).toBe(batchCallsMax)
    const reply = await ask(execute, batchOf(batchCallsMax + 1))
    expect(JSON.parse(reply.body).error.message).toBe(
      'the batch has 10001 calls, expected at most 10000',
    )
    expect(calls).toBe(batchCallsMax)
  })

  test('gives others a turn between the calls of a batch', async () => {
    const busy = () => {
      const end = performance.now() + 5
      while (performance.now() < end);
      return '1'
    }
    let turns = 0
    const timer = setInterval(() => turns++, 1)
    await ask(busy, batchOf(40))
    clearInterval(timer)
    expect(turns).toBeGreaterThanOrEqual(4)
  })

  test('has the calls of a batch refused once the answers are large', async () => {
    const large = `"${'a'.repeat(1 << 24)}"`
    let calls = 0
    const reply = await ask(() => {
      calls += 1
      return large
    }, batchOf(8))
    expect(calls).toBe(4)
    const answers: { error: { message: string } | null }[] = JSON.parse(reply.body)
    expect(answers.map(({ error }) => error === null)).toEqual([
      ...[true, true, true, true],
      ...[false, false, false, false],
    ])
    expect(answers[4]!.error!.message).toMatch(/^not carried out: the answers to this batch/)
  })

  test('a request in a string of megabytes is taken', async () => {
    const body = `{"method":"m","params":["${','.repeat(20_000_000)}"]}`
    expect(await ask(() => '1', body)).toMatchObject({ status: 200 })
  })
})

describe('both servers', () => {
  test('the node refuses a batch over its network and without it', async () => {
    await using node = await createDevNode()
    const body = batchOf(20_000)
    const { user, password, url } = node.identities[0]
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const overNetwork = await rawRequest(url, { headers: { authorization }, body })
    expect(overNetwork.status).toBe(500)
    expect((await node.fetch(url, { method: 'POST', body })).status).toBe(500)
    expect(await node.request('getblockcount')).toBe(node.height)
  })

  test('the framework refuses what is too much, and goes on', async () => {
    const records: (string | undefined)[] = []
    await using server = await createDevFramework({
      onCall: ({ reason }) => records.push(reason),
    })
    const element = '{"userpass":"userpass","method":"version"}'
    const batch = (count: number) => `[${Array(count).fill(element).join(',')}]`
    for (const body of [batch(10_001), `[${'{},'.repeat(5_000_000)}{}]`]) {
      expect((await server.request(body)).status).toBe(500)
    }
    expect(records).toEqual([
      'the batch has 10001 calls, expected at most 10000',
      'the request holds more than 200000 JSON values, send it in parts',
    ])
    expect((await server.request(batch(10))).status).toBe(200)
  })
})

describe('many requests', () => {
  let httpServer: HttpServer
  afterEach(() => httpServer.close())

  test('hold no more bytes together than there is room for, and give them back', async () => {
    const accepted: Socket[] = []
    const onAccepted = (message: unknown): void =>
      void accepted.push((message as { socket: Socket }).socket)
    subscribe('net.server.socket', onAccepted)
    onTestFinished(() => void unsubscribe('net.server.socket', onAccepted))
    const lengths: number[] = []
    httpServer = await openHttpServer({
      handle: ({ body }) => {
        lengths.push(body!.length)
        return { status: 200, body: '' }
      },
    })
    // Each announces one byte more than it sends, so that all are held at once.
    const bytes = 30_000_000
    const head = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes + 1}\r\n\r\n`
    const part = Buffer.alloc(bytes, 0x20)
    const senders = await Promise.all(Array.from({ length: 4 }, () => rawSocket(httpServer.port)))
    await Promise.all(
      senders.map(
        ({ socket }) =>
          new Promise((resolve) => {
            socket.write(head)
            socket.write(part, resolve)
          }),
      ),
    )
    // The bytes of a sender may still be in the kernel: the server must have read them.
    await expect
      .poll(() => accepted.filter(({ bytesRead }) => bytesRead >= bytes).length, {
        timeout: 20_000,
      })
      .toBe(4)
    const fifth = await rawRequest(httpServer.url, { body: part })
    expect([fifth.status, fifth.body]).toEqual([503, 'too many large bodies at once\n'])
    for (const { socket } of senders) socket.write('.')
    await expect.poll(() => lengths.length, { timeout: 20_000 }).toBe(4)
    expect((await rawRequest(httpServer.url, { body: part })).status).toBe(200)
    for (const { socket } of senders) socket.destroy()
  })

  test('requests that break off give their bytes back', async () => {
    httpServer = await openHttpServer({ handle: () => ({ status: 200, body: '' }) })
    const part = Buffer.alloc(30_000_000, 0x20)
    for (let round = 0; round < 8; round += 1) {
      const { socket } = await rawSocket(httpServer.port)
      socket.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 30000001\r\n\r\n')
      await new Promise((resolve) => socket.write(part, resolve))
      socket.destroy()
    }
    await expect
      .poll(async () => (await rawRequest(httpServer.url, { body: part })).status)
      .toBe(200)
  })

  test('end a stream of events whose reader stopped reading', async () => {
    let write: (text: string) => void = () => undefined
    let ended = 0
    httpServer = await openHttpServer({
      admit: () => ({
        status: 200,
        open: (given) => {
          write = given
          return () => ended++
        },
      }),
      handle: () => ({ status: 404, body: '' }),
    })
    const { socket, received } = await rawSocket(httpServer.port)
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(received).toMatch(/^HTTP\/1.1 200/)
    socket.pause()
    for (let events = 0; events < 2_000 && ended === 0; events += 1) {
      write('a'.repeat(1 << 16))
      if (events % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await expect.poll(() => ended).toBe(1)
    socket.destroy()
  })
})

test('room is given back to the byte', () => {
  const held = new HeldBytes()
  expect(held.add(1 << 27)).toBe(true)
  expect(held.add(1)).toBe(false)
  held.release(1)
  expect(held.add(0)).toBe(true)
  expect(connectionsMax).toBeGreaterThan(1_000)
})
