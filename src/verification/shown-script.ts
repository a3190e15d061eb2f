import type { Network } from '../chain/network.ts'
import { addressedScript } from '../script/addressed-script.ts'
import { addressOfScript } from '../script/script.ts'
import { redactName } from '../signing/own-scripts.ts'

/**
 * Returns the address of a script, because people compare addresses. It returns the script itself
 * if paying to its address would pay to another script, as for a condition or a lock.
 *
 * @param script - lower-case hex
 */
export function shownScript(script: string, network: Network): string {
  const isAddressed = addressedScript(script) !== undefined
  return isAddressed ? (addressOfScript(script, network) ?? script) : script
}

/** Returns `shownScript` of a requested script, redacted if it may be a private key. */
export function redactScript(given: string, network: Network): string {
  const script = given.toLowerCase()
  const isHex = /^(?:[0-9a-f]{2})+$/.test(script)
  // a script with an address cannot be a private key
  const isScript = isHex && addressOfScript(script, network) !== undefined
  return isScript ? shownScript(script, network) : redactName(given)
}
