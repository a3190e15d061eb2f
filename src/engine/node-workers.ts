import type { Worker as Thread } from 'node:worker_threads'
import type { VerificationAnswer, WorkerHandle, WorkerPlatform } from './wasm-workers.ts'

/** Gives a thread the globals of a page's worker. A message that the thread cannot read ends it. */
const prelude = `
const { parentPort } = require('node:worker_threads')
globalThis.postMessage = (data) => parentPort.postMessage(data)
parentPort.on('message', (data) => globalThis.onmessage({ data }))
parentPort.on('messageerror', (error) => { throw error });
`

/**
 * Node's threads. They keep the process alive while they have a task. Other runtimes may lack
 * `process.getBuiltinModule`, which Node has since 20.16.
 */
export function nodeWorkers(): WorkerPlatform | undefined {
  if (process.getBuiltinModule === undefined) return undefined
  const { Worker } = process.getBuiltinModule('node:worker_threads')
  const { availableParallelism } = process.getBuiltinModule('node:os')
  return {
    cores: availableParallelism(),
    start(text, heard, failed) {
      // Threads do not inherit the options of this process.
      const thread = new Worker(prelude + text, { eval: true, execArgv: [], env: {} })
      return handleOf(thread, heard, failed)
    },
  }
}

function handleOf(
  thread: Thread,
  heard: (answer: VerificationAnswer) => void,
  failed: () => void,
): WorkerHandle {
  let pending = 0
  let isEnded = false
  const fail = () => {
    if (!isEnded) failed()
  }
  thread.unref()
  thread.on('message', (answer: VerificationAnswer) => {
    pending -= 1
    if (pending === 0) thread.unref()
    heard(answer)
  })
  thread.on('messageerror', fail)
  thread.on('error', fail)
  thread.on('exit', fail)
  return {
    postMessage(message) {
      if (!('module' in message)) {
        pending += 1
        thread.ref()
      }
      thread.postMessage(message)
    },
    terminate() {
      isEnded = true
      void thread.terminate()
    },
  }
}
