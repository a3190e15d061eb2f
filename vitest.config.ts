import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

import { defineConfig } from 'vitest/config'

import { asText } from './scripts/as-text.mjs'
import { sourceOfImports } from './scripts/entries.mjs'

// The kinds of tests are the folders of test/. A project is a set of kinds, because each project
// transforms the sources anew.
const testsOf = (kinds: readonly string[]) => kinds.map((kind) => `test/${kind}/**/*.test.ts`)

/** Nothing of them starts a process, a server or a browser: house.test.ts reads their imports. */
const quick = ['unit', 'property', 'explore']

/**
 * Returns the variable that test/support/share.ts reads. Each project has to set it: Vitest
 * evaluates this file again for every project that extends it, with its own default mode.
 */
const shareOf = (mode: string) => ({
  ANTARA_TEST_SHARE: ['quick', 'share'].includes(mode) ? 'quick' : 'whole',
})

/**
 * The smallest machine has two cores. A third worker uses what the others leave while they wait for
 * a process or a server. In a quick run nothing waits, and each worker has to load the sources. Each
 * project has to set the number, as it sets the variable above.
 */
const workersOf = (mode: string) => (mode === 'quick' ? 2 : 3)

/**
 * Returns the pool of workers: threads in a quick run, because they start and answer faster than
 * processes.
 *
 * In a quick run, V8 spends more time to optimize functions than that saves, because most run for a
 * few milliseconds. With the flag it waits for 150 times as many bytes of bytecode, in all threads of
 * this process. V8 11 of Node 20 has it, and Node 22 to 26 refuse it.
 */
function poolOf(mode: string): 'threads' | 'forks' {
  if (mode !== 'quick') return 'forks'
  // house.test.ts calls this in a worker, which the flag is not for.
  const isWorker = process.env.VITEST_POOL_ID !== undefined
  if (!isWorker && process.versions.v8.startsWith('11.')) {
    setFlagsFromString('--interrupt-budget=10000000')
  }
  return 'threads'
}

export default defineConfig(({ mode }) => ({
  plugins: [asText],
  resolve: { alias: sourceOfImports() },
  test: {
    projects: [
      {
        extends: true,
        // The sources are loaded once for all files: that takes longer than most tests. A file that
        // replaces modules puts the shared ones back by test/support/own-modules.ts.
        test: {
          name: 'quick',
          include: testsOf(quick),
          isolate: false,
          pool: poolOf(mode),
          env: shareOf(mode),
          maxWorkers: workersOf(mode),
        },
      },
      {
        extends: true,
        test: {
          name: 'process',
          // With shared sources, a worker had 4 GB after 60 files, and ended.
          isolate: true,
          include: testsOf(['process', 'contract', 'node', 'package', 'scale']),
          // A process, a browser or a disk of a busy machine may fail once. The summary of `npm test`
          // names what passed at its second attempt only, because that may be a fault all the same.
          retry: 1,
          env: shareOf(mode),
          maxWorkers: workersOf(mode),
        },
      },
    ],
    globalSetup: [fileURLToPath(new URL('test/support/temporary-folder.ts', import.meta.url))],
    // A journal of its own for each test: the default one is the user's.
    setupFiles: [fileURLToPath(new URL('test/support/own-state.ts', import.meta.url))],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A test that returns before it asserts fails.
    expect: { requireAssertions: true },
    // A run prints a line for each file, and failures in full.
    silent: 'passed-only',
    slowTestThreshold: 30_000,
  },
}))
