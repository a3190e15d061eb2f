import { AntaraError } from '../errors/antara-error.ts'
import {
  engineFailed,
  type LoadAttempt,
  type LoadedEngine,
  loadFirst,
  triedText,
} from './loading.ts'
import { pageWorkers } from './page-workers.ts'
import { wasmEngine } from './wasm.ts'
import { withWorkers } from './wasm-workers.ts'

/**
 * Loads the engine of a page from a compiled module, with the page's workers.
 *
 * @param path - the name of the module in messages
 * @param moduleOf - returns the module, or throws the reason why there is none
 */
export function loadPageEngine(path: string, moduleOf: () => object): LoadedEngine {
  const load = () => {
    const module = moduleOf()
    return withWorkers(wasmEngine(module, engineFailed), module, pageWorkers())
  }
  return loadFirst([{ path, load }], unavailable)
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
