// Scripts whose coins are lost: those of keys that are published, and of keys that nobody has.

import { burnPublicKeys, chainModules, moduleNames } from '../chain/modules.ts'
import { networks } from '../chain/network.ts'
import { pubkeyHashScript, pubkeyScript } from './key-script.ts'
import { scriptOfAddress } from './script.ts'

const scriptsOfKey = (pubkey: string) => [pubkeyScript(pubkey), pubkeyHashScript(pubkey)]

/** Built when they are first asked for: that takes the engine. */
let published: ReadonlyMap<string, string> | undefined
let burned: ReadonlyMap<string, string> | undefined

/** The module whose published key a coin of `script`, in lower-case hex, is paid to. */
export function moduleOfScript(script: string): string | undefined {
  published ??= new Map(
    [...moduleNames].flatMap(([key, name]) => scriptsOfKey(key).map((it) => [it, name] as const)),
  )
  return published.get(script)
}

/**
 * Why nobody can spend a coin of `script`, in lower-case hex; undefined if somebody may.
 *
 * What pays the address of a condition pays a key that would have the hash of the condition's script.
 */
export function whyBurned(script: string): string | undefined {
  burned ??= new Map([
    ...Object.values(burnPublicKeys).flatMap((key) =>
      scriptsOfKey(key).map((it) => [it, 'a key that burns'] as const),
    ),
    ...chainModules.flatMap(({ name, key }) =>
      [key?.conditionAddress, key?.publishedConditionAddress].flatMap((address) =>
        address === undefined
          ? []
          : [[scriptOfAddress(address, networks.assetChain), `the condition of ${name}`] as const],
      ),
    ),
  ])
  return burned.get(script)
}
