// examples/react-wallet, built with Vite, in a real Chromium: a person unlocks the wallet, pays,
// reloads the page and pays the same again.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'

import { addressOf, networks, publicKeyOf } from '../../src/index.ts'
import { createDevNode, type DevNode } from '../../src/node/index.ts'
import { root } from '../support/built.ts'
import { noChromium, openPage } from '../support/chromium.ts'
import { testUnless } from '../support/skip.ts'
import { startServer, type TestServer } from './support/server.ts'

const example = join(root, 'examples/react-wallet')
const vite = join(example, 'node_modules/vite/bin/vite.js')
const lacks = !existsSync(vite) && 'missing: npm ci --prefix examples/react-wallet'
const test = testUnless(noChromium, lacks)

const wif = '7'.padStart(64, '0')
const own = addressOf(publicKeyOf(wif), networks.assetChain)
const payee = addressOf(publicKeyOf('a'.padStart(64, '0')), networks.assetChain)

/** Waits for elements, fills forms and reports what the page shows, as a person would. */
const driver = `
  const shown = async (id, isRight = () => true) => {
    for (;;) {
      const failure = document.getElementById('error')
      if (failure !== null) throw new Error(failure.textContent)
      const element = document.getElementById(id)
      if (element !== null && isRight(element.textContent)) return element.textContent
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const submit = async (id, values) => {
    await shown(id)
    const form = document.getElementById(id)
    for (const [name, value] of Object.entries(values)) form.elements[name].value = value
    form.requestSubmit()
  }
  const report = (name, outcome) =>
    fetch('/report/' + name, { method: 'POST', body: JSON.stringify(outcome) })
  const isOver = (text) => text === 'confirmed' || text === 'failed'
  const run = async () => {
    await submit('unlock', { wif: '${wif}' })
    const address = await shown('address')
    const before = await shown('balance')
    await submit('payment', { to: '${payee}', satoshis: '1000000', id: 'invoice-17' })
    const status = await shown('status', isOver)
    const visit = Number(sessionStorage.getItem('visit') ?? 0)
    const repeated = document.getElementById('repeated') !== null
    const failure = document.getElementById('failure')?.textContent
    const txid = document.getElementById('txid').textContent
    const isSame = visit === 1 || status !== 'confirmed'
    const after = await shown('balance', (text) => isSame || text !== before)
    await report('visit', { visit, address, before, after, status, txid, repeated, failure })
    sessionStorage.setItem('visit', '1')
    if (visit === 0) location.reload()
  }
  addEventListener('error', ({ message }) => report('failed', message))
  run().catch((error) => report('failed', String(error)))
`

interface Visit {
  readonly visit: number
  readonly txid: string
}

let node: DevNode
let server: TestServer
let folder: string
let closePage = async (): Promise<void> => undefined
const visits: Visit[] = []
const calls: string[] = []
let finish: (failure?: Error) => void
const finished = new Promise<void>((resolve, reject) => {
  finish = (failure) => (failure === undefined ? resolve() : reject(failure))
})

beforeAll(async () => {
  if (noChromium || lacks) return
  folder = mkdtempSync(join(tmpdir(), 'antara-react-'))
  execFileSync(process.execPath, [vite, 'build', '--outDir', folder, '--logLevel', 'error'], {
    cwd: example,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  node = await createDevNode({ listen: false, mine: 'auto' })
  node.fund(own, 50_000_000n)
  node.mine(101)
  server = await startServer(async ({ path, body }, response) => {
    if (path === '/rpc') {
      calls.push(body)
      const answer = await node.fetch('http://127.0.0.1/', { method: 'POST', body })
      response.writeHead(answer.status, { 'content-type': 'application/json' })
      response.end(await answer.text())
    } else if (path === '/report/visit') {
      visits.push(JSON.parse(body) as Visit)
      response.end()
      if (visits.length === 2) finish()
    } else if (path === '/report/failed') {
      response.end()
      finish(new Error(body))
    } else if (path === '/') {
      const html = readFileSync(join(folder, 'index.html'), 'utf8')
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(html.replace('</body>', `<script type="module">${driver}</script></body>`))
    } else if (/^\/assets\/[\w.-]+\.js$/.test(path)) {
      response.writeHead(200, { 'content-type': 'text/javascript' })
      response.end(readFileSync(join(folder, path)))
    } else response.writeHead(404).end()
  })
})

afterAll(async () => {
  await closePage()
  await server?.close()
  await node?.close()
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
})

test('a page of React pays once, follows the payment into a block, and finds it after a reload', async () => {
  closePage = openPage(server.url)
  await finished
  const [first, second] = visits
  expect(first).toEqual({
    visit: 0,
    address: own,
    before: '50000000',
    after: '48990000',
    status: 'confirmed',
    txid: expect.stringMatching(/^[0-9a-f]{64}$/),
    repeated: false,
  })
  expect(second).toEqual({
    ...first,
    visit: 1,
    before: '48990000',
    repeated: true,
  })
  const paid = (await node.request('getaddressbalance', [{ addresses: [payee] }])) as object
  expect(paid).toMatchObject({ balance: 1_000_000 })
  // The key did not leave the page.
  expect(calls.filter((body) => body.includes(wif))).toEqual([])
  expect(calls.length).toBeGreaterThan(5)
}, 120_000)
