import { startEngine } from './call.ts'
import * as calls from './calls.ts'
import type { LoadAttempt } from './loading.ts'

/** The source of the engine; undefined if no engine loaded. */
export function enginePath(): string | undefined {
  return startEngine().path
}

export function engineAttempts(): readonly LoadAttempt[] {
  return startEngine().attempts
}

/** The processor features that the engine uses on this machine, such as `sha-ni`. */
export function engineFeatures(): string[] {
  return calls.engineFeatures().split(',')
}
