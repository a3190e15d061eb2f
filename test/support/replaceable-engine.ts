import { afterEach } from 'vitest'

import { startEngine } from '../../src/engine/call.ts'

export type EngineFunctions = Record<string, (...given: unknown[]) => unknown>

/**
 * Returns the functions of the engine, which a test may replace. They are put back behind each test,
 * so a file of tests that uses them needs no sources of its own.
 */
export function replaceableEngine(): EngineFunctions {
  const engine = startEngine().engine as unknown as EngineFunctions
  const own = { ...engine }
  afterEach(() => {
    Object.assign(engine, own)
  })
  return engine
}
