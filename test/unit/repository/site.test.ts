// The menu of the site names pages that are there; the rest of it `npm run site` checks.

import { expect, test } from 'vitest'

import { llmsText } from '../../../site/llms.mjs'
import { filesBelow, textOf } from '../../support/files.ts'

test('every page in the menu of the site is there', () => {
  const config = textOf('site/.vitepress/config.mjs')
  const named = [...config.matchAll(/item\('[^']+', '([\w-]+)'\)/g)].map(([, name]) => name)
  expect(named.length).toBeGreaterThan(15)
  const pages = filesBelow('docs')
  expect(named.filter((name) => !pages.includes(`docs/${name}.md`))).toEqual([])
})

test('llms.txt lists each page with its title and first sentence, decisions last', () => {
  const paths = filesBelow('docs').filter((path) => path.endsWith('.md'))
  const pages = paths.map((path) => ({ path, text: textOf(path) }))
  const text = llmsText([{ path: 'index.md', text: textOf('README.md') }, ...pages])
  expect(text).toMatch(
    /^# antara-tx\n\n> Verify Komodo transactions before you broadcast them\..+\n\n## Guides\n/,
  )
  expect(text).toContain(
    '\n- [Verification](docs/verify.md): antara-tx compares a raw transaction with your request',
  )
  const rows = text.match(/^- \[[^\]]+\]\([^)]+\)/gm) ?? []
  expect(rows).toHaveLength(pages.length + 1)
  expect(text).not.toMatch(/\): (?:ts|sh|json|text)$/m)
  const parts = text.match(/^## .+$/gm)
  expect(parts).toEqual(['## Guides', '## Reference', '## Optional'])
})
