import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = new URL('../', import.meta.url)

/** Names of peers that package.json asks for and node_modules does not have. */
function missing() {
  const { dependencies } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))
  return Object.keys(dependencies).filter(
    (name) => !existsSync(new URL(`node_modules/${name}/package.json`, folder)),
  )
}

/**
 * Installs the peers once, from the lock file and without running their scripts (.npmrc).
 *
 * @param {(line: string) => void} say
 * @returns {boolean} whether all peers are there
 */
export function installPeers(say) {
  const absent = missing()
  if (absent.length === 0) return true
  say(`bench/node_modules lacks ${absent.join(', ')}: running npm ci in bench/`)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const { status, error } = spawnSync(npm, ['ci'], {
    cwd: fileURLToPath(folder),
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (status === 0) return true
  say(`npm ci failed${error ? `: ${error.message}` : ''}; peers cannot be measured without it`)
  return false
}

/**
 * Reports a checkout that is not built.
 *
 * @param {(line: string) => void} say
 * @returns {boolean} whether it is built
 */
export function checkBuild(say) {
  if (existsSync(new URL('../dist/index.js', folder))) return true
  say('antara-tx is not built: run `npm run build` in the root of the checkout first')
  return false
}
