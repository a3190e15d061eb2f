// Measures the cost of a start beyond that of Node itself, which docs/benchmarks.md quotes. Times
// are never a test.
//
//   node bench/start.mjs [ROUNDS] [WORD]     default 21; only subjects whose name has the word
//
// Rounds are interleaved. The processor's time is that of the whole process, by getrusage; the
// clock's is the caller's, from starting the process until its end or its first answer.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

import { readArguments, wholeNumber } from './lib/arguments.mjs'
import { sendFirstRequest } from './lib/first-request.mjs'
import { spread } from './lib/statistics.mjs'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const hook = fileURLToPath(new URL('lib/report-cpu.cjs', import.meta.url))
const main = `${dist}cli/main.js`

/** Without it, because Node 20 reads those certificates at each start, for twice the time of the rest. */
const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env

const example = fileURLToPath(new URL('../examples/transfer.json', import.meta.url))
const verdict = fileURLToPath(new URL('lib/first-verdict.mjs', import.meta.url))

const subjects = {
  'node -e 0': ['-e', '0'],
  "import 'antara-tx'": [`${dist}index.js`],
  "import 'antara-tx/rpc'": [`${dist}rpc/index.js`],
  "import 'antara-tx/node'": [`${dist}node/index.js`],
  'antara-tx --version': [main, '--version'],
  'antara-tx verify, one case': [main, 'verify', example],
  'antara-tx node, first answer': [main, 'node', '--json'],
}

/** Programs that count only the time after the import. */
const afterImport = {
  'first verdict': { args: [verdict, example] },
  'two verdicts': { args: [verdict, example, '2'] },
  'first verdict, WebAssembly': { args: [verdict, example], engine: 'wasm' },
  'two verdicts, WebAssembly': { args: [verdict, example, '2'], engine: 'wasm' },
}

const names = [...Object.keys(subjects), ...Object.keys(afterImport)]
const { rounds, word } = readArguments(
  import.meta.url,
  ([rounds, word = '']) => {
    if (!names.some((name) => name.includes(word))) {
      throw new RangeError(`WORD: no subject has ${JSON.stringify(word)}`)
    }
    return { rounds: wholeNumber('ROUNDS', rounds, { least: 1, otherwise: 21 }), word }
  },
  { most: 2 },
)

async function sampleOf({ args, engine = '' }) {
  const started = performance.now()
  const child = spawn(process.execPath, ['--require', hook, ...args], {
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    env: { ...environment, ANTARA_TX_ENGINE: engine },
  })
  let output = ''
  child.stdio[3].on('data', (part) => {
    output += part
  })
  if (args.includes('node')) sendFirstRequest(child)
  else child.stdout.resume()
  await once(child, 'close')
  return { clock: performance.now() - started, cpu: Number(output) }
}

const bareName = 'node -e 0'
const all = new Map(
  [
    ...Object.entries(subjects).map(([name, args]) => [name, { args }]),
    ...Object.entries(afterImport),
  ].filter(([name]) => name === bareName || name.includes(word)),
)
const samples = new Map([...all.keys()].map((name) => [name, []]))
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, subject] of all) {
    const sample = await sampleOf(subject)
    // The first round warms the caches of the disk.
    if (round > 0) samples.get(name).push(sample)
  }
}

const medianOf = (name, member) => spread(samples.get(name).map((it) => it[member])).median
const bare = medianOf(bareName, 'cpu')
const row = (name, ...columns) =>
  console.log(name.padEnd(32) + columns.map((text) => text.padStart(15)).join(''))
row('medians of milliseconds', 'processor', 'beside Node', 'clock')
const measured = (table) => Object.keys(table).filter((name) => all.has(name))
for (const name of measured(subjects)) {
  const cpu = medianOf(name, 'cpu')
  const beside = `+${(cpu - bare).toFixed(1)}, ${(cpu / bare).toFixed(2)}x`
  row(name, cpu.toFixed(1), beside, medianOf(name, 'clock').toFixed(0))
}
for (const name of measured(afterImport)) row(name, medianOf(name, 'cpu').toFixed(1))
