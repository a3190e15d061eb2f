// Binaries of other platforms: that the script knows each by the name that the loader looks for.

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { platforms } from '../../../scripts/platforms.mjs'
import { platformPackages } from '../../../src/engine/loader-node.ts'
import { root, runProgram } from '../../support/built.ts'

const script = 'scripts/build-platform.mjs'

test('without a known platform, the script names those that there are', () => {
  const run = () => runProgram(process.execPath, [`${root}${script}`, '--target', 'beos'])
  expect(run).toThrow(/exit 2\n.*found beos/s)
})

test('every platform is named as Node and npm name it, and is in the documents', () => {
  const documents = readFileSync(`${root}docs/platforms.md`, 'utf8')
  expect(Object.keys(platforms)).toHaveLength(7)
  for (const [name, { os, cpu, libc }] of Object.entries(platforms)) {
    expect(name).toBe(`${os}-${cpu}${libc === 'musl' ? '-musl' : ''}`)
    expect(libc !== undefined).toBe(os === 'linux')
    expect(documents).toContain(`\`${name}\``)
  }
})

test('the loader writes out the name of every package, for those who gather files by names', () => {
  expect(Object.keys(platformPackages())).toEqual(Object.keys(platforms))
  for (const [name, load] of Object.entries(platformPackages())) {
    expect(String(load)).toContain(`@antara-tx/${name}/antara_tx.node`)
  }
})
