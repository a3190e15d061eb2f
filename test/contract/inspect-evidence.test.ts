// Evidence for the page of `antara-tx inspect`: a daemon of a development node over loopback, and
// what other pages, other users and a hostile case can do with the way to it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'

import { fetchEvidence } from '../../inspector/evidence.ts'
import { type Case, formatCase, parseCase, verifyCase } from '../../src/index.ts'
import type { DevNode } from '../../src/node/index.ts'
import { root } from '../support/built.ts'
import { runCommand } from '../support/cli.ts'
import { fundedNode, sentPayment } from '../support/funded-node.ts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-inspect-evidence-'))
const program = join(root, 'dist/cli/main.js')
let node: DevNode
let bare: Case<'payment'>
let calls = 0
let running: ChildProcess
let url: URL

beforeAll(async () => {
  const funded = await fundedNode(folder, {
    onCall: () => {
      calls += 1
    },
  })
  node = funded.node
  bare = await sentPayment(funded)
  const server = [...funded.daemon, '--timeout', '0.5']
  running = spawn(process.execPath, [program, 'inspect', '--json', ...server], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(running.stdout!, 'data')
  url = new URL(JSON.parse(String(line)).url)
  return async () => {
    if (running.exitCode === null && running.kill()) await once(running, 'exit')
    await node.close()
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => node.faults.clear())

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

function answer({ method = 'POST', path = `${url.pathname}evidence`, body = '', headers }: Asked) {
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = { 'content-type': 'application/json', host: url.host, ...headers }
    request({ port: url.port, method, path, headers: sent }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve({ status: response.statusCode!, body: text }))
    })
      .on('error', reject)
      .end(body)
  })
}

const fetched = async (given: Case) => {
  const { status, body } = await answer({ body: formatCase(given) })
  return { status, ...JSON.parse(body) }
}

/** Sends the question of the page to the running server. */
const ask = (async (_: string, { body }: { body: string }) => {
  const { status, body: text } = await answer({ body })
  return new Response(text, { status })
}) as unknown as typeof fetch

test('the page may ask its own server alone, and names the source', async () => {
  const { status, body } = await answer({ method: 'GET', path: url.pathname })
  expect(status).toBe(200)
  expect(body).toContain("connect-src 'self'")
  expect(body).not.toContain("connect-src 'none'")
  expect(body).toContain('<meta name="evidence" content="the daemon">')
})

test('a case without evidence agrees with what the daemon gives', async () => {
  expect(verifyCase(bare).ok).toBe(false)
  const { text, note } = await fetchEvidence(bare, 'the daemon', ask)
  const given = parseCase(text)
  expect(verifyCase(given).ok).toBe(true)
  expect([given.hex, note]).toEqual([bare.hex, 'Evidence fetched from the daemon.'])
})

test('an answer cannot change the request or the hex of the page', async () => {
  const { case: whole } = await fetched(bare)
  const other = JSON.parse(whole)
  other.intent.recipients[0].amount = '1'
  other.hex = '00'
  const tampered = async () => Response.json({ case: JSON.stringify(other), missing: [] })
  const { text } = await fetchEvidence(bare, 'the daemon', tampered as typeof fetch)
  const given = parseCase(text) as typeof bare
  expect([given.hex, given.intent.recipients]).toEqual([bare.hex, bare.intent.recipients])
})

test('missing transactions are counted, and the verdict stays open', async () => {
  const stranger = { ...bare, hex: bare.hex.replace(/^(.{20})../, '$1ff') }
  const { text, note } = await fetchEvidence(stranger, 'the daemon', ask)
  expect(note).toBe('Evidence fetched from the daemon. Transactions that it did not give: 1.')
  expect(verifyCase(parseCase(text)).ok).toBe(false)
})

test.each(['lost_reply', 'warm_up'] as const)('%s is an error, and no verdict', async (kind) => {
  node.faults.add({ kind, method: 'getrawtransaction' })
  expect(await fetched(bare)).toMatchObject({ status: 502, error: expect.any(String) })
  await expect(fetchEvidence(bare, 'the daemon', ask)).rejects.toThrow(
    /^No evidence from the daemon: /,
  )
  node.faults.clear()
  expect((await fetched(bare)).status).toBe(200)
})

test('one question is answered at a time', async () => {
  node.faults.add({ kind: 'latency', milliseconds: 300, method: 'getrawtransaction', times: 1 })
  const statuses = await Promise.all([fetched(bare), fetched(bare)])
  expect(statuses.map(({ status }) => status).sort()).toEqual([200, 503])
})

describe('others', () => {
  test.each<[string, Asked, number]>([
    ['another page of this machine', { headers: { origin: 'http://127.0.0.1:1' } }, 403],
    ['a page of another site', { headers: { 'sec-fetch-site': 'cross-site' } }, 403],
    ['a page in a frame of nowhere', { headers: { origin: 'null' } }, 403],
    ['a name that leads here', { headers: { host: 'evil.example' } }, 403],
    ['a form', { headers: { 'content-type': 'text/plain' } }, 415],
    ['another user, who does not know the path', { path: '/evidence' }, 405],
    ['another user who guesses', { path: `/${'0'.repeat(32)}/evidence` }, 405],
    ['another user who looks for the page', { method: 'GET', path: '/', body: '' }, 404],
    ['no case', { body: '{' }, 400],
    ['a case with more than 20 MB', { body: `{"note":"${'x'.repeat(20_000_000)}"}` }, 413],
  ])('%s reaches no daemon', async (_, asked, status) => {
    const before = calls
    expect((await answer({ body: formatCase(bare), ...asked })).status).toBe(status)
    expect(calls).toBe(before)
  })

  test('the own page is not refused for its origin', async () => {
    const headers = { origin: url.origin, 'sec-fetch-site': 'same-origin' }
    expect((await answer({ body: formatCase(bare), headers })).status).toBe(200)
  })
})

test.each([
  [['--daemon', '--electrum', 'tcp://127.0.0.1:1'], /--electrum cannot be combined with --daemon/],
  [['--url', 'http://127.0.0.1:1'], /--url needs --daemon/],
])('refuses %j', async (args, message) => {
  const { status, errors } = await runCommand(['inspect', ...args])
  expect(status).toBe(64)
  expect(errors).toMatch(message)
})
