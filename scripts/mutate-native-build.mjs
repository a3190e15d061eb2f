// The core as a shared library, and the programs that test it, from copies of the sources: nobody
// who works in this tree meets a mutant.

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const out = `${root}out/mutate/native`
const compiler = process.env.CXX ?? 'c++'
const curve = `${root}third_party/secp256k1`
const curveLibrary = `${out}/curve/libantara_secp256k1.a`
const addonLibrary = `${out}/antara_tx.node`
const nodeHeaders = process.config.variables.nodedir ?? dirname(dirname(process.execPath))
const flags = [
  '-std=c++20',
  '-fPIC',
  '-w',
  '-fno-exceptions',
  '-fno-rtti',
  ...['core', 'test', '.'].map((folder) => `-I${out}/source/native/${folder}`),
  `-I${curve}/include`,
  `-I${nodeHeaders}/include/node`,
  `-DANTARA_TEST_VECTORS="${root}test/vectors"`,
  '-DNAPI_VERSION=9',
]

/** A mutant that never ends, or wants all memory, is noticed; other work on the machine is not. */
const secondsMax = 60
const processorSecondsMax = 2
const memoryKilobytesMax = 4_000_000

/** They reach nothing of cc, script and verify. */
const unrelated = /^(?:select|blake2b|hash|bytes|hex|allocation)/

/** The standard headers that the core includes, parsed once for all mutants. */
const standard = `${out}/standard.h`

/** The copy of a source that is compiled. */
export const shadowOf = (file) => `${out}/source/${file}`

/**
 * Everything built once, as it is, and seen to pass; what is as the last run left it is kept.
 *
 * @param {readonly string[]} seamTests - files for vitest, which runs them on the addon
 */
export function buildNative(seamTests) {
  const command = JSON.stringify([compiler, ...flags])
  const isAsBefore = existsSync(`${out}/command`) && `${readFileSync(`${out}/command`)}` === command
  if (!isAsBefore) rmSync(out, { recursive: true, force: true })
  copySources('native')
  precompileStandard()
  writeFileSync(`${out}/command`, command)
  const cmake = ['-S', root, '-B', `${out}/curve`]
  const target = ['--build', `${out}/curve`, '--target', 'antara_secp256k1']
  if (!run('cmake', cmake) || !run('cmake', target)) throw new Error('libsecp256k1 does not build')

  const sources = readFileSync(`${root}native/sources.txt`, 'utf8').trim().split('\n')
  const core = [...sources, ...cppIn('native/seam')].map((source) => objectOf(source))
  const programs = [...testPrograms(), ...(seamTests.length > 0 ? [seamProgram(seamTests)] : [])]
  const all = [...core, ...programs.flatMap(({ objects }) => objects)]
  const objects = [...new Map(all.map((object) => [object.path, object])).values()]
  for (const object of objects) {
    if (!isFresh(object) && !compile(object, '-O2')) {
      throw new Error(`${object.source} does not compile`)
    }
    object.reads = readsOf(object)
  }
  const build = { core, programs, objects }
  linkCore(build)
  for (const program of programs) {
    if (!link(program)) throw new Error(`${program.name} does not link`)
    const started = process.hrtime.bigint()
    if (!passes(program)) throw new Error(`${program.name} fails without any mutant`)
    program.milliseconds = Number(process.hrtime.bigint() - started) / 1e6
  }
  return build
}

function copySources(folder) {
  for (const name of readdirSync(`${root}${folder}`, { recursive: true })) {
    if (!/\.(?:cpp|h|def)$/.test(name)) continue
    const target = shadowOf(`${folder}/${name}`)
    const text = readFileSync(`${root}${folder}/${name}`)
    if (existsSync(target) && readFileSync(target).equals(text)) continue
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}

function precompileStandard() {
  const texts = cppAndHeadersIn('native/core').map((file) => readFileSync(shadowOf(file), 'utf8'))
  const includes = texts.flatMap((text) => text.match(/^#include <[a-z_]+>$/gm) ?? [])
  const text = [...new Set(includes)].sort().join('\n')
  if (existsSync(`${standard}.gch`) && readFileSync(standard, 'utf8') === text) return
  writeFileSync(standard, text)
  run(compiler, [...flags, '-O0', '-x', 'c++-header', standard, '-o', `${standard}.gch`])
}

/** Returns true if an object is newer than all of its sources. */
function isFresh(object) {
  if (!existsSync(object.path)) return false
  const made = statSync(object.path).mtimeMs
  return [...readsOf(object)].every((file) => {
    return existsSync(shadowOf(file)) && statSync(shadowOf(file)).mtimeMs < made
  })
}

/** Returns the programs that ctest runs: the tests, and the fuzz targets on their seeds. */
function testPrograms() {
  const named = (folder, ending) =>
    readdirSync(`${root}${folder}`).filter((name) => name.endsWith(ending) && !unrelated.test(name))
  const tests = named('native/test', '_test.cpp').map((file) => {
    const name = basename(file, '.cpp')
    return program(name, [`native/test/${file}`], [`${out}/${name}`])
  })
  const fuzzers = named('native/fuzz', '_fuzz.cpp').flatMap((file) => {
    const name = `${basename(file, '.cpp')}_replay`
    const target = file.replace('_fuzz.cpp', '')
    const seeds = `${root}native/fuzz/corpus/${target}`
    const sources = [`native/fuzz/${file}`, 'native/fuzz/replay.cpp']
    if (target !== 'seam') return [program(name, sources, [`${out}/${name}`, seeds])]
    // One program, which the environment tells what to call.
    return readdirSync(seeds).map((seamFunction) => {
      const env = { ANTARA_SEAM_FUNCTION: seamFunction }
      return { ...program(name, sources, [`${out}/${name}`, `${seeds}/${seamFunction}`]), env }
    })
  })
  return [...tests, ...fuzzers]
}

/** The vectors of the TypeScript tests, through the addon. */
function seamProgram(tests) {
  const vitest = `${root}node_modules/vitest/vitest.mjs`
  const config = `${root}test/mutation/vitest.config.mjs`
  const command = [process.execPath, vitest, 'run', '--bail=1', '--config', config]
  const env = { ANTARA_MUTATION_TESTS: JSON.stringify(tests), ANTARA_TX_ADDON: addonLibrary }
  return { ...program('vitest', cppIn('native/addon'), command), env, isSeam: true }
}

function cppAndHeadersIn(folder) {
  return readdirSync(`${root}${folder}`, { recursive: true })
    .filter((name) => /\.(?:cpp|h)$/.test(name))
    .map((name) => `${folder}/${name}`)
}

function cppIn(folder) {
  return readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith('.cpp'))
    .map((name) => `${folder}/${name}`)
}

function program(name, sources, command) {
  return { name, command, objects: sources.map((source) => objectOf(source)), kills: new Map() }
}

function objectOf(source) {
  return { source, path: `${out}/${source.replaceAll('/', '_')}.o`, reads: new Set() }
}

export function compile({ source, path }, level = '-O0') {
  const included = level === '-O0' ? ['-include', standard] : []
  return run(compiler, [...flags, level, ...included, '-MMD', '-c', shadowOf(source), '-o', path])
}

/** The sources that an object is made of. */
function readsOf({ path }) {
  const words = readFileSync(path.replace(/o$/, 'd'), 'utf8').split(/\s+/)
  const prefix = shadowOf('')
  return new Set(
    words
      .filter((word) => word.startsWith(prefix))
      .map((word) => word.slice(prefix.length).replace(/[^/]+\/\.\.\//g, '')),
  )
}

export function linkCore({ core }) {
  const objects = core.map(({ path }) => path)
  const shared = ['-shared', '-fuse-ld=gold', '-Wl,-Bsymbolic', '-o', `${out}/libcore.so`]
  return run(compiler, [...shared, ...objects, curveLibrary])
}

export function link({ name, objects, isSeam }) {
  const inputs = objects.map(({ path }) => path)
  const search = [`-L${out}`, `-Wl,-rpath,${out}`, '-fuse-ld=gold', '-lcore', curveLibrary]
  const target = isSeam ? ['-shared', '-o', addonLibrary] : ['-o', `${out}/${name}`]
  return run(compiler, [...target, ...inputs, ...search])
}

function run(command, args) {
  return spawnSync(command, args, { stdio: 'ignore' }).status === 0
}

export function passes({ command, env, isSeam }) {
  const limit = isSeam ? '' : `ulimit -v ${memoryKilobytesMax}; ulimit -t ${processorSecondsMax};`
  const script = `ulimit -c 0; ${limit} exec "$0" "$@"`
  const seconds = isSeam ? 2 * secondsMax : secondsMax
  const options = {
    cwd: root,
    stdio: 'ignore',
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
    env: { ...process.env, ...env },
  }
  return spawnSync('sh', ['-c', script, ...command], options).status === 0
}
