// Scripts that nodes relay: policy, not consensus.

import type { ScriptType } from './types.ts'

/** The most keys of a bare M of N. source: komodo src/script/standard.cpp, IsStandard */
export const standardKeysMax = 9

/**
 * Returns whether nodes relay an output, apart from its value.
 *
 * @param keys - the number of keys that the script pays
 * @see komodo src/script/standard.cpp, IsStandard
 */
export function isStandardOutput(
  { type, keys }: { readonly type: ScriptType; readonly keys: number },
  script: string,
  nulldataBytesMax: number,
): boolean {
  if (type === 'nonstandard') return false
  if (type === 'multisig') return keys <= standardKeysMax
  return type !== 'nulldata' || script.length <= 2 * nulldataBytesMax
}
