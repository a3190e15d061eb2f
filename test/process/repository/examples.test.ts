// Every example runs and says what its last line should.

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const folder = fileURLToPath(new URL('../../../examples/', import.meta.url))
const scripts = readdirSync(folder).filter((name) => name.endsWith('.mjs'))

const lastLines: Record<string, RegExp> = {
  'create.mjs': /^agrees: the new token's id is 7df350ce/,
  'framework.mjs': /^BCH at block 895348: 1\.5 of 1\.75$/,
  'monitor.mjs': /^confirmed 2 reorganizations 1$/,
  'node.mjs': /^bob has 400$/,
  'prove.mjs': /^output 3: disproven last_output/,
  'sign-offline.mjs': /^AGREES/,
  'transfer.mjs': /^agrees, but read the findings before you broadcast 6fafa939/,
  'verify.mjs': /^agrees, but read the findings before you broadcast 6fafa939/,
}

test('every example is listed here', () => {
  expect(scripts.sort()).toEqual(Object.keys(lastLines).sort())
})

test.each(Object.entries(lastLines))('examples/%s runs', (name, expected) => {
  const output = execFileSync(process.execPath, [`${folder}${name}`], {
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(output.trim().split('\n').at(-1)).toMatch(expected)
})
