// How much memory do many coins take? Prints MiB for a million coins: their values, the index that
// keeps them sorted, and plain objects with amounts as bigint beside it. Sizes, so never a test.
//
//   node --expose-gc bench/memory.mjs [COINS]     default 1000000

import { createCoinIndex } from '../dist/index.js'
import { readCount } from './lib/arguments.mjs'
import { randomSource } from './lib/random.mjs'

const count = readCount(import.meta.url, 'COINS', 1_000_000)

/** Holds the results, so that no collection frees them. */
const kept = []
function measured(name, make) {
  globalThis.gc()
  const before = process.memoryUsage()
  const start = process.cpuUsage()
  kept.push(make())
  const { user, system } = process.cpuUsage(start)
  globalThis.gc()
  const after = process.memoryUsage()
  const mib = (after.rss - before.rss) / 2 ** 20
  const each = (2 ** 20 * mib) / count
  console.log(
    `${name}: ${mib.toFixed(0)} MiB resident, ${each.toFixed(0)} bytes each, ${((user + system) / 1000).toFixed(0)} ms of the processor`,
  )
  return kept.at(-1)
}

if (globalThis.gc === undefined) throw new Error('run it with node --expose-gc')
createCoinIndex(BigInt64Array.of(1n)).free()
const random = randomSource('memory')
const values = measured(`values of ${count} coins`, () => {
  const all = new BigInt64Array(count)
  for (let at = 0; at < count; at += 1) all[at] = BigInt(1 + random.below(100_000_000))
  return all
})
measured('an index of them', () => createCoinIndex(values))
measured('the same as objects', () => {
  return Array.from(values, (value, vout) => ({ txid: random.hex(32), vout, value }))
})
