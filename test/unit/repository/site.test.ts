// The menu of the site names pages that are there; the rest of it `npm run site` checks.

import { expect, test } from 'vitest'

import { filesBelow, textOf } from '../../support/files.ts'

test('every page in the menu of the site is there', () => {
  const config = textOf('site/.vitepress/config.mjs')
  const named = [...config.matchAll(/item\('[^']+', '([\w-]+)'\)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(15)
  const pages = filesBelow('docs')
  expect(named.filter((name) => !pages.includes(`docs/${name}.md`))).toEqual([])
})
