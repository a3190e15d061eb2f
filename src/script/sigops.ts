// Counts the signature checks of a script, which nodes and blocks limit.

import { isAntaraError } from '../errors/antara-error.ts'
import { type ScriptStep, splitScript } from './push.ts'

/** The daemon counts what stands before a push that is cut off. */
function stepsBeforeFault(script: string): readonly ScriptStep[] {
  try {
    return splitScript(script)
  } catch (error) {
    if (!isAntaraError(error) || error.context.offset === undefined) throw error
    return splitScript(script.slice(0, 2 * error.context.offset))
  }
}

/**
 * Returns the number of signature checks of a script, as a block counts them.
 *
 * @param accurate - true for a redeem script: M of N keys then count as N, and else as 20
 * @see komodo src/script/script.cpp, CScript::GetSigOpCount
 */
export function sigopsOf(script: string, accurate: boolean): number {
  if (!/a[c-f]/.test(script)) return 0
  let sigops = 0
  const steps = stepsBeforeFault(script)
  for (const [at, { opcode }] of steps.entries()) {
    if (opcode === 0xac || opcode === 0xad) sigops += 1
    if (opcode !== 0xae && opcode !== 0xaf) continue
    const keys = steps[at - 1]?.opcode ?? 0
    sigops += accurate && keys >= 0x51 && keys <= 0x60 ? keys - 0x50 : 20
  }
  return sigops
}
