// Decodes, encodes and refuses transactions in a loop and fails if the process has grown by the end.
//   node --expose-gc test/memory/decode.mjs [--count 1000000] [--module dist/index.js]

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    module: { type: 'string', default: 'dist/index.js' },
  },
})
const count = Number(values.count)
const { decodeTransaction, decodeTransactions, describeTransaction, encodeTransaction } =
  await import(pathToFileURL(resolve(values.module)).href)

/** What the second half of the loop may leave behind. The first lets V8 size its young generation. */
const growthMax = { heapUsed: 512 << 10, external: 512 << 10, rss: 8 << 20 }

const vectors = new URL('../vectors/komodod/90-chain-dump.json', import.meta.url)
const hexes = JSON.parse(readFileSync(vectors, 'utf8')).transactions.map(({ hex }) => hex)
const raws = hexes.map((hex) => Buffer.from(hex, 'hex'))
const impossible = `01000000fe00000002${'00'.repeat(50)}`

/** One turn decodes one transaction as text, and now and then does everything else. */
function turn(index) {
  const which = index % hexes.length
  const tx = decodeTransaction(hexes[which])
  if (tx.outputs.length === 0) throw new Error(`no outputs in ${hexes[which]}`)
  if (index % 8 === 0) encodeTransaction(decodeTransaction(raws[which]))
  if (index % 32 === 0) describeTransaction(hexes[which])
  if (index % 32 === 1) refuse(impossible)
  if (index % 4096 === 0) decodeTransactions(hexes)
}

function refuse(hex) {
  try {
    decodeTransaction(hex)
  } catch (error) {
    if (error.code === 'count_over_input') return
    throw error
  }
  throw new Error('an impossible count was accepted')
}

/** The least of several looks: the engine gives pages back in the background. */
async function measure() {
  const looks = []
  for (let round = 0; round < 8; round += 1) {
    globalThis.gc()
    await setTimeout(20)
    looks.push(process.memoryUsage())
  }
  const least = (name) => Math.min(...looks.map((look) => look[name]))
  return Object.fromEntries(Object.keys(growthMax).map((name) => [name, least(name)]))
}

const start = performance.now()
for (let index = 0; index < count / 2; index += 1) turn(index)
const before = await measure()
for (let index = 0; index < count / 2; index += 1) turn(index)
const after = await measure()
const seconds = (performance.now() - start) / 1000

let hasGrown = false
for (const [name, most] of Object.entries(growthMax)) {
  hasGrown ||= after[name] - before[name] > most
  const kib = (bytes) => `${Math.round(bytes / 1024)} KiB`
  console.log(`${name}: ${kib(before[name])} at half of the way, ${kib(after[name])} at the end`)
}
console.log(`${count} transactions in ${seconds.toFixed(1)} s`)
if (hasGrown) console.log('the process has grown')
process.exit(hasGrown ? 1 : 0)
