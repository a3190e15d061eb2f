// Where no engine can be loaded, what needs none works, and nothing is decided that needs one.

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

import { tokensGlobalPubkey, tokensV2GlobalPubkey } from '../../../src/chain/modules.ts'
import { catalogue } from '../../../src/cli/catalogue.ts'
import {
  conditionScript,
  moduleCondition,
  tokenConditionTree,
  tokenScript,
} from '../../../src/index.ts'
import { markerScript } from '../../../src/token/rules/token-script.ts'
import { markerScriptV2 } from '../../../src/token/rules/tokens-v2.ts'
import { compileSources, isWasm, root } from '../../support/built.ts'
import { textOf } from '../../support/files.ts'
import { shareOf } from '../../support/share.ts'
import { testUnless } from '../../support/skip.ts'

const { entry, env: inherited } = compileSources('without-engine')
const { ANTARA_TX_ENGINE: _chosen, ...env } = inherited
const main = fileURLToPath(new URL('cli/main.js', entry))
const nowhere = { ...env, ANTARA_TX_ADDON: `${root}nowhere.node` }
const pubkey = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

function node(args: string[], options: { env?: NodeJS.ProcessEnv; input?: string } = {}) {
  return spawnSync(process.execPath, args, { encoding: 'utf8', env: nowhere, ...options })
}

test('invents no verdict, proof or value', () => {
  const text = textOf('examples/transfer.json')
  const { hex, intent, ...evidence } = JSON.parse(text)
  const input = JSON.stringify({
    ...{ text, hex, intent, evidence, pubkey },
    key: '11'.repeat(32),
    script: `21${pubkey}ac`,
    tree: tokenConditionTree(pubkey),
    address: 'REjgJTbqFVXQMMxSv3x5fwuKxkGAYm2yhb',
  })
  const { stdout, stderr } = node([`${root}test/support/without-engine.mjs`, entry], { input })
  expect(stderr).toBe('')
  const wrong = Object.entries(JSON.parse(stdout)).filter(
    ([name, outcome]) =>
      outcome !== (name.startsWith('needs it: ') ? 'engine_unavailable' : 'a value'),
  )
  expect(wrong).toEqual([])
})

test('constants that stand for answers of the engine are what the engine answers', () => {
  expect(markerScript).toBe(tokenScript(tokensGlobalPubkey))
  const tree = moduleCondition([tokensV2GlobalPubkey], { evalCodes: [0xf5] })
  expect(markerScriptV2).toBe(conditionScript(tree, { form: 'M' }))
})

describe('the command line', () => {
  test.each(shareOf(catalogue.map(({ name }) => name)))(
    '%s --help prints in plain lines',
    (name) => {
      const { status, stdout, stderr } = node([main, name, '--help'])
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
      expect(stdout).toMatch(/^Usage: antara-tx /)
    },
  )

  test('doctor says what is missing, in lines or JSON, with a status of its own', () => {
    const text = node([main, 'doctor'])
    expect({ status: text.status, stderr: text.stderr }).toEqual({ status: 69, stderr: '' })
    expect(text.stdout).toContain('engine    none\n')
    expect(text.stdout).toContain(`${root}nowhere.node: no such file\n`)
    expect(text.stdout).toContain('unset ANTARA_TX_ADDON')
    const json = node([main, 'doctor', '--json'])
    expect(json.status).toBe(69)
    expect(JSON.parse(json.stdout)).toMatchObject({ works: false, node: process.version })
  })
})

const folder = mkdtempSync(`${tmpdir()}/antara-tx-no-engine-`)
afterAll(() => rmSync(folder, { recursive: true }))

describe('the error names the platform, the reason and what helps', () => {
  const { ANTARA_TX_ADDON: _, ...plain } = env
  const nativeOnly = { ...env, ANTARA_TX_ENGINE: 'native' }
  const decode = ['txid', '0400008085202f89000000000000000000000000000000000000000000']

  const flag = process.allowedNodeEnvironmentFlags.has('--permission')
    ? '--permission'
    : '--experimental-permission'

  testUnless(isWasm && 'WebAssembly needs no permission')(
    'names the permission model as the reason',
    () => {
      const missing = node([flag, '--allow-fs-read=*', main, ...decode], { env: nativeOnly })
      expect(missing.status).toBe(69)
      expect(missing.stderr).toContain(`no engine for ${process.platform}-${process.arch}`)
      expect(missing.stderr).toContain(
        'Cannot load native addon because loading addons is disabled',
      )
      expect(missing.stderr).toContain('\n  node --allow-addons ')
      const allowed = [flag, '--allow-fs-read=*', '--allow-addons', main, ...decode]
      expect(node(allowed, { env: nativeOnly }).status).toBe(0)
    },
  )

  test('names --no-addons as the reason', () => {
    expect(node(['--no-addons', main, ...decode], { env: nativeOnly }).stderr).toContain(
      '\n  node without --no-addons\n',
    )
  })

  test('names --no-addons in NODE_OPTIONS as the reason', () => {
    const { stderr } = node([main, ...decode], {
      env: { ...nativeOnly, NODE_OPTIONS: '--no-warnings --no-addons' },
    })
    expect(stderr).toContain('\n  remove --no-addons from NODE_OPTIONS\n')
  })

  test.each([
    ['native', ['--allow-addons'], ''],
    ['native', [], '--allow-addons '],
    ['wasm', [], ''],
  ] as const)('names the unread folder as the reason: %s %j', (chosen, given, missing) => {
    const folder = fileURLToPath(new URL('../', entry))
    const readable = [
      `--allow-fs-read=${folder}dist${sep}*`,
      `--allow-fs-read=${folder}package.json`,
    ]
    const { status, stderr } = node([flag, ...given, ...readable, main, ...decode], {
      env: { ...plain, ANTARA_TX_ENGINE: chosen },
    })
    expect(status).toBe(69)
    expect(stderr).toContain('antara_tx.')
    expect(stderr).toContain(': the permission model forbids reading it\n')
    expect(stderr).toContain(`\n  node ${missing}"--allow-fs-read=${folder}*" `)
  })

  test('names the missing WebAssembly as the reason', () => {
    const wasmOnly = { ...plain, ANTARA_TX_ENGINE: 'wasm' }
    const { status, stderr } = node(['--jitless', main, ...decode], { env: wasmOnly })
    expect(status).toBe(69)
    expect(stderr).toContain('antara_tx.wasm: there is no WebAssembly here (node --jitless?)\n')
  })

  test('names the missing binary of a package, and of a checkout', () => {
    cpSync(fileURLToPath(new URL('.', entry)), `${folder}/dist`, { recursive: true })
    cpSync(`${root}package.json`, `${folder}/package.json`)
    symlinkSync(`${root}node_modules`, `${folder}/node_modules`, 'junction')
    const reported = () => node([`${folder}/dist/cli/main.js`, ...decode], { env: plain }).stderr
    const compile = '  npx -y cmake-js@8 compile --directory'
    expect(reported()).toContain(
      `  npm install --no-save @antara-tx/source\n${compile} node_modules/@antara-tx/source --out "${realpathSync(folder)}/build" `,
    )
    writeFileSync(`${folder}/CMakeLists.txt`, '')
    expect(reported()).toContain(`${compile} "${realpathSync(folder)}" `)
    const check = (name: string) =>
      node([`${folder}/dist/cli/main.js`, 'verify', `${root}examples/${name}`], { env: plain })
    expect(check('transfer.json').status).toBe(69)
    // Where WebAssembly is there, it is the answer.
    const module = 'native/wasm/antara_tx.wasm'
    cpSync(`${root}${module}`, `${folder}/${module}`)
    expect(check('transfer.json').stdout).toContain('AGREES')
    expect(check('transfer.json').status).toBe(0)
    expect(check('transfer-wrong-destination.json').status).toBe(1)
    rmSync(`${folder}/native`, { recursive: true })
    mkdirSync(`${folder}/scripts`)
    writeFileSync(`${folder}/scripts/build-native.mjs`, '')
    expect(reported()).toContain('\n  npm run build:native ')
  })
})
