// Answers blocks of lines, in this thread or on several.

import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

import { engineFeatures } from '../../engine/calls.ts'
import { answererOf } from './answerers.ts'
import {
  type AnsweredBlock,
  answerBlock,
  type Block,
  failedBlock,
  joinedBlocks,
  linesOfBlock,
  reusedRoom,
} from './block.ts'
import { type Answerer, coreFormOf, type LineJob } from './job.ts'

/** Answers blocks, several at a time. */
export interface Pool {
  /** Number of blocks that it can work on at a time. */
  readonly width: number
  /**
   * True if a block and its answer must stay valid while the next block is read. If false, the next
   * block and the next answer may overwrite them.
   */
  readonly keepsBlocks: boolean
  answer(block: Block): Promise<AnsweredBlock> | AnsweredBlock
  close(): Promise<void>
}

/** Blocks per thread: one in work, and one that is ready when it is done. */
const blocksPerThread = 2

/**
 * Opens a pool.
 *
 * @param options - `isIsolated` uses threads even for one job, so that a line that ends its thread,
 *   for example by taking all of its memory, does not end the process
 */
export async function openPool(
  job: LineJob,
  jobs: number,
  { isIsolated }: { readonly isIsolated: boolean },
): Promise<Pool> {
  if (jobs > 1 || isIsolated) {
    // Loads the engine in this thread too, so that a missing engine is reported here.
    engineFeatures()
    return threadPool(job, jobs)
  }
  const answerer = await answererOf(job)
  const how = { ...coreFormOf(job), room: reusedRoom() }
  return {
    width: 1,
    keepsBlocks: false,
    answer: (block) => answerBlock(block, answerer, how),
    close: async () => undefined,
  }
}

interface Waiting {
  readonly block: Block
  /** True if it ended an earlier thread; it then has one line. */
  readonly isSuspect: boolean
  readonly resolve: (answered: AnsweredBlock) => void
  readonly reject: (error: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** In the order in which blocks were sent. */
  readonly waiting: Waiting[]
  /** True if it has loaded the library; a failure before that is not the fault of a line. */
  isReady: boolean
}

type FromThread = AnsweredBlock | 'ready'

function threadPool(job: LineJob, jobs: number): Pool {
  let threads: readonly Thread[] = []

  function start(): Thread {
    // The worker runs this file, so a bundler cannot separate the two.
    const worker = new Worker(new URL(import.meta.url), { workerData: { [workerTag]: job } })
    const thread: Thread = { worker, waiting: [], isReady: false }
    worker.on('message', (answered: FromThread) => {
      if (answered === 'ready') thread.isReady = true
      else thread.waiting.shift()!.resolve(answered)
    })
    worker.on('error', (error) => replace(thread, error))
    worker.on('exit', (status) => replace(thread, new Error(`a thread ended with ${status}`)))
    threads = [...threads, thread]
    return thread
  }

  /** Returns an idle thread, a new one, or the one with the fewest blocks. */
  function leastBusy(): Thread {
    const idle = threads.find(({ waiting }) => waiting.length === 0)
    if (idle !== undefined) return idle
    if (threads.length < jobs) return start()
    return threads.reduce((one, other) => (other.waiting.length < one.waiting.length ? other : one))
  }

  function send(waiting: Waiting): void {
    const thread = leastBusy()
    thread.waiting.push(waiting)
    // A copy: the block is sent again if its thread ends.
    thread.worker.postMessage(waiting.block)
  }

  function answer(block: Block, isSuspect: boolean): Promise<AnsweredBlock> {
    return new Promise((resolve, reject) => send({ block, isSuspect, resolve, reject }))
  }

  /** Gives the blocks of an ended thread to others; the block that ended it goes line by line. */
  function replace(thread: Thread, error: unknown): void {
    threads = threads.filter((it) => it !== thread)
    const [first, ...others] = thread.waiting.splice(0)
    if (first === undefined) return
    if (!thread.isReady) {
      for (const { reject } of [first, ...others]) reject(error)
      return
    }
    if (first.isSuspect) first.resolve(failedBlock(error))
    else answerEach(first.block).then(first.resolve, first.reject)
    others.forEach(send)
  }

  async function answerEach(block: Block): Promise<AnsweredBlock> {
    const answered: AnsweredBlock[] = []
    for (const line of linesOfBlock(block)) answered.push(await answer(line, true))
    return joinedBlocks(answered)
  }

  return {
    width: blocksPerThread * jobs,
    keepsBlocks: true,
    answer: (block) => answer(block, false),
    close: async () => {
      await Promise.all(threads.map(({ worker }) => worker.terminate()))
    },
  }
}

const workerTag = 'antara-tx lines'

/** Runs a thread of the pool: it answers the job it was started with, block by block. */
async function serve(job: LineJob): Promise<void> {
  const loading = load(job)
  parentPort!.on('message', async (block: Block) => {
    const answered = answerBlock(block, await loading, coreFormOf(job))
    parentPort!.postMessage(answered, [answered.output.buffer])
  })
  await loading
  parentPort!.postMessage('ready' satisfies FromThread)
}

async function load(job: LineJob): Promise<Answerer> {
  engineFeatures()
  return answererOf(job)
}

if (
  !isMainThread &&
  typeof workerData === 'object' &&
  workerData !== null &&
  workerTag in workerData
) {
  await serve(workerData[workerTag])
}
