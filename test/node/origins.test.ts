// The page of a development server calls the node through that server's proxy, which forwards the Origin.
// Only origins that were named are answered.

import { createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'

import { createDevFramework, createDevNode } from '../../src/node/index.ts'
import { runCommand } from '../support/cli.ts'
import { basic, rawRequest } from './support/raw.ts'

const page = 'http://localhost:5173'
const call = '{"id":1,"method":"getblockcount"}'

describe.each([
  ['a node', 'node'],
  ['a framework', 'framework'],
] as const)('%s', (_, kind) => {
  async function open(allowedOrigins?: string[]) {
    const origins = allowedOrigins && { allowedOrigins }
    if (kind === 'node') {
      const node = await createDevNode({ listen: { ...origins } })
      const { url, user, password } = node.identities[0]
      return {
        url,
        close: () => node.close(),
        headers: { authorization: basic(user, password) },
        body: call,
      }
    }
    const server = await createDevFramework({ ...origins })
    const body = '{"userpass":"userpass","method":"version"}'
    return { url: server.url, close: () => server.close(), headers: {}, body }
  }
  const statuses = async (allowed: string[] | undefined, rows: Record<string, string>[]) => {
    const server = await open(allowed)
    try {
      const replies = rows.map((headers) =>
        rawRequest(server.url, { headers: { ...server.headers, ...headers }, body: server.body }),
      )
      return (await Promise.all(replies)).map(({ status }) => status)
    } finally {
      await server.close()
    }
  }

  test('answers no page unless its origin is named', async () => {
    expect(await statuses(undefined, [{}, { origin: page }])).toEqual([200, 403])
  })

  test('answers the named origins alone, to the letter', async () => {
    const others = [
      ...['null', '', 'http://localhost', 'http://localhost:5174', 'https://localhost:5173'],
      ...['http://localhost:51730', 'http://evil.example', `${page}.evil.example`, `${page}/`],
    ]
    const rows = [page, 'http://127.0.0.1:3000', ...others].map((origin) => ({ origin }))
    expect(await statuses([page, 'http://127.0.0.1:3000'], rows)).toEqual([
      ...[200, 200],
      ...others.map(() => 403),
    ])
  })

  test('goes on refusing what other sites send, and other names', async () => {
    const rows = [
      { origin: page, 'sec-fetch-site': 'same-origin' },
      { origin: page, 'sec-fetch-site': 'cross-site' },
      { origin: page, 'sec-fetch-site': 'same-site' },
      { origin: page, host: 'evil.example' },
      { origin: page, host: 'localhost:5173' },
    ]
    expect(await statuses([page], rows)).toEqual([200, 403, 403, 403, 200])
  })

  test.each(['*', 'null', '', 'localhost:5173', `${page}/`, 'file:///a', 'HTTP://localhost', ' '])(
    'takes no %j for an origin',
    async (origin) => {
      await expect(open([origin])).rejects.toThrow(/^allowedOrigins: expected an origin such as/)
    },
  )
})

test('a page calls the node through a proxy that forwards its headers', async () => {
  await using node = await createDevNode({ listen: { allowedOrigins: [page] } })
  const { url, user, password } = node.identities[0]
  // As Vite's server.proxy does without changeOrigin: every header goes on, Host among them.
  const proxy = createServer((request, response) => {
    const { method, headers } = request
    const forwarded = httpRequest(url, { method, headers }, (reply) => {
      response.writeHead(reply.statusCode!, reply.headers)
      reply.pipe(response)
    })
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = proxy.address() as AddressInfo
    const headers = {
      ...{ authorization: basic(user, password), origin: page, host: 'localhost:5173' },
      ...{ 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
    }
    const reply = await rawRequest(`http://127.0.0.1:${port}/`, { headers, body: call })
    expect(JSON.parse(reply.body)).toMatchObject({ result: node.height, error: null })
  } finally {
    proxy.close()
  }
})

test('a refusal names the option that would allow the page', async () => {
  await using node = await createDevNode()
  const { url, user, password } = node.identities[0]
  const headers = { authorization: basic(user, password), origin: page }
  const { body } = await rawRequest(url, { headers, body: call })
  expect(body).toMatch(/Origin http:\/\/localhost:5173.*--allow-origin/)
})

test.each([[[]], [['--framework', '3.0.0']]])(
  'the command refuses a slip, with %j',
  async (args) => {
    const { status, errors } = await runCommand([
      'node',
      ...args,
      '--allow-origin',
      'localhost:5173',
    ])
    expect(status).toBe(64)
    expect(errors).toContain('--allow-origin: expected an origin such as')
  },
)
