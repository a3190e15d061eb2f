// Runs the TypeScript tests on an addon that is built with AddressSanitizer and
// UndefinedBehaviorSanitizer, so that what crosses the seam is watched too. gcc on Linux.
//
//   npm run test:asan -- [vitest arguments]

import { execFileSync, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

function run(command, args, env = process.env) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', env })
  if (error) console.error(`${command}: ${error.message}`)
  if (status !== 0) process.exit(status ?? 1)
}

/** A program without the sanitizer can load a library with it only if its runtime came first. */
function runtimeOf(sanitizer) {
  const name = `lib${sanitizer}.so`
  return execFileSync('gcc', [`-print-file-name=${name}`], { encoding: 'utf8' }).trim()
}

run('npx', [
  '--no',
  'cmake-js',
  'compile',
  '--out',
  'out/asan',
  '--CDANTARA_SANITIZE=ON',
  '--CDCMAKE_C_COMPILER=gcc',
  '--CDCMAKE_CXX_COMPILER=g++',
])
run(
  process.execPath,
  [
    'node_modules/vitest/vitest.mjs',
    'run',
    '--exclude',
    'test/package/**',
    // Their bounds are those of a process without a sanitizer's bookkeeping.
    '--exclude',
    'test/process/engine/memory.test.ts',
    '--testNamePattern',
    '^(?!memory does not grow with the number of lines)',
    // Chromium does not start with the sanitizer's runtime in it.
    '--exclude',
    'test/contract/browser.test.ts',
    '--testTimeout=900000',
    ...process.argv.slice(2),
  ],
  {
    ...process.env,
    ANTARA_TX_ADDON: `${root}out/asan/Release/antara_tx.node`,
    LD_PRELOAD: `${runtimeOf('asan')}:${runtimeOf('ubsan')}`,
    ASAN_OPTIONS: 'detect_leaks=0:abort_on_error=1',
    UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
  },
)
