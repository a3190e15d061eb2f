// The test: generated files, style and types, tools of the benchmark, native tests under sanitizers,
// TypeScript tests on the addon, those of the WebAssembly engine among them. With --wasm, which CI
// asks for, WebAssembly is built anew and compared, and the tests of what the engine answers run on
// it as well. Prints a line for each step and each file of tests, and the whole output of a step that
// fails. At the end it names every failure, every test that passed at its second attempt only, and
// every skipped test with the reason. The last line is `N passed, N failed, N skipped`.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { countJunit, countVitest } from './test-counts.mjs'

const { values: options } = parseArgs({ options: { wasm: { type: 'boolean', default: false } } })
const root = fileURLToPath(new URL('..', import.meta.url))
const nativeReport = `${root}out/ctest.xml`
const benchReport = `${root}out/bench-tests.xml`
const report = `${root}out/vitest.json`
const wasmReport = `${root}out/vitest-wasm.json`
/** More are in the output above. */
const namedMax = 5
/** Lines of a message: what differs, and the place. */
const messageLinesMax = 20

/**
 * Tests whose answers come from the engine. Those of the wallet, the guard, RPC and the journal call
 * the same functions, so a few files of the wallet stand for them.
 */
const withEngine = [
  ...['builders', 'engine', 'primitives', 'request', 'script', 'selection', 'signing', 'token'].map(
    (room) => `test/unit/${room}/`,
  ),
  ...['test/unit/transaction/', 'test/unit/verification/', 'test/unit/block/'],
  ...['send', 'trade', 'keychain'].map((file) => `test/unit/wallet/${file}.test.ts`),
  ...['audit', 'cli', 'engine', 'selection', 'signing'].map((room) => `test/process/${room}/`),
  'test/property/',
]
/** Tests of these rooms that never call the engine, or only to make what they are about. */
const withoutEngine = ['test/property/{json,json-steps,rpc-amounts,safe-flow,secret-forms}.test.ts']

const vitest = ['vitest', 'run', '--reporter=default', '--reporter=json']
const onAddon = [
  { name: 'generated files', command: ['node', 'scripts/generate-errors.mjs', '--check'] },
  { name: 'style and types', command: ['npm', 'run', '--silent', 'check'] },
  {
    name: 'benchmark tools',
    command: [
      ...['npm', '--prefix', 'bench', 'test', '--silent', '--'],
      ...['--test-reporter-destination=stdout', '--test-reporter=junit'],
      `--test-reporter-destination=${benchReport}`,
    ],
    count: () => countOf(benchReport, countJunit),
  },
  { name: 'site', command: ['npm', 'run', '--silent', 'site'] },
  {
    name: 'native tests',
    command: ['node', 'scripts/test-native.mjs', nativeReport],
    count: () => countOf(nativeReport, countJunit),
  },
  {
    name: 'queue example',
    command: ['npm', '--prefix', 'examples/scale', 'ci', '--no-audit', '--no-fund'],
  },
  {
    name: 'journal example',
    command: ['npm', '--prefix', 'examples/journal-postgres', 'ci', '--no-audit', '--no-fund'],
  },
  {
    name: 'React example',
    command: ['npm', '--prefix', 'examples/react-wallet', 'ci', '--no-audit', '--no-fund'],
  },
  {
    name: 'TypeScript tests',
    command: ['npx', '--no', ...vitest, `--outputFile.json=${report}`],
    count: () => countOf(report, countVitest),
  },
]
const onWasm = [
  { name: 'WebAssembly', command: ['node', 'scripts/build-wasm.mjs', '--check'] },
  {
    name: 'tests on it',
    command: [
      'npx',
      '--no',
      ...vitest,
      `--outputFile.json=${wasmReport}`,
      // A share of the long series: all of them have run on the addon, which has the same core.
      ...['--mode', 'share', ...withEngine],
      ...withoutEngine.map((pattern) => `--exclude=${pattern}`),
    ],
    env: { ANTARA_TX_ENGINE: 'wasm' },
    count: () => countOf(wasmReport, countVitest),
  },
]
const steps = options.wasm ? [...onAddon, ...onWasm] : onAddon

mkdirSync(`${root}out`, { recursive: true })
for (const path of [benchReport, nativeReport, report, wasmReport]) rmSync(path, { force: true })

const outcomes = steps.map(({ name, command, env, count }) => {
  console.log(`== ${name}: ${command.join(' ')}`)
  const start = performance.now()
  const ended = run(command, env, command.includes('vitest'))
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  return { name, seconds, ...outcomeOf(ended, command, count?.()) }
})

console.log()
for (const { name, seconds, reason } of outcomes) {
  const result = reason === undefined ? 'passed' : `FAILED: ${reason}`
  console.log(`${name.padEnd(16)} ${seconds.padStart(7)} s  ${result}`)
}
for (const { repeated = [], failures } of outcomes) {
  for (const one of repeated) showMessage('passed at the second attempt', one)
  for (const one of failures) showMessage('failed', one)
}
const skips = outcomes.flatMap((outcome) => outcome.skips)
for (const reason of new Set(skips.map((skip) => skip.reason))) {
  const skipped = skips.filter((skip) => skip.reason === reason)
  console.log(`\n${skipped.length} skipped: ${reason}`)
  for (const { name } of skipped) console.log(`  ${name}`)
}
const sum = (member) => outcomes.reduce((total, outcome) => total + outcome[member], 0)
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed, ${skips.length} skipped`)
process.exit(sum('failed') === 0 ? 0 : 1)

function showMessage(outcome, { name, message }) {
  console.log(`\n${outcome}: ${name}`)
  for (const line of message.split('\n').slice(0, messageLinesMax)) console.log(`  ${line}`)
}

/** Vitest shows its own progress. The output of other steps is shown if they fail. */
function run(command, env = {}, showsProgress = false) {
  const [program, ...args] = command
  const ended = spawnSync(program, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: showsProgress ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    shell: process.platform === 'win32',
  })
  if (ended.status !== 0 && !showsProgress) console.log(`${ended.stdout}${ended.stderr}`)
  return ended
}

/** A step without counts is one test; one that ended badly has failed, whatever it counted. */
function outcomeOf({ status, signal, error }, command, counts) {
  const isGood = status === 0
  const noCounts = { passed: isGood ? 1 : 0, failures: [], skips: [] }
  const { passed, failures, skips, repeated } = counts ?? noCounts
  if (isGood && failures.length === 0) return { passed, failed: 0, failures, skips, repeated }
  const why = error?.message ?? (signal === null ? `ended with ${status}` : `killed by ${signal}`)
  const named = failures
    .slice(0, namedMax)
    .map(({ name }) => name)
    .join('; ')
  const more = failures.length > namedMax ? `; and ${failures.length - namedMax} more` : ''
  const reason = failures.length === 0 ? `${command.join(' ')} ${why}` : `${named}${more}`
  return { passed, failed: Math.max(failures.length, 1), failures, reason, skips, repeated }
}

/** A run that ended early, such as a failed build, leaves no report. */
function countOf(path, count) {
  const text = read(path)
  return text === undefined ? { passed: 0, failures: [], skips: [] } : count(text, root)
}

function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
