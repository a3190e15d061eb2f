// npm run build:ts makes it: dist/inspector.html, the page that explains a transaction. One file with
// everything in it, engine included, under a policy that lets it make no request. It works from any
// host, and from a file.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { brotliCompressSync } from 'node:zlib'
import { rolldown } from 'rolldown'

import { asText } from './as-text.mjs'
import { licensesText, packageFolders } from './licenses.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const { values } = parseArgs({
  options: { out: { type: 'string', default: `${root}dist/inspector.html` } },
})

/** Bytes of the page with brotli, the engine among them. */
const brotliMax = 280_000

const { imports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const bundle = await rolldown({
  cwd: root,
  input: `${root}inspector/main.tsx`,
  plugins: [asText],
  resolve: {
    alias: Object.fromEntries(
      Object.entries(imports).map(([name, { default: path }]) => [
        name,
        `${root}${path.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`,
      ]),
    ),
  },
  transform: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  tsconfig: false,
  platform: 'browser',
})
const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
await bundle.close()
if (output.length !== 1) throw new Error(`one file expected, not ${output.length}`)

// In a script element only these end it, or begin what hides its end.
const script = output[0].code.trim().replaceAll('</', '<\\/').replaceAll('<!--', '<\\!--')
const style = readFileSync(`${root}inspector/style.css`, 'utf8')
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
const policy = [
  "default-src 'none'",
  `script-src ${hashOf(script)} 'wasm-unsafe-eval'`,
  // The colors of tokens are set one by one.
  `style-src-elem ${hashOf(style)}`,
  "style-src-attr 'unsafe-inline'",
  'img-src data:',
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>What does this transaction do?</title>
<link rel="icon" href="data:,">
<style>${style}</style>
<body>
<div id="page"></div>
<script type="module">${script}</script>
</html>
`
const size = brotliCompressSync(page).length
if (size > brotliMax) throw new Error(`the page has ${size} bytes with brotli, over ${brotliMax}`)
mkdirSync(dirname(values.out), { recursive: true })
if (!existsSync(values.out) || readFileSync(values.out, 'utf8') !== page) {
  writeFileSync(`${values.out}.new`, page)
  renameSync(`${values.out}.new`, values.out)
}
// The page has packages of its own, and their licenses ask to be passed on with them.
const licenses = `${dirname(values.out)}/licenses.txt`
const texts = licensesText(licenses, packageFolders(Object.keys(output[0].modules)))
if (!existsSync(licenses) || readFileSync(licenses, 'utf8') !== texts) {
  writeFileSync(`${licenses}.new`, texts)
  renameSync(`${licenses}.new`, licenses)
}
console.log(`inspector.html: ${page.length} bytes, brotli ${size}`)
