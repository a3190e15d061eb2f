// `antara-tx inspect` as a person has it: a server on loopback, and the page in a real browser.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, expect, test } from 'vitest'
import { chromium, chromiumFlags, noChromium } from '../support/chromium.ts'
import { testUnless } from '../support/skip.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const program = join(root, 'dist/cli/main.js')
let running: ChildProcess | undefined
const folders: string[] = []
afterEach(async () => {
  if (running?.exitCode === null && running.kill()) await once(running, 'exit')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, maxRetries: 20 })
})

async function inspect(...args: string[]): Promise<URL> {
  running = spawn(process.execPath, [program, 'inspect', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(running.stdout!, 'data')
  return new URL(JSON.parse(String(line)).url)
}

interface Asked {
  readonly method?: string
  readonly path?: string
  readonly host?: string
  readonly more?: Readonly<Record<string, string>>
}

function answer(url: URL, options: Asked = {}) {
  return new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      const { method = 'GET', path = '/', host = url.host, more = {} } = options
      request({ port: url.port, method, path, headers: { host, ...more } }, (response) => {
        let body = ''
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          body += text
        })
        response.on('end', () =>
          resolve({ status: response.statusCode!, headers: response.headers, body }),
        )
      })
        .on('error', reject)
        .end()
    },
  )
}

test('says that what was given is too long for a link, to programs too', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'antara-inspect-'))
  folders.push(folder)
  const long = join(folder, 'long.hex')
  writeFileSync(long, randomBytes(40_000).toString('hex'))
  running = spawn(process.execPath, [program, 'inspect', '--json', long])
  const [[line], [reported]] = await Promise.all([
    once(running.stdout!, 'data'),
    once(running.stderr!, 'data'),
  ])
  expect(new URL(JSON.parse(String(line)).url).hash).toBe('')
  expect(String(reported)).toContain('too long for a link')
})

test('serves one page with its policy, to this machine, until it is interrupted', async () => {
  const url = await inspect(join(root, 'examples/transfer.json'))
  expect(url.hostname).toBe('127.0.0.1')
  const { status, headers, body } = await answer(url)
  expect(status).toBe(200)
  expect(headers).toMatchObject({
    'content-security-policy': "frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
  expect(body).toContain("default-src 'none'; script-src 'sha256-")
  expect(body).toContain("connect-src 'none'")
  // the case is in the link alone
  expect(body).not.toContain('7df350ce1e4b0b78d60c984c02925e982c72211fe9e5d8c763047219f84cb31d')
  expect((await answer(url, { path: '/other' })).status).toBe(404)
  expect((await answer(url, { method: 'POST' })).status).toBe(405)
  expect((await answer(url, { host: 'evil.example' })).status).toBe(403)
  // another page may lead here, and may not have it as a part of itself
  const led = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' }
  expect((await answer(url, { more: led })).status).toBe(200)
  expect((await answer(url, { more: { ...led, 'sec-fetch-dest': 'iframe' } })).status).toBe(403)
  const ended = once(running!, 'exit')
  running!.kill('SIGINT')
  expect(await ended).toEqual([0, null])
})

/** Returns the DOM that a browser makes of the page, as text. */
async function domOf(url: string): Promise<string> {
  const profile = mkdtempSync(join(tmpdir(), 'antara-inspect-'))
  folders.push(profile)
  const { stdout } = await promisify(execFile)(
    chromium!,
    [
      ...chromiumFlags,
      '--disable-background-networking',
      '--virtual-time-budget=20000',
      `--user-data-dir=${profile}`,
      '--dump-dom',
      url,
    ],
    { maxBuffer: 1 << 26 },
  )
  // not the page's own script
  return stdout.slice(stdout.indexOf('<div id="page">'), stdout.indexOf('<script'))
}

const browser = testUnless(noChromium)

browser.each([
  ['transfer', 'AGREES: the transaction does what was asked'],
  ['transfer-wrong-destination', 'REJECTED: do not broadcast this transaction'],
])('shows the verdict of examples/%s.json', { timeout: 120_000 }, async (name, headline) => {
  const url = await inspect(join(root, `examples/${name}.json`))
  const dom = await domOf(String(url))
  expect(dom).toContain(headline)
  expect(dom).toContain('its maker wrote the request and chose the evidence')
  expect(dom).toContain('7df350ce1e4b0b78d60c984c02925e982c72211fe9e5d8c763047219f84cb31d')
  expect(dom.match(/role="option"/g)).toHaveLength(32)
})

browser('shows nothing that a link says of itself', { timeout: 120_000 }, async () => {
  const url = await inspect()
  url.hash = `network=${encodeURIComponent('AGREES: send it\u202e')}&hex=00`
  const dom = await domOf(String(url))
  expect(dom).toContain('The link cannot be read: the link names an unknown network')
  expect(dom).not.toMatch(/AGREES|\u202e/)
})

browser('shows what strangers wrote, and does not obey it', { timeout: 120_000 }, async () => {
  const hostile = '<img src=x onerror=document.title=1>\u202egnp.exe\u200b'
  const given = JSON.parse(readFileSync(join(root, 'examples/create.json'), 'utf8'))
  given.intent.description = hostile
  const folder = mkdtempSync(join(tmpdir(), 'antara-inspect-'))
  folders.push(folder)
  const file = join(folder, 'hostile.json')
  writeFileSync(file, JSON.stringify(given))
  const dom = await domOf(String(await inspect(file)))
  expect(dom).toContain('REJECTED')
  expect(dom).toContain('&lt;img src=x onerror=document.title=1&gt;\\u{202e}gnp.exe\\u{200b}')
  expect(dom).not.toContain('<img')
  expect(dom).not.toMatch(/[\u202e\u200b]/)
})

browser.each(['transfer', 'create'])(
  'draws no flow of examples/%s.json through a label',
  { timeout: 120_000 },
  async (name) => {
    const dom = await domOf(String(await inspect(join(root, `examples/${name}.json`))))
    const pictures = dom.match(/<svg .*?<\/svg>/gs) ?? []
    expect(pictures.length).toBeGreaterThan(1)
    for (const picture of pictures) {
      const rects = [...picture.matchAll(/<rect x="([\d.]+)"[^>]* width="([\d.]+)"/g)]
      // Flows are drawn between the nodes.
      const left = Math.min(...rects.map(([, x]) => Number(x)))
      const right = Math.max(...rects.map(([, x, width]) => Number(x) + Number(width)))
      const width = Number(/<svg width="([\d.]+)"/.exec(picture)![1])
      const labels = [...picture.matchAll(/<text x="([\d.]+)"[^>]* text-anchor="(start|end)"/g)]
      expect(labels.length).toBeGreaterThan(1)
      for (const [, x, anchor] of labels) {
        if (anchor === 'end') expect(Number(x)).toBeLessThan(left)
        else expect(Number(x)).toBeGreaterThan(right)
        expect(Number(x)).toBeLessThan(width)
      }
      const rows = labels.map(([, x]) => x)
      expect(new Set(rows).size).toBeLessThanOrEqual(2)
    }
  },
)
