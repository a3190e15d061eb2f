// Scripts that nodes relay: policy, not consensus.

import type { Network } from '../chain/network.ts'
import type { ScriptType } from './types.ts'

/** The most keys of a bare M of N. source: komodo src/script/standard.cpp, IsStandard */
export const standardKeysMax = 9

/**
 * Returns why nodes do not relay an output, apart from its value; `undefined` if they relay it.
 *
 * @param described - the type of the script, and the number of keys that it pays
 * @see komodo src/script/standard.cpp, IsStandard
 */
export function whyNonstandard(
  { type, keys }: { readonly type: ScriptType; readonly keys: number },
  script: string,
  { conditions, nulldataBytesMax }: Pick<Network, 'conditions' | 'nulldataBytesMax'>,
): string | undefined {
  if (hasUnreadLock(script, conditions)) return 'a lock time before a script'
  if (type === 'multisig') return keys > standardKeysMax ? `${keys} keys` : undefined
  const isLong = type === 'nulldata' && script.length > 2 * nulldataBytesMax
  return isLong || type === 'nonstandard' ? `a script of type ${type}` : undefined
}

const lock = '(?:00|01.{2}|02.{4}|03.{6}|04.{8}|05.{10})b1..'
const oneLock = new RegExp(`^${lock}`)
const twoLocks = new RegExp(`^${lock}${lock}`)

/**
 * Returns whether a script has more lock times than nodes look behind: none, and on Tokel one. The
 * type that a daemon prints is that of the script behind all of them.
 *
 * @see tokel src/script/standard.cpp, SolverCLTV, which komodo does not have
 */
export function hasUnreadLock(script: string, conditions: Network['conditions']): boolean {
  return (conditions === 'tokel' ? twoLocks : oneLock).test(script)
}
