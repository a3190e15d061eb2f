// Builds build/Release/antara_tx.node: with CMake where it is installed, else with node-gyp.
// ANTARA_TX_BUILDER=gyp or =cmake forces one. --portable builds anew in a folder of its own, to
// out/portable.node.

import { spawnSync } from 'node:child_process'
import { copyFileSync } from 'node:fs'

const root = new URL('..', import.meta.url)

function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (error) console.error(`${command}: ${error.message}`)
  return status === 0
}

function isInstalled(command) {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).status === 0
}

const isPortable = process.argv.includes('--portable')
// npm puts its own node-gyp on the PATH of scripts.
const builder = process.env.ANTARA_TX_BUILDER ?? (isInstalled('cmake') ? 'cmake' : 'gyp')
// A folder of its own leaves alone what the checkout runs on.
const folder = isPortable && builder === 'cmake' ? 'out/portable' : 'build'
const built =
  builder === 'gyp'
    ? run('node-gyp', ['rebuild'])
    : run('npx', ['--no', 'cmake-js', isPortable ? 'rebuild' : 'compile', `--out=${folder}`])
if (!built) {
  console.error(
    `antara-tx: the native build failed (builder: ${builder}). It needs a C++20 compiler and CMake >= 3.20.`,
  )
  process.exit(1)
}
if (isPortable) {
  copyFileSync(
    new URL(`${folder}/Release/antara_tx.node`, root),
    new URL('out/portable.node', root),
  )
}
