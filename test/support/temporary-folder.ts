// All temporary files of a run of tests are in one folder, which is removed at its end. Vitest leaves
// out the hooks of a file whose tests are all skipped, so files alone cannot clear up after themselves.

import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'

/** The variables that `os.tmpdir` and other programs read, on Windows too. */
const variables = ['TMPDIR', 'TEMP', 'TMP']
const prefix = 'antara-tx-tests-'

/** Vitest calls this for each project, before it starts workers, which inherit the environment. */
export default function setup(): (() => void) | undefined {
  if (basename(tmpdir()).startsWith(prefix)) return undefined
  const before = variables.map((name) => [name, process.env[name]] as const)
  const folder = mkdtempSync(join(realpathSync(tmpdir()), prefix))
  // PostgreSQL runs as a user of its own, whose folder is in this one.
  chmodSync(folder, 0o711)
  for (const name of variables) process.env[name] = folder
  // A browser that was just killed may still write for a moment.
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  // A run that is interrupted calls no teardown.
  process.once('exit', remove)
  return () => {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    remove()
  }
}
