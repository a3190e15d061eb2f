// The files that CONTRIBUTING.md and the pages name are there.

import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'

import { root } from '../support/built.ts'
import { textOf } from '../support/files.ts'

const folders = ['src', 'native', 'test', 'docs', 'scripts', 'examples', 'bench']

test.each(['CONTRIBUTING.md', 'docs/architecture.md'])('%s names files that are there', (page) => {
  const named = [...textOf(page).matchAll(/`([\w./-]+)`/g)].map(([, path]) => path!)
  const paths = named
    .filter((path) => folders.includes(path.split('/')[0]!) && path.includes('/'))
    .filter((path) => !path.includes('NAME'))
  expect(paths.length).toBeGreaterThan(3)
  expect(paths.filter((path) => !existsSync(`${root}${path}`))).toEqual([])
})
