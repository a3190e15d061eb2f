// The key of a signature is found, and none where there is none.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'

import { recoverPublicKey, recoveryOf } from '../../../src/signing/recovery.ts'

// bitcoinjs-lib, test/fixtures/ecdsa.json: the signature by private key 1, whose public key is the
// generator of the group.
const message = 'Everything should be made as simple as possible, but not simpler.'
const r = '33a69cd2065432a30f3d1ce4eb0d59b8ab58c74f27c41a7fdb5696ad4e6108c9'
const s = '6f807982866f785d3f6418d24163ddae117b7db4d5fdf0071de069fa54342262'
const hash = createHash('sha256').update(message).digest('hex')
const signed = { hash, signature: r + s }
// SEC 2, section 2.4.1
const generator = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

test('a key is found by the number that it has, and no other by any', () => {
  const number = recoveryOf(generator, signed)!
  const key = recoverPublicKey({ ...signed, recovery: number })!
  expect(key).toHaveLength(130)
  expect(key.slice(2, 66)).toBe(generator.slice(2))
  expect(recoveryOf(`03${generator.slice(2)}`, signed)).toBeUndefined()
})

test.each([2, 3])('no key has the number %i where r is no remainder', (recovery) => {
  expect(recoverPublicKey({ ...signed, recovery })).toBeUndefined()
})
