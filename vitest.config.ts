import { fileURLToPath } from 'node:url'

import { defineConfig } from 'vitest/config'

import { asText } from './scripts/as-text.mjs'
import { sourceOfImports } from './scripts/entries.mjs'

export default defineConfig({
  plugins: [asText],
  resolve: { alias: sourceOfImports() },
  test: {
    include: ['test/**/*.test.ts'],
    // A journal of its own for each test: the default one is the user's.
    setupFiles: [fileURLToPath(new URL('test/support/own-state.ts', import.meta.url))],
    testTimeout: 60_000,
    // A test that returns before it asserts fails.
    expect: { requireAssertions: true },
    // Two processes are what the smallest machine has.
    maxWorkers: 2,
  },
})
