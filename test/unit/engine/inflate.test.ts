// The decoder of the embedded WebAssembly against zlib, which wrote it.

import { readFileSync } from 'node:fs'
import { constants, deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { inflate } from '../../../src/engine/inflate.ts'
import { root } from '../../support/built.ts'

const wasm = readFileSync(`${root}native/wasm/antara_tx.wasm`)

test.each([
  ['stored', { level: 0 }],
  ['fixed codes', { strategy: constants.Z_FIXED }],
  ['no repetitions', { strategy: constants.Z_HUFFMAN_ONLY }],
  ['runs alone', { strategy: constants.Z_RLE }],
  ['the fastest', { level: 1 }],
  ['the smallest', { level: 9, memLevel: 9 }],
])('the module comes out as it went in: %s', (_, options) => {
  const bytes = inflate(deflateRawSync(wasm, options), wasm.length)
  expect(Buffer.from(bytes).equals(wasm)).toBe(true)
})

test('any bytes come out as they went in', () => {
  const some = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }),
    fc.array(fc.constantFrom(0, 1, 2), { maxLength: 3000 }).map((bytes) => Uint8Array.from(bytes)),
  )
  fc.assert(
    fc.property(some, fc.integer({ min: 0, max: 9 }), (bytes, level) => {
      expect(inflate(deflateRawSync(bytes, { level }), bytes.length)).toEqual(bytes)
    }),
  )
})

test('damaged data is an error or other bytes, and never runs on', () => {
  const bytes = wasm.subarray(0, 4000)
  const compressed = deflateRawSync(bytes, { level: 9 })
  expect(() => inflate(compressed.subarray(0, -5), bytes.length)).toThrow(RangeError)
  expect(() => inflate(compressed, bytes.length - 1)).toThrow(RangeError)
  expect(() => inflate(compressed, bytes.length + 1)).toThrow(RangeError)
  expect(() => inflate(Uint8Array.of(7), 1)).toThrow(RangeError)
  const outcomes = new Set<unknown>()
  for (let at = 0; at < compressed.length; at += 1) {
    const damaged = Uint8Array.from(compressed)
    damaged[at]! ^= 0x55
    try {
      outcomes.add(inflate(damaged, bytes.length).length)
    } catch (error) {
      outcomes.add((error as Error).constructor)
    }
  }
  expect(outcomes).toEqual(new Set([bytes.length, RangeError]))
})
