// The downloads of a page, for docs/browsers.md: bundles of the package by esbuild, and the
// inspector.

import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const document = `${root}docs/browsers.md`

/** By the name in the table, what is bundled. */
const exported = {
  'all of `antara-tx`': "export * from 'antara-tx'",
  '`verifyCase`, `parseCase`': "export { verifyCase, parseCase } from 'antara-tx'",
  '`createWallet`, `daemonChain`, `privateKeySigner`':
    "export { createWallet, daemonChain, privateKeySigner } from 'antara-tx/wallet'",
  'all of `antara-tx/rpc`, safe flows included': "export * from 'antara-tx/rpc'",
  '`createDaemonClient`': "export { createDaemonClient } from 'antara-tx/rpc'",
  '`networks`, `printable`': "export { networks, printable } from 'antara-tx'",
}
const page = '`dist/inspector.html`'
/** As text inside each bundle that needs it. */
const engine = 'the engine alone'

/** In kB: as it is, with gzip, with brotli. */
const kilobytesOf = (text) =>
  [Buffer.from(text), gzipSync(text, { level: 9 }), brotliCompressSync(text)].map(
    ({ length }) => length / 1000,
  )

/** Measures every row of the table from the current dist/. */
export async function measure() {
  const rows = {}
  for (const [name, contents] of Object.entries(exported)) {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root },
      ...{ bundle: true, minify: true, write: false, format: 'esm', platform: 'browser' },
    })
    rows[name] = kilobytesOf(outputFiles[0].text)
  }
  rows[engine] = kilobytesOf(readFileSync(`${root}native/wasm/antara_tx.lzma`, 'base64'))
  rows[page] = kilobytesOf(readFileSync(`${root}dist/inspector.html`, 'utf8'))
  return rows
}

/** Returns the sizes in the table. */
export function recorded() {
  const rows = readFileSync(document, 'utf8').matchAll(/^\| (.+?) \| (\d+) \| (\d+) \| (\d+) \|$/gm)
  return Object.fromEntries([...rows].map(([, name, ...sizes]) => [name, sizes.map(Number)]))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  let text = readFileSync(document, 'utf8')
  for (const [name, sizes] of Object.entries(await measure())) {
    const row = `| ${name} | ${sizes.map((size) => Math.round(size)).join(' | ')} |`
    console.log(row)
    const [before] = text.match(new RegExp(`^\\| ${name.replaceAll('.', '\\.')} \\|.*$`, 'm')) ?? []
    if (before === undefined) throw new Error(`docs/browsers.md has no row for ${name}`)
    text = text.replace(before, row)
  }
  if (process.argv.includes('--write')) writeFileSync(document, text)
}
