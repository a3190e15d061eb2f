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

/** What a worker is sent: the module first. */
export type WorkerMessage = VerificationTask | { readonly module: object }

/** A worker that has been started. */
export interface WorkerHandle {
  postMessage(message: WorkerMessage): void
  terminate(): void
}

/** How workers are started where this runs. */
export interface WorkerPlatform {
  /** Threads that run at the same time. */
  readonly cores: number
  /**
   * Starts a worker that runs `text`. It answers every task, in their order, or fails.
   *
   * @throws where it may not
   */
  start(text: string, heard: (answer: VerificationAnswer) => void, failed: () => void): WorkerHandle
}

/** Of transactions, about twenty inputs: they take less than a worker's start, or a frame. */
const inlineBytesMax = 3000
const workersMax = 4
const idleMilliseconds = 10_000

/** Of every platform; a timer is a number in browsers. */
interface Timers {
  setTimeout(action: () => void, milliseconds: number): unknown
  clearTimeout(timer: unknown): void
}
const timers = globalThis as unknown as Timers

/**
 * The engine, with signatures of large transactions, and of many at once, verified by workers. Where
 * they may not be started, or one fails, the engine does it itself.
 */
export function withWorkers(
  engine: NativeEngine,
  module: object,
  platform: WorkerPlatform | undefined,
): NativeEngine {
  if (platform === undefined) return engine
  const workers = workerPool(module, platform)
  const answers = new WeakMap<NativeVerification, VerificationAnswer>()
  let words: Uint32Array = new Uint32Array(0)
  let waiting: VerificationAnswer | undefined
  let inlineBytes = 0

  /** Whether the engine shall do it: only so much in one turn of the event loop. */
  function isInline(source: string | Uint8Array): boolean {
    if (inlineBytes === 0) {
      timers.setTimeout(() => {
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
  readonly worker: WorkerHandle
  /** In the order in which they were asked. */
  readonly waiting: ((answer?: VerificationAnswer) => void)[]
}

function workerPool(
  module: object,
  platform: WorkerPlatform,
): { verify(task: VerificationTask): Promise<VerificationAnswer | undefined> } {
  const most = Math.min(workersMax, platform.cores)
  let running: Running[] = []
  let isForbidden = false
  let timer: unknown

  function end(): void {
    const ended = running
    running = []
    for (const { worker, waiting } of ended) {
      worker.terminate()
      for (const resolve of waiting) resolve()
    }
  }

  function forbid(): void {
    isForbidden = true
    end()
  }

  /** When none has had anything to do for a while. A process that is done does not wait for that. */
  function endWhenIdle(): void {
    if (running.some(({ waiting }) => waiting.length > 0)) return
    timer = timers.setTimeout(end, idleMilliseconds)
    const { unref } = timer as { unref?(): void }
    unref?.call(timer)
  }

  function start(): Running {
    const waiting: Running['waiting'] = []
    const heard = (answer: VerificationAnswer) => {
      waiting.shift()?.(answer)
      endWhenIdle()
    }
    const worker = platform.start(workerText, heard, forbid)
    const one: Running = { worker, waiting }
    running.push(one)
    worker.postMessage({ module })
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
          timers.clearTimeout(timer)
          const { worker, waiting } = leastBusy()
          waiting.push(resolve)
          worker.postMessage(task)
        } catch {
          resolve(undefined)
          forbid()
        }
      }),
  }
}
