// Scripts whose coins are lost: those of keys that are published, and those that nobody can spend.

import { pushBytesMax } from '../chain/limits.ts'
import { burnPublicKeys, chainModules, moduleNames } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { networks } from '../chain/network.ts'
import { hashOfKey } from './public-key.ts'
import { scriptOfAddress } from './script.ts'
import { type ScriptTemplate, templateOf, type UnlockedTemplate } from './template.ts'

/** Built when they are first asked for: that takes the engine. */
let namesByHash: ReadonlyMap<string, string> | undefined
let burned: ReadonlyMap<string, string> | undefined

/** The modules whose published keys a script names, by key or by hash. */
function modulesIn(given: ScriptTemplate): string[] {
  namesByHash ??= new Map([...moduleNames].map(([key, name]) => [hashOfKey(key), name]))
  const template = innermost(given)
  if (template.type === 'pubkeyhash') return [namesByHash.get(template.hash) ?? []].flat()
  if (template.type !== 'pubkey' && template.type !== 'multisig') return []
  return template.keys.flatMap((key) => moduleNames.get(key) ?? [])
}

/** The first module whose published key a script names. @param script - lower-case hex */
export function moduleInScript(script: string): string | undefined {
  return modulesIn(templateOf(script))[0]
}

/**
 * The module whose published key releases a coin of `script` alone: anyone can take it.
 *
 * @param script - lower-case hex
 */
export function moduleOfScript(script: string): string | undefined {
  const template = templateOf(script)
  const names = modulesIn(template)
  const inner = innermost(template)
  return names.length >= (inner.type === 'multisig' ? inner.required : 1) ? names[0] : undefined
}

/** Why nobody has what a script pays the hash of, in words. @param script - lower-case hex */
export function whyHashBurned(script: string): string | undefined {
  burned ??= new Map([
    ...Object.values(burnPublicKeys).map(
      (key) => [`76a914${hashOfKey(key)}88ac`, 'a key that burns'] as const,
    ),
    ...chainModules.flatMap(({ name, key }) =>
      [key?.conditionAddress, key?.publishedConditionAddress].flatMap((address) =>
        address === undefined
          ? []
          : [[scriptOfAddress(address, networks.assetChain), `the condition of ${name}`] as const],
      ),
    ),
    [`76a914${zeroHash}88ac`, 'a hash of zeros'],
    [`a914${zeroHash}87`, 'a hash of zeros'],
    [`76a914${hashOfKey('')}88ac`, 'the hash of no key'],
  ])
  return burned.get(script)
}

/** What software writes that has no hash to write. */
const zeroHash = '00'.repeat(20)

/**
 * Why nobody can spend a coin of `script`, in lower-case hex; undefined if somebody may.
 *
 * What pays the address of a condition pays a key that would have the hash of the condition's script.
 *
 * @param redeemScript - behind a script hash, where it is known
 */
export function whyBurned(
  script: string,
  { conditions }: Network,
  redeemScript?: string,
): string | undefined {
  const known = whyHashBurned(script)
  if (known !== undefined) return known
  if (redeemScript !== undefined) {
    const bytes = redeemScript.length / 2
    if (bytes > pushBytesMax) return `a redeem script of ${bytes} bytes`
    return whyBurned(redeemScript, networks.komodo)
  }
  const template = innermost(templateOf(script))
  if (template.type === 'unspendable') return template.why
  if (template.type === 'nulldata') return 'nulldata'
  if (template.type === 'condition' && conditions === 'none') return 'a chain without conditions'
  return undefined
}

/** Returns whether anyone can spend a coin of `script`, because it asks for no signature. */
export function isOpenScript(script: string): boolean {
  return innermost(templateOf(script)).type === 'open'
}

function innermost(
  template: ScriptTemplate,
): UnlockedTemplate | Extract<ScriptTemplate, { type: 'unspendable' }> {
  return template.type === 'locked' ? template.inner : template
}
