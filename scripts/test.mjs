// The whole test: native tests under sanitizers, then the TypeScript tests. Ends with one line,
// `N passed, N failed`, that counts both.

import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
mkdirSync(`${root}out`, { recursive: true })

function run(command, args) {
  return spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
}

let passed = 0
let failed = 0
const problems = []

const steps = [
  ['generated files are current', 'node', ['scripts/generate-errors.mjs', '--check']],
  ['style, types', 'npm', ['run', '--silent', 'check']],
  ['tools of the benchmark', 'npm', ['--prefix', 'bench', 'test', '--silent']],
]
for (const [name, command, args] of steps) {
  if (run(command, args).status === 0) {
    passed += 1
  } else {
    failed += 1
    problems.push(name)
  }
}

const nativeReport = `${root}out/ctest.xml`
const native = run('node', ['scripts/test-native.mjs', nativeReport])
const nativeCounts = countNative()
passed += nativeCounts.passed
failed += nativeCounts.failed
if (native.status !== 0) problems.push('native tests')

const report = `${root}out/vitest.json`
rmSync(report, { force: true })
const { status } = run('npx', [
  '--no',
  'vitest',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${report}`,
])
const { numPassedTests = 0, numFailedTests = 0 } = readReport(report)
passed += numPassedTests
failed += numFailedTests
if (status !== 0) problems.push('TypeScript tests')

if (problems.length > 0) {
  failed = Math.max(failed, 1)
  console.error(`failed: ${problems.join(', ')}`)
}
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)

function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return {}
  }
}

/** Counts in ctest's JUnit report; a build that failed before it counts as one failure. */
function countNative() {
  try {
    const suite = readFileSync(nativeReport, 'utf8')
    const tests = Number(/\btests="(\d+)"/.exec(suite)[1])
    const failures = Number(/\bfailures="(\d+)"/.exec(suite)[1])
    return { passed: tests - failures, failed: failures }
  } catch {
    return { passed: 0, failed: 1 }
  }
}
