// Makes indexes that are dropped, and some that are freed, and fails if memory stays behind.
//   node --expose-gc test/memory/coin-index.mjs [--module dist/index.js]

import { resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values: options } = parseArgs({
  options: { module: { type: 'string', default: 'dist/index.js' } },
})
const { createCoinIndex } = await import(pathToFileURL(resolve(options.module)).href)

const coins = 20_000
const values = BigInt64Array.from({ length: coins }, (_, at) => BigInt(1 + ((at * 7919) % 100_003)))
/** One index holds 24 bytes a coin; a thousand would be 480 MB. */
const growthMaxBytes = 40 << 20

async function settle() {
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc()
    await setImmediate()
  }
  return process.memoryUsage()
}

async function makeIndexes(count) {
  for (let made = 0; made < count; made += 1) {
    const index = createCoinIndex(values)
    index.remove([made])
    if (made % 3 === 0) index.free()
    if (made % 100 === 0) await setImmediate()
  }
}

// The allocator keeps memory that waits for a collection, and on a busy machine a collection may be
// late. A leak grows in every round, so one round without growth shows that there is none.
const roundsMax = 4
await makeIndexes(1000)
let before = await settle()
for (let round = 1; ; round += 1) {
  await makeIndexes(1000)
  const after = await settle()
  const grown = after.rss - before.rss
  const isKept = grown > growthMaxBytes || after.external > before.external + (1 << 20)
  if (!isKept || round === roundsMax) {
    console.log(`1000 indexes of ${coins} coins: resident ${(grown / 2 ** 20).toFixed(1)} MB more`)
    if (isKept) console.error(`memory stayed behind: ${JSON.stringify({ before, after })}`)
    process.exitCode = isKept ? 1 : 0
    break
  }
  before = after
}
