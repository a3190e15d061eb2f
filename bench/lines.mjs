// How fast is `antara-tx … --lines`, beside reading and splitting the same file? Prints what
// docs/scale.md quotes. Processor time of whole processes, less that of one with a quarter of the
// lines: what starting costs, each thread for itself, is not in it.
//
//   node bench/lines.mjs [LINES [CASES]] [--beside DIST]     default 200000 20000
//
// With --beside, the same lines take turns with another build, and each row ends with the ratio.

import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'

import {
  decodeTransaction,
  networks,
  parseCase,
  transactionId,
  verifyInputs,
} from '../dist/index.js'
import { readArguments, wholeNumber } from './lib/arguments.mjs'
import { codecCases } from './lib/codec.mjs'
import { distinctCases } from './lib/distinct-cases.mjs'

const { lines, cases, beside } = readArguments(
  import.meta.url,
  ([lines, cases], { beside }) => ({
    lines: wholeNumber('LINES', lines, { least: 4, otherwise: 200_000 }),
    cases: wholeNumber('CASES', cases, { least: 4, otherwise: 20_000 }),
    beside,
  }),
  { most: 2, options: { beside: { type: 'string' } } },
)
const main = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url))
const other = beside === undefined ? undefined : `${beside}/cli/main.js`
const rounds = 5
const folder = mkdtempSync(`${tmpdir()}/antara-tx-lines-`)

const readAndSplit = `
  const { createReadStream } = await import('node:fs')
  let count = 0
  let rest = ''
  for await (const chunk of createReadStream(process.argv[1], { highWaterMark: 1 << 18 })) {
    const parts = (rest + chunk.toString('latin1')).split('\\n')
    rest = parts.pop()
    for (const line of parts) count += line.length
  }
  globalThis.count = count`
const atEnd = `process.on('exit', () => process._rawDebug(JSON.stringify(process.resourceUsage())))`

/** Microseconds of the processor, all threads together. */
function cpuOf(args, statuses = [0]) {
  const start = performance.now()
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(atEnd)}`, ...args],
    { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] },
  )
  if (!statuses.includes(status)) throw new Error(`${args.join(' ')}: ${status}\n${stderr}`)
  const { userCPUTime, systemCPUTime } = JSON.parse(stderr.trim().split('\n').at(-1))
  return { cpu: userCPUTime + systemCPUTime, wall: 1000 * (performance.now() - start) }
}

const median = (values) => values.sort((one, other) => one - other)[values.length >> 1]

/** Per line, without starting; one result for each list of arguments, which take turns. */
function perLine(subjects, file, count) {
  const quarter = `${folder}/quarter`
  const text = readFileSync(file)
  writeFileSync(quarter, text.subarray(0, text.lastIndexOf('\n', text.length / 4) + 1))
  const runs = subjects.map(() => [])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, args] of subjects.entries()) {
      const [full, less] = [file, quarter].map((path) => cpuOf([...args, path]))
      runs[index].push({ cpu: full.cpu - less.cpu, wall: full.wall - less.wall })
    }
  }
  const each = (values) => median(values) / ((3 * count) / 4)
  return runs.map((its) => ({
    cpu: each(its.map(({ cpu }) => cpu)),
    wall: each(its.map(({ wall }) => wall)),
  }))
}

const us = (value) => `${value.toFixed(2)} us`

function row(name, args, file, count) {
  const isOurs = args[0] === main
  const subjects = isOurs && other !== undefined ? [args, [other, ...args.slice(1)]] : [args]
  const [one, two] = perLine(subjects, file, count)
  const beside =
    two === undefined ? '' : `, the other takes ${(two.cpu / one.cpu).toFixed(2)} times as long`
  console.log(
    `${name.padEnd(32)} processor ${us(one.cpu).padStart(10)}, clock ${us(one.wall)}${beside}`,
  )
  return one
}

/** Measures the time of the signatures of a case, and of the steps that no verdict can skip. */
function leastTimes(texts) {
  const each = (work) => {
    const before = process.cpuUsage()
    for (const one of read) work(one)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / read.length
  }
  const read = texts.map((text) => {
    const { hex, evidence } = parseCase(text)
    const given = [hex, ...evidence.previousTransactions]
    const known = new Map(given.map((it) => [transactionId(it), it]))
    const prevouts = decodeTransaction(hex).inputs.map(
      ({ txid, vout }) => decodeTransaction(known.get(txid)).outputs[vout],
    )
    return { text, hex, given, prevouts }
  })
  const check = ({ hex, prevouts }) => verifyInputs(hex, prevouts, networks.assetChain)
  const checkAndRead = (one) => {
    JSON.parse(one.text)
    for (const it of one.given) {
      decodeTransaction(it)
      transactionId(it)
    }
    check(one)
  }
  const times = Array.from({ length: 5 }, () => [each(check), each(checkAndRead)])
  const [signatures, all] = [0, 1].map((at) => median(times.map((it) => it[at])))
  return { signatures, all }
}

try {
  const hexes = codecCases(['payment'])[0].items.map(({ hex }) => hex)
  const hexFile = `${folder}/hex`
  const text = Array.from({ length: lines }, (_, at) => `${hexes[at % hexes.length]}\n`)
  writeFileSync(hexFile, text.join(''))
  console.log(`${lines} lines of ${hexes[0].length / 2} bytes`)
  row('read and split', ['--input-type=module', '-e', readAndSplit], hexFile, lines)
  for (const args of [['txid'], ['decode'], ['decode', '--json']]) {
    const [one, two] = ['1', '2'].map((jobs) => {
      const name = `${args.join(' ')} --lines --jobs ${jobs}`
      return row(name, [main, ...args, '--lines', '--jobs', jobs], hexFile, lines)
    })
    console.log(`${''.padEnd(32)} two jobs are at best ${((2 * one.cpu) / two.cpu).toFixed(2)}x`)
  }
  const caseFile = `${folder}/cases`
  const some = []
  for (const text of distinctCases(cases)) {
    appendFileSync(caseFile, `${text}\n`)
    if (some.length < 1000) some.push(text)
  }
  console.log(`${cases} different cases of ${some[0].length} characters`)
  const one = row('verify --lines --jobs 1', [main, 'verify', '--lines'], caseFile, cases)
  const two = row(
    'verify --lines --jobs 2',
    [main, 'verify', '--lines', '--jobs', '2'],
    caseFile,
    cases,
  )
  console.log(`${''.padEnd(32)} two jobs are at best ${((2 * one.cpu) / two.cpu).toFixed(2)}x`)
  const { signatures, all } = leastTimes(some)
  console.log(
    `its signatures alone             processor ${us(signatures).padStart(10)}: ` +
      `a verdict is ${(one.cpu / signatures).toFixed(2)}x`,
  )
  const read = row('read and split', ['--input-type=module', '-e', readAndSplit], caseFile, cases)
  console.log(
    `with its JSON and its transactions decoded and hashed ${us(all)}, ` +
      `and read ${us(all + read.cpu)}: no verdict takes less`,
  )
} finally {
  rmSync(folder, { recursive: true })
}
