// Confirmations by real programs and servers: only one timely yes counts.

import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { confirm } from '../../../src/guard/policy/confirm.ts'
import { payment, strangerHash, to } from '../../unit/guard/support.ts'

const asked = payment({ outflows: [to(strangerHash, 150_000_000n)] }, { user: 'alice' })
const rule = 'coins.confirmAbove'
const never = new AbortController().signal
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'antara-confirm-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a command', () => {
  const command = (script: string): readonly string[] => {
    const path = join(folder, 'confirm.mjs')
    writeFileSync(path, script)
    return [process.execPath, path, '$(touch hacked)', '; echo yes']
  }
  const ask = (script: string, { seconds = 20, signal = never } = {}) =>
    confirm({ command: command(script), seconds }, asked, rule, signal)

  test('a command that prints yes and ends well is a yes', async () => {
    expect(await ask(`console.log('yes')`)).toBe(true)
  })

  test.each([
    ['prints no', `console.log('no')`],
    ['prints yes and fails', `console.log('yes'); process.exitCode = 1`],
    ['prints more than yes', `console.log('yes, unless it is Monday')`],
    ['prints yes twice', `console.log('yes'); console.log('yes')`],
    ['prints YES', `console.log('YES')`],
    ['prints nothing', ''],
    ['prints on standard error', `console.error('yes')`],
    ['prints without end', `console.log('y'.repeat(1e6))`],
    ['is killed', `console.log('yes'); process.kill(process.pid, 'SIGKILL')`],
  ])('a command that %s is a no', async (_, script) => {
    expect(await ask(script)).toBe(false)
  })

  test('a command that does not exist is a no', async () => {
    const path = join(folder, 'missing')
    expect(await confirm({ command: [path], seconds: 20 }, asked, rule, never)).toBe(false)
  })

  test('a command that answers too late is a no, and is ended', async () => {
    const script = `console.log('yes'); setInterval(() => undefined, 1000)`
    expect(await ask(script, { seconds: 1 })).toBe(false)
  })

  test('is ended when the client leaves', async () => {
    const client = new AbortController()
    const answer = ask(`setInterval(() => undefined, 1000)`, { signal: client.signal })
    setTimeout(() => client.abort(), 100)
    expect(await answer).toBe(false)
  })

  test('gets the question on standard input, its arguments as they are, and no password', async () => {
    const seen = join(folder, 'seen.json')
    process.env.ANTARA_TEST_PASSWORD = 'secret'
    const script = `import { readFileSync, writeFileSync } from 'node:fs'
const question = JSON.parse(readFileSync(0, 'utf8'))
writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ question, args: process.argv.slice(2), env: process.env }))
console.log('yes')`
    expect(await ask(script)).toBe(true)
    const { question, args, env } = JSON.parse(readFileSync(seen, 'utf8'))
    expect(question).toMatchObject({ rule, user: 'alice', txid: asked.txid, fee: '0.00010000' })
    expect(question.outflows).toEqual([
      { asset: 'coins', amount: '1.50000000', to: expect.stringContaining(strangerHash) },
    ])
    expect(args).toEqual(['$(touch hacked)', '; echo yes'])
    expect(env).not.toHaveProperty('ANTARA_TEST_PASSWORD')
    expect(JSON.stringify(question)).not.toContain(asked.payment)
  })

  test('is told how many coins become a token, which no outflow has', async () => {
    const path = join(folder, 'created.mjs')
    writeFileSync(
      path,
      `import { readFileSync } from 'node:fs'
const { created, outflows } = JSON.parse(readFileSync(0, 'utf8'))
if (created === '100.00000000' && outflows.length === 0) console.log('yes')`,
    )
    const command = [process.execPath, path]
    const asks = (created: object) =>
      confirm({ command, seconds: 20 }, payment({ outflows: [], ...created }), rule, never)
    expect(await asks({ created: 10_000_000_000n })).toBe(true)
    expect(await asks({ created: 10_000_000_001n })).toBe(false)
    expect(await asks({})).toBe(false)
  })

  test('a command with a script as its program runs without a shell of ours', async () => {
    const path = join(folder, 'yes')
    writeFileSync(path, '#!/bin/sh\necho yes\n')
    chmodSync(path, 0o700)
    expect(await confirm({ command: [path], seconds: 20 }, asked, rule, never)).toBe(true)
  })
})

describe('a webhook', () => {
  let server: Server
  let requests: string[]

  const serve = async (answer: (id: string) => RequestListener) => {
    requests = []
    server = createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (chunk: string) => {
        body += chunk
      })
      request.on('end', () => {
        requests.push(body)
        answer(JSON.parse(body).id)(request, response)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/confirm`)
  }
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  const ask = async (
    answer: (id: string) => RequestListener,
    { seconds = 20, signal = never } = {},
  ) => confirm({ webhook: await serve(answer), seconds }, asked, rule, signal)

  const body =
    (status: number, text: (id: string) => string) =>
    (id: string): RequestListener =>
    (_, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(text(id))
    }
  const yes = (id: string) => JSON.stringify({ id, answer: 'yes' })

  test('a webhook that answers yes to this question is a yes', async () => {
    expect(await ask(body(200, yes))).toBe(true)
    expect(JSON.parse(requests[0]!)).toMatchObject({ rule, user: 'alice', txid: asked.txid })
  })

  test.each<[string, (id: string) => RequestListener]>([
    ['answers 200 with no', body(200, (id) => JSON.stringify({ id, answer: 'no' }))],
    ['answers yes to another question', body(200, () => yes('another'))],
    ['answers yes to no question', body(200, () => '{"answer":"yes"}')],
    ['answers true', body(200, (id) => JSON.stringify({ id, answer: true }))],
    ['answers yes with 201', body(201, yes)],
    ['answers yes with 500', body(500, yes)],
    ['answers twice', body(200, (id) => `${yes(id)}\n${yes(id)}`)],
    [
      'answers no and yes in one object',
      body(200, (id) => `{"id":"${id}","answer":"no","answer":"yes"}`),
    ],
    ['answers with a page', body(200, () => '<html>yes</html>')],
    ['answers with more than 4 KiB', body(200, (id) => `${' '.repeat(5_000)}${yes(id)}`)],
    ['breaks off', () => (request) => request.socket.destroy()],
    [
      'breaks off in the middle of the answer',
      (id) => (request, response) => {
        response.writeHead(200, { 'content-length': 500 })
        response.write(yes(id), () => request.socket.destroy())
      },
    ],
  ])('a webhook that %s is a no', async (_, answer) => {
    expect(await ask(answer)).toBe(false)
    expect(requests).toHaveLength(1)
  })

  test('a webhook that redirects to a yes is a no, and is not followed', async () => {
    const answer =
      (id: string): RequestListener =>
      (request, response) => {
        if (request.url === '/yes') response.end(yes(id))
        else response.writeHead(307, { location: '/yes' }).end()
      }
    expect(await ask(answer)).toBe(false)
    expect(requests).toHaveLength(1)
  })

  test('a webhook that answers too late is a no', async () => {
    const answer =
      (id: string): RequestListener =>
      (_, response) => {
        setTimeout(() => response.end(yes(id)), 3_000)
      }
    expect(await ask(answer, { seconds: 1 })).toBe(false)
  })

  test('is left when the client leaves', async () => {
    const client = new AbortController()
    const answer = (): RequestListener => () => client.abort()
    expect(await ask(answer, { signal: client.signal })).toBe(false)
  })

  test('is reached without a proxy of the environment', async () => {
    process.env.HTTP_PROXY = 'http://127.0.0.1:9/'
    process.env.http_proxy = 'http://127.0.0.1:9/'
    expect(await ask(body(200, yes))).toBe(true)
  })
})
