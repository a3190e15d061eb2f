// Sources of others are kept as they were released: who audits them compares hashes.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

import { engineFeatures } from '../../../src/engine/engine.ts'
import { root } from '../../support/built.ts'
import { filesBelow, textOf } from '../../support/files.ts'

const folder = 'third_party/secp256k1'
const ours = new Set([`${folder}/README.md`, `${folder}/SHA256SUMS`])

function hashOf(path: string): string {
  return createHash('sha256')
    .update(readFileSync(`${root}${path}`))
    .digest('hex')
}

test('libsecp256k1 is as its release has it, every file and no other', () => {
  const listed = textOf(`${folder}/SHA256SUMS`)
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  '))
  const found = filesBelow(folder).filter((path) => !ours.has(path))
  expect(found.map((path) => [hashOf(path), path.slice(folder.length + 1)]).sort()).toEqual(
    listed.sort(),
  )
  expect(listed.length).toBeGreaterThan(50)
})

test('its release is the one that the engine, its page and its own history name', () => {
  const newest = /^## \[([\d.]+)\]/m.exec(textOf(`${folder}/CHANGELOG.md`))![1]!
  expect(textOf(`${folder}/README.md`)).toContain(`Release ${newest} of`)
  expect(engineFeatures()).toContain(`libsecp256k1 ${newest}`)
})

test('both build systems and the build for WebAssembly compile it, and no other', () => {
  for (const path of ['cmake/secp256k1.cmake', 'native/secp256k1.gyp', 'scripts/build-wasm.mjs']) {
    expect(textOf(path), path).toContain(folder)
    expect(textOf(path), path).not.toContain('node_modules/secp256k1')
  }
})
