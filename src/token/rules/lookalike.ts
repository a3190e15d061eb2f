import { chainModules } from '../../chain/modules.ts'
import { pubkeyHashScript, pubkeyScript } from '../../script/key-script.ts'
import { paysToCondition } from './condition-script.ts'
import { slotScripts } from './slot-script.ts'

/**
 * Returns whether a script pays a key by a plain address, or by the condition of any module.
 * Conditions in komodod's form are hashes, so the function builds each one and compares.
 */
export function paysKeyOtherwise(script: string, pubkey: string): boolean {
  if (!paysToCondition(script)) {
    return script === pubkeyScript(pubkey) || script === pubkeyHashScript(pubkey)
  }
  const slots = chainModules.map(({ evalCode }) => {
    return { pubkeys: [pubkey] as const, evalCodes: [evalCode] }
  })
  return slotScripts(slots).includes(script)
}
