import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'

import { decodeTransactions, encodeTransaction, transactionIds } from '../../../src/index.ts'
import { compileSources } from '../../support/built.ts'
import { chain } from '../../support/vectors.ts'

interface Answer {
  txids: string[]
  encoded: string[]
  outputs: string[][]
}

const { entry, env } = compileSources('workers')
const script = new URL('../../support/decode-worker.mjs', import.meta.url)
const hexes = chain.map(({ hex }) => hex)

async function startWorker(): Promise<Worker> {
  const worker = new Worker(script, { workerData: { entry }, env })
  await once(worker, 'message')
  return worker
}

async function ask(worker: Worker, request: { hexes: string[]; rounds: number }): Promise<Answer> {
  worker.postMessage(request)
  const [answer] = await once(worker, 'message')
  return answer
}

/** Reads the sources in this thread, and returns them in the form of a worker's answer. */
function readHere(sources: string[]): Answer {
  const transactions = decodeTransactions(sources)
  return {
    txids: transactionIds(sources),
    encoded: transactions.map((tx) => encodeTransaction(tx)),
    outputs: transactions.map(({ outputs }) =>
      outputs.map(({ value, script: hex }) => `${value} ${hex}`),
    ),
  }
}

test('two threads and this one decode at once, each what it was given', async () => {
  const [one, other] = await Promise.all([startWorker(), startWorker()])
  const [first, second] = [hexes.slice(0, 300), hexes.slice(150).toReversed()]
  const answers = [
    ask(one, { hexes: first, rounds: 20 }),
    ask(other, { hexes: second, rounds: 20 }),
  ]
  for (let round = 0; round < 10; round += 1) {
    expect(readHere(hexes).txids).toEqual(chain.map(({ txid }) => txid))
  }
  expect(await answers[0]).toEqual(readHere(first))
  expect(await answers[1]).toEqual(readHere(second))
  await Promise.all([one.terminate(), other.terminate()])
})

test('a thread that is stopped in the middle of its work takes nothing with it', async () => {
  for (let round = 0; round < 5; round += 1) {
    const worker = await startWorker()
    worker.postMessage({ hexes, rounds: 1_000_000 })
    await new Promise((resolve) => setTimeout(resolve, 20))
    await worker.terminate()
    expect(readHere(hexes).txids).toEqual(chain.map(({ txid }) => txid))
  }
  const worker = await startWorker()
  expect(await ask(worker, { hexes, rounds: 1 })).toEqual(readHere(hexes))
  await worker.terminate()
})
