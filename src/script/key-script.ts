import { hash160 } from '../engine/calls.ts'
import { keyHashScript, scriptHashScript } from './addressed-script.ts'
import { hashOfKey } from './public-key.ts'
import { type PushForm, pushForms, pushOf } from './push.ts'

/**
 * Returns `push(pubkey) OP_CHECKSIG`, to which komodod sends native change. Uncompressed keys are
 * longer.
 */
export function pubkeyScript(pubkey: string): string {
  return `${pushOf(pubkey)}ac`
}

/** Returns the script that the address of `pubkey` stands for. */
export function pubkeyHashScript(pubkey: string): string {
  return keyHashScript(hashOfKey(pubkey))
}

/** Returns the script that pays to the hash of `redeemScript`. */
export function scriptHashOf(redeemScript: string): string {
  return scriptHashScript(hash160(redeemScript))
}

/**
 * Returns whether hex has the length of a public key with its first byte: komodo src/pubkey.h,
 * CPubKey::GetLen.
 */
export function hasKeyForm(pubkey: string): boolean {
  return /^(?:0[23].{64}|0[467].{128})$/.test(pubkey)
}

/**
 * Returns whether a script pays a key or its hash, in every push form that the daemon's templates
 * match.
 */
export function paysKey(script: string, pubkey: string): boolean {
  if (!hasKeyForm(pubkey)) return false
  const forms = Object.keys(pushForms) as PushForm[]
  if (!script.startsWith('76a9')) return forms.some((it) => script === `${pushOf(pubkey, it)}ac`)
  const hash = hashOfKey(pubkey)
  return forms.some((it) => script === `76a9${pushOf(hash, it)}88ac`)
}
