import { moduleNames } from '../chain/modules.ts'
import type { Network } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { tellableKey } from '../primitives/tellable-key.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import { scriptOfAddress } from '../script/script.ts'
import { isCompressedPoint } from '../signing/public-key.ts'
import { type Finding, finding } from './report.ts'

/** What tells a wallet's own scripts. */
interface OwnScripts {
  readonly findings: readonly Finding[]
  has(script: string): boolean
}

/** By keys, addresses and scripts, or by what the wallet says of each. */
export function ownScripts(
  own: readonly string[] | ((script: string) => boolean),
  network: Network,
): OwnScripts {
  // whatever it says besides yes is no
  if (typeof own === 'function') return { findings: [], has: (script) => own(script) === true }
  const findings: Finding[] = []
  const scripts = new Set<string>()
  for (const [at, name] of own.entries()) {
    const path = `intent.own[${at}]`
    if (moduleNames.has(name.toLowerCase())) {
      findings.push(finding('intent_module_key', path, { actual: name }))
      continue
    }
    const named = scriptsOf(name, network)
    if (named.length === 0) {
      findings.push(finding('intent_own_keys', path, { actual: tellableName(name) }))
    }
    for (const script of named) scripts.add(script)
  }
  const known = new Map<string, boolean>()
  return {
    findings,
    has(script) {
      if (scripts.has(script)) return true
      const key = plainKey.exec(script)?.[1]
      if (key === undefined) return false
      // an address says whose key it is: coins that pay the key itself are its owner's too
      const isOwn = known.get(key) ?? scripts.has(pubkeyHashScript(key))
      known.set(key, isOwn)
      return isOwn
    },
  }
}

const plainKey = /^(?:21(0[23][0-9a-f]{64})|41(04[0-9a-f]{128}))ac$/

/** No script of a coin that can be spent here is as short as a private key is long. */
const scriptHex =
  /^(?:76a914[0-9a-f]{40}88ac|a914[0-9a-f]{40}87|21[0-9a-f]{66}ac|5[1-9a-f](?:[0-9a-f]{2})+ae)$/

/** What may be told of a key, an address or a script: scripts of keys and hashes hold no private key. */
export function tellableName(name: string): string {
  return scriptHex.test(name.toLowerCase()) ? name.toLowerCase() : tellableKey(name)
}

/** Where coins of what is named lie; nowhere if it is none of a key, an address and a script. */
function scriptsOf(name: string, network: Network): string[] {
  const hex = name.toLowerCase()
  if (isCompressedPoint(hex)) return [pubkeyScript(hex), pubkeyHashScript(hex)]
  if (scriptHex.test(hex)) return [hex]
  try {
    return [scriptOfAddress(name, network)]
  } catch (error) {
    if (isAntaraError(error)) return []
    throw error
  }
}
