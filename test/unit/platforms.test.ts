// Binaries of other platforms: that the script knows each by the name that the loader looks for.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { root, runProgram } from '../support/built.ts'

const script = 'scripts/build-platform.mjs'

test('without a platform that it knows, the script names those that there are', () => {
  const run = () => runProgram(process.execPath, [`${root}${script}`, '--target', 'beos'])
  expect(run).toThrow(/exit 2\n.*found beos/s)
})

test('every platform is named as Node names it, and is in the documents', () => {
  const [, table] = /const targets = \{\n(.*?)\n\}/s.exec(readFileSync(`${root}${script}`, 'utf8'))!
  const names = [...table!.matchAll(/^ {2}'([\w-]+)'/gm)].map(([, name]) => name!)
  const documents = readFileSync(`${root}docs/platforms.md`, 'utf8')
  expect(names).toHaveLength(3)
  for (const name of names) {
    expect(name).toMatch(/^(?:linux-arm64(?:-musl)?|darwin-arm64)$/)
    expect(documents).toContain(`\`${name}\``)
  }
})
