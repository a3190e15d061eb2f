// What a worker of wasm-workers.ts runs: the module first, then transactions. Built into a text of its own.

import type { NativeEngine } from './native.ts'
import { wasmEngine } from './wasm.ts'
import type { VerificationAnswer, VerificationTask } from './wasm-workers.ts'
import { needsWords, scratchWordsMin } from './words.ts'

interface WorkerScope {
  onmessage: (event: { readonly data: VerificationTask | { readonly module: object } }) => void
  postMessage(answer: VerificationAnswer): void
}
const scope = globalThis as unknown as WorkerScope

let engine: NativeEngine
let words: Uint32Array

function useScratch(count: number): void {
  words = engine.makeScratch(count, (moved) => {
    words = moved
  })
}

scope.onmessage = ({ data }) => {
  if ('module' in data) {
    engine = wasmEngine(data.module)
    useScratch(scratchWordsMin)
    return
  }
  if (data.words.length > words.length) useScratch(data.words.length)
  words.set(data.words)
  let text = engine.verifyInputs(data.source, data.hex)
  if (text === undefined && words[0] === needsWords) {
    useScratch(words[1]!)
    text = engine.takeAnswer()
  }
  scope.postMessage({ text, words: words.slice() })
}
