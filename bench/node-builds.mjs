// Compares the development nodes of two builds, and prints what docs/performance.md quotes: the
// start until the first answer, and transfers. Times, so never a test.
//
//   node bench/node-builds.mjs DIST OTHER_DIST [ROUNDS]     default 15
//
// Each sample is a process of its own. The builds take turns, and each begins every other round. All
// times are of the processor, by getrusage, so other work on the machine counts little.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { readArguments, wholeNumber } from './lib/arguments.mjs'
import { sendFirstRequest } from './lib/first-request.mjs'
import { ratioSpread, spread } from './lib/statistics.mjs'

const { builds, rounds } = readArguments(
  import.meta.url,
  ([dist, other, rounds]) => {
    if (!dist || !other) throw new RangeError('expected the folders of two builds')
    return {
      builds: [dist, other].map((folder) => resolve(folder)),
      rounds: wholeNumber('ROUNDS', rounds, { least: 1, otherwise: 15 }),
    }
  },
  { most: 3 },
)
const hook = fileURLToPath(new URL('lib/report-cpu.cjs', import.meta.url))
const workload = fileURLToPath(new URL('lib/time-transfers.mjs', import.meta.url))

/** Returns what a process writes to a descriptor, once it has ended. */
async function outputOf(args, { fd, onStart = () => undefined }) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] })
  let output = ''
  child.stdio[fd].on('data', (part) => {
    output += part
  })
  onStart(child)
  child.stdout.resume()
  await once(child, 'close')
  return output
}

async function startOf(build) {
  const main = `${build}/cli/main.js`
  const args = ['--require', hook, main, 'node', '--json']
  return Number(await outputOf(args, { fd: 3, onStart: sendFirstRequest }))
}

const subjects = {
  'start until the first answer, ms': async (build) => [await startOf(build)],
  'a transfer: first round, later ones, ms': async (build) =>
    JSON.parse(await outputOf([workload, build], { fd: 1 })),
}

const bare = []
const samples = Object.fromEntries(Object.keys(subjects).map((name) => [name, [[], []]]))
for (let round = 0; round <= rounds; round += 1) {
  const order = round % 2 === 0 ? [0, 1] : [1, 0]
  const nothing = Number(await outputOf(['--require', hook, '-e', '0'], { fd: 3 }))
  if (round > 0) bare.push(nothing)
  for (const [name, sampleOf] of Object.entries(subjects)) {
    for (const at of order) {
      const sample = await sampleOf(builds[at])
      // The first round warms the caches of the disk.
      if (round > 0) samples[name][at].push(sample)
    }
  }
}

const shown = ({ median, q1, q3 }) =>
  `${median.toFixed(2)} (${q1.toFixed(2)} to ${q3.toFixed(2)})`.padStart(26)
console.log(
  'medians of the processor, and the middle half'.padEnd(42),
  ...['this', 'other', 'ratio'].map((it) => it.padStart(26)),
)
console.log('bare Node, ms'.padEnd(42), shown(spread(bare)))
for (const [name, [these, others]] of Object.entries(samples)) {
  for (const at of these[0].keys()) {
    const [one, two] = [these, others].map((rows) => rows.map((row) => row[at]))
    const label = at === 0 ? name : ''
    console.log(
      label.padEnd(42),
      shown(spread(one)),
      shown(spread(two)),
      shown(ratioSpread(one, two)),
    )
  }
}
