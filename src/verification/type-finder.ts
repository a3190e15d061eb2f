import { networks } from '../chain/network.ts'
import { readScripts } from '../script/describe.ts'
import type { ScriptType } from '../script/types.ts'

/**
 * Returns a function that finds the type of one of several scripts; the first call reads them all.
 */
export function typeFinder(scripts: () => readonly string[]): (script: string) => ScriptType {
  let types: ReadonlyMap<string, ScriptType> | undefined
  return (script) => {
    types ??= typesOf([...new Set(scripts())])
    return types.get(script)!
  }
}

/** Reads types by the rules of Tokel, which has all of them. */
function typesOf(scriptPubKeys: readonly string[]): Map<string, ScriptType> {
  const network = networks.tokel
  const read = readScripts({ scriptSigs: [], scriptPubKeys, network, showSighash: false })
  return new Map(scriptPubKeys.map((script, at) => [script, read.scriptPubKeys[at]!.type]))
}
