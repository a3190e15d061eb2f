import type { Network } from '../chain/network.ts'
import { addressOfScript } from '../script/script.ts'
import { redactName } from '../signing/own-scripts.ts'

/** The target of an address: the hash of a key or of a script, or the key itself. */
const addressed =
  /^(?:76a914[0-9a-f]{40}88ac|a914[0-9a-f]{40}87|21[0-9a-f]{66}ac|41[0-9a-f]{130}ac)$/

/**
 * A script, lower-case hex, as its address, which is what people compare; as it stands where coins
 * that are paid to that address would lie in another one, as those of a condition, or behind a lock.
 */
export function shownScript(script: string, network: Network): string {
  return addressed.test(script) ? (addressOfScript(script, network) ?? script) : script
}

/** The same of what a person gave for a script, and nothing of what may be a private key. */
export function redactScript(given: string, network: Network): string {
  const script = given.toLowerCase()
  const isHex = /^(?:[0-9a-f]{2})+$/.test(script)
  // what has an address is no key, however long it is
  const isScript = isHex && addressOfScript(script, network) !== undefined
  return isScript ? shownScript(script, network) : redactName(given)
}
