// The names of those who get or own tokens, in the terms of payments. They are hashed without the
// native core, because the flows of a daemon compare terms, and a page loads these flows without it.

import { ripemd160 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'

import { bytesFromHex, hexFromBytes } from '../primitives/hex.ts'
import { isCompressedKey } from '../primitives/hex-forms.ts'
import type { Holder } from '../token/rules/rules.ts'

/**
 * Returns the name of a holder, whatever its spelling: the hash of a key, which its address has too,
 * or a set of keys. The scripts follow from either.
 */
export function holderName(holder: Holder): string {
  if (typeof holder === 'string') return isCompressedKey(holder) ? hashOfKey(holder) : holder
  const { required, pubkeys } = holder
  const [only, ...others] = pubkeys
  const isOne = only !== undefined && others.length === 0 && required === 1
  return isOne ? holderName(only) : `${required}/${pubkeys.toSorted().join()}`
}

function hashOfKey(pubkey: string): string {
  return hexFromBytes(ripemd160(sha256(bytesFromHex(pubkey))))
}
