// The tests of one scope in one process, with all changes in the sources: scripts/mutate-in-process.mjs.

import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mergeConfig } from 'vitest/config'

import stryker from './vitest.config.mjs'

const folder = fileURLToPath(new URL('../../out/mutate/in-process', import.meta.url))
const { files } = JSON.parse(readFileSync(`${folder}/plan.json`, 'utf8'))
/** Seconds of the processor that one run of one test may take. */
const secondsMax = 5

const withChanges = {
  name: 'with-changes',
  enforce: 'pre',
  load: (id) => files[id],
}

let seen = -1
let used = 0
/** Ends the process if a change loops. The results name the change that was begun last. */
function watch() {
  const { user, system } = process.cpuUsage()
  const size = statSync(`${folder}/results`, { throwIfNoEntry: false })?.size ?? -1
  if (size !== seen) [seen, used] = [size, user + system]
  if (size >= 0 && user + system - used > secondsMax * 1e6) process.exit(1)
}
setInterval(watch, 1000).unref()

export default mergeConfig(stryker, {
  plugins: [withChanges],
  test: {
    pool: 'threads',
    runner: fileURLToPath(new URL('mutant-runner.mjs', import.meta.url)),
    reporters: [],
  },
})
