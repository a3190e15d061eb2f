// Passes large verifications on WebAssembly to workers, which run the same module.

import { workerText } from '#wasm-worker'
import { engineFailed } from './loading.ts'
import type { NativeEngine, NativeVerification } from './native.ts'
import { wasmEngine } from './wasm.ts'
import { needsWords } from './words.ts'

/** A verification for a worker: the words and texts of a call. */
export interface VerificationTask {
  readonly words: Uint32Array
  readonly source: string | Uint8Array
  readonly hex: string
}

/** The worker's answer. Without a text the worker failed, and the caller verifies by itself. */
export interface VerificationAnswer {
  readonly text: string | undefined
  readonly words: Uint32Array
}

/** Messages to a worker; the module comes first. */
export type WorkerMessage = VerificationTask | { readonly module: object }

/** A running worker. */
export interface WorkerHandle {
  postMessage(message: WorkerMessage): void
  terminate(): void
}

/** Starts workers on the current platform. */
export interface WorkerPlatform {
  /** Number of threads that can run at the same time. */
  readonly cores: number
  /**
   * Starts a worker that runs `text`. It answers every task in order, or fails.
   *
   * @throws if the platform forbids it
   */
  start(text: string, heard: (answer: VerificationAnswer) => void, failed: () => void): WorkerHandle
}

/**
 * Below about twenty inputs a verification takes less time than a worker's start, or than a frame.
 */
const inlineBytesMax = 3000
const workersMax = 4
const idleMilliseconds = 10_000

/** Timers exist on every platform; a timer is a number in browsers. */
interface Timers {
  setTimeout(action: () => void, milliseconds: number): unknown
  clearTimeout(timer: unknown): void
}
const timers = globalThis as unknown as Timers

/** Returns the engine of a compiled module, with workers of the platform. */
export function engineWithWorkers(
  module: object,
  platform: WorkerPlatform | undefined,
): NativeEngine {
  return withWorkers(wasmEngine(module, engineFailed), module, platform)
}

/**
 * Wraps the engine so that workers verify the signatures of large transactions, and of many at
 * once. If workers cannot be started, or one fails, the engine verifies by itself.
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

  /**
   * Returns whether the native core should verify on this thread, which takes a bounded share of
   * one event-loop turn.
   */
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
      // Reports malformed input at once; signatures are checked when the answer is requested.
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
  /** Pending tasks, oldest first. */
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

  /** Ends idle workers after a while. The timer does not keep a finished process alive. */
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

  /** Returns an idle worker, a new one, or the one with the least work. */
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
