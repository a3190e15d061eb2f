// Reads the built site as a browser would: every link and anchor leads somewhere, and no page asks
// anything of another host.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'

const site = fileURLToPath(new URL('../out/site/', import.meta.url))
const files = new Set(
  readdirSync(site, { recursive: true })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => statSync(site + path).isFile()),
)
const pages = [...files].filter((path) => path.endsWith('.html'))
const htmlOf = new Map(pages.map((path) => [path, readFileSync(site + path, 'utf8')]))
const idsOf = new Map(
  pages.map((path) => [
    path,
    new Set([...htmlOf.get(path).matchAll(/ id="([^"]+)"/g)].map((one) => one[1])),
  ]),
)

const faults = []
let links = 0
for (const [page, html] of htmlOf) {
  for (const [, tag, attribute, address] of html.matchAll(
    /<(\w+)[^>]*? (href|src|srcset)="([^"]*)"/g,
  )) {
    if (/^(?:data|mailto):/.test(address)) continue
    if (/^(?:https?:)?\/\//.test(address)) {
      if (tag !== 'a') faults.push(`${page}: asks ${address} for ${tag} ${attribute}`)
      continue
    }
    links += 1
    const [path, anchor] = address.split('#')
    const absolute = path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page), path)
    const file =
      path === ''
        ? page
        : absolute === '' || absolute.endsWith('/')
          ? `${absolute}index.html`
          : absolute
    if (!files.has(file)) faults.push(`${page}: ${address} is not there`)
    else if (anchor && !idsOf.get(file)?.has(decodeURIComponent(anchor))) {
      faults.push(`${page}: ${address} has no such heading`)
    }
  }
}
for (const path of [...files].filter((name) => name.endsWith('.css'))) {
  const [foreign] = /url\(["']?(?:https?:)?\/\/[^)]+/.exec(readFileSync(site + path, 'utf8')) ?? []
  if (foreign !== undefined) faults.push(`${path}: asks ${foreign}`)
}

// Each page is there as Markdown too, and llms.txt names it.
const listed = new Set(
  [...readFileSync(`${site}llms.txt`, 'utf8').matchAll(/^- \[.*?\]\(([^)]+)\)/gm)].map(
    (one) => one[1],
  ),
)
for (const page of pages.filter((path) => path !== '404.html')) {
  const markdown = page.replace(/\.html$/, '.md')
  if (!files.has(markdown)) faults.push(`${page}: ${markdown} is not there`)
  if (!listed.has(markdown)) faults.push(`llms.txt: ${markdown} is not listed`)
}
for (const path of listed) if (!files.has(path)) faults.push(`llms.txt: ${path} is not there`)

for (const fault of [...new Set(faults)]) console.error(fault)
console.log(`${pages.length} pages, ${links} links, ${faults.length} faults`)
process.exitCode = faults.length === 0 && pages.length > 100 ? 0 : 1
