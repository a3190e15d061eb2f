// `npm run bench -- --list` names the tasks where no peer is installed yet.

import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

import { compileSources, root, runProgram } from '../../support/built.ts'
import { filesBelow } from '../../support/files.ts'

test('the tasks of the benchmark are listed without their peers', () => {
  const { entry, env } = compileSources('bench-list')
  const folder = mkdtempSync(`${tmpdir()}/antara-tx-bench-`)
  try {
    mkdirSync(`${folder}/bench`)
    for (const path of filesBelow('bench')) cpSync(`${root}${path}`, `${folder}/${path}`)
    symlinkSync(fileURLToPath(new URL('.', entry)), `${folder}/dist`, 'junction')
    for (const name of ['test', 'node_modules', 'package.json']) {
      symlinkSync(`${root}${name}`, `${folder}/${name}`, 'junction')
    }
    const { stdout } = runProgram(process.execPath, [`${folder}/bench/run.mjs`, '--list'], { env })
    const tasks = filesBelow('bench/tasks').map((path) => path.slice('bench/tasks/'.length, -4))
    for (const name of tasks) expect(stdout).toContain(`${name}\n    `)
    expect(stdout).toMatch(/^decode-hex\n.*\n {4}antara-tx, antara-tx-wasm, .*bitgo.*wasm-utxo$/m)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
