import { wasmBase64, wasmBytes } from '#wasm'
import { AntaraError } from '../errors/antara-error.ts'
import { bytesOfBase64 } from '../primitives/base64.ts'
import {
  engineFailed,
  type LoadAttempt,
  type LoadedEngine,
  loadFirst,
  triedText,
} from './loading.ts'
import { decompressLzma } from './lzma.ts'
import { pageWorkers } from './page-workers.ts'
import { compileWasm, wasmEngine } from './wasm.ts'
import { withWorkers } from './wasm-workers.ts'

/**
 * Loads the engine where there are no files, or where a bundler has merged them: browsers, workers,
 * and bundles for a server. The WebAssembly is embedded as text and compiled at the first call.
 */
export function loadEngine(): LoadedEngine {
  const load = () => {
    const module = compileWasm(decompressLzma(bytesOfBase64(wasmBase64), wasmBytes))
    return withWorkers(wasmEngine(module, engineFailed), module, pageWorkers())
  }
  return loadFirst([{ path: 'antara_tx.wasm', load }], unavailable)
}

function unavailable(attempts: readonly LoadAttempt[]): AntaraError {
  const error = new AntaraError('engine_unavailable', { actual: 'WebAssembly' })
  error.message = [
    'antara-tx cannot compile its WebAssembly here.',
    triedText(attempts),
    'What helps:',
    `  ${remedy()}`,
  ].join('\n')
  return error
}

function remedy(): string {
  return 'WebAssembly' in globalThis
    ? "'wasm-unsafe-eval' in script-src of the page's Content-Security-Policy"
    : 'a JavaScript engine with WebAssembly: docs/browsers.md'
}
