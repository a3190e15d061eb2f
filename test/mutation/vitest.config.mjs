// The tests of one scope, as Stryker runs them: scripts/mutate-typescript.mjs.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'

import { asText } from '../../scripts/as-text.mjs'
import { sourceOfImports } from '../../scripts/entries.mjs'
import { leftOut, quick, slow } from './scopes.mjs'

class QuickFirst extends BaseSequencer {
  async sort(files) {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

function placeOf({ moduleId }) {
  const isIt = (name) => moduleId.endsWith(name)
  const place = quick.findIndex(isIt)
  return place < 0 ? quick.length + slow.findIndex(isIt) : place - 1
}

export default defineConfig({
  root: fileURLToPath(new URL('../..', import.meta.url)),
  plugins: [asText],
  resolve: { alias: sourceOfImports() },
  test: {
    include: JSON.parse(process.env.ANTARA_MUTATION_TESTS ?? '[]'),
    exclude: leftOut,
    testTimeout: 60_000,
    maxWorkers: 1,
    // The sources are loaded once for all files of tests: that takes longer than most tests do.
    isolate: false,
    sequence: { sequencer: QuickFirst },
  },
})
