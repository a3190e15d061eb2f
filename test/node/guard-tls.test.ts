// A proxy that ends TLS stands before a guard: see docs/adr/0036-tls-of-the-guard.md.

import { request as httpRequest } from 'node:http'
import { createServer, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { reply, startServer, type TestServer } from '../contract/support/server.ts'
import { textOf } from '../support/files.ts'
import { authorization, callText, guardOf } from './support/guarded.ts'

const pem = textOf('test/support/tls/first.pem')
const open: { close(): Promise<void> }[] = []
let daemon: TestServer
let port: number

/** Starts a proxy that passes on the head and the body of each request, and adds what proxies add. */
async function startProxy(target: string): Promise<void> {
  const { hostname, port: targetPort } = new URL(target)
  const server = createServer({ key: pem, cert: pem }, (incoming, outgoing) => {
    const { method, url: path, headers } = incoming
    const added = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }
    const passed = httpRequest(
      { hostname, port: targetPort, method, path, headers: { ...headers, ...added } },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers)
        answer.pipe(outgoing)
      },
    )
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
  open.push({
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

/** Calls over TLS as a program on another machine does, which checks the certificate. */
function call(
  host: string,
  headers: Record<string, string> = { authorization },
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', ca: pem, agent: false, method: 'POST' } as const
    const checked = { checkServerIdentity: () => undefined }
    const sent = request({ ...options, ...checked, headers: { ...headers, host } }, (answer) => {
      let body = ''
      answer.setEncoding('utf8')
      answer.on('data', (piece) => {
        body += piece
      })
      answer.on('end', () => resolve({ status: answer.statusCode!, body }))
    })
    sent.on('error', reject)
    sent.end(callText('getinfo'))
  })
}

beforeEach(async () => {
  daemon = await startServer((_, response) => reply(response, 200, '{"result":"yes"}\n'))
  const guard = await guardOf(daemon.url, { listen: { allowedHosts: ['guard.example'] } })
  open.push(guard, daemon)
  await startProxy(guard.url)
})
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

test('a read through a proxy that ends TLS comes back byte for byte', async () => {
  expect(await call('guard.example')).toEqual({ status: 200, body: '{"result":"yes"}\n' })
})

test('a header that the proxy adds does not reach the daemon', async () => {
  await call('guard.example')
  const names = Object.keys(daemon.received[0]!.headers)
  expect(names.filter((name) => name.startsWith('x-'))).toEqual([])
})

test('a name that the guard was not given is refused, also behind the proxy', async () => {
  expect((await call('evil.example')).status).toBe(403)
  expect(daemon.received).toEqual([])
})

test('a wrong password is refused, also behind the proxy', async () => {
  expect((await call('guard.example', {})).status).toBe(401)
  expect(daemon.received).toEqual([])
})
