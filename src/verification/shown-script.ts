import type { Network } from '../chain/network.ts'
import { isAntaraError } from '../errors/antara-error.ts'
import { addressOfScript, scriptOfAddress } from '../script/script.ts'
import { tellableName } from '../signing/own-scripts.ts'

const payToKey = /^(?:21.{66}|41.{130})ac$/

/**
 * A script, hex, as its address, which is what people compare; as it stands where coins that are paid
 * to that address would lie in another one, as those of a condition, or behind a lock.
 */
export function shownScript(script: string, network: Network): string {
  const address = addressOfScript(script, network)
  if (address === undefined) return script
  // coins of a key are its address's too
  return payToKey.test(script) || isOfAddress(script, address, network) ? address : script
}

/** The same of what a person gave for a script, and nothing of what may be a private key. */
export function tellableScript(given: string, network: Network): string {
  const script = given.toLowerCase()
  try {
    const shown = shownScript(script, network)
    // what has an address is no key, however long it is
    return addressOfScript(script, network) === undefined ? tellableName(given) : shown
  } catch (error) {
    if (isAntaraError(error)) return tellableName(given)
    throw error
  }
}

/** On tokeld's chains the address of a condition is none that can be paid. */
function isOfAddress(script: string, address: string, network: Network): boolean {
  try {
    return scriptOfAddress(address, network) === script
  } catch (error) {
    if (isAntaraError(error)) return false
    throw error
  }
}
