import { workerText } from '#wasm-worker'
import type { NativeEngine, NativeVerification } from './native.ts'
import { needsWords } from './words.ts'

/** What a worker verifies: the words and texts of a call. */
export interface VerificationTask {
  readonly words: Uint32Array
  readonly source: string | Uint8Array
  readonly hex: string
}

/** Its answer. Without a text there is none, and whoever asked does it himself. */
export interface VerificationAnswer {
  readonly text: string | undefined
  readonly words: Uint32Array
}

/** What is used of a browser's workers, which no library of types but the browser's has. */
interface BrowserWorker {
  onmessage: (event: { readonly data: VerificationAnswer }) => void
  onerror: (event: { preventDefault(): void }) => void
  postMessage(message: VerificationTask | { readonly module: object }): void
  terminate(): void
}
interface Browser {
  readonly location?: { readonly href?: string }
  readonly navigator?: { readonly hardwareConcurrency?: number }
  readonly Worker?: new (url: string) => BrowserWorker
  readonly Blob: new (parts: readonly string[], options: { readonly type: string }) => object
  readonly URL: { createObjectURL(blob: object): string; revokeObjectURL(url: string): void }
  setTimeout(action: () => void, milliseconds: number): number
  clearTimeout(timer: number | undefined): void
}
const browser = globalThis as unknown as Browser

/** Of transactions, about twenty inputs: they take less than a worker's start, or a frame. */
const inlineBytesMax = 3000
const workersMax = 4
const idleMilliseconds = 10_000

/**
 * The engine, with signatures of large transactions, and of many at once, verified by workers where a
 * page or a worker can start them. Where a policy forbids it, or one fails, the engine does it itself.
 */
export function withWorkers(engine: NativeEngine, module: object): NativeEngine {
  if (browser.Worker === undefined || browser.location?.href === undefined) return engine
  const workers = workerPool(module)
  const answers = new WeakMap<NativeVerification, VerificationAnswer>()
  let words: Uint32Array = new Uint32Array(0)
  let waiting: VerificationAnswer | undefined
  let inlineBytes = 0

  /** Whether the engine shall do it: only so much in one turn of the event loop. */
  function isInline(source: string | Uint8Array): boolean {
    if (inlineBytes === 0) {
      browser.setTimeout(() => {
        inlineBytes = 0
      }, 0)
    }
    inlineBytes += typeof source === 'string' ? source.length / 2 : source.length
    return inlineBytes <= inlineBytesMax
  }

  function give(answer: VerificationAnswer): string | undefined {
    const isRoom = answer.words.length <= words.length
    waiting = isRoom ? undefined : answer
    words.set(isRoom ? answer.words : [needsWords, answer.words.length])
    return isRoom ? answer.text : undefined
  }

  return {
    ...engine,
    makeScratch(count, moved) {
      words = engine.makeScratch(count, (used) => {
        words = used
        moved(used)
      })
      return words
    },
    takeAnswer: () => (waiting === undefined ? engine.takeAnswer() : give(waiting)),
    startVerification(source, hex) {
      if (isInline(source)) return engine.startVerification(source, hex)
      const task = { words: words.slice(), source, hex }
      // Says at once what is malformed; the signatures are left for when it is asked.
      const started = engine.startVerification(source, hex)
      return started?.then(async (job) => {
        const answer = await workers.verify(task)
        if (answer?.text !== undefined) answers.set(job, answer)
        return job
      })
    },
    takeVerification(job) {
      const answer = answers.get(job)
      return answer === undefined ? engine.takeVerification(job) : give(answer)
    },
  }
}

interface Running {
  readonly worker: BrowserWorker
  /** In the order in which they were asked. */
  readonly waiting: ((answer?: VerificationAnswer) => void)[]
}

function workerPool(module: object): {
  verify(task: VerificationTask): Promise<VerificationAnswer | undefined>
} {
  const most = Math.min(workersMax, browser.navigator?.hardwareConcurrency ?? 1)
  let running: Running[] = []
  let isForbidden = false
  let timer: number | undefined

  function end(): void {
    for (const { worker, waiting } of running) {
      worker.terminate()
      for (const resolve of waiting) resolve()
    }
    running = []
  }

  function start(): Running {
    const url = browser.URL.createObjectURL(
      new browser.Blob([workerText], { type: 'text/javascript' }),
    )
    const worker = new browser.Worker!(url)
    const one: Running = { worker, waiting: [] }
    worker.onmessage = ({ data }) => {
      browser.URL.revokeObjectURL(url)
      one.waiting.shift()!(data)
      if (running.every(({ waiting }) => waiting.length === 0)) {
        timer = browser.setTimeout(end, idleMilliseconds)
      }
    }
    worker.onerror = (event) => {
      event.preventDefault()
      isForbidden = true
      end()
    }
    worker.postMessage({ module })
    running.push(one)
    return one
  }

  /** One that has nothing to do, a new one, or the one with least to do. */
  function leastBusy(): Running {
    const idle = running.find(({ waiting }) => waiting.length === 0)
    if (idle !== undefined) return idle
    if (running.length < most) return start()
    return running.reduce((one, other) => (other.waiting.length < one.waiting.length ? other : one))
  }

  return {
    verify: (task) =>
      new Promise((resolve) => {
        if (isForbidden) return resolve(undefined)
        try {
          browser.clearTimeout(timer)
          const { worker, waiting } = leastBusy()
          waiting.push(resolve)
          worker.postMessage(task)
        } catch {
          isForbidden = true
          resolve(undefined)
        }
      }),
  }
}
