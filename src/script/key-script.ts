import { hash160 } from '../engine/calls.ts'
import { hashOfKey } from './public-key.ts'
import { type PushForm, pushForms, pushOf } from './push.ts'

/** `push(pubkey) OP_CHECKSIG`: where komodod sends native change. Uncompressed keys are longer. */
export function pubkeyScript(pubkey: string): string {
  return `${pushOf(pubkey)}ac`
}

/** The script that the address of `pubkey` stands for. */
export function pubkeyHashScript(pubkey: string): string {
  return `76a914${hashOfKey(pubkey)}88ac`
}

/** The script that pays to the hash of `redeemScript`. */
export function scriptHashOf(redeemScript: string): string {
  return `a914${hash160(redeemScript.toLowerCase())}87`
}

/** Whether hex is as long as its first byte says of a public key: komodo src/pubkey.h, CPubKey::GetLen. */
export function hasKeyForm(pubkey: string): boolean {
  return /^(?:0[23].{64}|0[467].{128})$/.test(pubkey)
}

/** Pay-to-pubkey or pay-to-pubkey-hash of a key, in every push form that the daemon's templates match. */
export function paysKey(script: string, pubkey: string): boolean {
  if (!hasKeyForm(pubkey)) return false
  const forms = Object.keys(pushForms) as PushForm[]
  if (!script.startsWith('76a9')) return forms.some((it) => script === `${pushOf(pubkey, it)}ac`)
  const hash = hashOfKey(pubkey)
  return forms.some((it) => script === `76a9${pushOf(hash, it)}88ac`)
}
