// Files that bundles hold as text, because there is no file system: the module of native/wasm, and
// the code of its workers.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { inflateRawSync } from 'node:zlib'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

const texts = {
  '#wasm': async () => {
    const bytes = readFileSync(`${root}native/wasm/antara_tx.wasm`)
    // A server compresses base64 of compressed bytes better than base64 of the bytes themselves.
    const compressed = readFileSync(`${root}native/wasm/antara_tx.deflate`)
    if (!inflateRawSync(compressed).equals(bytes)) {
      throw new Error('antara_tx.deflate is of another antara_tx.wasm: run npm run build:wasm')
    }
    const text = compressed.toString('base64')
    return `export const wasmBase64 = '${text}'\nexport const wasmBytes = ${bytes.length}`
  },
  '#wasm-worker': async () => {
    const bundle = await rolldown({ input: `${root}src/engine/wasm-worker.ts`, tsconfig: false })
    const { output } = await bundle.generate({ format: 'iife', minify: true })
    await bundle.close()
    return `export const workerText = ${JSON.stringify(output[0].code)}`
  },
}

/** For rolldown, and for the tests, whose own search for names that begin with # comes after it. */
export const asText = {
  name: 'as-text',
  enforce: 'pre',
  resolveId: (id) => (id in texts ? id : null),
  load: (id) => texts[id]?.() ?? null,
}
