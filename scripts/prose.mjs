// Lints the prose of the repository: documents, manual pages (which are made of the help texts) and
// comments. Names each fault by file and line. With names of files, only those.
//
//   node scripts/prose.mjs [FILE …]

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { proseFaults } from './prose-rules.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Files whose prose is not checked yet, by the start of their path. */
const pending = ['man/']
/** Texts of others, reports of one run, and the reference, which is made of docstrings. */
const notOurs =
  /^(?:third_party|docs\/reference|test\/vectors|native\/fuzz\/corpus|bench\/report)\/|^test\/mutation\/report/
const isChecked = (path) =>
  /\.(?:md|1|[cm]?[jt]sx?|cpp|h)$/.test(path) &&
  !notOurs.test(path) &&
  !pending.some((start) => path.startsWith(start))

const named = process.argv.slice(2)
const files = named.length > 0 ? named : allFiles().filter(isChecked)

let count = 0
for (const path of files) {
  for (const { line, reason } of await proseFaults(path, readFileSync(`${root}${path}`, 'utf8'))) {
    console.error(`${path}:${line}: ${reason}`)
    count += 1
  }
}
console.log(`prose: ${files.length} files, ${count} faults`)
process.exitCode = count === 0 ? 0 : 1

function allFiles() {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter((path) => path !== '')
}
