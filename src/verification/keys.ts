import { Point } from '@noble/secp256k1'

import { hash160 } from '../primitives/hash160.ts'

/** Whether `pubkey` is lower-case hex of a compressed point that is on the curve. */
export function isCompressedPoint(pubkey: string): boolean {
  if (!/^0[23][0-9a-f]{64}$/.test(pubkey)) return false
  try {
    Point.fromHex(pubkey)
    return true
  } catch {
    return false
  }
}

/** `push(pubkey) OP_CHECKSIG`: where komodod sends native change. */
export function pubkeyScript(pubkey: string): string {
  return `21${pubkey}ac`
}

/** The script that the address of `pubkey` stands for. */
export function pubkeyHashScript(pubkey: string): string {
  return `76a914${hash160(pubkey)}88ac`
}
