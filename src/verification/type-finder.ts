import { networks } from '../chain/network.ts'
import { readScripts } from '../script/describe.ts'
import type { ScriptType } from '../script/types.ts'

/** The type of one script among several, which are all read together once any is asked for. */
export function typeFinder(scripts: () => readonly string[]): (script: string) => ScriptType {
  let types: ReadonlyMap<string, ScriptType> | undefined
  return (script) => {
    types ??= typesOf([...new Set(scripts())])
    return types.get(script)!
  }
}

/** By the rules of the chain that knows all. */
function typesOf(scriptPubKeys: readonly string[]): Map<string, ScriptType> {
  const network = networks.tokel
  const read = readScripts({ scriptSigs: [], scriptPubKeys, network, showSighash: false })
  return new Map(scriptPubKeys.map((script, at) => [script, read.scriptPubKeys[at]!.type]))
}
