import bs58check from 'bs58check'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { decodeBase58Check, encodeBase58Check } from '../../src/primitives/base58check.ts'
import { encodeAddress, encodeAddresses } from '../../src/script/base58.ts'
import { decodeAddress } from '../../src/script/read-address.ts'
import { share } from '../support/share.ts'

/** Version byte and hash, of which the first bytes are often zeros. */
const payload = fc
  .tuple(fc.uint8Array({ minLength: 21, maxLength: 21 }), fc.nat({ max: 21 }))
  .map(([bytes, zeros]) => bytes.fill(0, 0, zeros))

const partsOf = (bytes: Uint8Array) => ({
  prefix: bytes[0]!,
  hash160: Buffer.from(bytes.subarray(1)).toString('hex'),
})

test('the engine writes the addresses that bs58check writes', () => {
  fc.assert(
    fc.property(payload, (bytes) => {
      const { prefix, hash160 } = partsOf(bytes)
      expect(encodeAddress(prefix, hash160)).toBe(bs58check.encode(bytes))
    }),
    { numRuns: share(20_000) },
  )
})

test('Base58Check is written and read as bs58check does', () => {
  const changed = fc
    .tuple(payload, fc.nat(), fc.constantFrom('1', 'z', '0', ''))
    .map(([bytes, place, character]) => {
      const text = bs58check.encode(bytes)
      const at = place % text.length
      return text.slice(0, at) + character + text.slice(at + 1)
    })
  const given = fc.oneof(changed, fc.string({ maxLength: 40 }), fc.constant(''))
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), given, (bytes, text) => {
      const written = encodeBase58Check(bytes)
      expect(written).toBe(bs58check.encode(bytes))
      expect(decodeBase58Check(written)).toEqual(bytes)
      expect(decodeBase58Check(text)).toEqual(bs58check.decodeUnsafe(text))
    }),
  )
})

test('addresses of a list stand in its order, and are read again', () => {
  fc.assert(
    fc.property(fc.array(payload, { maxLength: 20 }), (list) => {
      const payloads = list.map(partsOf)
      expect(encodeAddresses(payloads).map(decodeAddress)).toEqual(payloads)
    }),
  )
})

test('refuses a payload that is cut short or too long', () => {
  expect(() => encodeAddress(60, '00'.repeat(19))).toThrow(
    expect.objectContaining({ code: 'truncated', context: { offset: 20 } }),
  )
  expect(() => encodeAddress(60, 'xx'.repeat(20))).toThrow(
    expect.objectContaining({ code: 'malformed_hex' }),
  )
})
