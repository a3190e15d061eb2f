import { chainModules } from '../../chain/modules.ts'
import { pubkeyHashScript, pubkeyScript } from '../../script/key-script.ts'
import { paysToCondition } from './condition-script.ts'
import { slotScripts } from './slot-script.ts'

/**
 * Whether a script pays a key in a way of its own: by a plain address, or by the condition of any
 * module. A condition in komodod's form is a hash, so that only making it again tells.
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
