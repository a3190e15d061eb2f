// ANTARA_TX_ADDON names a binary. A name that require would run as JavaScript is refused unread.

import { spawn } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, expect, test } from 'vitest'

import { enginePath } from '../../../src/engine/engine.ts'
import { compileSources, isWasm } from '../../support/built.ts'
import { outcomeOf } from '../../support/cli.ts'
import { chain } from '../../support/vectors.ts'

const { entry, env } = compileSources('named-addon')
const main = fileURLToPath(new URL('cli/main.js', entry))
const folder = mkdtempSync(`${tmpdir()}/antara-tx-addon-`)
afterAll(() => rmSync(folder, { recursive: true }))

const { hex, txid } = chain[0]!
const ran = `${folder}/ran`
const program = `require('node:fs').writeFileSync(${JSON.stringify(ran)}, 'yes')`

function txidWith(addon: string, cwd = process.cwd()) {
  const settings = { ...env, ANTARA_TX_ADDON: addon, ANTARA_TX_ENGINE: '' }
  return outcomeOf(spawn(process.execPath, [main, 'txid', hex], { env: settings, cwd }))
}

const evil: readonly [string, () => string][] = [
  ['a script', () => written('evil.js')],
  ['a CommonJS module', () => written('evil.cjs')],
  ['a script without its ending', () => written('short.js').slice(0, -3)],
  [
    'a folder that is called like a binary',
    () => {
      mkdirSync(`${folder}/folder.node`)
      written('folder.node/index.js')
      return `${folder}/folder.node`
    },
  ],
  [
    'a link to a script that is called like a binary',
    () => {
      const target = written('target.js')
      symlinkSync(target, `${folder}/link.node`)
      return `${folder}/link.node`
    },
  ],
  ['a script that is called like a binary', () => written('script.node')],
]

function written(name: string): string {
  writeFileSync(`${folder}/${name}`, program)
  return `${folder}/${name}`
}

afterEach(() => {
  for (const name of readdirSync(folder)) rmSync(`${folder}/${name}`, { recursive: true })
})

test.each(evil)('%s is refused, and does not run', async (_, made) => {
  const path = made()
  const name = path.slice(folder.length + 1)
  // As a whole path, and as two paths from the working directory.
  for (const [addon, cwd] of [[path], [`./${name}`, folder], [name, folder]] as const) {
    const { status, output, errors } = await txidWith(addon, cwd)
    expect({ status, output, hasRun: existsSync(ran) }).toEqual({
      status: 69,
      output: '',
      hasRun: false,
    })
    expect(errors).toContain('engine_unavailable')
  }
})

test('a name with another ending is told what was expected', async () => {
  const { errors } = await txidWith(written('other.js'))
  expect(errors).toContain('other.js: expected a file that ends in .node')
})

test('a binary is loaded by its path, from the working directory too, and through a link', async () => {
  if (isWasm) {
    expect(enginePath()).toMatch(/\.wasm$/)
    return
  }
  const addon = enginePath()!
  symlinkSync(addon, `${folder}/linked.node`)
  for (const path of [addon, `${folder}/linked.node`]) {
    expect((await txidWith(path)).output).toBe(`${txid}\n`)
  }
  mkdirSync(`${folder}/build`)
  copyFileSync(addon, `${folder}/build/own.node`)
  for (const path of ['./build/own.node', 'build/own.node', 'linked.node']) {
    expect((await txidWith(path, folder)).output, path).toBe(`${txid}\n`)
  }
})
