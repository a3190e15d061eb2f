// npm run test:consumers: the packed tarball with other people's tools.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

import { asText } from '../../scripts/as-text.mjs'
import { sourceOfImports } from '../../scripts/entries.mjs'

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [asText],
  resolve: { alias: sourceOfImports() },
  test: {
    include: ['test/consumers/*.consumers.ts'],
    globalSetup: 'test/consumers/packed.ts',
    testTimeout: 400_000,
    expect: { requireAssertions: true },
    maxWorkers: 1,
  },
})
