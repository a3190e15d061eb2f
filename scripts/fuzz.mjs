// Builds the fuzz targets with clang, AddressSanitizer and UndefinedBehaviorSanitizer and runs one.
//
//   npm run fuzz -- --target transaction --seconds 60

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = fileURLToPath(new URL('..', import.meta.url))
const targets = readdirSync(`${root}native/fuzz`).flatMap(
  (name) => /^(\w+)_fuzz\.cpp$/.exec(name)?.[1] ?? [],
)
const usage = `Usage: npm run fuzz -- --target NAME [--seconds 60]\n\nTargets: ${targets.join(', ')}\n`

function readOptions() {
  try {
    const options = {
      target: { type: 'string' },
      seconds: { type: 'string' },
      help: { type: 'boolean' },
    }
    return parseArgs({ options }).values
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`)
    process.exit(64)
  }
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' })
  if (error) console.error(`${command}: ${error.message}`)
  return status === 0
}

const { target, seconds = '60', help } = readOptions()
if (help) {
  console.log(usage)
  process.exit(0)
}
if (target === undefined || !targets.includes(target)) {
  console.error(
    `${target === undefined ? '--target is missing' : `no target ${target}`}\n\n${usage}`,
  )
  process.exit(64)
}
if (spawnSync('clang++', ['--version'], { stdio: 'ignore' }).status !== 0) {
  console.error('libFuzzer needs clang++ with its runtime (Debian: clang, libclang-rt-14-dev)')
  process.exit(1)
}
// What a run finds is kept apart from the seeds; a crash is written to out/ and named at the end.
const found = `${root}out/corpus/${target}`
mkdirSync(found, { recursive: true })
const jobs = String(availableParallelism())
const isDone =
  run('cmake', ['--preset', 'fuzz', '--log-level=ERROR']) &&
  run('cmake', ['--build', '--preset', 'fuzz', '--parallel', jobs, '--target', `${target}_fuzz`]) &&
  run(`${root}out/fuzz/${target}_fuzz`, [
    found,
    `${root}native/fuzz/corpus/${target}`,
    `-max_total_time=${seconds}`,
    `-artifact_prefix=${root}out/`,
    '-print_final_stats=1',
  ])
process.exit(isDone ? 0 : 1)
