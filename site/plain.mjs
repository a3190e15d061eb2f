// Writes llms.txt and the Markdown of every page into the built site.

import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { llmsText } from './llms.mjs'

const staged = fileURLToPath(new URL('.cache/pages/', import.meta.url))
const site = fileURLToPath(new URL('../out/site/', import.meta.url))

const paths = readdirSync(staged, { recursive: true })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.md'))
  .sort()
for (const path of paths) copyFileSync(staged + path, site + path)
const pages = paths.map((path) => ({ path, text: readFileSync(staged + path, 'utf8') }))
writeFileSync(`${site}llms.txt`, llmsText(pages))
