import type { Network } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { tellableKey } from '../primitives/tellable-key.ts'
import { pubkeyHashScript, pubkeyScript } from '../script/key-script.ts'
import { isCompressedPoint } from '../script/public-key.ts'
import { scriptOfAddress } from '../script/script.ts'

const plainKey = /^(?:21(0[23][0-9a-f]{64})|41(04[0-9a-f]{128}))ac$/

/** No script of a coin that can be spent here is as short as a private key is long. */
const scriptHex =
  /^(?:76a914[0-9a-f]{40}88ac|a914[0-9a-f]{40}87|21[0-9a-f]{66}ac|5[1-9a-f](?:[0-9a-f]{2})+ae)$/

/** What may be told of a key, an address or a script: scripts of keys and hashes hold no private key. */
export function tellableName(name: string): string {
  return scriptHex.test(name.toLowerCase()) ? name.toLowerCase() : tellableKey(name)
}

/**
 * Where coins of what is named lie, the form for change first: of a compressed key its hash and the
 * key itself. Nowhere if it is none of a key, an address and a script.
 */
export function scriptsOfName(name: string, network: Network): string[] {
  const hex = name.toLowerCase()
  if (isCompressedPoint(hex)) return [pubkeyHashScript(hex), pubkeyScript(hex)]
  if (scriptHex.test(hex)) return [hex]
  try {
    return [scriptOfAddress(name, network)]
  } catch (error) {
    if (isAntaraError(error)) return []
    throw error
  }
}

/** Tells own scripts: an address says whose key it is, so coins that pay the key are its owner's too. */
export function ownershipOf(scripts: ReadonlySet<string>): { has(script: string): boolean } {
  const known = new Map<string, boolean>()
  return {
    has(script) {
      if (scripts.has(script)) return true
      const [, compressed, uncompressed] = plainKey.exec(script) ?? []
      const key = compressed ?? uncompressed
      if (key === undefined) return false
      const isOwn = known.get(key) ?? scripts.has(pubkeyHashScript(key))
      known.set(key, isOwn)
      return isOwn
    },
  }
}
