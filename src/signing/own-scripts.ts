// Finds out which scripts a wallet owns, by its keys, addresses and scripts.

import { pushBytesMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { unlessMalformed } from '../errors/malformed.ts'
import { compressedKeyDigits, isCompressedKey } from '../primitives/hex-forms.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { addressedScript, keyHashScript } from '../script/addressed-script.ts'
import { moduleInScript, whyHashBurned } from '../script/burned-scripts.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import { scriptOfAddress } from '../script/script.ts'
import {
  isSignable,
  type ScriptTemplate,
  type SignableTemplate,
  templateOf,
} from '../script/template.ts'

const multisigHex = /^5[1-9a-f](?:[0-9a-f]{2})+ae$/

/**
 * Returns whether a name is a script that this library can spend; none of them has the length of a
 * private key.
 */
function isScript(name: string): boolean {
  const usual = addressedScript(name)
  if (usual === undefined) return multisigHex.test(name)
  return usual.type !== 'pubkey' || usual.key.length === compressedKeyDigits
}

/**
 * Returns a printable form of a key, an address or a script; scripts of keys and hashes hold no
 * private key.
 */
export function redactName(name: string): string {
  return isScript(name.toLowerCase()) ? name.toLowerCase() : redactKey(name)
}

/**
 * Returns the scripts of a name, change first: for a compressed key the script of its hash, then of
 * the key itself. Empty if the name is not a key, address or script, or if the script is
 * unspendable.
 */
export function scriptsOfName(name: string, network: Network): string[] {
  return namedScripts(name, network).filter((it) => whyHashBurned(it) === undefined)
}

/** An own name: its scripts, or the module whose published key it has, which owns nothing. */
interface ReadName {
  readonly scripts: readonly string[]
  readonly module?: string
}

/** Reads an own name. It has neither scripts nor a module if it is no name, or if nobody can spend. */
export function readName(name: string, network: Network): ReadName {
  const scripts = scriptsOfName(name, network)
  const module = scripts.map(moduleInScript).find((it) => it !== undefined)
  return module === undefined ? { scripts } : { scripts: [], module }
}

function namedScripts(name: string, network: Network): string[] {
  const hex = name.toLowerCase()
  if (isCompressedPoint(hex)) return [pubkeyHashScript(hex), pubkeyScript(hex)]
  if (isScript(hex)) return isSignableOrHash(templateOf(hex)) ? [hex] : []
  const script = unlessMalformed(() => scriptOfAddress(name, network))
  return script === undefined ? [] : [script]
}

/** The names that a request declares as the wallet's own. */
interface OwnNames {
  /** Returns whether the request names a script, directly or by its address. */
  isNamed(script: string): boolean
  /** Redeem scripts in lower-case hex, by the scripts that pay their hashes. */
  readonly redeemScriptOf?: ReadonlyMap<string, string>
  /** Returns whether a key hash belongs to a further key of the wallet, which gets no change. */
  isFurther?(script: string): boolean
}

/** Decides whose coins a script holds. All scripts are lower-case hex. */
export interface Ownership {
  /**
   * Returns true if a coin of `script` belongs to the wallet. Then the request names the script or
   * its redeem script, this library can sign for it, and none of its keys is a module's published
   * key.
   */
  has(script: string): boolean
  /**
   * Returns why the wallet's keys alone cannot spend a coin of `script` now, in words; `undefined`
   * if they can. Change may only go to scripts that they can spend.
   */
  whyLocked(script: string): string | undefined
}

/**
 * Creates the one rule for a wallet's own scripts, which spent coins, change and receipts share.
 */
export function ownershipOf({ isNamed, redeemScriptOf, isFurther }: OwnNames): Ownership {
  const known = new Map<string, string | undefined>()
  const isOwnScript = (script: string) =>
    isNamed(script) && moduleInScript(script) === undefined && whyHashBurned(script) === undefined
  const isOwnKey = (key: string) => {
    const hashed = pubkeyHashScript(key)
    const scripts = isCompressedKey(key) ? [hashed, pubkeyScript(key)] : [hashed, `41${key}ac`]
    return scripts.some((it) => isOwnScript(it) || isFurther?.(it) === true)
  }

  /** An address of a key names its owner, so scripts of the key itself are the owner's too. */
  const isOwnByKey = (template: ScriptTemplate) =>
    template.type === 'pubkey' && isOwnScript(pubkeyHashScript(template.keys[0]!))

  /** Returns why a script is not the wallet's, in words; `undefined` if it is. */
  const whyForeign = (script: string): string | undefined => {
    const redeemScript = redeemScriptOf?.get(script)
    const template = templateOf(redeemScript ?? script)
    const why = whyNotSigned(template, redeemScript ?? script, redeemScript !== undefined)
    if (why !== undefined) return why
    const isOwn = redeemScript !== undefined || isOwnScript(script) || isOwnByKey(template)
    return isOwn ? undefined : 'the request does not name it'
  }

  const whySharedOrLocked = (script: string): string | undefined => {
    const foreign = whyForeign(script)
    if (foreign !== undefined) return foreign
    const redeemScript = redeemScriptOf?.get(script)
    const template = templateOf(redeemScript ?? script)
    if (template.type === 'scripthash') return 'its redeem script is not among redeemScripts'
    if (redeemScript === undefined && template.type !== 'multisig') return undefined
    return whyShared(template as SignableTemplate, isOwnKey, (hash) =>
      isOwnScript(keyHashScript(hash)),
    )
  }

  const lookUp = (kind: string, script: string, find: (script: string) => string | undefined) => {
    const name = `${kind}${script}`
    if (!known.has(name)) known.set(name, find(script))
    return known.get(name)
  }
  return {
    has: (script) => lookUp('own ', script, whyForeign) === undefined,
    whyLocked: (script) => lookUp('locked ', script, whySharedOrLocked),
  }
}

function isSignableOrHash(template: ScriptTemplate): boolean {
  return template.type === 'scripthash' || isSignable(template)
}

/** Returns why this library signs no coin of a script, in words; `undefined` if it does. */
function whyNotSigned(
  template: ScriptTemplate,
  script: string,
  isRedeemScript: boolean,
): string | undefined {
  const module = moduleInScript(script)
  if (module !== undefined) return `the published key of ${module}`
  if (template.type === 'scripthash' && !isRedeemScript) return undefined
  if (isRedeemScript && script.length / 2 > pushBytesMax) {
    return `a redeem script of ${script.length / 2} bytes, over ${pushBytesMax}`
  }
  if (template.type === 'locked') return `locked until ${template.until}`
  if (template.type === 'unspendable') return `nobody can spend it: ${template.why}`
  return isSignable(template) ? undefined : `${template.type}: no template that is signed here`
}

/**
 * Returns why own keys alone cannot spend a coin, or why others can spend it without them, in
 * words.
 */
function whyShared(
  template: SignableTemplate,
  isOwnKey: (key: string) => boolean,
  isOwnHash: (hash: string) => boolean,
): string | undefined {
  if (template.type === 'pubkeyhash') {
    return isOwnHash(template.hash) ? undefined : 'its key is not own'
  }
  const { keys, required } = template
  const own = keys.filter(isOwnKey).length
  if (own >= required && keys.length - own < required) return undefined
  return `it takes ${required} of ${keys.length} keys, and ${own} of them are own`
}
