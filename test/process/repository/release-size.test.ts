// The size of the package that a release installs, without its binary.

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

import { engineLicense, isSource, releasedPaths } from '../../../scripts/release-files.mjs'
import { root } from '../../support/built.ts'

const shell = process.platform === 'win32'
const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
const printed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell })
const listed = JSON.parse(printed) as
  | [{ files: { path: string }[] }]
  | Record<string, { files: { path: string }[] }>
const paths = Object.values(listed)[0]!.files.map(({ path }) => path)
const released = releasedPaths(root, paths)

test('the package has less than 4.5 MB, and no more files than the bound', () => {
  const bytes = released.reduce((sum, path) => sum + statSync(root + path).size, 0)
  expect(bytes).toBeGreaterThan(2_000_000)
  expect(bytes).toBeLessThan(4_500_000)
  expect(released.length).toBeLessThan(520)
})

test('it has no C sources, no source maps and one WebAssembly module', () => {
  expect(released.filter((path) => /\.(?:c|cpp|h|map)$/.test(path))).toEqual([])
  expect(released.filter((path) => path.endsWith('.wasm'))).toEqual(['native/wasm/antara_tx.wasm'])
  expect(released).toContain(engineLicense)
})

test('the sources are in the other package', () => {
  const sources = paths.filter(isSource)
  for (const needed of ['CMakeLists.txt', 'native/sources.txt', 'cmake/secp256k1.cmake']) {
    expect(sources).toContain(needed)
  }
  for (const source of readFileSync(`${root}native/sources.txt`, 'utf8').trim().split('\n')) {
    expect(sources).toContain(source)
  }
})

test('every type that an exported type names is there', () => {
  const types = released.filter((path) => path.endsWith('.d.ts'))
  expect(types.length).toBeGreaterThan(100)
  const missing = types.flatMap((path) =>
    [...readFileSync(root + path, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)]
      .map(([, name]) => new URL(name!.replace(/\.[jt]s$/, '.d.ts'), `file:///${path}`).pathname)
      .filter((name) => !types.includes(name.slice(1)))
      .map((name) => `${path}: ${name}`),
  )
  expect(missing).toEqual([])
})
