// Builds a fuzz target with clang, AddressSanitizer and UndefinedBehaviorSanitizer, runs it, and
// says what it did. With --coverage, tells as well which part of the core its inputs reach. Targets
// written in JavaScript are run by fuzz-script.mjs.
//
//   npm run fuzz -- --target transaction --seconds 60

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { runScriptTarget, scriptTargets } from './fuzz-script.mjs'
import { fuzzTargets, nativeTarget } from './fuzz-targets.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const targets = fuzzTargets(root)
const usage = `Usage: npm run fuzz -- --target NAME [--seconds 60] [OPTION]

Targets: ${targets.join(', ')}

What is found grows out/corpus/NAME; an input that fails is written to out/.
--coverage needs llvm-profdata and llvm-cov beside clang++. --seed, and --input to try one file
again, are for ${scriptTargets.join(' and ')}, which run on dist/.
`

const { target, seconds, coverage, seed, input, help } = readOptions()
if (help) {
  console.log(usage)
  process.exit(0)
}
if (target === undefined || !targets.includes(target)) {
  failUsage(target === undefined ? '--target is missing' : `no target is called ${target}`)
}
if (!/^[1-9][0-9]*$/.test(seconds)) failUsage(`--seconds: expected a number, got ${seconds}`)
if (scriptTargets.includes(target)) {
  process.exit(await runScriptTarget(target, { seconds: Number(seconds), seed, input }))
}
if (spawnSync('clang++', ['--version'], { stdio: 'ignore' }).status !== 0) {
  console.error('libFuzzer needs clang++ with its runtime (Debian: clang, libclang-rt-14-dev)')
  process.exit(1)
}

const { program, found, seeds, dictionary, environment } = nativeTarget(root, target)
mkdirSync(found, { recursive: true })
build('fuzz')
const { status, log } = await runFuzzer()
console.log(summaryOf(log))
if (status !== 0) {
  console.error(`failed: the input is in out/, exit ${status}`)
  process.exit(1)
}
if (coverage) reportCoverage()

function readOptions() {
  const options = {
    target: { type: 'string' },
    seconds: { type: 'string', default: '60' },
    coverage: { type: 'boolean' },
    seed: { type: 'string' },
    input: { type: 'string' },
    help: { type: 'boolean' },
  }
  try {
    return parseArgs({ options }).values
  } catch (error) {
    return failUsage(error.message)
  }
}

function failUsage(message) {
  console.error(`${message}\n\n${usage}`)
  process.exit(64)
}

function run(command, args, options = {}) {
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options })
  if (result.error) console.error(`${command}: ${result.error.message}`)
  if (result.status !== 0) process.exit(1)
  return result.stdout
}

function build(preset) {
  const jobs = String(availableParallelism())
  run('cmake', ['--preset', preset, '--log-level=ERROR'])
  run('cmake', ['--build', '--preset', preset, '--parallel', jobs, '--target', program])
}

/** Runs the fuzzer, showing what it writes and keeping it. */
function runFuzzer() {
  const args = [
    found,
    seeds,
    `-max_total_time=${seconds}`,
    `-artifact_prefix=${root}out/`,
    '-print_final_stats=1',
    ...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
  ]
  const fuzzer = spawn(`${root}out/fuzz/${program}`, args, { cwd: root, env: environment })
  let log = ''
  for (const stream of [fuzzer.stdout, fuzzer.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      log += text
      process.stderr.write(text)
    })
  }
  return new Promise((resolve, reject) => {
    fuzzer.on('error', reject)
    fuzzer.on('close', (code) => resolve({ status: code, log }))
  })
}

function summaryOf(text) {
  const stat = (name) => /(\d+)$/.exec(new RegExp(`stat::${name}:\\s+\\d+`).exec(text)?.[0])?.[1]
  const reached = [...text.matchAll(/ cov: (\d+) ft: (\d+)/g)].at(-1)
  return [
    `${target}: ${stat('number_of_executed_units')} executions`,
    `${stat('average_exec_per_sec')} a second`,
    `${reached?.[1]} edges and ${reached?.[2]} features reached`,
    `${stat('new_units_added')} inputs added`,
    `${stat('peak_rss_mb')} MB at most`,
  ].join(', ')
}

/** Runs all inputs once through a build that counts lines. */
function reportCoverage() {
  build('coverage')
  const counted = `${root}out/coverage/${program}`
  const profile = `${root}out/coverage/${target}`
  run(counted, ['-runs=0', found, seeds], {
    stdio: 'ignore',
    env: { ...environment, LLVM_PROFILE_FILE: `${profile}.profraw` },
  })
  run('llvm-profdata', ['merge', '-sparse', `${profile}.profraw`, '-o', `${profile}.profdata`])
  run('llvm-cov', [
    'report',
    counted,
    `-instr-profile=${profile}.profdata`,
    '--ignore-filename-regex=native/fuzz|secp256k1',
  ])
}
