import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { enginePath } from '../../src/engine/engine.ts'

/** True if the tests run on WebAssembly: ANTARA_TX_ENGINE=wasm. Tests of Node-API are skipped. */
export const isWasm: boolean = enginePath()?.endsWith('.wasm') === true

export const root: string = fileURLToPath(new URL('../../', import.meta.url))

/** Runs a program of this checkout and returns what it printed. Throws if it fails. */
export function runProgram(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): { stdout: string; stderr: string } {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    ...options,
  })
  if (status !== 0) {
    const claimed = [stdout, stderr, error?.message].filter((text) => text).join('\n')
    throw new Error(`${command} ${args.join(' ')}: exit ${status}\n${claimed}`)
  }
  return { stdout, stderr }
}

/**
 * Compiles the sources as they stand for what cannot run TypeScript: threads and child processes.
 *
 * @returns the entry's URL, and the environment in which it finds the engine that the tests use
 */
export function compileSources(name: string): { entry: string; env: NodeJS.ProcessEnv } {
  const folder = `${root}out/${name}/dist`
  runProgram(process.execPath, [`${root}scripts/build-ts.mjs`, '--out', folder, '--no-types'])
  // The compiled sources look for these files beside their folder.
  for (const path of ['package.json', 'native/wasm/antara_tx.wasm']) {
    cpSync(`${root}${path}`, `${root}out/${name}/${path}`)
  }
  const entry = pathToFileURL(`${folder}/index.js`).href
  const engine = isWasm ? { ANTARA_TX_ENGINE: 'wasm' } : { ANTARA_TX_ADDON: enginePath() }
  return { entry, env: { ...process.env, ...engine } }
}
