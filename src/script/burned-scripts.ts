// Scripts whose coins are not safe: those of published keys, which anyone can spend, and
// unspendable ones.

import { pushBytesMax } from '../chain/limits.ts'
import { burnPublicKeys, chainModules, moduleNames } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { networks } from '../chain/network.ts'
import { keyHashScript, scriptHashScript } from './addressed-script.ts'
import { pubkeyHashScript } from './key-script.ts'
import { hashOfKey } from './public-key.ts'
import { scriptOfAddress } from './script.ts'
import { type ScriptTemplate, templateOf, type UnlockedTemplate } from './template.ts'

/** Computed at first use, because that calls the native core. */
let namesByHash: ReadonlyMap<string, string> | undefined
let burned: ReadonlyMap<string, string> | undefined

/** Returns the modules whose published keys a script names, by key or by hash. */
function modulesIn(given: ScriptTemplate): string[] {
  namesByHash ??= new Map([...moduleNames].map(([key, name]) => [hashOfKey(key), name]))
  const template = innermost(given)
  if (template.type === 'pubkeyhash') return [namesByHash.get(template.hash) ?? []].flat()
  if (template.type !== 'pubkey' && template.type !== 'multisig') return []
  return template.keys.flatMap((key) => moduleNames.get(key) ?? [])
}

/** Returns the first module whose published key a script names. @param script - lower-case hex */
export function moduleInScript(script: string): string | undefined {
  return modulesIn(templateOf(script))[0]
}

/**
 * Returns the module whose published key alone can spend a coin of `script`, so that anyone can
 * take it.
 *
 * @param script - lower-case hex
 */
export function moduleOfScript(script: string): string | undefined {
  const template = templateOf(script)
  const names = modulesIn(template)
  const inner = innermost(template)
  return names.length >= (inner.type === 'multisig' ? inner.required : 1) ? names[0] : undefined
}

/**
 * Returns why nobody can spend a script that pays a known hash, in words.
 *
 * @param script - lower-case hex
 */
export function whyHashBurned(script: string): string | undefined {
  burned ??= new Map([
    ...Object.values(burnPublicKeys).map(
      (key) => [pubkeyHashScript(key), 'a key that burns'] as const,
    ),
    ...chainModules.flatMap(({ name, key }) =>
      [key?.conditionAddress, key?.publishedConditionAddress].flatMap((address) =>
        address === undefined
          ? []
          : [[scriptOfAddress(address, networks.assetChain), `the condition of ${name}`] as const],
      ),
    ),
    [keyHashScript(zeroHash), 'a hash of zeros'],
    [scriptHashScript(zeroHash), 'a hash of zeros'],
    [pubkeyHashScript(''), 'the hash of no key'],
  ])
  return burned.get(script)
}

/** The hash that software writes if it has none. */
const zeroHash = '00'.repeat(20)

/**
 * Returns why nobody can spend a coin of `script`, in lower-case hex; `undefined` if somebody may.
 *
 * A payment to a condition's address is burned: it pays a key whose hash would equal the hash of
 * the condition's script.
 *
 * @param redeemScript - behind a script hash, if it is known
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

/** Returns whether anyone can spend a coin of `script`, because it requires no signature. */
export function isOpenScript(script: string): boolean {
  return innermost(templateOf(script)).type === 'open'
}

function innermost(
  template: ScriptTemplate,
): UnlockedTemplate | Extract<ScriptTemplate, { type: 'unspendable' }> {
  return template.type === 'locked' ? template.inner : template
}
