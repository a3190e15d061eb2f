// Copies the pages of the package to where VitePress finds them, beside the packages that it needs;
// a folder's README becomes its index.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

import { homeOf } from './home.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const pages = fileURLToPath(new URL('.cache/pages/', import.meta.url))

const paths = [
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
  ...['', 'clients/', 'scale/', 'journal-postgres/', 'react-wallet/', 'guard/'].map(
    (folder) => `examples/${folder}README.md`,
  ),
  ...readdirSync(`${root}docs`, { recursive: true }).map((path) => `docs/${path}`),
]

rmSync(pages, { recursive: true, force: true })
for (const path of paths) {
  const target = pages + path.replace(/README\.md$/, 'index.md')
  mkdirSync(dirname(target), { recursive: true })
  if (/\.(svg|png)$/.test(path)) cpSync(root + path, target)
  if (!path.endsWith('.md')) continue
  const text = readFileSync(root + path, 'utf8')
  const linked = text.replace(/\]\(([^)\s]*)README\.md/g, ']($1index.md')
  writeFileSync(target, path === 'README.md' ? homeOf(linked) : linked)
}
