import { loaded } from './call.ts'
import * as calls from './calls.ts'
import type { LoadAttempt } from './loader.ts'

/** Where the engine came from; nothing if there is none. */
export const enginePath: string | undefined = loaded.path
export const engineAttempts: readonly LoadAttempt[] = loaded.attempts

/** What the engine makes use of on this machine, such as `sha-ni`. */
export function engineFeatures(): string[] {
  return calls.engineFeatures().split(',')
}
