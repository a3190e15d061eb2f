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

/**
 * The growth that each part of the loop may leave behind. A leak grows in every part. V8 enlarges its
 * young generation, or its threads keep a few pages, in one part.
 */
const growthMax = { heapUsed: 128 << 10, external: 128 << 10, rss: 2 << 20 }
const parts = 4

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
const looks = []
for (let part = 0; part < parts; part += 1) {
  for (let index = 0; index < count / parts; index += 1) turn(index)
  looks.push(await measure())
}
const seconds = (performance.now() - start) / 1000

let hasGrown = false
for (const [name, most] of Object.entries(growthMax)) {
  const sizes = looks.map((look) => look[name])
  hasGrown ||= sizes.every((size, part) => part === 0 || size - sizes[part - 1] > most)
  const kib = sizes.map((size) => Math.round(size / 1024)).join(', ')
  console.log(`${name}: ${kib} KiB after each of ${parts} parts`)
}
console.log(`${count} transactions in ${seconds.toFixed(1)} s`)
if (hasGrown) console.log('the process has grown')
process.exit(hasGrown ? 1 : 0)
