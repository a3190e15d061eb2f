import { native } from '../engine/engine.ts'

/**
 * Whether `pubkey` is lower-case hex of a compressed point of the curve.
 *
 * @example
 * isCompressedPoint('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798') // true
 */
export function isCompressedPoint(pubkey: string): boolean {
  return /^0[23][0-9a-f]{64}$/.test(pubkey) && native.checkPublicKey(pubkey) === 0
}
