import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { engineFeatures } from '../../engine/calls.ts'
import { answererOf } from './answerers.ts'
import { type AnsweredBlock, answerBlock, type Block } from './block.ts'
import type { Answerer, LineJob } from './job.ts'

/** Answers blocks, several at a time. */
export interface Pool {
  /** How many blocks it can make use of at a time. */
  readonly width: number
  answer(block: Block): Promise<AnsweredBlock> | AnsweredBlock
  close(): Promise<void>
}

/** Blocks that a thread has or is about to have: one that it answers, one that is there when it has. */
const blocksPerThread = 2

export async function openPool(job: LineJob, jobs: number): Promise<Pool> {
  if (jobs > 1) {
    // Of this thread too: a missing engine is told by whoever asked for it.
    engineFeatures()
    return threadPool(job, jobs)
  }
  const answerer = await answererOf(job)
  return {
    width: 1,
    answer: (block) => answerBlock(block, answerer),
    close: async () => undefined,
  }
}

interface Waiting {
  readonly resolve: (answered: AnsweredBlock) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** In the order in which blocks were sent. */
  readonly waiting: Waiting[]
}

function threadPool(job: LineJob, jobs: number): Pool {
  const threads: Thread[] = []

  function start(): Thread {
    // This very file, so that it is found wherever a bundler has put it.
    const worker = new Worker(new URL(import.meta.url), { workerData: { [mark]: job } })
    const thread: Thread = { worker, waiting: [] }
    worker.on('message', (answered: AnsweredBlock) => thread.waiting.shift()!.resolve(answered))
    worker.on('error', (error) => failAll(thread, error))
    worker.on('exit', (status) => failAll(thread, new Error(`a thread ended with ${status}`)))
    threads.push(thread)
    return thread
  }

  /** One that has nothing to do, a new one, or the one with least to do. */
  function leastBusy(): Thread {
    const idle = threads.find(({ waiting }) => waiting.length === 0)
    if (idle !== undefined) return idle
    if (threads.length < jobs) return start()
    return threads.reduce((one, other) => (other.waiting.length < one.waiting.length ? other : one))
  }

  return {
    width: blocksPerThread * jobs,
    answer: (block) =>
      new Promise((resolve, reject) => {
        const thread = leastBusy()
        thread.waiting.push({ resolve, reject })
        thread.worker.postMessage(block, [block.bytes.buffer])
      }),
    close: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}

function failAll({ waiting }: Thread, error: unknown): void {
  for (const { reject } of waiting.splice(0)) reject(error)
}

const mark = 'antara-tx lines'

/** What a thread of the pool does: the job it was started with, block by block. */
function serve(job: LineJob): void {
  // Loaded with the first block, which waits for it like all others.
  let loading: Promise<Answerer> | undefined
  parentPort!.on('message', async (block: Block) => {
    loading ??= answererOf(job)
    const answered = answerBlock(block, await loading)
    parentPort!.postMessage(answered, [answered.output.buffer])
  })
}

if (!isMainThread && typeof workerData === 'object' && workerData !== null && mark in workerData) {
  serve(workerData[mark])
}
