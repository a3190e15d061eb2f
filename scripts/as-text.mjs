// Files that bundles hold as text, because there is no file system: the module of native/wasm, and
// the code of its workers.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

const texts = {
  '#wasm': async () => {
    const bytes = readFileSync(`${root}native/wasm/antara_tx.wasm`)
    // LZMA makes it a fifth smaller than the gzip of a server: docs/adr/0040-page-size.md.
    const compressed = readFileSync(`${root}native/wasm/antara_tx.lzma`)
    const { decompressLzma } = await import(dataUrl(await codeOf('lzma', 'esm')))
    if (!Buffer.from(decompressLzma(compressed, bytes.length)).equals(bytes)) {
      throw new Error('antara_tx.lzma is of another antara_tx.wasm: run npm run build:wasm')
    }
    const text = compressed.toString('base64')
    return `export const wasmBase64 = '${text}'\nexport const wasmBytes = ${bytes.length}`
  },
  '#wasm-worker': async () =>
    `export const workerText = ${JSON.stringify(await codeOf('wasm-worker', 'iife'))}`,
}

/** Bundles one module of src/engine. */
async function codeOf(name, format) {
  const bundle = await rolldown({ input: `${root}src/engine/${name}.ts`, tsconfig: false })
  const { output } = await bundle.generate({ format, minify: true })
  await bundle.close()
  return output[0].code
}

const dataUrl = (code) => `data:text/javascript,${encodeURIComponent(code)}`

/** For rolldown, and for the tests, whose own search for names that begin with # comes after it. */
export const asText = {
  name: 'as-text',
  enforce: 'pre',
  resolveId: (id) => (id in texts ? id : null),
  load: (id) => texts[id]?.() ?? null,
}
