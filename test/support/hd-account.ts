// Keys of an HD account by Node's own cryptography. @scure/bip32 computes points in JavaScript, and
// takes longer than what the tests of a wallet do with its keys.

import { createECDH, createHmac } from 'node:crypto'

/** SEC 2, section 2.4.1: the order of secp256k1. */
const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

export interface HdKey {
  readonly privateKey: string
  readonly publicKey: string
  readonly chainCode: Uint8Array
}

/** BIP 32, CKDpriv for children that are not hardened. */
export function childOf(parent: HdKey, index: number): HdKey {
  const counter = Buffer.alloc(4)
  counter.writeUInt32BE(index)
  const digest = createHmac('sha512', parent.chainCode)
    .update(parent.publicKey, 'hex')
    .update(counter)
    .digest()
  const tweak = BigInt(`0x${digest.toString('hex', 0, 32)}`)
  const value = (tweak + BigInt(`0x${parent.privateKey}`)) % order
  const privateKey = value.toString(16).padStart(64, '0')
  const curve = createECDH('secp256k1')
  curve.setPrivateKey(privateKey, 'hex')
  const publicKey = curve.getPublicKey('hex', 'compressed')
  return { privateKey, publicKey, chainCode: digest.subarray(32) }
}
