import { hash160 } from '../primitives/hash160.ts'

/** `push(pubkey) OP_CHECKSIG`: where komodod sends native change. */
export function pubkeyScript(pubkey: string): string {
  return `21${pubkey}ac`
}

/** The script that the address of `pubkey` stands for. */
export function pubkeyHashScript(pubkey: string): string {
  return `76a914${hash160(pubkey)}88ac`
}
