// Writes llms.txt and the Markdown of every page into the built site.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { llmsText } from './llms.mjs'

const staged = fileURLToPath(new URL('.cache/pages/', import.meta.url))
const site = fileURLToPath(new URL('../out/site/', import.meta.url))

const paths = readdirSync(staged, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.md'))
  .sort()
const pages = paths.map((path) => ({ path, text: readFileSync(sourceOf(path), 'utf8') }))
for (const { path, text } of pages) writeFileSync(site + path, text)
writeFileSync(`${site}llms.txt`, llmsText(pages))

/** The home page has a head for VitePress, which a reader of plain text does not need. */
function sourceOf(path) {
  return path === 'index.md'
    ? fileURLToPath(new URL('../README.md', import.meta.url))
    : staged + path
}
