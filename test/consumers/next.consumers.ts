// The packages of a release in an app of Next, built by each of its bundlers for a container. A
// route, a server component, a function of pages/ and the page in a browser must give the same
// answers.

import { execFileSync, spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

import { platformTarget } from '../../src/engine/loader-node.ts'
import * as library from '../../src/index.ts'
import { root } from '../support/built.ts'
import { freePort } from '../support/free-port.ts'
import { describeUnless } from '../support/skip.ts'
import { answersOf } from './answers.mjs'
import { browsers, listen, noDriver } from './browsers.mjs'
import { vectors } from './vectors.ts'

const here = `${root}test/consumers`
const isInstalled = existsSync(`${here}/next/node_modules/next`)
const lacking =
  !isInstalled && 'Next is not installed: npm install --prefix test/consumers/next --ignore-scripts'

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-next-'))
const app = join(folder, 'app')
let expected: Record<string, string>

const { ANTARA_TX_ENGINE: _, ANTARA_TX_ADDON: __, ...inherited } = process.env
const env = { ...inherited, NODE_ENV: undefined, NEXT_TELEMETRY_DISABLED: '1' }

beforeAll(async () => {
  if (!isInstalled) return
  expected = await answersOf(library, vectors)
  // The packages contain the binary that packing has just built.
  const packages = join(folder, 'packages')
  const packing = ['scripts/pack-platforms.mjs', '--target', platformTarget(), '--out', packages]
  execFileSync(process.execPath, packing, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
  const tarballs = readdirSync(packages).map((name) => join(packages, name))
  cpSync(`${here}/next`, app, { recursive: true })
  cpSync(`${here}/answers.mjs`, join(app, 'answers.mjs'))
  writeFileSync(join(app, 'vectors.mjs'), `export default ${JSON.stringify(vectors)}`)
  const installing = ['install', '--silent', '--ignore-scripts', '--no-audit', '--no-fund']
  execFileSync('npm', [...installing, ...tarballs], { cwd: app })
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }), 600_000)

/** A folder with all that the server needs, away from everything that it was built of. */
function build(bundler: string, external: string): string {
  rmSync(join(app, '.next'), { recursive: true, force: true })
  const next = join(app, 'node_modules/next/dist/bin/next')
  execFileSync(process.execPath, [next, 'build', `--${bundler}`], {
    cwd: app,
    env: { ...env, ...(external !== '' && { EXTERNAL: external }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const container = mkdtempSync(join(folder, 'container-'))
  const options = { recursive: true, verbatimSymlinks: true }
  cpSync(join(app, '.next/standalone'), container, options)
  cpSync(join(app, '.next/static'), join(container, '.next/static'), options)
  return container
}

/** Starts it on loopback, and ends it when `use` is done. */
async function serve(container: string, use: (url: string) => Promise<void>): Promise<void> {
  const port = await freePort()
  const child = spawn(process.execPath, ['server.js'], {
    cwd: container,
    env: { ...env, HOSTNAME: '127.0.0.1', PORT: `${port}` },
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  let claimed = ''
  const ready = new Promise<void>((done, fail) => {
    child.stdout.on('data', (text) => {
      claimed += text
      if (claimed.includes('Ready')) done()
    })
    child.once('exit', () => fail(new Error(claimed)))
  })
  let complaints = ''
  child.stderr.on('data', (text) => {
    complaints += text
  })
  try {
    await ready
    await use(`http://127.0.0.1:${port}`)
    expect(complaints).toBe('')
  } finally {
    child.kill()
    await ended
  }
}

interface OnServer {
  readonly answers: Readonly<Record<string, string>>
  readonly addons: readonly string[]
}
const jsonOf = async (url: string) => (await (await fetch(url)).json()) as OnServer

describeUnless(lacking).each(['turbopack', 'webpack'])('built by %s', (bundler) => {
  test('a bundle judges on WebAssembly, on the server and in browsers', async () => {
    await serve(build(bundler, ''), async (url) => {
      expect(await jsonOf(`${url}/answers`)).toEqual({ answers: expected, addons: [] })
      expect(await (await fetch(`${url}/server`)).text()).toContain('<p id="told">AGREES</p>')
      // Next leaves packages out of what it makes of pages/ by itself.
      const { answers, addons } = await jsonOf(`${url}/api/answers`)
      expect(answers).toEqual(expected)
      expect(addons).toHaveLength(1)

      for (const browser of noDriver === false
        ? browsers.filter(({ path }) => path !== undefined)
        : []) {
        const { reported, trouble } = await listen(browser, url)
        expect(JSON.parse(reported[0]!), browser.name).toEqual(expected)
        const drawn = await listen(browser, `${url}/verdict`, { isClicked: true })
        expect(drawn.reported, browser.name).toEqual([
          'transfer AGREES',
          'transfer-stolen-change REJECTED',
        ])
        expect([...trouble, ...drawn.trouble], browser.name).toEqual([])
        const strict = JSON.parse((await listen(browser, `${url}/?strict`)).reported[0]!)
        expect(strict['transaction 0'], browser.name).toContain('engine_unavailable')
        expect(Object.keys(strict), browser.name).toEqual(Object.keys(expected))
      }
    })
  })

  test('left out of the bundle, it judges on the addon, of which Next takes along the binary', async () => {
    const container = build(bundler, 'antara-tx')
    await serve(container, async (url) => {
      for (const path of ['/answers', '/api/answers']) {
        const { answers, addons } = await jsonOf(`${url}${path}`)
        expect(answers, path).toEqual(expected)
        expect(addons, path).toEqual([
          join(container, `node_modules/@antara-tx/${platformTarget()}/antara_tx.node`),
        ])
      }
      expect(await (await fetch(`${url}/server`)).text()).toContain('<p id="told">AGREES</p>')
    })
    const binary = join(container, `node_modules/@antara-tx/${platformTarget()}`)
    rmSync(binary, { recursive: true })
    await serve(container, async (url) => {
      expect(await jsonOf(`${url}/answers`)).toEqual({ answers: expected, addons: [] })
    })
  })
})
