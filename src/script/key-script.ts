import { hash160 } from '../engine/calls.ts'
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

/** Returns the script that pays to the hash of a key. */
export function keyHashScript(hash: string): string {
  return `76a914${hash}88ac`
}

/** Returns the script that pays to the hash of `redeemScript`. */
export function scriptHashOf(redeemScript: string): string {
  return scriptHashScript(hash160(redeemScript))
}

/** Returns the script that pays to the hash of a script. */
export function scriptHashScript(hash: string): string {
  return `a914${hash}87`
}

/** A script that an address stands for, with what it pays. */
export type AddressedScript =
  | { readonly type: 'pubkeyhash'; readonly hash: string }
  | { readonly type: 'scripthash'; readonly hash: string }
  /** `key` has 33 or 65 bytes, and may be no point. */
  | { readonly type: 'pubkey'; readonly key: string }

const addressed =
  /^(?:76a914([0-9a-f]{40})88ac|a914([0-9a-f]{40})87|(?:21([0-9a-f]{66})|41([0-9a-f]{130}))ac)$/

/**
 * Reads a script that pays a key, its hash, or the hash of a script; `undefined` for every other.
 *
 * @param script - lower-case hex
 */
export function addressedScript(script: string): AddressedScript | undefined {
  const [, keyHash, scriptHash, compressed, key = compressed] = addressed.exec(script) ?? []
  if (keyHash !== undefined) return { type: 'pubkeyhash', hash: keyHash }
  if (scriptHash !== undefined) return { type: 'scripthash', hash: scriptHash }
  return key === undefined ? undefined : { type: 'pubkey', key }
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
