// The packed tarball, bundled without configuration, gives in Node, in a page and in a worker the
// answers that this checkout gives in Node.

import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'

import * as library from '../../src/index.ts'
import { root } from '../support/built.ts'
import { describeUnless, testUnless } from '../support/skip.ts'
import { answersOf } from './answers.mjs'
import { type BrowserKind, browsers, noDriver, open } from './browsers.mjs'
import { vectors } from './vectors.ts'

const here = `${root}test/consumers`
const isInstalled = existsSync(`${here}/node_modules/esbuild`)
const lacking =
  !isInstalled &&
  'the tools are not installed: npm install --prefix test/consumers --ignore-scripts'
const binary = (name: string) => [`${here}/node_modules/${name}`].find((path) => existsSync(path))
const deno = binary('@deno/linux-x64-glibc/deno')

const folder = mkdtempSync(join(tmpdir(), 'antara-tx-consumers-'))
let expected: Record<string, string>
const tarball = inject('tarball')

beforeAll(async () => {
  if (!isInstalled) return
  expected = await answersOf(library, vectors)
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  execFileSync('npm', ['install', '--silent', tarball], { cwd: folder })
  for (const name of readdirSync(here).filter((file) => /^(?:answers|entry-).*\.mjs$/.test(file))) {
    cpSync(`${here}/${name}`, join(folder, name))
  }
  writeFileSync(join(folder, 'vectors.mjs'), `export default ${JSON.stringify(vectors)}`)
}, 600_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Build {
  readonly bundler: string
  readonly platform: 'node' | 'browser'
  readonly format?: 'esm' | 'cjs' | 'iife'
  /** As docs/browsers.md says it for this bundler. */
  readonly externals?: RegExp
}

interface Built {
  readonly folder: string
  readonly file: string
  readonly warnings: readonly string[]
}

async function build(entry: string, { bundler, ...options }: Build): Promise<Built> {
  const target = mkdtempSync(join(folder, `${bundler}-`))
  const { bundlers } = await import('./bundlers.mjs')
  const made = await bundlers[bundler]!({
    entry: join(folder, entry),
    folder: target,
    root: folder,
    ...options,
  })
  expect(made.warnings).toEqual([])
  return { ...made, folder: target }
}

describeUnless(lacking)('a bundle runs in Node', () => {
  test.each<Build>([
    { bundler: 'esbuild', platform: 'node', format: 'esm' },
    { bundler: 'esbuild', platform: 'node', format: 'cjs' },
    { bundler: 'esbuild', platform: 'browser', format: 'esm' },
    { bundler: 'rollup', platform: 'node' },
    { bundler: 'vite', platform: 'node' },
    { bundler: 'webpack', platform: 'node' },
    { bundler: 'webpack', platform: 'node', externals: /^antara-tx/ },
  ])('$bundler $platform $format $externals', async (how) => {
    const { file } = await build('entry-node.mjs', how)
    const { stdout, stderr } = spawnSync(process.execPath, [file], {
      encoding: 'utf8',
      // External code runs on the addon. Bundled code does not read the variable.
      env: { ...process.env, ...(how.externals && { ANTARA_TX_ENGINE: 'native' }) },
      maxBuffer: 1 << 26,
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual(expected)
  })
})

/** Without wishes of its own a page allows what the documentation asks for, and no more. */
const policyOf = (query: URLSearchParams): string =>
  [
    "default-src 'none'; connect-src 'self'",
    `worker-src 'self'${query.has('blob') ? ' blob:' : ''}`,
    `script-src 'self'${query.has('strict') ? '' : " 'wasm-unsafe-eval'"}`,
  ].join('; ')

let server: Server
let served = ''
let main = ''
let report: (body: string) => void

beforeAll(async () => {
  server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://x')
    if (request.method === 'POST') {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => {
        report(body)
        response.end()
      })
      return
    }
    const isScript = /\.[cm]?js$/.test(url.pathname)
    response.setHeader('content-security-policy', policyOf(url.searchParams))
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    if (!isScript) {
      const source = url.searchParams.has('worker') ? '/start-worker.js' : main
      return void response.end(`<!doctype html><script type="module" src="${source}"></script>`)
    }
    if (url.pathname === '/start-worker.js') {
      return void response.end(`new Worker('${main}', { type: 'module' })`)
    }
    response.end(readFileSync(join(served, url.pathname)))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
})
afterAll(() => server.close())

async function answersIn(
  browser: BrowserKind,
  { file, folder: target }: Built,
  query: string,
): Promise<Record<string, unknown>> {
  served = target
  main = file.slice(target.length)
  const reported = new Promise<string>((done) => {
    report = done
  })
  const { port } = server.address() as AddressInfo
  const close = await open(browser, `http://127.0.0.1:${port}/?${query}`)
  try {
    return JSON.parse(await reported)
  } finally {
    await close()
  }
}

const installed = browsers.filter(({ path }) => path !== undefined)
describeUnless(lacking, noDriver).each(installed)('a bundle runs in $name', (browser) => {
  test.each<Build>([
    { bundler: 'esbuild', platform: 'browser', format: 'iife' },
    { bundler: 'rollup', platform: 'browser' },
    { bundler: 'vite', platform: 'browser' },
    { bundler: 'webpack', platform: 'browser' },
  ])('$bundler, in a page and in a worker', async (how) => {
    const page = await build('entry-page.mjs', how)
    expect(await answersIn(browser, page, '')).toEqual(expected)
    // Two bundlers find workers by themselves; what the others made is started as one.
    const findsWorkers = ['vite', 'webpack'].includes(how.bundler)
    const inWorker = findsWorkers
      ? answersIn(browser, await build('entry-worker.mjs', how), '')
      : answersIn(browser, page, 'worker')
    expect(await inWorker).toEqual(expected)
  })

  test('signatures of many transactions are verified by workers, where the policy allows it', async () => {
    const page = await build('entry-many.mjs', { bundler: 'esbuild', platform: 'browser' })
    const allowed = await answersIn(browser, page, 'blob')
    expect(allowed.agree).toBe(200)
    expect(allowed.starts).toBeGreaterThan(0)
    expect((await answersIn(browser, page, '')).agree).toBe(200)
  })

  test('where the policy forbids WebAssembly, every question for the engine is answered so', async () => {
    const page = await build('entry-page.mjs', { bundler: 'esbuild', platform: 'browser' })
    const answers = await answersIn(browser, page, 'strict')
    expect(answers['transaction 0']).toContain('engine_unavailable')
    expect(Object.keys(answers)).toEqual(Object.keys(expected))
  })
})

describeUnless(lacking)('a bundle holds what is used', () => {
  /** How WebAssembly begins, in base64. */
  const engine = 'AGFzbQ'
  test.each([
    ["export { networks, AntaraError, printable } from 'antara-tx'", 40_000],
    ["export { createDaemonClient, isAntaraError } from 'antara-tx/rpc'", 250_000],
    ["export { createFrameworkClient } from 'antara-tx/rpc'", 250_000],
  ])('%s', async (text, most) => {
    writeFileSync(join(folder, 'part.mjs'), text)
    for (const bundler of ['esbuild', 'rollup']) {
      const { file } = await build('part.mjs', { bundler, platform: 'browser', format: 'esm' })
      const made = readFileSync(file, 'utf8')
      expect(made.includes(engine), bundler).toBe(false)
      expect(made.length, bundler).toBeLessThan(most)
    }
  })

  test('antara-tx/rpc bundles whole, for every bundler, without a warning', async () => {
    writeFileSync(join(folder, 'rpc.mjs'), "import * as rpc from 'antara-tx/rpc'\nconsole.log(rpc)")
    for (const bundler of ['esbuild', 'rollup', 'vite', 'webpack']) {
      await build('rpc.mjs', { bundler, platform: 'browser', format: 'esm' })
    }
  })
})

describeUnless(lacking)('other runtimes', () => {
  const noDeno = deno === undefined && 'no Deno for this platform'
  testUnless(noDeno)('Deno without permissions says what it needs, and with one it runs', () => {
    const script = `import { transactionId } from 'antara-tx'
      try { console.log(transactionId('${vectors.transactions[0]}')) }
      catch ({ code, message }) { console.log(code, message) }`
    writeFileSync(join(folder, 'one.mjs'), script)
    const run = (...flags: string[]) => {
      const args = ['run', '--no-prompt', ...flags, join(folder, 'one.mjs')]
      return spawnSync(deno!, args, { cwd: folder, encoding: 'utf8' }).stdout
    }
    expect(run()).toMatch(/^engine_unavailable[\s\S]*deno run --allow-read/)
    expect(run('--allow-read')).toBe(`${library.transactionId(vectors.transactions[0]!)}\n`)
  })

  test("Yarn's Plug'n'Play finds the addon, for import and require", () => {
    const yarn = `${here}/node_modules/@yarnpkg/cli-dist/bin/yarn.js`
    const app = join(folder, 'yarn')
    mkdirSync(app)
    const dependencies = { 'antara-tx': `file:${tarball}` }
    writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', dependencies }))
    writeFileSync(join(app, 'yarn.lock'), '')
    const { stdout: registry } = spawnSync('npm', ['config', 'get', 'registry'], {
      encoding: 'utf8',
    })
    const env = {
      ...process.env,
      ANTARA_TX_ENGINE: 'native',
      YARN_NODE_LINKER: 'pnp',
      YARN_ENABLE_TELEMETRY: '0',
      YARN_ENABLE_GLOBAL_CACHE: '0',
      YARN_NPM_REGISTRY_SERVER: registry.trim(),
    }
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [yarn, ...args], { cwd: app, env, encoding: 'utf8' })
    run('install')
    const [hex] = vectors.transactions
    const print = `console.log(transactionId('${hex}'))`
    writeFileSync(join(app, 'a.mjs'), `import { transactionId } from 'antara-tx'\n${print}`)
    writeFileSync(join(app, 'a.cjs'), `const { transactionId } = require('antara-tx')\n${print}`)
    for (const file of ['a.mjs', 'a.cjs']) {
      expect(run('node', file)).toBe(`${library.transactionId(hex!)}\n`)
    }
  })

  describe.each([
    ['Bun', binary('@oven/bun-linux-x64/bin/bun'), []],
    ['Deno', deno, ['run', '--allow-all', '--no-prompt']],
  ])('%s', (name, program, args) => {
    const lacks = program === undefined && `no ${name} for this platform`
    testUnless(lacks)('gives the same answers', () => {
      const { stdout, stderr } = spawnSync(program!, [...args, join(folder, 'entry-node.mjs')], {
        cwd: folder,
        encoding: 'utf8',
        maxBuffer: 1 << 26,
      })
      expect(stderr).toBe('')
      expect(JSON.parse(stdout)).toEqual(expected)
    })
  })
})
