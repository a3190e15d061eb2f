// A thread that decodes what it is sent and answers with everything it read.

import { parentPort, workerData } from 'node:worker_threads'

const { decodeTransaction, decodeTransactions, encodeTransaction, transactionIds } = await import(
  workerData.entry
)

parentPort.on('message', ({ hexes, rounds }) => {
  let answer
  for (let round = 0; round < rounds; round += 1) {
    const batch = decodeTransactions(hexes)
    answer = {
      txids: transactionIds(hexes),
      encoded: hexes.map((hex) => encodeTransaction(decodeTransaction(hex))),
      outputs: batch.map(({ outputs }) => outputs.map(({ value, script }) => `${value} ${script}`)),
    }
  }
  parentPort.postMessage(answer)
})
parentPort.postMessage('ready')
