// `privateKeySigner` gives the same bytes wherever it computes: in the addon, in JavaScript beside
// WebAssembly, where addons are forbidden, and on several threads at once.

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

import { compileSources, root } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'
import { readVectors } from '../../support/vectors.ts'

const { entry } = compileSources('signer-engines')
const wallet = new URL('wallet/index.js', entry).href
const { ANTARA_TX_ENGINE: _, ANTARA_TX_ADDON: __, ...env } = process.env
const addon = `${root}build/Release/antara_tx.node`

const { hashes } = readVectors<{
  hashes: readonly { d: string; m: string; signature: string }[]
}>('signing/rfc6979.json')
const expected = hashes.map(({ signature }) => signature)

/** Signs the published hashes, and tells whether an addon was loaded. */
const program = `
  let addons = 0
  const { dlopen } = process
  process.dlopen = (...args) => { dlopen.apply(process, args); addons += 1 }
  const { privateKeySigner } = await import('${wallet}')
  const rows = ${JSON.stringify(hashes.map(({ d, m }) => [d, m]))}
  const signatures = await Promise.all(rows.map(([key, hash]) => privateKeySigner(key).sign(hash)))`

function run(script: string, flags: readonly string[], settings: NodeJS.ProcessEnv) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--no-warnings', ...flags, '--input-type=module', '-e', script],
    { encoding: 'utf8', env: { ...env, ...settings }, timeout: 50_000 },
  )
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return JSON.parse(stdout)
}

const printed = `${program}
  console.log(JSON.stringify({ signatures, addons }))`
const hasAddon = spawnSync(process.execPath, ['-e', `require('${addon}')`]).status === 0
const withAddon = testUnless(!hasAddon && 'no addon was built: npm run build:native')
const permission = process.allowedNodeEnvironmentFlags.has('--permission')
  ? '--permission'
  : '--experimental-permission'

withAddon('the addon signs', () => {
  expect(run(printed, [], { ANTARA_TX_ADDON: addon })).toEqual({ signatures: expected, addons: 1 })
})

test.each([
  ['WebAssembly is chosen', [], { ANTARA_TX_ENGINE: 'wasm' }],
  ['addons are forbidden', ['--no-addons'], {}],
  ['the permission model is on', [permission, '--allow-fs-read=*'], {}],
])('JavaScript signs where %s', (_, flags, settings) => {
  expect(run(printed, flags, settings)).toEqual({ signatures: expected, addons: 0 })
})

withAddon('threads sign at the same time', () => {
  const thread = `${program}
    const { parentPort } = await import('node:worker_threads')
    parentPort.postMessage(signatures)`
  const script = `
    const { Worker } = await import('node:worker_threads')
    const url = new URL('data:text/javascript,' + encodeURIComponent(${JSON.stringify(thread)}))
    const answers = await Promise.all(Array.from({ length: 4 }, () => new Promise((resolve, reject) => {
      const worker = new Worker(url)
      worker.on('message', resolve).on('error', reject)
    })))
    console.log(JSON.stringify(answers))`
  expect(run(script, [], { ANTARA_TX_ADDON: addon })).toEqual(Array(4).fill(expected))
})

test('signs nothing where no engine can verify the signature', () => {
  const script = `
    const { privateKeySigner } = await import('${wallet}')
    const { code } = await privateKeySigner('11'.repeat(32)).sign('22'.repeat(32)).catch((it) => it)
    console.log(JSON.stringify(code))`
  const nowhere = { ANTARA_TX_ENGINE: 'native', ANTARA_TX_ADDON: `${root}nowhere.node` }
  expect(run(script, [], nowhere)).toBe('engine_unavailable')
})
