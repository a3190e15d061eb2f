// `antara-tx verify CASE.json` has a program of its own, with a file that it loads only if it needs
// it. Each test runs the built command and compares it with the program of all other commands.

import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { operations } from '../../../src/verification/operations/catalogue.ts'
import { compileSources, isWasm, root, runProgram } from '../../support/built.ts'
import { type Outcome, runCommand } from '../../support/cli.ts'
import { textOf } from '../../support/files.ts'

const { entry, env } = compileSources('one-verdict')
const dist = fileURLToPath(new URL('.', entry))
const folder = mkdtempSync(`${tmpdir()}/antara-tx-one-verdict-`)

function verify(
  args: readonly string[],
  { program = `${dist}cli/main.js`, input = '' } = {},
): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'verify', ...args], {
    encoding: 'utf8',
    input,
    env,
  })
  return { status, output: stdout, errors: stderr }
}

/** Two cases of each operation: one that agrees, and one that does not. */
const cases = Object.keys(operations).flatMap((name) => {
  const all: { case: object | string; rejects: string[] }[] = JSON.parse(
    textOf(`test/operations/${name}.json`),
  ).cases
  const picked = [
    all.find(({ rejects }) => rejects.length === 0),
    all.find(({ rejects }) => rejects.length > 0),
  ]
  return picked.map((one, at) => {
    const text = typeof one!.case === 'string' ? textOf(`examples/${one!.case}`) : one!.case
    const path = `${folder}/${name}-${at}.json`
    writeFileSync(path, typeof text === 'string' ? text : JSON.stringify(text))
    return [`${name} ${at === 0 ? 'that agrees' : 'that is rejected'}`, path] as const
  })
})

test.each(cases)('%s has the same report from both programs', async (_, path) => {
  const expected = await runCommand(['verify', path])
  expect([0, 1]).toContain(expected.status)
  expect(verify([path])).toEqual(expected)
})

const transfer = `${root}examples/transfer.json`

test.each([
  [['--json', transfer]],
  [['--strict', transfer]],
  [[transfer, '--strict', '--json']],
  [['/no/such/file']],
  [['--json', '/no/such/file']],
  [[folder]],
  [[`${root}package.json`]],
  [[transfer, transfer]],
  [['--json', '--json', transfer]],
  [['--jsn', transfer]],
  [['--', transfer]],
  [['-']],
])('%j has the same answer from both programs', async (args) => {
  expect(verify(args)).toEqual(await runCommand(['verify', ...args]))
})

test.each([[[]], [['-']]])('a case arrives by standard input: %j', async (args) => {
  const expected = await runCommand(['verify', transfer])
  expect(verify(args, { input: textOf('examples/transfer.json') })).toEqual(expected)
})

test('the second file takes no name that the program lacks', () => {
  const shared = createRequire(import.meta.url)(`${dist}cli/one-verdict.js`).shared()
  const rarely = readFileSync(`${dist}cli/rarely.js`, 'utf8')
  const taken = rarely.matchAll(/require_one_verdict\s*\.\s*([\w$]+)/g)
  const names = [...new Set([...taken].map(([, name]) => name!))]
  expect(names.length).toBeGreaterThan(100)
  expect(names.filter((name) => !(name in shared))).toEqual([])
})

test('functions keep their names, so that a stack trace can be read', () => {
  const program = createRequire(import.meta.url)(`${dist}cli/one-verdict.js`).shared()
  for (const name of ['verifyInputs', 'requireIntent', 'scriptOfAddress']) {
    expect(program[name].name).toBe(name)
  }
})

test('functions are compiled when the program is loaded, so that Node keeps their code', () => {
  const program = readFileSync(`${dist}cli/one-verdict.js`, 'utf8')
  for (const name of ['verifyCase', 'parseCase', 'verifyInputs']) {
    expect(program).toMatch(new RegExp(`\\b${name}=\\(function\\(`))
  }
})

test('the files are strict, as the modules are', () => {
  for (const name of ['main', 'one-verdict', 'rarely']) {
    expect(readFileSync(`${dist}cli/${name}.js`, 'utf8')).toMatch(/^(?:#!.*\n)?"use strict";\n/)
  }
})

test('a build has the same files, whatever is set where it runs', () => {
  const other = `${folder}/other`
  runProgram(process.execPath, [`${root}scripts/build-ts.mjs`, '--out', other, '--no-types'], {
    env: {
      ...process.env,
      ANTARA_TX_ENGINE: isWasm ? '' : 'wasm',
      ANTARA_TX_ADDON: '',
      NODE_COMPILE_CACHE: `${folder}/compiled`,
      NODE_OPTIONS: '--enable-source-maps',
      NODE_V8_COVERAGE: `${folder}/coverage`,
      FORCE_COLOR: '1',
    },
  })
  for (const name of ['main', 'one-verdict', 'rarely']) {
    const path = `cli/${name}.js`
    expect(readFileSync(`${other}/${path}`, 'utf8')).toBe(readFileSync(dist + path, 'utf8'))
  }
})

test('a file that is missing in the installation ends the program without a verdict', () => {
  rmSync(`${folder}/broken`, { recursive: true, force: true })
  const broken = `${folder}/broken/dist/cli`
  mkdirSync(broken, { recursive: true })
  for (const name of ['main.js', 'one-verdict.js', 'package.json']) {
    copyFileSync(`${dist}cli/${name}`, `${broken}/${name}`)
  }
  symlinkSync(`${dist}../native`, `${folder}/broken/native`)
  const program = `${broken}/main.js`
  // WebAssembly is started by the missing file.
  if (!isWasm) expect(verify([transfer], { program })).toEqual(verify([transfer]))
  const payment = verify([`${folder}/payment-0.json`], { program })
  expect(payment).toMatchObject({ status: 70, output: '' })
  expect(payment.errors).toContain("Cannot find module './rarely.js'")
})
