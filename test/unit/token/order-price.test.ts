// The prices that an offer may not have, and the part of other prices that a chain does not enforce.

import { expect, test } from 'vitest'

import { economicCoins, requireModestFee } from '../../../src/builders/economy.ts'
import { tradedSatsMin } from '../../../src/token/rules/order-fill.ts'
import { unitPriceMin } from '../../../src/token/rules/order-layout-v2.ts'
import { priceRefusal, unenforcedSats } from '../../../src/token/rules/order-price.ts'

const [komodo, tokel] = [{ ends: false }, { ends: true }]
const units = 3n

test.each(['ask', 'bid'] as const)(
  'the price of an %s of tokeld is a multiple of its units',
  (kind) => {
    const refusal = (price: bigint) => priceRefusal({ kind, units, price }, tokel)
    const least = units * unitPriceMin
    expect(refusal(least)).toBeUndefined()
    expect(refusal(least + units)).toBeUndefined()
    for (const price of [least - units, least + 1n]) {
      const expected = `a multiple of 3, at least ${unitPriceMin} for each`
      expect(refusal(price)).toEqual({ member: 'price', expected, actual: price })
    }
  },
)

test.each(['ask', 'bid'] as const)('an %s of komodod has at least the least price', (kind) => {
  const offer = { kind, units: 1n, allowUnenforcedPrice: true }
  const price = tradedSatsMin - 1n
  const expected = `at least ${tradedSatsMin}`
  expect(priceRefusal({ ...offer, price }, komodo)).toEqual({
    member: 'price',
    expected,
    actual: price,
  })
  expect(priceRefusal({ ...offer, price: tradedSatsMin }, komodo)).toBeUndefined()
})

test('the chain of komodod enforces an ask except the remainder by its units, and no bid', () => {
  const offered = { units, price: 50_000n }
  expect(unenforcedSats({ ...offered, kind: 'bid' }, komodo)).toBe(50_000n)
  expect(unenforcedSats({ ...offered, kind: 'ask' }, komodo)).toBe(2n)
  for (const kind of ['ask', 'bid'] as const) {
    expect(unenforcedSats({ ...offered, kind }, tokel)).toBe(0n)
  }
})

test('a coin that brings exactly what it costs is left out', () => {
  const coin = { txid: '11'.repeat(32), vout: 0, bytes: 150 }
  const [least, more] = [150n, 151n].map((worth) => ({ ...coin, worth }))
  const { economic, leftOut } = economicCoins([least!, more!], { rate: 1000n })
  expect(economic).toEqual([more])
  expect(leftOut).toMatchObject([{ worth: 150n, cost: 150n }])
})

test('a fee above a tenth of what is moved names the tenth', () => {
  expect(() => requireModestFee(100n, 1000n)).not.toThrow()
  expect(() => requireModestFee(101n, 1000n)).toThrow(/at most 100, a tenth/)
})
