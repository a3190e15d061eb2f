import * as engine from '../engine/calls.ts'
import { findingCode } from '../engine/records.ts'

/**
 * Whether `pubkey` is lower-case hex of a compressed point of the curve.
 *
 * @example
 * isCompressedPoint('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798') // true
 */
export function isCompressedPoint(pubkey: string): boolean {
  if (points.has(pubkey)) return true
  if (!/^0[23][0-9a-f]{64}$/.test(pubkey)) return false
  engine.checkPublicKey(pubkey)
  if (findingCode() !== 0) return false
  if (points.size === pointsMax) points.clear()
  points.add(pubkey)
  return true
}

/** Found before: a wallet asks for its own key again and again, and the square root takes 4 us. */
const points = new Set<string>()
const pointsMax = 256
