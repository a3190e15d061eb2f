import { AntaraError } from '../errors/antara-error.ts'
import { engineAbi, type NativeEngine } from './native.ts'

/** One place where the loader looked for an engine, and the result. */
export interface LoadAttempt {
  readonly path: string
  readonly failure?: string
}

export interface LoadedEngine {
  readonly engine: NativeEngine
  /** Undefined if no place had a working engine. */
  readonly path?: string
  readonly attempts: readonly LoadAttempt[]
}

/** A place that may contain an engine, and the function that loads it. */
export interface Candidate {
  readonly path: string
  readonly load: (path: string) => NativeEngine
}

/**
 * Loads the engine from the first place that has a working one.
 *
 * If none works, functions that need no engine still do: the returned engine throws
 * `engine_unavailable`, made by `unavailable`, at every call.
 */
export function loadFirst(
  candidates: Iterable<Candidate>,
  unavailable: (attempts: readonly LoadAttempt[]) => AntaraError,
): LoadedEngine {
  const attempts: LoadAttempt[] = []
  for (const { path, load } of candidates) {
    try {
      const engine = load(path)
      if (engine.abi !== engineAbi) {
        attempts.push({ path, failure: `built for interface ${engine.abi}, not ${engineAbi}` })
        continue
      }
      attempts.push({ path })
      return { engine, path, attempts }
    } catch (error) {
      attempts.push({ path, failure: reasonOf(path, error) })
    }
  }
  const fail = (): never => {
    throw unavailable(attempts)
  }
  return { engine: engineWithout(fail), attempts }
}

/** Accepts memory, as a loaded engine does, and runs `instead` for every other call. */
export function engineWithout(instead: (name: string) => unknown): NativeEngine {
  const get = (_: unknown, name: string): unknown =>
    name === 'makeScratch' ? (words: number) => new Uint32Array(words) : instead(name)
  return new Proxy({}, { get }) as NativeEngine
}

/** Returns the error of a call that trapped. */
export function engineFailed(cause: unknown): AntaraError {
  return new AntaraError('engine_failed', {}, { cause })
}

/**
 * Returns the error of a missing engine: the problem, the places that were tried, and the remedy.
 *
 * @param actual - the platform
 */
export function engineUnavailable(
  actual: string,
  attempts: readonly LoadAttempt[],
  { problem, remedy }: { readonly problem: string; readonly remedy: string },
): AntaraError {
  const error = new AntaraError('engine_unavailable', { actual })
  const places = attempts.map(({ path, failure }) => `  ${path}: ${failure}`)
  const tried = places.length > 0 ? ['Tried:', ...places] : []
  error.message = [problem, ...tried, 'What helps:', `  ${remedy}`].join('\n')
  return error
}

function reasonOf(path: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code } = error as { code?: string }
  const isMissing = code === 'MODULE_NOT_FOUND' || code === 'ENOENT'
  if (isMissing) return path.startsWith('@') ? 'not installed' : 'no such file'
  return error.message.split('\n')[0] ?? ''
}
