// A thread that keeps an index of its own and answers with what it selects.

import { parentPort, workerData } from 'node:worker_threads'

const { createCoinIndex, selectCoins } = await import(workerData.entry)

parentPort.on('message', ({ values, terms, rounds }) => {
  const index = createCoinIndex(values)
  let answer
  for (let round = 0; round < rounds; round += 1) {
    const id = index.add(BigInt64Array.of(99_999_999n))
    index.remove([id])
    const { picked, change, fee } = selectCoins({ index }, terms)
    answer = { picked, change, fee }
  }
  parentPort.postMessage(answer)
})
parentPort.postMessage('ready')
