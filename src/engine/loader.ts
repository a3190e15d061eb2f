import { closeSync, existsSync, openSync, readFileSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

import { AntaraError, docsOf } from '../errors/antara-error.ts'
import { engineAbi, type NativeEngine } from './native.ts'
import { wasmEngine } from './wasm.ts'

/** One place where the engine was looked for, and how that ended. */
export interface LoadAttempt {
  readonly path: string
  readonly failure?: string
}

export interface LoadedEngine {
  readonly engine: NativeEngine
  /** Nothing, if no place had a working one. */
  readonly path?: string
  readonly attempts: readonly LoadAttempt[]
}

const packageRoot = fileURLToPath(new URL('../../', import.meta.url))

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

/** A file that may hold an engine, and how that becomes one. */
interface Candidate {
  readonly path: string
  readonly load: (path: string) => NativeEngine
}

function candidates(): Candidate[] {
  const chosen = process.env.ANTARA_TX_ENGINE ?? ''
  if (!['', 'native', 'wasm'].includes(chosen)) {
    return [{ path: `ANTARA_TX_ENGINE=${chosen}`, load: unknownEngine }]
  }
  const wasm = [{ path: `${packageRoot}native/wasm/antara_tx.wasm`, load: loadWasm }]
  if (chosen === 'wasm') return wasm
  const addon = process.env.ANTARA_TX_ADDON ?? ''
  // Whoever names a binary wants to hear that it does not load.
  if (addon !== '') return [{ path: addon, load: require }]
  const addons = [
    `${packageRoot}build/Release/antara_tx.node`,
    `${packageRoot}prebuilds/${platformTarget()}/antara_tx.node`,
  ].map((path) => ({ path, load: require }))
  return chosen === 'native' ? addons : [...addons, ...wasm]
}

const require = createRequire(import.meta.url)

function loadWasm(path: string): NativeEngine {
  return wasmEngine(readFileSync(path))
}

function unknownEngine(): never {
  throw new Error('neither native nor wasm')
}

/**
 * Loads the engine from the first place that has a working one: `ANTARA_TX_ADDON`, a build in this
 * folder, the prebuilt binary of this platform, WebAssembly. `ANTARA_TX_ENGINE` allows only `native`
 * or only `wasm`.
 *
 * Where none works, what needs none does: the engine that is returned then throws at the first call
 * of it `engine_unavailable`, which says what was tried and what to type next.
 */
export function loadEngine(): LoadedEngine {
  const attempts: LoadAttempt[] = []
  for (const { path, load } of candidates()) {
    try {
      const engine = load(path)
      if (engine.abi !== engineAbi) {
        attempts.push({ path, failure: `built for interface ${engine.abi}, not ${engineAbi}` })
        continue
      }
      attempts.push({ path })
      return { engine, path, attempts }
    } catch (error) {
      attempts.push({ path, failure: reasonOf(error) })
    }
  }
  return { engine: missingEngine(attempts), attempts }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: string }
  if (code === 'MODULE_NOT_FOUND' || code === 'ENOENT') return 'no such file'
  return error.message.split('\n')[0] ?? ''
}

/** Takes memory, as an engine does when it is loaded, and fails at everything else. */
function missingEngine(attempts: readonly LoadAttempt[]): NativeEngine {
  const fail = (): never => {
    throw unavailable(attempts)
  }
  const get = (_: unknown, name: string | symbol): unknown =>
    name === 'makeScratch' ? (words: number) => new Uint32Array(words) : fail
  return new Proxy({}, { get }) as NativeEngine
}

/** The error of an engine that is not there: the platform, the reason, and what helps. */
function unavailable(attempts: readonly LoadAttempt[]): AntaraError {
  const error = new AntaraError('engine_unavailable', { actual: platformTarget() })
  error.message = [
    `antara-tx has no engine for ${platformTarget()}, Node ${process.version}.`,
    'Tried:',
    ...attempts.map(({ path, failure }) => `  ${path}: ${failure}`),
    'What helps:',
    `  ${remedy()}`,
    `(${docsOf(error.code)})`,
  ].join('\n')
  return error
}

/** The one thing to type. */
function remedy(): string {
  const { permission, env, execArgv } = process
  if (env.ANTARA_TX_ENGINE && env.ANTARA_TX_ENGINE !== 'native') {
    return 'unset ANTARA_TX_ENGINE   it allows one kind of engine'
  }
  if (execArgv.includes('--no-addons')) return 'node without --no-addons'
  if (permission !== undefined && !execArgv.includes('--allow-addons')) {
    return 'node --allow-addons   the permission model forbids native addons'
  }
  if (env.ANTARA_TX_ADDON) {
    return 'unset ANTARA_TX_ADDON   it names a binary of your own, and no other is tried'
  }
  const needs = 'needs a C++20 compiler and CMake 3.20'
  return existsSync(`${packageRoot}scripts/build-native.mjs`)
    ? `npm run build:native   ${needs}`
    : `npx -y cmake-js@8 compile --directory "${packageRoot.slice(0, -1)}"   ${needs}`
}
