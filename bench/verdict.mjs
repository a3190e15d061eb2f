// What does a warm verdict cost, and how much of it are its signatures? Prints microseconds of
// processor time of the example transfer, medians of interleaved rounds; docs/performance.md quotes
// them. `--beside DIST` measures another build in the same process, such as one of an earlier commit.
//
//   node bench/verdict.mjs [--rounds 41] [--beside ../other/dist]

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { readArguments, wholeNumber } from './lib/arguments.mjs'

const { rounds, beside } = readArguments(
  import.meta.url,
  (_, { rounds, beside }) => ({
    rounds: wholeNumber('--rounds', rounds, { least: 1, otherwise: 41 }),
    beside,
  }),
  { options: { rounds: { type: 'string' }, beside: { type: 'string' } } },
)
const here = fileURLToPath(new URL('../dist', import.meta.url))
const text = readFileSync(new URL('../examples/transfer.json', import.meta.url), 'utf8')
const repetitions = 100
const warmingRounds = 12

function worksOf({ decodeTransaction, parseCase, transactionId, verifyCase, verifyInputs }) {
  const given = parseCase(text)
  const byTxid = new Map(given.evidence.previousTransactions.map((it) => [transactionId(it), it]))
  const prevouts = decodeTransaction(given.hex).inputs.map(
    ({ txid, vout }) => decodeTransaction(byTxid.get(txid)).outputs[vout],
  )
  return {
    'its signatures': () => verifyInputs(given.hex, prevouts),
    'reading its JSON': () => parseCase(text),
    'its verdict': () => verifyCase(given),
  }
}

function microseconds(work) {
  const before = process.cpuUsage()
  for (let at = 0; at < repetitions; at += 1) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / repetitions
}

const median = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1]

const builds = [here, ...(beside === undefined ? [] : [resolve(beside)])]
const subjects = []
for (const build of builds) {
  const works = worksOf(await import(pathToFileURL(`${build}/index.js`).href))
  for (const [name, work] of Object.entries(works)) subjects.push({ build, name, work, times: [] })
}
for (let round = 0; round < warmingRounds + rounds; round += 1) {
  for (const { work, times } of round % 2 === 0 ? subjects : subjects.toReversed()) {
    const time = microseconds(work)
    if (round >= warmingRounds) times.push(time)
  }
}
for (const { build, name, times } of subjects) {
  const least = Math.round(Math.min(...times))
  const place = builds.length > 1 ? `, ${build}` : ''
  console.log(`${name}: ${Math.round(median(times))} us, at least ${least} us${place}`)
}
if (builds.length > 1) {
  const [own, other] = builds.map((it) =>
    subjects.find(({ build, name }) => build === it && name === 'its verdict'),
  )
  const ratios = own.times.map((time, at) => time / other.times[at])
  console.log(`a verdict takes ${median(ratios).toFixed(2)} of the time beside it`)
}
