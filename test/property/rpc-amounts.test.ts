import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatCoins } from '../../src/primitives/amount.ts'
import { integerOf, satsOfCoins } from '../../src/rpc/amounts.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n - 1n), max: 2n ** 63n - 1n })

test('satoshis printed as coins are read back exactly', () => {
  fc.assert(
    fc.property(int64, (sats) => {
      const text = formatCoins(sats)
      expect(text).toMatch(/^-?\d+\.\d{8}$/)
      expect(satsOfCoins(text)).toBe(sats)
    }),
  )
})

test('an amount means the same wherever its point stands', () => {
  fc.assert(
    fc.property(int64, fc.nat(10), fc.nat(30), (sats, zeros, point) => {
      const sign = sats < 0n ? '-' : ''
      const digits = (sats < 0n ? -sats : sats).toString() + '0'.repeat(zeros)
      expect(satsOfCoins(`${sign}${digits}e${-8 - zeros}`)).toBe(sats)
      const padded = digits.padStart(point + 1, '0')
      const cut = padded.length - point
      const fraction = point === 0 ? '' : `.${padded.slice(cut)}`
      expect(satsOfCoins(`${sign}${padded.slice(0, cut)}${fraction}E${point - 8 - zeros}`)).toBe(
        sats,
      )
    }),
  )
})

test('reads no text as another amount than it states', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), (text) => {
      const sats = satsOfCoins(text)
      if (sats === undefined) return
      // Compared through a double, which is exact enough to tell a wrong reading.
      const value = Number(text) * 1e8
      expect(Math.abs(Number(sats) - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-9)
    }),
  )
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      const isInt64 = value >= -(2n ** 63n) && value < 2n ** 63n
      expect(integerOf(value.toString())).toBe(isInt64 ? value : undefined)
    }),
  )
})
