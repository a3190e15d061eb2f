// Finds the engine in Node: a build, a prebuilt binary, or WebAssembly from a file.

import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { type AntaraError, explainOf } from '../errors/antara-error.ts'
import {
  type Candidate,
  engineUnavailable,
  type LoadAttempt,
  type LoadedEngine,
  loadFirst,
} from './loading.ts'
import type { NativeEngine } from './native.ts'
import { nodeWorkers } from './node-workers.ts'
import { compileWasm } from './wasm.ts'
import { engineWithWorkers } from './wasm-workers.ts'

/**
 * Not imported, because an import of `node:fs` loads all streams of Node, and many programs need no
 * engine.
 */
const files = (): typeof import('node:fs') =>
  // Node before 22.3 lacks the first, and a bundle in CommonJS the URL for the second.
  process.getBuiltinModule?.('node:fs') ?? createRequire(import.meta.url)('node:fs')

/** The package's folder; the same path leads there from dist/engine/ and from src/engine/. */
const packageRoot = (): string => fileURLToPath(new URL('../../', import.meta.url))

/**
 * How each binary is loaded. Each name is a literal, because Next collects a server's files by
 * literals.
 */
export function platformPackages(): Readonly<Record<string, () => NativeEngine>> {
  const require = createRequire(import.meta.url)
  return {
    'linux-x64': () => require('@antara-tx/linux-x64/antara_tx.node'),
    'linux-x64-musl': () => require('@antara-tx/linux-x64-musl/antara_tx.node'),
    'linux-arm64': () => require('@antara-tx/linux-arm64/antara_tx.node'),
    'linux-arm64-musl': () => require('@antara-tx/linux-arm64-musl/antara_tx.node'),
    'darwin-x64': () => require('@antara-tx/darwin-x64/antara_tx.node'),
    'darwin-arm64': () => require('@antara-tx/darwin-arm64/antara_tx.node'),
    'win32-x64': () => require('@antara-tx/win32-x64/antara_tx.node'),
  }
}

/**
 * `linux-x64`, `linux-x64-musl`, `darwin-arm64`, ...: the folder of this platform's prebuilt
 * binary.
 */
export function platformTarget(): string {
  return `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`
}

/** Bytes to read of an ELF file; the name of its dynamic loader is near the start. */
const elfBytes = 2048

/**
 * Returns whether this Node runs on musl, from the dynamic loader that its binary names.
 * `process.report` has the answer too, but it also looks up the names of all connected hosts.
 */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  const head = Buffer.alloc(elfBytes)
  const { closeSync, openSync, readSync } = files()
  try {
    const file = openSync(process.execPath, 'r')
    readSync(file, head)
    closeSync(file)
  } catch {
    return false
  }
  return head.includes('/ld-musl-')
}

/** Reads an environment variable; empty if it is not set, or if Deno's permissions forbid it. */
function setting(name: string): string {
  try {
    return process.env[name] ?? ''
  } catch {
    return ''
  }
}

/** One by one, because most programs find a build or a prebuilt binary first. */
function* candidates(): Generator<Candidate> {
  const chosen = setting('ANTARA_TX_ENGINE')
  if (!['', 'native', 'wasm'].includes(chosen)) {
    yield { path: `ANTARA_TX_ENGINE=${chosen}`, load: unknownEngine }
    return
  }
  if (chosen !== 'wasm') {
    const addon = setting('ANTARA_TX_ADDON')
    if (addon !== '') {
      // The user named this binary, so report that it does not load.
      yield { path: addon, load: requireNamedAddon }
      return
    }
    yield* addons()
  }
  if (chosen === 'native') return
  // This literal stands here because Next's two bundlers do not find it in an arrow function.
  const wasmPath = fileURLToPath(new URL('../../native/wasm/antara_tx.wasm', import.meta.url))
  yield { path: wasmPath, load: loadWasm }
}

function* addons(): Generator<Candidate> {
  const root = packageRoot()
  // From a bundle, these paths lead to folders that nobody trusts with code.
  const isTrusted = isInPackage()
  if (isTrusted) yield { path: `${root}build/Release/antara_tx.node`, load: loadAddon }
  const target = platformTarget()
  if (isTrusted) yield { path: `${root}prebuilds/${target}/antara_tx.node`, load: loadAddon }
  yield { path: `@antara-tx/${target}/antara_tx.node`, load: () => loadPackage(target) }
}

/**
 * Resolves a package as modules do: from folders above this one, or from an archive of Plug'n'Play.
 */
function requireAddon(path: string): NativeEngine {
  return createRequire(import.meta.url)(path)
}

/**
 * Loads the binary that the user named. Only a file that ends in .node: `require` would run any
 * other as JavaScript, so an environment variable could run any code.
 */
function requireNamedAddon(path: string): NativeEngine {
  const file = namedFile(path)
  if (!file.endsWith('.node')) throw new Error('expected a file that ends in .node')
  return requireAddon(file)
}

/** Resolves a path from the working directory, or else the name of a file in a package. */
function namedFile(path: string): string {
  const require = createRequire(import.meta.url)
  try {
    return require.resolve(resolve(path))
  } catch (error) {
    if ((error as { code?: string }).code !== 'MODULE_NOT_FOUND') throw error
    return require.resolve(path)
  }
}

function loadPackage(target: string): NativeEngine {
  const load = platformPackages()[target]
  return load === undefined ? requireAddon(`@antara-tx/${target}/antara_tx.node`) : load()
}

/** Loads an addon directly, because the rest of `require` takes longer than the addon itself. */
function loadAddon(path: string): NativeEngine {
  if (process.versions.pnp !== undefined) return requireAddon(path)
  if (!files().existsSync(path)) throw Object.assign(new Error(path), { code: 'ENOENT' })
  const module = { exports: {} }
  process.dlopen(module, path)
  return module.exports as NativeEngine
}

function loadWasm(path: string): NativeEngine {
  return engineWithWorkers(compileWasm(files().readFileSync(path)), nodeWorkers())
}

function unknownEngine(): never {
  throw new Error('neither native nor wasm')
}

/**
 * Loads the engine from the first place that has a working one. The places are `ANTARA_TX_ADDON`, a
 * build in this folder, this platform's binary in it, the platform's own package, and WebAssembly.
 * `ANTARA_TX_ENGINE` allows only `native` or only `wasm`.
 */
export function loadEngine(): LoadedEngine {
  // A bundle in CommonJS has no URL, so there is no place to look from.
  return loadFirst(import.meta.url === undefined ? [] : readable(candidates()), unavailable)
}

/** The failure of a place that Node's permission model hides. */
const unreadable = 'the permission model forbids reading it'

function* readable(places: Iterable<Candidate>): Generator<Candidate> {
  for (const { path, load } of places) yield { path, load: readably(load) }
}

function readably(load: Candidate['load']): Candidate['load'] {
  return (path) => {
    try {
      return load(path)
    } catch (error) {
      const { code, permission } = error as { code?: string; permission?: string }
      const isHidden = code === 'ERR_ACCESS_DENIED' && permission === 'FileSystemRead'
      throw isHidden ? new Error(unreadable) : error
    }
  }
}

/** Describes a missing engine: the platform, the reason, and the remedy. */
function unavailable(attempts: readonly LoadAttempt[]): AntaraError {
  const target = platformTarget()
  return engineUnavailable(target, attempts, {
    problem: `antara-tx has no engine for ${target}, Node ${process.version}.`,
    remedy: `${remedy(attempts)}\n(${explainOf('engine_unavailable')})`,
  })
}

/** A bundler without the condition `module` has put this file where it finds no engine. */
const outsideRemedy = `bundle with the condition "module", which puts the engine into the bundle
  or leave antara-tx out of the bundle   docs/browsers.md shows both`

/**
 * The places of this code in the package: its own file, and the program for one verdict. A bundle
 * has another name, or another folder.
 */
const placeInPackage = /\/(?:(?:dist|src)\/engine\/loader-node\.[jt]s|dist\/cli\/one-verdict\.js)$/

/**
 * Returns whether this file is in the package, and not in the bundle of a program. A bundler can
 * fix the URL of this file while it bundles, so the package must still be there.
 */
function isInPackage(): boolean {
  if (import.meta.url === undefined) return false
  if (!placeInPackage.test(new URL(import.meta.url).pathname)) return false
  try {
    const text = files().readFileSync(`${packageRoot()}package.json`, 'utf8')
    return JSON.parse(text).name === 'antara-tx'
  } catch (error) {
    // Where a permission is missing, the file may be there.
    return (error as { code?: string }).code !== 'ENOENT'
  }
}

/** The command that repairs the installation. */
function remedy(attempts: readonly LoadAttempt[]): string {
  const { permission, execArgv } = process
  const chosen = setting('ANTARA_TX_ENGINE')
  const addon = setting('ANTARA_TX_ADDON')
  if (addon === '' && !isInPackage()) return outsideRemedy
  const isUnreadable = attempts.some(({ failure }) => failure === unreadable)
  if (chosen !== '' && chosen !== 'native' && !isUnreadable) {
    return 'unset ANTARA_TX_ENGINE   it allows one kind of engine'
  }
  if (execArgv.includes('--no-addons')) return 'node without --no-addons'
  const flags = [...execArgv, ...setting('NODE_OPTIONS').split(/\s+/)]
  if (flags.includes('--no-addons')) return 'remove --no-addons from NODE_OPTIONS'
  const needsAddons = permission !== undefined && chosen !== 'wasm'
  const missing = needsAddons && !flags.includes('--allow-addons') ? ['--allow-addons'] : []
  if (isUnreadable) {
    const read = `"--allow-fs-read=${addon === '' ? `${packageRoot()}*` : resolve(addon)}"`
    return `node ${[...missing, read].join(' ')}   the permission model hides the engine`
  }
  if (missing.length > 0) {
    return 'node --allow-addons   the permission model forbids native addons'
  }
  if (addon !== '') {
    return 'unset ANTARA_TX_ADDON   it names a binary of your own, and no other is tried'
  }
  if ('Deno' in globalThis) {
    return 'deno run --allow-read   and --allow-ffi for the native engine, which is faster'
  }
  const needs = 'needs a C++20 compiler and CMake 3.20'
  const root = packageRoot()
  if (exists(`${root}scripts/build-native.mjs`)) return `npm run build:native   ${needs}`
  const compile = 'npx -y cmake-js@8 compile --directory'
  return exists(`${root}CMakeLists.txt`)
    ? `${compile} "${root.slice(0, -1)}"   ${needs}`
    : `npm install --no-save @antara-tx/source\n  ${compile} node_modules/@antara-tx/source --out "${root}build"   ${needs}`
}

/** Returns false too if a permission is missing, so that the report of the tried places stays. */
function exists(path: string): boolean {
  try {
    return files().existsSync(path)
  } catch {
    return false
  }
}
