import type { Engine } from '../engine.ts'

/**
 * Refuses what would need the whole chain of the daemon, or an answer from it at once.
 *
 * @throws {RangeError} on a forked node
 */
export function requireNoFork({ state }: Engine, name: string, instead?: string): void {
  if (state.chain.base === undefined) return
  const advice = instead === undefined ? '' : `; call ${instead}`
  throw new RangeError(`${name} cannot be combined with options.fork${advice}`)
}
