// The engine of a page that serves the WebAssembly as a file of its own. The file is compiled while it
// arrives, and the imports of the page wait for it. Calls are then as synchronous as everywhere else.

import type { LoadedEngine } from './loading.ts'
import { loadPageEngine } from './page-loading.ts'

/** The globals of a browser that this file uses. We do not load the type library that declares them. */
interface Page {
  readonly WebAssembly: {
    compile(bytes: ArrayBuffer): Promise<object>
    compileStreaming(response: Response): Promise<object>
  }
}

// Bundlers copy the file that they see here.
const url = new URL('../../native/wasm/antara_tx.wasm', import.meta.url)

/** Returns the module, or throws the reason why it has none. Only calls that need the engine fail then. */
const compiled = await compile().then(
  (module) => () => module,
  (reason: unknown) => (): never => {
    throw reason
  },
)

export function loadEngine(): LoadedEngine {
  return loadPageEngine(url.href, compiled)
}

async function compile(): Promise<object> {
  const { WebAssembly } = globalThis as unknown as Page
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  // Only with this type does a browser compile what has not arrived yet.
  return response.headers.get('content-type') === 'application/wasm'
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer())
}
