// Runs komodo's own tests of its RPC, from a copy that somebody names. docs/node-tests.md lists those that
// do not pass, each with its reason.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { root } from '../support/built.ts'
import { komodoTests, runKomodoTests } from '../support/komodo-tests.ts'
import { testUnless } from '../support/skip.ts'

/** The tests that a table of the documentation names. */
function named(heading: string): string[] {
  const page = readFileSync(join(root, 'docs/node-tests.md'), 'utf8')
  const [, section = ''] = page.split(`## ${heading}\n`)
  const [own = ''] = section.split(/^#/m)
  return [...own.matchAll(/^\|.*?\|/gm)]
    .flatMap(([cell]) => [...cell.matchAll(/`(test_\w+)`/g)].map(([, name]) => name!))
    .sort()
}

testUnless(komodoTests === undefined && 'ANTARA_KOMODO_TESTS names no folder')(
  "komodo's own tests pass, except those that the documentation names",
  { timeout: 600_000 },
  async () => {
    const { passed, failed, output } = await runKomodoTests(['basic', 'cc_modules/test_token.py'])
    expect(failed, output).toEqual(named("Komodo's own tests"))
    expect([passed.length, failed.length]).toEqual([70, 11])
  },
)
