import { engineUnavailable, type LoadedEngine, loadFirst } from './loading.ts'
import { pageWorkers } from './page-workers.ts'
import { engineWithWorkers } from './wasm-workers.ts'

/**
 * Loads the engine of a page from a compiled module, with the page's workers.
 *
 * @param path - the name of the module in messages
 * @param moduleOf - returns the module, or throws the reason why it has none
 */
export function loadPageEngine(path: string, moduleOf: () => object): LoadedEngine {
  const load = () => engineWithWorkers(moduleOf(), pageWorkers())
  const problem = 'antara-tx cannot compile its WebAssembly here.'
  return loadFirst([{ path, load }], (attempts) => {
    const remedy =
      'WebAssembly' in globalThis
        ? "'wasm-unsafe-eval' in script-src of the page's Content-Security-Policy"
        : 'a JavaScript engine with WebAssembly: docs/browsers.md'
    return engineUnavailable('WebAssembly', attempts, { problem, remedy })
  })
}
