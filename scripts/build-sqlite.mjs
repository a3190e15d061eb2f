// Compiles better-sqlite3 where Node has no SQLite of its own (before 22.13), for the tests of
// ledgers. Its install script is not allowed to run, because it downloads a binary.

import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../node_modules/better-sqlite3/', import.meta.url))

/** Loads as src/audit/sqlite.ts does, in a process of its own. */
function loads(program) {
  const args = ['--no-warnings', '--input-type=module', '-e', program]
  return spawnSync(process.execPath, args, { cwd: folder, stdio: 'ignore' }).status === 0
}

const ofNode = "await import('node:sqlite')"
const compiled =
  "const { default: Database } = await import('better-sqlite3'); new Database(':memory:')"
if (existsSync(folder) && !loads(ofNode) && !loads(compiled)) {
  console.log('antara-tx: compiling better-sqlite3 for the tests of ledgers, about a minute')
  const { status, stderr, error } = spawnSync('npm', ['run', '--silent', 'build-release'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    // The library itself does not need it, so the set-up goes on. `npm test` names what it skips.
    console.error((error?.message ?? stderr).split('\n').slice(-12).join('\n'))
    console.error(
      'antara-tx: better-sqlite3 does not compile here, so the tests of ledgers will be skipped',
    )
  }
}
