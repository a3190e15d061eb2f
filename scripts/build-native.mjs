// Builds build/Release/antara_tx.node: with CMake where it is installed, else with node-gyp.
// ANTARA_TX_BUILDER=gyp or =cmake forces one. --portable writes out/portable.node. It copies the
// binary of build/ if that has the same sources and tools, else it builds in a folder of its own.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const built = `${root}build/Release/antara_tx.node`
/** Hashes of the inputs of that binary and of the binary itself. */
const record = `${root}build/Release/antara_tx.inputs`
const portable = `${root}out/portable.node`
/** Files that the binary is made of, and the lock file, which names the version of cmake-js. */
const inputs = ['CMakeLists.txt', 'cmake', 'native', 'third_party', 'package-lock.json']
const variables = ['CC', 'CXX', 'CFLAGS', 'CXXFLAGS', 'LDFLAGS']

// npm puts its own node-gyp on the PATH of scripts.
const builder = process.env.ANTARA_TX_BUILDER ?? (isInstalled('cmake') ? 'cmake' : 'gyp')
mkdirSync(`${root}out`, { recursive: true })
if (!process.argv.includes('--portable')) {
  build('build')
  writeFileSync(record, inputsOf(built))
} else if (existsSync(record) && readFileSync(record, 'utf8') === inputsOf(built)) {
  copyFileSync(built, portable)
} else {
  // A folder of its own leaves alone what the checkout runs on.
  const folder = builder === 'cmake' ? 'out/portable' : 'build'
  build(folder)
  copyFileSync(`${root}${folder}/Release/antara_tx.node`, portable)
}

function build(folder) {
  const made =
    builder === 'gyp'
      ? run('node-gyp', ['rebuild'])
      : run('npx', [
          '--no',
          'cmake-js',
          folder === 'build' ? 'compile' : 'rebuild',
          `--out=${folder}`,
        ])
  if (made) return
  console.error(
    `antara-tx: the native build failed (builder: ${builder}). It needs a C++20 compiler and CMake >= 3.20.`,
  )
  process.exit(1)
}

/** Returns hashes of a binary's inputs and of the binary, or '' if there is no binary. */
function inputsOf(binary) {
  if (!existsSync(binary)) return ''
  const hash = createHash('sha256')
  const compiler = spawnSync(process.env.CXX ?? 'c++', ['--version'], { encoding: 'utf8' }).stdout
  const settings = variables.map((name) => `${name}=${process.env[name]}`)
  hash.update([builder, process.version, compiler, ...settings].join('\0'))
  for (const path of inputs.flatMap(filesIn))
    hash.update(`\0${path}\0`).update(readFileSync(`${root}${path}`))
  return `${hash.digest('hex')} ${createHash('sha256').update(readFileSync(binary)).digest('hex')}\n`
}

/** Returns the path of a file, or those of all files in a folder. */
function filesIn(path) {
  if (!statSync(`${root}${path}`).isDirectory()) return [path]
  return readdirSync(`${root}${path}`, { recursive: true })
    .map((name) => `${path}/${name}`)
    .filter((name) => !statSync(`${root}${name}`).isDirectory())
    .sort()
}

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
