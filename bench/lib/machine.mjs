import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import os from 'node:os'

const repository = new URL('../../', import.meta.url)
const fromBench = createRequire(new URL('../package.json', import.meta.url))

/** Where and when a report was made: what a reader needs to compare it with another. */
export function machine() {
  const cpus = os.cpus()
  return {
    cpu: cpus[0]?.model ?? 'unknown',
    cores: cpus.length,
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    platform: `${process.platform}-${process.arch}`,
    node: process.versions.node,
    v8: process.versions.v8,
    load: os.loadavg().map((load) => Math.round(load * 10) / 10),
  }
}

/** The commit of the checkout, with a mark when files differ from it; empty outside of git. */
function commit() {
  try {
    const git = (/** @type {string[]} */ ...words) =>
      execFileSync('git', words, { cwd: repository, encoding: 'utf8', stdio: 'pipe' }).trim()
    const changed = git('status', '--porcelain', '--', 'src', 'native') !== ''
    return ` (${git('rev-parse', '--short', 'HEAD')}${changed ? ', modified' : ''})`
  } catch {
    return ''
  }
}

/** @param {string} name of a package, `antara-tx` for the checkout, or `node:` and a module */
export function versionOf(name) {
  if (name.startsWith('node:')) return process.versions.node
  const manifest =
    name === 'antara-tx'
      ? new URL('package.json', repository)
      : `${fromBench.resolve.paths(name)?.[0]}/${name}/package.json`
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
  return name === 'antara-tx' ? version + commit() : version
}
