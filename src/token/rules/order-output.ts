// The demands of the rules of orders on one output.

import { paysKey } from '../../script/key-script.ts'
import type { TransactionOutput } from '../../transaction/types.ts'
import { conditionPart, leadingCondition } from './condition-script.ts'

/**
 * Returns whether an output pays the condition of a script, whatever data it drops after it. No
 * output pays a script without a condition. A value of 0 stands for any.
 *
 * @see komodo src/cc/CCutils.cpp, ConstrainVout
 */
export function isCondition(
  output: TransactionOutput | undefined,
  script: string | undefined,
  value = 0n,
): boolean {
  const wanted = script === undefined ? undefined : leadingCondition(script)
  if (output === undefined || wanted === undefined) return false
  return conditionPart(output.script) === wanted && (value === 0n || output.value === value)
}

/** Returns whether an output pays an owner's key without a condition. A value of 0 stands for any. */
export function isCoins(output: TransactionOutput | undefined, owner: string, value = 0n): boolean {
  if (output === undefined) return false
  return paysKey(output.script, owner) && (value === 0n || output.value === value)
}
