import { pushBytesMax } from '../chain/limits.ts'
import type { Network } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { redactKey } from '../primitives/redact-key.ts'
import { moduleInScript, whyHashBurned } from '../script/burned-scripts.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import { scriptOfAddress } from '../script/script.ts'
import { type ScriptTemplate, type SignableTemplate, templateOf } from '../script/template.ts'

/** No script of a coin that can be spent here is as short as a private key is long. */
const scriptHex =
  /^(?:76a914[0-9a-f]{40}88ac|a914[0-9a-f]{40}87|21[0-9a-f]{66}ac|5[1-9a-f](?:[0-9a-f]{2})+ae)$/

/** What may be told of a key, an address or a script: scripts of keys and hashes hold no private key. */
export function redactName(name: string): string {
  return scriptHex.test(name.toLowerCase()) ? name.toLowerCase() : redactKey(name)
}

/**
 * Where coins of what is named lie, the form for change first: of a compressed key its hash and the
 * key itself. Empty if the name is no key, address or script, or a script that nobody can spend.
 */
export function scriptsOfName(name: string, network: Network): string[] {
  return namedScripts(name, network).filter((it) => whyHashBurned(it) === undefined)
}

function namedScripts(name: string, network: Network): string[] {
  const hex = name.toLowerCase()
  if (isCompressedPoint(hex)) return [pubkeyHashScript(hex), pubkeyScript(hex)]
  if (scriptHex.test(hex)) return isSignableOrHash(templateOf(hex)) ? [hex] : []
  try {
    return [scriptOfAddress(name, network)]
  } catch (error) {
    if (isAntaraError(error)) return []
    throw error
  }
}

/** What a wallet says is its own. */
interface OwnNames {
  /** Whether the request names a script, by itself or by its address. */
  isNamed(script: string): boolean
  /** Redeem scripts in lower-case hex, by the scripts that pay their hashes. */
  readonly redeemScriptOf?: ReadonlyMap<string, string>
  /** Whether a key hash pays a further key of the wallet, which gets no change of its own. */
  isFurther?(script: string): boolean
}

/** Whose coins a script holds. All scripts are lower-case hex. */
export interface Ownership {
  /**
   * Whether a coin of `script` is the wallet's: the request names it or its redeem script, this
   * library can sign for it, and no key of it is a module's.
   */
  has(script: string): boolean
  /**
   * Why the own keys alone cannot spend a coin of `script` now, in words; undefined where they can.
   * Change may go only where they can.
   */
  whyLocked(script: string): string | undefined
}

/** The one rule of what is a wallet's own, for what is spent, what comes back and what is received. */
export function ownershipOf({ isNamed, redeemScriptOf, isFurther }: OwnNames): Ownership {
  const known = new Map<string, string | undefined>()
  const isOwnScript = (script: string) =>
    isNamed(script) && moduleInScript(script) === undefined && whyHashBurned(script) === undefined
  const isOwnKey = (key: string) => {
    const hashed = pubkeyHashScript(key)
    const scripts = key.length === 66 ? [hashed, pubkeyScript(key)] : [hashed, `41${key}ac`]
    return scripts.some((it) => isOwnScript(it) || isFurther?.(it) === true)
  }

  /** An address says whose key it is, so coins that pay the key are its owner's too. */
  const isOwnByKey = (template: ScriptTemplate) =>
    template.type === 'pubkey' && isOwnScript(pubkeyHashScript(template.keys[0]!))

  /** Why a script is not the wallet's, in words. */
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
      isOwnScript(`76a914${hash}88ac`),
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

function isSignableOrHash({ type }: ScriptTemplate): boolean {
  return type === 'scripthash' || isSignable(type)
}

function isSignable(type: ScriptTemplate['type']): type is SignableTemplate['type'] {
  return type === 'pubkey' || type === 'pubkeyhash' || type === 'multisig'
}

/** Why this library signs no coin of a script, in words. */
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
  return isSignable(template.type) ? undefined : `${template.type}: no template that is signed here`
}

/** Why own keys alone cannot spend a coin, or others can without them, in words. */
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
