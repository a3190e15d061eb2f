import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'

import { asText } from './scripts/as-text.mjs'
import { sourceOfImports } from './scripts/entries.mjs'

// The kinds of tests are the folders of test/. A project is a set of kinds, because each project
// transforms the sources anew.
const testsOf = (kinds: readonly string[]) => kinds.map((kind) => `test/${kind}/**/*.test.ts`)

export default defineConfig({
  plugins: [asText],
  resolve: { alias: sourceOfImports() },
  test: {
    projects: [
      // Nothing of it starts a process, a server or a browser: house.test.ts reads the imports.
      {
        extends: true,
        test: { name: 'quick', include: testsOf(['unit', 'property', 'explore']) },
      },
      {
        extends: true,
        test: {
          name: 'process',
          include: testsOf(['process', 'contract', 'node', 'package', 'scale']),
        },
      },
    ],
    // A journal of its own for each test: the default one is the user's.
    setupFiles: [fileURLToPath(new URL('test/support/own-state.ts', import.meta.url))],
    testTimeout: 60_000,
    // A test that returns before it asserts fails.
    expect: { requireAssertions: true },
    // Two processes are what the smallest machine has.
    maxWorkers: 2,
    // A run prints a line for each file, and failures in full.
    silent: 'passed-only',
    slowTestThreshold: 30_000,
  },
})
