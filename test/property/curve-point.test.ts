// Points of the curve, against npm's @noble/secp256k1.

import { Point } from '@noble/secp256k1'
import fc from 'fast-check'
import { expect, test } from 'vitest'

import { isPoint } from '../../src/primitives/curve-point.ts'

function isPointOfNoble(hex: string): boolean {
  try {
    Point.fromHex(hex)
    return true
  } catch {
    return false
  }
}

/** SEC 2, section 2.4.1. */
const prime = BigInt('0xfffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f')
const hexOf = (value: bigint) => value.toString(16).padStart(64, '0')
const edges = [0n, 1n, 2n, 5n, prime - 1n, prime, prime + 1n, 2n ** 256n - 1n]
const coordinate = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(...edges) },
  { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }) },
)
const prefix = fc.constantFrom('00', '02', '03', '04', '05', '06', '07')

test('a compressed key is a point where the library has one', () => {
  let points = 0
  fc.assert(
    fc.property(prefix, coordinate, (first, x) => {
      const hex = `${first}${hexOf(x)}`
      const expected = isPointOfNoble(hex)
      points += Number(expected)
      expect(isPoint(hex)).toBe(expected)
    }),
    { numRuns: 300 },
  )
  expect(points).toBeGreaterThan(20)
})

test('an uncompressed key is a point with its own second coordinate alone', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 1n, max: prime / 2n }),
      coordinate,
      prefix,
      (key, other, first) => {
        const made = Point.BASE.multiply(key)
        const { x, y } = made.toAffine()
        for (const second of [y, prime - y, y + prime, other]) {
          const hex = `${first}${hexOf(x)}${hexOf(second)}`
          expect(isPoint(hex)).toBe(isPointOfNoble(hex))
        }
        expect(isPoint(made.toHex(false))).toBe(true)
      },
    ),
    { numRuns: 60 },
  )
})

test('other text is not a point', () => {
  const { x, y } = Point.BASE.toAffine()
  const good = `02${hexOf(x)}`
  expect([isPoint(good), isPoint(good.toUpperCase())]).toEqual([true, true])
  for (const text of ['', '02', hexOf(x), `${good}0`, ` ${good}`, `${good}\n`, `0x${good}`]) {
    expect(isPoint(text), text).toBe(false)
  }
  expect(isPoint(`04${hexOf(x)}${hexOf(y)}00`)).toBe(false)
})
