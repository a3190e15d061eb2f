// Runs every fuzz target for some minutes each, those that read strangers' bytes first, and says what
// that came to: executions, the lines they reach, findings. Grown corpora are made small again.
//
//   npm run fuzz:all -- --minutes 20

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { nativeLines, scriptLines } from './fuzz-coverage.mjs'
import { minutesOf, minutesTable, recordMinutes } from './fuzz-minutes.mjs'
import { scriptTargets } from './fuzz-script.mjs'
import { fuzzTargets, nativeTarget } from './fuzz-targets.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const all = fuzzTargets(root)
const usage = `Usage: npm run fuzz:all -- [--minutes 1] [--targets NAME,...] [--keep] [--record] [--json]
       npm run fuzz:all -- --recorded
       npm run fuzz:all -- --lines [--targets NAME,...] [--json]

Targets: ${all.join(', ')}

--minutes is for each target, by the clock; the report has minutes of the processor.
--record adds what was run to test/fuzz/minutes.json, and --minutes is then what a target should have
had of the processor in all, on the sources of today: one that has had it is not run.
--recorded runs nothing and prints that as a table.
--lines runs nothing and prints which lines the seeds and what runs have found reach.
--keep adds inputs that reach more than the seeds do to native/fuzz/corpus, as few as will do.
`
const options = readOptions()
if (options.recorded) {
  console.log(minutesTable(all))
  process.exit(0)
}
const minutes = Number(options.minutes)
const isDue = (name) => !options.record || minutesOf(name) < minutes
const targets = (options.targets?.split(',') ?? all).filter(isDue)
const say = (text) => process.stderr.write(`${text}\n`)
/** Seeds are for people to look at and for ctest to replay: small ones, and not many. */
const keptBytesMax = 2048
const keptMax = 40
/** By the clock, after which a run that is counted by the processor's is looked at again. */
const sliceSeconds = 120

const usedNative = targets
  .filter((name) => !scriptTargets.includes(name))
  .map((name) => nativeTarget(root, name))
if (options.lines) {
  const lines = linesReached()
  console.log(options.json ? JSON.stringify(lines, undefined, 2) : linesTable(lines))
  process.exit(0)
}
if (usedNative.length > 0) build('fuzz', usedNative)
const results = targets.map((name) => {
  const result = options.record ? runRecorded(name) : runFor(name, 60 * minutes)
  return scriptTargets.includes(name) ? result : { ...result, inputs: minimise(name) }
})
const report = {
  commit: commit(),
  date: new Date().toISOString().slice(0, 10),
  targets: results,
  lines: linesReached(),
}
mkdirSync(`${root}out`, { recursive: true })
writeFileSync(`${root}out/fuzz-all.json`, `${JSON.stringify(report, undefined, 2)}\n`)
if (options.json) console.log(JSON.stringify(report, undefined, 2))
else printReport(report)
process.exit(results.some(({ finding }) => finding !== undefined) ? 1 : 0)

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        minutes: { type: 'string', default: '1' },
        targets: { type: 'string' },
        keep: { type: 'boolean', default: false },
        record: { type: 'boolean', default: false },
        recorded: { type: 'boolean', default: false },
        lines: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean' },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    if (!(Number(values.minutes) > 0)) throw new Error('--minutes: expected a number above 0')
    const unknown = values.targets?.split(',').find((name) => !all.includes(name))
    if (unknown !== undefined) throw new Error(`no target is called ${unknown}`)
    return values
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`)
    process.exit(64)
  }
}

function build(preset, natives) {
  say(`building ${preset}`)
  const jobs = ['--parallel', String(availableParallelism())]
  const programs = new Set(natives.map(({ program }) => program))
  const goals = [...programs].flatMap((program) => ['--target', program])
  for (const args of [
    ['--preset', preset, '--log-level=ERROR'],
    ['--build', '--preset', preset, ...jobs, ...goals],
  ]) {
    const { status, stderr } = spawnSync('cmake', args, { cwd: root, encoding: 'utf8' })
    if (status === 0) continue
    console.error(`cmake ${args.join(' ')}\n${stderr}`)
    process.exit(1)
  }
}

/**
 * Returns the lines reached: of native/core by the seeds and the findings, of src by the last run
 * of each target.
 */
function linesReached() {
  if (usedNative.length > 0) build('coverage', usedNative)
  for (const { found } of usedNative) mkdirSync(found, { recursive: true })
  const scripts = targets.filter((name) => scriptTargets.includes(name))
  return { ...nativeLines(root, usedNative), ...scriptLines(root, scripts.map(coverageOf)) }
}

function coverageOf(name) {
  return `${root}out/coverage/v8-${name}`
}

/** Runs a program and says how long the processor took for it, besides what it wrote. */
function measured(command, env = {}) {
  const script = '"$0" "$@"; status=$?; times >&2; exit $status'
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script, ...command], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  })
  const used = [
    ...stderr
      .split('\n')
      .slice(-2)
      .join(' ')
      .matchAll(/(\d+)m([\d.]+)s/g),
  ]
  const processorSeconds = used.reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0)
  return {
    status,
    log: stdout + stderr,
    processorMinutes: Number((processorSeconds / 60).toFixed(2)),
  }
}

function runFor(name, seconds) {
  return scriptTargets.includes(name)
    ? runScript(name, Math.round(seconds))
    : runNative(nativeTarget(root, name), Math.round(seconds))
}

/** Slice after slice, until the processor has given what is due or something is found. */
function runRecorded(name) {
  const sum = { name, executions: 0, processorMinutes: 0 }
  while (isDue(name)) {
    const left = 60 * (minutes - minutesOf(name))
    const slice = runFor(name, Math.min(sliceSeconds, Math.max(1, left)))
    recordMinutes(slice)
    sum.executions += slice.executions
    sum.processorMinutes += slice.processorMinutes
    sum.inputs = slice.inputs
    sum.finding = slice.finding
    if (slice.finding !== undefined) break
  }
  return sum
}

function runNative(target, seconds) {
  const { name, found, seeds, dictionary, environment } = target
  mkdirSync(found, { recursive: true })
  const program = `${root}out/fuzz/${target.program}`
  say(`${name}: ${seconds} s`)
  const command = [
    program,
    found,
    seeds,
    `-max_total_time=${seconds}`,
    `-artifact_prefix=${root}out/`,
    '-print_final_stats=1',
    ...(existsSync(dictionary) ? [`-dict=${dictionary}`] : []),
  ]
  const { status, log, processorMinutes } = measured(command, environment)
  const executions = Number(/stat::number_of_executed_units:\s*(\d+)/.exec(log)?.[1] ?? 0)
  const artifact = /Test unit written to (\S+)/.exec(log)?.[1]?.replace(root, '')
  const finding = status === 0 ? undefined : (artifact ?? `exit ${status}`)
  return { name, executions, processorMinutes, finding }
}

/** Keeps one input for everything that is reached, and says how many these are. */
function minimise(name) {
  const target = nativeTarget(root, name)
  const { found, seeds, environment: env } = target
  const program = `${root}out/fuzz/${target.program}`
  const small = `${found}.small`
  rmSync(small, { recursive: true, force: true })
  mkdirSync(small)
  const merged = spawnSync(program, ['-merge=1', small, seeds, found], { stdio: 'ignore', env })
  if (merged.status === 0) {
    rmSync(found, { recursive: true })
    renameSync(small, found)
    if (options.keep) keep(program, target)
  }
  return readdirSync(found).length
}

/** Keeps small inputs that reach lines which the seeds do not. */
function keep(program, { found, seeds, environment: env }) {
  const more = `${found}.more`
  rmSync(more, { recursive: true, force: true })
  mkdirSync(more)
  const limits = ['-set_cover_merge=1', `-max_len=${keptBytesMax}`]
  spawnSync(program, [...limits, more, seeds, found], { stdio: 'ignore', env })
  const known = new Set(readdirSync(seeds))
  const room = Math.max(0, keptMax - known.size)
  for (const file of readdirSync(more).slice(0, room))
    renameSync(`${more}/${file}`, `${seeds}/${file}`)
  rmSync(more, { recursive: true, force: true })
}

function runScript(name, seconds) {
  say(`${name}: ${seconds} s`)
  rmSync(coverageOf(name), { recursive: true, force: true })
  const command = ['scripts/fuzz.mjs', '--target', name, '--seconds', String(seconds)]
  const { status, log, processorMinutes } = measured([process.execPath, ...command], {
    NODE_V8_COVERAGE: coverageOf(name),
  })
  const executions = Number(/(\d+) executions in [\d.]+ s, /.exec(log)?.[1] ?? 0)
  const inputs = Number(/(\d+) inputs to start from/.exec(log)?.[1] ?? 0)
  const finding =
    status === 0 ? undefined : (/wrote the input to (\S+)/.exec(log)?.[1] ?? `exit ${status}`)
  return { name, executions, processorMinutes, inputs, finding: finding?.replace(root, '') }
}

function commit() {
  const { stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  })
  return stdout.trim()
}

function printReport({ targets: ran, lines: reached }) {
  console.log('| target | executions | minutes of processor | inputs | findings |')
  console.log('| --- | ---: | ---: | ---: | --- |')
  for (const { name, executions, processorMinutes, inputs, finding = 'none' } of ran) {
    console.log(
      `| ${name} | ${executions.toLocaleString('en')} | ${processorMinutes.toFixed(1)} | ${inputs} | ${finding} |`,
    )
  }
  console.log(`\n${linesTable(reached)}`)
}

function linesTable(reached) {
  const rows = Object.entries(reached).map(
    ([folder, { total, covered }]) =>
      `| ${folder} | ${total} | ${((100 * covered) / total).toFixed(1)} % |`,
  )
  return ['| folder | lines | reached |', '| --- | ---: | ---: |', ...rows].join('\n')
}
