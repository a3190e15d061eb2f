// The size of the package that a release installs, without its binary.

import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

import { bundledTypes } from '../../../scripts/bundle-types.mjs'
import {
  engineLicense,
  isSource,
  releasedPage,
  releasedPaths,
} from '../../../scripts/release-files.mjs'
import { root } from '../../support/built.ts'

const shell = process.platform === 'win32'
const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
const printed = execFileSync('npm', args, { cwd: root, encoding: 'utf8', shell })
const listed = JSON.parse(printed) as
  | [{ files: { path: string }[] }]
  | Record<string, { files: { path: string }[] }>
const paths = Object.values(listed)[0]!.files.map(({ path }) => path)
const released = releasedPaths(paths)
const types = await bundledTypes(root)

test('the package has less than 4.6 MB, and less than 400 files', () => {
  const isReleased = (path: string): boolean => released.includes(path)
  const sizes = released.map((path) => {
    if (!path.endsWith('.md')) return statSync(root + path).size
    return Buffer.byteLength(releasedPage(path, readFileSync(root + path, 'utf8'), isReleased))
  })
  const bytes = [...sizes, ...[...types.values()].map((text) => text.length)]
  const total = bytes.reduce((sum, size) => sum + size, 0)
  expect(total).toBeGreaterThan(2_000_000)
  expect(total).toBeLessThan(4_600_000)
  expect(bytes.length).toBeLessThan(400)
})

test('it has no C sources, no source maps and one WebAssembly module', () => {
  expect(released.filter((path) => /\.(?:c|cpp|h|map)$/.test(path))).toEqual([])
  expect(released.filter((path) => path.endsWith('.wasm'))).toEqual(['native/wasm/antara_tx.wasm'])
  expect(released).toContain(engineLicense)
})

test('it has the examples that the README names', () => {
  const named = readFileSync(`${root}README.md`, 'utf8').match(/examples\/[\w-]+\.\w+/g) ?? []
  expect(named).toContain('examples/transfer.json')
  expect(named.filter((path) => !released.includes(path))).toEqual([])
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
