// Files that bundles hold as text, because there is no file system: the module of native/wasm, and
// the code of its workers.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

const texts = {
  '#wasm': async () => {
    const text = readFileSync(`${root}native/wasm/antara_tx.wasm`).toString('base64')
    return `export const wasmBase64 = '${text}'`
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
