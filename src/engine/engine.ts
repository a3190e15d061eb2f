import { startEngine } from './call.ts'
import * as calls from './calls.ts'
import type { LoadAttempt } from './loading.ts'

/** Where the engine came from; nothing if there is none. */
export function enginePath(): string | undefined {
  return startEngine().path
}

export function engineAttempts(): readonly LoadAttempt[] {
  return startEngine().attempts
}

/** What the engine makes use of on this machine, such as `sha-ni`. */
export function engineFeatures(): string[] {
  return calls.engineFeatures().split(',')
}
