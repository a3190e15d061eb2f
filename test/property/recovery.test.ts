// Keys that are recovered from signatures of messages, beside those that @noble/secp256k1 recovers.

import * as secp from '@noble/secp256k1'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { recoverPublicKey } from '../../src/signing/recovery.ts'
import { least, share } from '../support/share.ts'

const { n: order, p: prime } = secp.Point.CURVE()
const digits = (number: bigint) => number.toString(16).padStart(64, '0')

/** Numbers of 32 bytes, and those beside which the rules change. */
const edges = [
  0n,
  1n,
  2n,
  4n,
  order >> 1n,
  (order >> 1n) + 1n,
  prime - order,
  order,
  prime,
].flatMap((edge) => [edge - 1n, edge, edge + 1n].filter((it) => it >= 0n))
const top = (1n << 256n) - 1n
const numbers = fc.oneof(
  fc.bigInt({ min: 0n, max: top }),
  fc.constantFrom(...edges, top),
  // x of a second point only below this.
  fc.bigInt({ min: 1n, max: prime - order }),
)
const hashes = fc.oneof(fc.bigInt({ min: 0n, max: top }), fc.constantFrom(0n, order, top))

function theirs(hash: string, signature: string, recovery: number): string | undefined {
  try {
    const compact = secp.Signature.fromBytes(Buffer.from(signature, 'hex'), 'compact')
    const recoverable = compact.addRecoveryBit(recovery).toBytes('recovered')
    const key = secp.recoverPublicKey(recoverable, Buffer.from(hash, 'hex'), { prehash: false })
    return secp.Point.fromBytes(key).toHex(false)
  } catch {
    return undefined
  }
}

test('the engine and @noble/secp256k1 recover the same keys, and none from the same signatures', () => {
  const found = { keys: 0, none: 0 }
  fc.assert(
    fc.property(hashes, numbers, numbers, fc.nat(3), (hash, r, s, recovery) => {
      const parts = { hash: digits(hash), signature: digits(r) + digits(s), recovery }
      const ours = recoverPublicKey(parts)
      expect(ours).toBe(theirs(parts.hash, parts.signature, recovery))
      if (ours === undefined) found.none += 1
      else found.keys += 1
    }),
    { numRuns: share(400, 25) },
  )
  expect(found.keys).toBeGreaterThan(least(40))
  expect(found.none).toBeGreaterThan(least(40))
})
