import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { AntaraError, docsOf } from '../errors/antara-error.ts'
import {
  type Candidate,
  type LoadAttempt,
  type LoadedEngine,
  loadFirst,
  triedText,
} from './loading.ts'
import type { NativeEngine } from './native.ts'
import { nodeWorkers } from './node-workers.ts'
import { compileWasm, wasmEngine } from './wasm.ts'
import { withWorkers } from './wasm-workers.ts'

/** Of the package, from dist/engine/ as from src/engine/. */
const packageRoot = (): string => fileURLToPath(new URL('../../', import.meta.url))

/** How each is loaded. Written out for those who gather a server's files by names in code, as Next does. */
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

/** `linux-x64`, `linux-x64-musl`, `darwin-arm64`, ...: the folder that prebuilds are kept in. */
export function platformTarget(): string {
  return `${process.platform}-${process.arch}${isMusl() ? '-musl' : ''}`
}

/** More than enough of an ELF file to hold the name of its dynamic loader. */
const elfBytes = 2048

/**
 * Whether this Node runs on musl: by the dynamic loader that its binary names. What
 * `process.report` says of it comes with the names of everybody this process is connected to.
 */
function isMusl(): boolean {
  if (process.platform !== 'linux') return false
  const head = Buffer.alloc(elfBytes)
  try {
    const file = openSync(process.execPath, 'r')
    readSync(file, head)
    closeSync(file)
  } catch {
    return false
  }
  return head.includes('/ld-musl-')
}

/** A variable of the environment; Deno may forbid to look, and then it says nothing. */
function setting(name: string): string {
  try {
    return process.env[name] ?? ''
  } catch {
    return ''
  }
}

function candidates(): Candidate[] {
  const chosen = setting('ANTARA_TX_ENGINE')
  if (!['', 'native', 'wasm'].includes(chosen)) {
    return [{ path: `ANTARA_TX_ENGINE=${chosen}`, load: unknownEngine }]
  }
  const root = packageRoot()
  // Written out here for the same reason: Next's two bundlers find it so, but not in an arrow function.
  const wasmPath = fileURLToPath(new URL('../../native/wasm/antara_tx.wasm', import.meta.url))
  const wasm = [{ path: wasmPath, load: loadWasm }]
  if (chosen === 'wasm') return wasm
  const addon = setting('ANTARA_TX_ADDON')
  // Whoever names a binary wants to hear that it does not load.
  if (addon !== '') return [{ path: addon, load: requireAddon }]
  const target = platformTarget()
  const addons = [
    { path: `${root}build/Release/antara_tx.node`, load: loadAddon },
    { path: `${root}prebuilds/${target}/antara_tx.node`, load: loadAddon },
    { path: `@antara-tx/${target}/antara_tx.node`, load: () => loadPackage(target) },
  ]
  return chosen === 'native' ? addons : [...addons, ...wasm]
}

/** From wherever modules come from: folders above this one, an archive of Plug'n'Play. */
function requireAddon(path: string): NativeEngine {
  return createRequire(import.meta.url)(path)
}

function loadPackage(target: string): NativeEngine {
  const load = platformPackages()[target]
  return load === undefined ? requireAddon(`@antara-tx/${target}/antara_tx.node`) : load()
}

/** Without what `require` does besides, which takes longer than the addon. */
function loadAddon(path: string): NativeEngine {
  if (process.versions.pnp !== undefined) return requireAddon(path)
  if (!existsSync(path)) throw Object.assign(new Error(path), { code: 'ENOENT' })
  const module = { exports: {} }
  process.dlopen(module, path)
  return module.exports as NativeEngine
}

function loadWasm(path: string): NativeEngine {
  const module = compileWasm(readFileSync(path))
  return withWorkers(wasmEngine(module), module, nodeWorkers())
}

function unknownEngine(): never {
  throw new Error('neither native nor wasm')
}

/**
 * Loads the engine from the first place that has a working one: `ANTARA_TX_ADDON`, a build in this
 * folder, the binary of this platform in it, that of the platform's own package, WebAssembly.
 * `ANTARA_TX_ENGINE` allows only `native` or only `wasm`.
 */
export function loadEngine(): LoadedEngine {
  return loadFirst(candidates(), unavailable)
}

/** The error of an engine that is not there: the platform, the reason, and what helps. */
function unavailable(attempts: readonly LoadAttempt[]): AntaraError {
  const error = new AntaraError('engine_unavailable', { actual: platformTarget() })
  error.message = [
    `antara-tx has no engine for ${platformTarget()}, Node ${process.version}.`,
    triedText(attempts),
    'What helps:',
    `  ${remedy()}`,
    `(${docsOf(error.code)})`,
  ].join('\n')
  return error
}

/** The one thing to type. */
function remedy(): string {
  const { permission, execArgv } = process
  const chosen = setting('ANTARA_TX_ENGINE')
  if (chosen !== '' && chosen !== 'native') {
    return 'unset ANTARA_TX_ENGINE   it allows one kind of engine'
  }
  if (execArgv.includes('--no-addons')) return 'node without --no-addons'
  if (permission !== undefined && !execArgv.includes('--allow-addons')) {
    return 'node --allow-addons   the permission model forbids native addons'
  }
  if (setting('ANTARA_TX_ADDON') !== '') {
    return 'unset ANTARA_TX_ADDON   it names a binary of your own, and no other is tried'
  }
  if ('Deno' in globalThis) {
    return 'deno run --allow-read   and --allow-ffi for the native engine, which is faster'
  }
  const needs = 'needs a C++20 compiler and CMake 3.20'
  const root = packageRoot()
  return existsSync(`${root}scripts/build-native.mjs`)
    ? `npm run build:native   ${needs}`
    : `npx -y cmake-js@8 compile --directory "${root.slice(0, -1)}"   ${needs}`
}
