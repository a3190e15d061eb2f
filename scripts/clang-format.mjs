// Formats the C++ sources with clang-format; with --check, writes nothing, names the files that
// differ and fails. CLANG_FORMAT names another program than the one on the PATH. Versions 14 to 19
// agree on these sources; where none of them is, only the length of lines is checked.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const columnLimit = Number(/^ColumnLimit: (\d+)$/m.exec(textOf('.clang-format'))[1])
const [versionMin, versionMax] = [14, 19]

function textOf(path) {
  return readFileSync(join(root, path), 'utf8')
}

const sources = readdirSync(join(root, 'native'), { recursive: true, encoding: 'utf8' })
  .map((name) => `native/${name.replaceAll('\\', '/')}`)
  .filter((name) => /\.(cpp|h)$/.test(name))
  .sort()

const command = process.env.CLANG_FORMAT ?? 'clang-format'

function clangFormat(args) {
  return spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 26 })
}

/** The major version of the program, or nothing where there is none. */
function installedVersion() {
  const found = /version (\d+)\./.exec(clangFormat(['--version']).stdout ?? '')
  return found === null ? undefined : Number(found[1])
}

/** Their sentences stand in tables, where each has one line. */
const isGenerated = (text) => text.startsWith('// Made by scripts/')

const tooLong = sources.flatMap((path) =>
  (isGenerated(textOf(path)) ? '' : textOf(path))
    .split('\n')
    .map((line, index) => ({ at: `${path}:${index + 1}`, columns: [...line].length }))
    .filter(({ columns }) => columns > columnLimit)
    .map(({ at, columns }) => `${at}: ${columns} columns, at most ${columnLimit}`),
)

/** Files that clang-format would change. */
function misformatted() {
  const { stderr } = clangFormat(['--dry-run', ...sources])
  const paths = [...stderr.matchAll(/^(\S+?):\d+:\d+: warning:/gm)].map(([, path]) => path)
  return [...new Set(paths)].map((path) => `${path}: not as clang-format writes it`)
}

const version = installedVersion()
const isUsable = version !== undefined && version >= versionMin && version <= versionMax
if (!isUsable) {
  const found = version === undefined ? 'there is none' : `found ${version}`
  console.error(`clang-format ${versionMin} to ${versionMax} wanted, ${found}`)
}
if (process.argv.includes('--check')) {
  const wrong = [...tooLong, ...(isUsable ? misformatted() : [])]
  for (const line of wrong) console.error(line)
  if (wrong.length > 0) console.error('npm run format mends what is not a long word or comment')
  process.exitCode = wrong.length === 0 ? 0 : 1
} else if (isUsable) {
  const { status, stderr } = clangFormat(['-i', ...sources])
  process.stderr.write(stderr)
  process.exitCode = status
} else {
  process.exitCode = 1
}
