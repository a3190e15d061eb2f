import { wasmBase64, wasmBytes } from '#wasm'
import { bytesOfBase64 } from '../primitives/base64.ts'
import type { LoadedEngine } from './loading.ts'
import { decompressLzma } from './lzma.ts'
import { loadPageEngine } from './page-loading.ts'
import { compileWasm } from './wasm.ts'

/**
 * Loads the engine where there are no files, or where a bundler has merged them: browsers, workers,
 * and bundles for a server. The WebAssembly is embedded as text and compiled at the first call.
 */
export function loadEngine(): LoadedEngine {
  return loadPageEngine('antara_tx.wasm', () =>
    compileWasm(decompressLzma(bytesOfBase64(wasmBase64), wasmBytes)),
  )
}
