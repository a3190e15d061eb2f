import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

import { selectCoins } from '../../../src/index.ts'
import { compileSources } from '../../support/built.ts'

const { entry, env } = compileSources('selection-workers')
const script = new URL('../../support/select-worker.mjs', import.meta.url)
const terms = {
  feeRate: 20_000,
  baseBytes: 44,
  changeBytes: 34,
  changeSpendBytes: 148,
}

const poolOf = (seed: number) =>
  BigInt64Array.from({ length: 5000 }, (_, at) => BigInt(10_000 + ((at * seed) % 1_000_003)))

async function startWorker(): Promise<Worker> {
  const worker = new Worker(script, { workerData: { entry }, env })
  await once(worker, 'message')
  return worker
}

function selectedHere(values: BigInt64Array, target: bigint) {
  const selection = selectCoins({ values }, { ...terms, target })
  if (!selection.ok) throw new Error(selection.code)
  const { picked, change, fee } = selection
  return { picked, change, fee }
}

test('threads select from their own indexes at once, each what this one would', async () => {
  const workers = await Promise.all([startWorker(), startWorker()])
  const questions = workers.map((worker, at) => {
    const question = { values: poolOf(7919 + 2 * at), target: BigInt(3_000_000 + at) }
    worker.postMessage({
      values: question.values,
      terms: { ...terms, target: question.target },
      rounds: 100,
    })
    return { ...question, answer: once(worker, 'message') }
  })
  for (const { values, target, answer } of questions) {
    const expected = selectedHere(values, target)
    expect((await answer)[0]).toEqual(expected)
  }
  await Promise.all(workers.map((worker) => worker.terminate()))
})

test('a thread that is stopped takes its index with it and nothing else', async () => {
  const values = poolOf(7919)
  const before = selectedHere(values, 5_000_000n)
  for (let round = 0; round < 3; round += 1) {
    const worker = await startWorker()
    worker.postMessage({ values, terms: { ...terms, target: 5_000_000n }, rounds: 1_000_000 })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await worker.terminate()
  }
  expect(selectedHere(values, 5_000_000n)).toEqual(before)
})
