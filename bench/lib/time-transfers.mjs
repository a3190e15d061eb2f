// Prints the processor's milliseconds for a transfer in the development node of a build: in the first
// round, and the median of the rounds after it.

import { pathToFileURL } from 'node:url'

import { transfersOf } from './node-transfers.mjs'
import { spread } from './statistics.mjs'

const laterRounds = 5
const { createDevNode } = await import(pathToFileURL(`${process.argv[2]}/node/index.js`).href)
const again = await transfersOf(createDevNode)
const first = await again()
const later = []
for (let round = 0; round < laterRounds; round += 1) later.push((await again()).cpu)
console.log(JSON.stringify([first.cpu, spread(later).median]))
