// Compiled code of an earlier run: it is used, and a damaged one changes no verdict.

import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

import { compileSources, root, runProgram } from '../../support/built.ts'
import { testUnless } from '../../support/skip.ts'

const { entry, env } = compileSources('compiled-code')
const main = fileURLToPath(new URL('cli/main.js', entry))
const isKept = 'enableCompileCache' in nodeModule && process.getuid !== undefined
const keeping = testUnless(!isKept && 'this Node keeps no compiled code')

function verify(HOME: string, more: NodeJS.ProcessEnv = {}): string {
  const { NODE_COMPILE_CACHE: _, XDG_CACHE_HOME: __, ...rest } = env
  const args = [main, 'verify', '--json', `${root}examples/transfer.json`]
  return runProgram(process.execPath, args, { env: { ...rest, HOME, ...more } }).stdout
}

function filesIn(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => `${home}/${name}`)
    .filter((path) => statSync(path).isFile())
}

keeping('a run keeps its compiled code, and the next gives the same report', () => {
  const home = mkdtempSync(`${tmpdir()}/antara-tx-home-`)
  const report = verify(home)
  expect(filesIn(home)).not.toEqual([])
  expect(verify(home)).toBe(report)
})

keeping.each([
  ['empty', () => Buffer.alloc(0)],
  ['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length >> 1)],
  ['all zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ['changed in its last half', (bytes: Buffer) => bytes.map((it, at) => (at > 2e3 ? ~it : it))],
])('compiled code that is %s changes no report', (_, change) => {
  const home = mkdtempSync(`${tmpdir()}/antara-tx-home-`)
  const report = verify(home)
  for (const path of filesIn(home)) writeFileSync(path, change(readFileSync(path)))
  expect(verify(home)).toBe(report)
})

keeping('NODE_DISABLE_COMPILE_CACHE keeps none', () => {
  const home = mkdtempSync(`${tmpdir()}/antara-tx-home-`)
  verify(home, { NODE_DISABLE_COMPILE_CACHE: '1' })
  expect(filesIn(home)).toEqual([])
})
