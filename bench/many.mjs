// How much longer than a loop over `verifyCase` does `verifyMany` take for small cases? Prints what docs/performance.md quotes: processor time of this process, in rounds that take turns.
//
//   node bench/many.mjs [CASES]     default 1000

import { readFileSync } from 'node:fs'

import { parseCase, verifyCase, verifyMany } from '../dist/index.js'
import { readCount } from './lib/arguments.mjs'
import { ratioSpread, spread } from './lib/statistics.mjs'

const count = readCount(import.meta.url, 'CASES', 1000)
const rounds = 9
const example = new URL('../examples/transfer.json', import.meta.url)
const cases = Array(count).fill(parseCase(readFileSync(example, 'utf8')))

const ways = {
  'a loop over verifyCase': async () => {
    for (const one of cases) verifyCase(one)
  },
  verifyMany: async () => {
    for await (const report of verifyMany(cases)) if (!report.ok) throw new Error('rejected')
  },
}

const times = Object.fromEntries(Object.keys(ways).map((name) => [name, []]))
for (let round = -2; round < rounds; round += 1) {
  for (const [name, way] of Object.entries(ways)) {
    const before = process.cpuUsage()
    await way()
    const { user, system } = process.cpuUsage(before)
    // The first rounds compile.
    if (round >= 0) times[name].push((user + system) / count)
  }
}

const [loop, many] = Object.values(times)
for (const [name, values] of Object.entries(times)) {
  console.log(`${name.padEnd(24)} ${spread(values).median.toFixed(0)} us for each case`)
}
console.log(`verifyMany takes ${ratioSpread(many, loop).median.toFixed(2)} times as much`)
