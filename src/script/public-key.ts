import * as engine from '../engine/calls.ts'
import { publicKeyCode } from '../engine/records.ts'
import { resultBase } from '../engine/words.ts'
import { createCache } from '../primitives/cache.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'

interface KnownKey {
  readonly isPoint: boolean
  readonly hash160: string
}

/** Cached, because a wallet reads its own key again and again, and the square root takes 4 us. */
const keys = createCache<KnownKey>(1024)

/**
 * Reads keys together that will be needed one by one; ignores texts that are not a compressed key.
 */
export function learnPublicKeys(pubkeys: readonly string[]): void {
  const unknown = pubkeys.filter((it) => keys.get(it) === undefined && isCompressedKey(it))
  if (unknown.length > 0) keys.getAll(unknown, read)
}

function read(pubkeys: readonly string[]): KnownKey[] {
  const hashes = engine.readPublicKeys(pubkeys.join(''))
  return pubkeys.map((_, at) => ({
    isPoint: publicKeyCode(resultBase + at) === 0,
    hash160: hashes.slice(40 * at, 40 * (at + 1)),
  }))
}

/**
 * Returns whether `pubkey` is lower-case hex of a compressed point of the curve.
 *
 * @example
 * isCompressedPoint('0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798') // true
 */
export function isCompressedPoint(pubkey: string): boolean {
  const known = keys.get(pubkey)
  if (known !== undefined) return known.isPoint
  return isCompressedKey(pubkey) && keys.getAll([pubkey], read)[0]!.isPoint
}

/** Returns RIPEMD-160 of SHA-256 of a key in any form, hex. */
export function hashOfKey(pubkey: string): string {
  return keys.get(pubkey)?.hash160 ?? engine.hash160(pubkey)
}
