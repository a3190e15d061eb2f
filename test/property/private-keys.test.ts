// Signatures and public keys have the bytes that @noble/secp256k1 gives: in the
// addon that is libsecp256k1.

import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import * as noble from '@noble/secp256k1'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { holdKey } from '../../src/engine/private-keys.ts'
import { isQuick } from '../support/share.ts'

noble.hashes.sha256 = sha256
noble.hashes.hmacSha256 = (key, message) => hmac(sha256, key, message)

const { n: order } = noble.Point.CURVE()
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const bytesOf = (number: bigint) => Buffer.from(number.toString(16).padStart(64, '0'), 'hex')
const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })

/** Keys of any size: half of them near zero, near the order, or with many zeros. */
const keys = fc.oneof(
  bytes32.filter((key) => noble.utils.isValidSecretKey(key)),
  fc
    .oneof(
      fc.bigInt({ min: 1n, max: 1000n }),
      fc.bigInt({ min: order - 1000n, max: order - 1n }),
      fc.nat(255).map((bit) => 2n ** BigInt(bit)),
    )
    .map(bytesOf),
)
const hashes = fc.oneof(
  bytes32,
  fc.constantFrom(0x00, 0xff).map((byte) => Buffer.alloc(32, byte)),
)

test('signatures and public keys equal those of @noble/secp256k1', () => {
  let highest = 0
  fc.assert(
    fc.property(keys, hashes, (key, hash) => {
      const { publicKeys, sign } = holdKey(Uint8Array.from(key))
      const signature = sign(hex(hash))
      const options = { prehash: false, lowS: true, format: 'compact' } as const
      expect(signature).toBe(hex(noble.sign(hash, key, options)))
      const point = noble.Point.BASE.multiply(BigInt(`0x${hex(key)}`))
      expect(publicKeys).toEqual([point.toHex(true), point.toHex(false)])
      highest = Math.max(highest, Number.parseInt(signature.slice(64, 66), 16))
    }),
    { numRuns: isQuick ? 40 : 10_000 },
  )
  // BIP 146: s is in the lower half. A few signatures need not reach its end.
  expect(highest).toBeLessThanOrEqual(0x7f)
  if (!isQuick) expect(highest).toBe(0x7f)
})
