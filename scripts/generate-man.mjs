// Makes the manual, man/*.1, and its list in package.json from the tables of src/cli as they were
// compiled: npm run build:ts first.

import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

import { manPages } from './man-pages.mjs'

const root = new URL('..', import.meta.url)
const { catalogue } = await import(new URL('dist/inside/cli/catalogue.js', root))
const help = await import(new URL('dist/inside/cli/help.js', root))
const manifest = new URL('package.json', root)
const facts = JSON.parse(readFileSync(manifest, 'utf8'))

const commands = await Promise.all(
  catalogue.map(async ({ name, summary, load }) => ({ ...(await load()), name, summary })),
)
const pages = manPages({ ...help, commands, version: facts.version })
const folder = new URL('man/', root)
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
for (const [name, text] of pages) writeFileSync(new URL(name, folder), text)
facts.man = [...pages.keys()].map((name) => `man/${name}`)
writeFileSync(manifest, `${JSON.stringify(facts, null, 2)}\n`)
