// The program of a worker of wasm-workers.ts. It receives the module first, then transactions. The build makes it a text.

import type { NativeEngine } from './native.ts'
import { wasmEngine } from './wasm.ts'
import type { VerificationAnswer, VerificationTask, WorkerMessage } from './wasm-workers.ts'
import { needsWords, scratchWordsMin } from './words.ts'

interface WorkerScope {
  onmessage: (event: { readonly data: WorkerMessage }) => void
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

function answerOf(task: VerificationTask): VerificationAnswer {
  if (task.words.length > words.length) useScratch(task.words.length)
  words.set(task.words)
  let text = engine.verifyInputs(task.source, task.hex)
  if (text === undefined && words[0] === needsWords) {
    useScratch(words[1]!)
    text = engine.takeAnswer()
  }
  return { text, words: words.slice() }
}

scope.onmessage = ({ data }) => {
  if ('module' in data) {
    engine = wasmEngine(data.module, (cause) => cause)
    useScratch(scratchWordsMin)
    return
  }
  try {
    scope.postMessage(answerOf(data))
  } catch {
    // After a trap the engine has another instance, and the caller repeats the call and sees the error.
    scope.postMessage({ text: undefined, words: new Uint32Array(0) })
  }
}
