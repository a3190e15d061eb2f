// Builds the native tests with AddressSanitizer and UndefinedBehaviorSanitizer and runs them.
// An argument names a file for ctest's JUnit report.

import { spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

const [report] = process.argv.slice(2)
const jobs = String(availableParallelism())
const steps = [
  ['cmake', '--preset', 'sanitize', '--log-level=ERROR'],
  ['cmake', '--build', '--preset', 'sanitize', '--parallel', jobs],
  [
    'ctest',
    '--preset',
    'sanitize',
    '--parallel',
    jobs,
    ...(report ? ['--output-junit', report] : []),
  ],
]
for (const [command, ...args] of steps) {
  const { status, error } = spawnSync(command, args, {
    cwd: new URL('..', import.meta.url),
    stdio: 'inherit',
  })
  if (error) console.error(`${command}: ${error.message} (CMake >= 3.20 is needed)`)
  if (status !== 0) process.exit(status ?? 1)
}
