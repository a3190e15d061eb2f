// The files that CONTRIBUTING.md and the pages name are there.

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

import { root } from '../../support/built.ts'
import { filesBelow, textOf } from '../../support/files.ts'

const folders = ['src', 'native', 'test', 'docs', 'scripts', 'examples', 'bench']

test.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s names files that are there', (page) => {
  const named = [...textOf(page).matchAll(/`([\w./-]+)`/g)].map(([, path]) => path!)
  const paths = named
    .filter((path) => folders.includes(path.split('/')[0]!) && path.includes('/'))
    .filter((path) => !path.includes('NAME'))
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter((path) => !existsSync(`${root}${path}`))).toEqual([])
})

test('the operation that CONTRIBUTING.md recommends to begin with is the shortest', () => {
  const folder = 'src/verification/operations'
  const lines = filesBelow(folder)
    .filter((path) => textOf(path).includes('export const') && !path.endsWith('catalogue.ts'))
    .map((path) => ({ path, count: textOf(path).split('\n').length }))
    .sort((one, other) => one.count - other.count)
  expect(lines.length).toBeGreaterThan(3)
  expect(textOf('CONTRIBUTING.md')).toContain(`\`${lines[0]!.path}\` is the shortest`)
})

test('the result schemas and the kinds of parameters of the RPC client share no hash', () => {
  expect(textOf('src/rpc/fields.ts')).not.toMatch(/export const hash\b/)
  expect(textOf('src/rpc/daemon/parameter.ts')).toMatch(/export const hash\b/)
})
