// A run of tests leaves nothing in the folder of temporary files.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { root, runProgram } from '../../support/built.ts'

const vitest = `${root}node_modules/vitest/vitest.mjs`
const { VITEST: _, ...env } = process.env

test.each([
  ['tests that pass', []],
  ['a file whose tests are all skipped', ['-t', 'no test has this name', '--passWithNoTests']],
])('no temporary files are left by %s', (_, filter) => {
  const folder = mkdtempSync(join(tmpdir(), 'antara-tx-left-'))
  const temporary = { TMPDIR: folder, TEMP: folder, TMP: folder }
  try {
    const file = 'test/unit/cli/compiled-code.test.ts'
    runProgram(process.execPath, [vitest, 'run', '--project', 'quick', file, ...filter], {
      env: { ...env, ...temporary },
    })
    expect(readdirSync(folder)).toEqual([])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
