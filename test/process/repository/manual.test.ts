// The manual says what help says, is well-formed, and is all that package.json names.

import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

import { catalogue } from '../../../src/cli/catalogue.ts'
import { environment, exitStatuses, exitStatusesOf } from '../../../src/cli/help.ts'
import { root } from '../../support/built.ts'
import { filesBelow, textOf } from '../../support/files.ts'
import { testUnless } from '../../support/skip.ts'

const { version, man } = JSON.parse(textOf('package.json'))
const files = filesBelow('man').sort()
const { manPages } = await import(`${root}scripts/man-pages.mjs`)
const hasMandoc = spawnSync('mandoc', ['-Tlint', '/dev/null']).error === undefined

test('is current: npm run generate', async () => {
  const commands = await Promise.all(
    catalogue.map(async ({ name, summary, load }) => ({ ...(await load()), name, summary })),
  )
  const pages: ReadonlyMap<string, string> = manPages({
    commands,
    exitStatuses,
    exitStatusesOf,
    environment,
    version,
  })
  expect(files).toEqual([...pages.keys()].map((name) => `man/${name}`).sort())
  expect([...man].sort()).toEqual(files)
  for (const [name, text] of pages) expect(textOf(`man/${name}`), name).toBe(text)
})

test('names every variable that the sources read', () => {
  const read = filesBelow('src').flatMap((path) =>
    [...textOf(path).matchAll(/\bANTARA_[A-Z_]+/g)].map(([name]) => name),
  )
  const reported = environment.flatMap(([names]) => names.split(', '))
  expect([...new Set(read)].sort()).toEqual(reported.filter((name) => /^ANTARA_/.test(name)).sort())
})

testUnless(!hasMandoc && 'mandoc is not installed')('passes the checks of mandoc', () => {
  const { stdout, stderr } = spawnSync('mandoc', ['-Tlint', ...files], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  // Not installed yet; and whose system it is one may well say.
  const known = /referenced manual not found: Xr antara-tx|operating system explicitly specified/
  expect(stdout.split('\n').filter((line) => line !== '' && !known.test(line))).toEqual([])
})
