import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import * as rpc from '../../src/rpc/index.ts'
import { noChromium, openPage } from '../support/chromium.ts'
import { testUnless } from '../support/skip.ts'
import { runProbes } from './support/probes.ts'
import { recordings, withId } from './support/recordings.ts'
import { answerText, reply, startServer, type TestServer } from './support/server.ts'

// The compiled client, as it is shipped, in a real browser. Every recorded exchange, and each fault
// that a browser reports in its own way, must come out as in Node.

const root = fileURLToPath(new URL('../..', import.meta.url))

let server: TestServer
let folder: string
let closePage = async (): Promise<void> => undefined
let report: (outcome: string) => void

const exchanges = [...recordings('komodod'), ...recordings('tokeld')].filter(
  ({ raw, request }) => raw === undefined && request.startsWith('{'),
)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'antara-browser-'))
  server = await startServer((request, response) => {
    const [, area = '', ...rest] = new URL(request.path, 'http://x').pathname.split('/')
    const file = (path: string): void => {
      response.writeHead(200, { 'content-type': 'text/javascript' })
      response.end(readFileSync(path))
    }
    if (area === '') {
      response.writeHead(200, { 'content-type': 'text/html' })
      return void response.end(page)
    }
    if (area === 'dist') return file(join(folder, 'dist', ...rest))
    if (area === 'calls') {
      return reply(response, 200, JSON.stringify(exchanges.map((one) => JSON.parse(one.request))))
    }
    if (area === 'report') {
      report(request.body)
      return reply(response, 200, '{}')
    }
    if (area === 'recorded') {
      const exchange = exchanges[Number(rest[0])]
      if (exchange === undefined) return reply(response, 404, '')
      const { id } = JSON.parse(request.body)
      return reply(response, exchange.status, withId(exchange.response, JSON.stringify(id)))
    }
    faults[area]?.(request, response, 0)
  })
})
afterAll(async () => {
  await closePage()
  await server.close()
  rmSync(folder, { recursive: true, force: true })
})

const faults: { readonly [area: string]: Parameters<typeof startServer>[0] } = {
  redirect: (_, response) => {
    response.writeHead(307, { location: '/ok' })
    response.end()
  },
  ok: (request, response) => reply(response, 200, answerText(request, '7')),
  silent: () => undefined,
  large: (_, response) => reply(response, 200, 'x'.repeat(2_000_000)),
  latin: (_, response) => reply(response, 200, Buffer.from([0x22, 0xff, 0x22])),
  unauthorized: (_, response) => {
    response.writeHead(401)
    response.end()
  },
  cut: (_, response) => {
    response.writeHead(200, { 'content-length': '500' })
    response.write('{"result":')
    setTimeout(() => response.socket?.resetAndDestroy(), 20)
  },
}

// A bundler reads these imports in package.json.
const { imports: conditional } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const imports = Object.fromEntries(
  Object.entries<{ default: string }>(conditional).map(([name, target]) => [
    name,
    target.default.slice(1),
  ]),
)
const page = `<!doctype html>
<script type="importmap">${JSON.stringify({ imports })}</script>
<script type="module">
const send = (outcome) => fetch('/report', { method: 'POST', body: JSON.stringify(outcome) })
try {
  const rpc = await import('/dist/rpc/index.js')
  const runProbes = ${runProbes.toString()}
  send(await runProbes(rpc, location.origin, await (await fetch('/calls')).json()))
} catch (error) {
  send({ failed: String(error?.stack ?? error) })
}
</script>`

testUnless(noChromium)(
  'the client gives in Chromium what it gives in Node',
  async () => {
    execFileSync(process.execPath, [
      join(root, 'scripts/build-ts.mjs'),
      ...['--out', join(folder, 'dist'), '--no-types'],
    ])
    const reported = new Promise<string>((resolve) => {
      report = resolve
    })
    closePage = openPage(server.url)
    const inBrowser = JSON.parse(await reported)
    const calls = exchanges.map((one) => JSON.parse(one.request))
    const inNode = JSON.parse(JSON.stringify(await runProbes(rpc, server.url.slice(0, -1), calls)))
    expect(inBrowser.recorded?.length, JSON.stringify(inBrowser.failed)).toBe(exchanges.length)
    expect(inBrowser).toEqual(inNode)
    expect(inBrowser.faults).toEqual({
      redirect: 'http redirected',
      silent: 'timeout call_timeout',
      large: 'shape reply_too_large',
      latin: 'shape malformed_text',
      unauthorized: 'http unauthorized',
      cut: 'transport connection_lost',
      aborted: 'aborted undefined',
    })
  },
  120_000,
)
