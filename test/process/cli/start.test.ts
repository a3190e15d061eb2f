// These tests count the files that a start loads, by V8 itself. The benchmark measures the time.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { compileSources, isWasm, root } from '../../support/built.ts'
import { outcomeOf } from '../../support/cli.ts'
import { textOf } from '../../support/files.ts'

const { entry, env } = compileSources('start')
const folder = fileURLToPath(new URL('.', entry))

/** Ends with 3 as soon as an engine is loaded or compiled. */
const trap = `data:text/javascript,${encodeURIComponent(`
  const fail = () => { console.error('an engine was loaded'); process.exit(3) }
  process.dlopen = fail
  WebAssembly.Module = function () { fail() }`)}`

function scriptsOf(
  args: readonly string[],
  { mayLoadEngine = false } = {},
): { stdout: string; scripts: string[] } {
  const coverage = mkdtempSync(`${tmpdir()}/antara-tx-start-`)
  try {
    const trapped = mayLoadEngine ? args : ['--import', trap, ...args]
    const { status, stdout, stderr } = spawnSync(process.execPath, trapped, {
      env: { ...env, NODE_V8_COVERAGE: coverage },
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    const scripts = readdirSync(coverage).flatMap((name) =>
      JSON.parse(readFileSync(`${coverage}/${name}`, 'utf8'))
        .result.map(({ url }: { url: string }) => url)
        .filter((url: string) => url.startsWith('file:'))
        .map((url: string) => fileURLToPath(url)),
    )
    return { stdout, scripts }
  } finally {
    rmSync(coverage, { recursive: true })
  }
}

test.each([
  ['index', 11],
  ['rpc/index', 6],
  ['rpc/node', 3],
  ['node/index', 10],
])('%s is at most %i files, all of them ours, and no engine', (name, most) => {
  const { scripts } = scriptsOf([`${folder}${name}.js`])
  expect(scripts.length).toBeLessThanOrEqual(most)
  expect(scripts.filter((path) => !path.startsWith(folder))).toEqual([])
})

test('imports that need no engine load none', () => {
  const script = `
    const { networks, printable, AntaraError, decodeWif, scriptOfAddress } = await import('${entry}')
    const { createDaemonClient } = await import('${new URL('rpc/index.js', entry)}')
    createDaemonClient({ url: 'http://127.0.0.1:1', user: 'u', password: 'p' })
    scriptOfAddress('REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb', networks.komodo)
    console.log(printable('a'), new AntaraError('engine_failed').code)`
  const { stdout } = scriptsOf(['--input-type=module', '-e', script])
  expect(stdout).toBe('a engine_failed\n')
})

test.each([['--version'], ['--help'], ['verify', '--help']])(
  'the command line loads neither the library nor other commands for %s',
  (...args) => {
    const { scripts } = scriptsOf([`${folder}cli/main.js`, ...args])
    const names = scripts.map((path) => path.slice(folder.length))
    expect(names.length).toBeLessThanOrEqual(args.length === 1 ? 5 : 15)
    expect(names).not.toContain('shared/dev-node.js')
    expect(names).not.toContain('shared/rpc.js')
    if (args.length === 1) expect(names).not.toContain('shared/core.js')
  },
)

test('a verdict of a transfer loads two files, and one of a payment loads the third', () => {
  const filesFor = (path: string) =>
    scriptsOf([`${folder}cli/main.js`, 'verify', path], { mayLoadEngine: true }).scripts.map(
      (file) => file.slice(folder.length),
    )
  const two = ['cli/main.js', 'cli/one-verdict.js']
  const three = [...two, 'cli/rarely.js']
  // The third one starts WebAssembly.
  expect(filesFor(`${root}examples/transfer.json`)).toEqual(isWasm ? three : two)
  const [payment] = JSON.parse(textOf('test/operations/payment.json')).cases
  const path = `${mkdtempSync(`${tmpdir()}/antara-tx-start-`)}/payment.json`
  writeFileSync(path, JSON.stringify(payment.case))
  expect(filesFor(path)).toEqual(three)
})

test('a program ends after its last call, though the connection stays open', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{"result":7,"error":null,"id":"0"}'))
  })
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const script = `
    const { createDaemonClient } = await import('${new URL('rpc/index.js', entry)}')
    const daemon = createDaemonClient({ url: 'http://127.0.0.1:${port}', user: 'u', password: 'p' })
    console.log(await daemon.getblockcount())`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { env })
  expect(await outcomeOf(child)).toEqual({ status: 0, output: '7\n', errors: '' })
  // The program ended it, and not the server.
  server.close()
  await once(server, 'close')
})

test('all entries share one copy of a class', () => {
  const script = `
    const entries = await Promise.all(
      ['index', 'rpc/index'].map((name) => import('${new URL('.', entry)}' + name + '.js')))
    console.log(new Set(entries.map(({ AntaraError }) => AntaraError)).size)`
  expect(scriptsOf(['--input-type=module', '-e', script]).stdout).toBe('1\n')
})
