// Builds native/wasm/antara_tx.wasm: the core, the seam and libsecp256k1 in one WebAssembly module
// that imports nothing. The compiler runs in Node and is pinned by native/wasm/toolchain, so the same
// sources make the same bytes on every machine. It takes a minute or two; objects are kept in .cache,
// by a hash of all that they are made of.
// With --check, writes nothing and fails if the module differs from what is built.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism } from 'node:os'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { brotliCompressSync, gzipSync } from 'node:zlib'

const root = fileURLToPath(new URL('..', import.meta.url))
const target = 'native/wasm/antara_tx.wasm'
/** The same, for bundles: LZMA makes it a fifth smaller than gzip does. */
const compressedTarget = 'native/wasm/antara_tx.lzma'
const manifest = 'native/wasm/toolchain'
const toolchain = '.cache/wasm'
const kept = '.cache/wasm-objects'
const clang = `${root}${toolchain}/node_modules/@yowasp/clang/gen/bundle.js`
const optimizer = `${root}${toolchain}/node_modules/binaryen/bin/wasm-opt`
const compressor = `${root}${toolchain}/node_modules/lzma1/lib/index.js`
const secp256k1 = 'third_party/secp256k1'

/** Largest module that is let through, raw and compressed with gzip, in bytes. */
const limits = { raw: 244_000, gzip: 102_000 }

const machine = ['--target=wasm32-wasip1', '-O2', '-msimd128', '-fvisibility=hidden']
const cppFlags = [
  ...machine,
  '-std=c++20',
  '-fno-exceptions',
  '-fno-rtti',
  '-fno-threadsafe-statics',
  '-Wall',
  '-Wextra',
  '-Wpedantic',
  '-Wshadow',
  '-Wconversion',
  '-Werror',
  '-Inative/core',
  '-Inative',
  `-isystem${secp256k1}/include`,
  '-DSECP256K1_API=extern',
]
/**
 * Headers of the standard library that most sources include. Reading them takes three quarters of the
 * time of a source, so they are read once, before the sources. The objects are the same bytes.
 */
const common = [
  'algorithm',
  'array',
  'bit',
  'cstdint',
  'cstring',
  'optional',
  'span',
  'string',
  'vector',
]
const [commonHeader, fastHeaders, smallHeaders] = ['common.h', 'fast.pch', 'small.pch']
const commonText = common.map((name) => `#include <${name}>\n`).join('')
/** Half of the code, of which nothing is called a thousand times a second: small before fast. */
const rarelyRun = /\/(block|select|selection|condition|fulfillment_\w+|fingerprint|asm|opcodes)\b/
// The machine has products of 64 bits. native/wasm/curve_tables.c computes the tables of the window.
const curveFlags = [
  ...machine,
  '-w',
  '-DSECP256K1_API=extern',
  '-DUSE_EXTERNAL_DEFAULT_CALLBACKS=1',
  '-DUSE_FORCE_WIDEMUL_INT64=1',
  '-DENABLE_MODULE_RECOVERY=1',
  '-DECMULT_WINDOW_SIZE=8',
  '-DCOMB_BLOCKS=2',
  '-DCOMB_TEETH=5',
  `-I${secp256k1}/include`,
]
const linkFlags = [
  ...machine,
  '-mexec-model=reactor',
  '-Wl,--stack-first',
  '-Wl,-z,stack-size=262144',
  // 512 MiB: a million coins take a tenth of it, and a page should not take more.
  '-Wl,--max-memory=536870912',
  '-Wl,--gc-sections',
  '-Wl,--strip-all',
]
// Binaryen removes a fifth of the bytes, which the compiler leaves. The module may use the features
// that the compiler assumes of every machine, and no newer one.
const optimizeFlags = [
  '-O3',
  '--enable-bulk-memory',
  '--enable-multivalue',
  '--enable-mutable-globals',
  '--enable-nontrapping-float-to-int',
  '--enable-reference-types',
  '--enable-sign-ext',
  '--enable-simd',
]

if (isMainThread) await main()
else await compileForOthers()

async function main() {
  if (![clang, optimizer, compressor].every(existsSync)) install()
  const started = performance.now()
  // The largest is compiled first, so that all threads end together.
  const sources = [
    ...['secp256k1', 'precomputed_ecmult_gen'].map((name) => `${secp256k1}/src/${name}.c`),
    'native/wasm/curve_tables.c',
    ...readFileSync(`${root}native/sources.txt`, 'utf8').trim().split('\n'),
    ...cppFiles('native/seam'),
    ...cppFiles('native/wasm'),
  ]
  const objects = await compileAll(sources)
  const { runClang } = await import(clang)
  const names = Object.keys(objects).sort()
  const linked = await runClang(['clang++', ...linkFlags, ...names, '-o', 'out.wasm'], objects, {
    stdout: null,
    stderr: tell,
  })
  const bytes = optimized(linked['out.wasm'])
  const imported = WebAssembly.Module.imports(new WebAssembly.Module(bytes))
  if (imported.length > 0) fail(`it imports ${JSON.stringify(imported)}`)
  const sizes = { raw: bytes.length, gzip: gzipSync(bytes, { level: 9 }).length }
  for (const [form, size] of Object.entries(sizes)) {
    if (size > limits[form]) fail(`${size} bytes ${form}, over ${limits[form]}`)
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  const brotli = brotliCompressSync(bytes).length
  console.log(`${target}: ${sizes.raw} bytes, gzip ${sizes.gzip}, brotli ${brotli}; ${seconds} s`)
  const made = { [target]: bytes, [compressedTarget]: await compressed(bytes) }
  for (const [path, content] of Object.entries(made)) {
    if (!process.argv.includes('--check')) writeFileSync(`${root}${path}`, content)
    else if (!readFileSync(`${root}${path}`).equals(Buffer.from(content))) {
      fail(`${path} was not made from these sources: run npm run build:wasm`)
    }
  }
}

async function compressed(bytes) {
  const { compress } = await import(compressor)
  return Uint8Array.from(compress(bytes, 9))
}

function optimized(bytes) {
  const [from, to] = [`${root}${toolchain}/linked.wasm`, `${root}${toolchain}/optimized.wasm`]
  writeFileSync(from, bytes)
  const args = [optimizer, from, ...optimizeFlags, '-o', to]
  if (spawnSync(process.execPath, args, { stdio: 'inherit' }).status !== 0) fail('not optimized')
  return readFileSync(to)
}

function fail(reason) {
  console.error(`${target}: ${reason}`)
  process.exit(1)
}

function tell(bytes) {
  if (bytes) process.stderr.write(bytes)
}

function install() {
  cpSync(`${root}${manifest}`, `${root}${toolchain}`, { recursive: true })
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], {
    cwd: `${root}${toolchain}`,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0) fail('its toolchain could not be installed')
}

function cppFiles(folder) {
  return readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith('.cpp'))
    .sort()
    .map((name) => `${folder}/${name}`)
}

/** Objects by name: those of before where nothing of theirs has changed. */
async function compileAll(sources) {
  mkdirSync(`${root}${kept}`, { recursive: true })
  const compiler = readFileSync(`${root}${manifest}/package-lock.json`)
  const files = new Map(
    sources.map((source) => {
      const texts = includedBy(source).flatMap((path) => [path, readFileSync(`${root}${path}`)])
      const hash = hashOf(compiler, commonText, commandOf(source).join(' '), ...texts)
      return [source, `${root}${kept}/${hash}.o`]
    }),
  )
  const missing = sources.filter((source) => !existsSync(files.get(source)))
  await compile(missing, (source, object) => writeFileSync(files.get(source), object))
  const used = new Set(files.values())
  for (const name of readdirSync(`${root}${kept}`)) {
    if (!used.has(`${root}${kept}/${name}`)) rmSync(`${root}${kept}/${name}`)
  }
  const name = (source) => `${source.replaceAll('/', '_')}.o`
  return Object.fromEntries(
    sources.map((source) => [name(source), readFileSync(files.get(source))]),
  )
}

function hashOf(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** The files of ours that a source includes, by whatever way, and itself. */
function includedBy(source) {
  const found = new Set()
  const visit = (path) => {
    if (found.has(path)) return
    found.add(path)
    const text = readFileSync(`${root}${path}`, 'utf8')
    for (const [, name] of text.matchAll(/^\s*#\s*include\s+["<]([^">]+)[">]/gm)) {
      const folders = [posix.dirname(path), 'native/core', 'native', `${secp256k1}/include`]
      const file = folders
        .map((folder) => posix.join(folder, name))
        .find((candidate) => existsSync(`${root}${candidate}`))
      if (file !== undefined) visit(file)
    }
  }
  visit(source)
  return [...found].sort()
}

/** Gives the object of each source to `take`, made on as many threads as there are cores. */
async function compile(sources, take) {
  const headers = [...new Set(sources.filter(isCpp).map(headersOf))]
  const total = headers.length + sources.length
  let count = 0
  const show = () => {
    count += 1
    if (process.stderr.isTTY) process.stderr.write(`\r${count} of ${total}`)
  }
  const threads = Math.min(sources.length, availableParallelism())
  const workers = Array.from({ length: threads }, () => new Worker(new URL(import.meta.url)))
  const precompiled = {}
  await onEach(workers, headers, (path, content) => {
    precompiled[path] = content
    show()
  })
  for (const worker of workers) worker.postMessage({ precompiled })
  await onEach(workers, sources, (source, object) => {
    take(source, object)
    show()
  })
  for (const worker of workers) worker.terminate()
  if (process.stderr.isTTY) process.stderr.write('\n')
}

/** Gives each source to the next worker that is free. */
async function onEach(workers, sources, take) {
  const queue = [...sources]
  await Promise.all(
    workers.map(async (worker) => {
      for (let source = queue.shift(); source !== undefined; source = queue.shift()) {
        worker.postMessage({ source })
        const [{ output, failure }] = await once(worker, 'message')
        if (failure !== undefined) fail(`${source}: ${failure}`)
        take(source, output)
      }
    }),
  )
}

async function compileForOthers() {
  const { runClang } = await import(clang)
  const files = {
    native: {
      core: folderOf('native/core'),
      seam: folderOf('native/seam'),
      wasm: folderOf('native/wasm', /\.(cpp|c)$/),
    },
    third_party: { secp256k1: folderOf(secp256k1) },
    [commonHeader]: commonText,
  }
  // This file system takes `..` for the folder itself, and sources there say `../include`.
  const { src, include } = files.third_party.secp256k1
  src.include = include
  src.modules.recovery.include = include
  parentPort.on('message', async ({ source, precompiled }) => {
    if (precompiled !== undefined) return Object.assign(files, precompiled)
    try {
      const made = await runClang(commandOf(source), files, { stdout: null, stderr: tell })
      parentPort.postMessage({ output: made.out })
    } catch (error) {
      parentPort.postMessage({ failure: error.message })
    }
  })
}

function commandOf(source) {
  if (!isCpp(source)) return ['clang', ...curveFlags, '-c', source, '-o', 'out']
  const smaller = rarelyRun.test(source) || source === smallHeaders ? ['-Oz'] : []
  const options = ['clang++', ...cppFlags, ...smaller]
  if (!source.endsWith('.cpp')) return [...options, '-x', 'c++-header', commonHeader, '-o', 'out']
  return [...options, '-include-pch', headersOf(source), '-c', source, '-o', 'out']
}

function isCpp(source) {
  return !source.endsWith('.c')
}

/** Returns the precompiled headers of a source: they have to have its options. */
function headersOf(source) {
  return rarelyRun.test(source) ? smallHeaders : fastHeaders
}

/** A folder's sources as the compiler's file system takes them. */
function folderOf(folder, kept = /\.(cpp|c|h|def)$/) {
  const tree = {}
  for (const entry of readdirSync(`${root}${folder}`, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && entry.name !== 'node_modules')
      tree[entry.name] = folderOf(path, kept)
    else if (kept.test(entry.name)) tree[entry.name] = readFileSync(`${root}${path}`)
  }
  return tree
}
