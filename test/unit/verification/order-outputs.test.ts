// The rules for the places of an order's outputs, and for its price, called directly. Whole orders are
// in order-positions.test.ts and verify-orders.test.ts.

import { describe, expect, test } from 'vitest'

import type { TransactionOutput } from '../../../src/index.ts'
import type { OpenOrder, OrderOutput } from '../../../src/token/rules/order-layout.ts'
import {
  checkOutputPlaces,
  checkPrice,
  unenforcedFindings,
} from '../../../src/verification/order-outputs.ts'

const [one, other] = ['51', '52']
const transactionOf = (...outputs: TransactionOutput[]) => ({ outputs }) as never

describe('a comparison of the places of outputs', () => {
  const wanted = [
    { role: 'destination', script: one, value: 5n },
    { role: 'payment', script: other, value: 7n },
  ] as readonly OrderOutput[]
  const placesOf = (...outputs: TransactionOutput[]) =>
    checkOutputPlaces(transactionOf(...outputs), wanted).map(({ path, expected, actual }) => ({
      path,
      expected,
      actual,
    }))

  test('finds nothing if each output is in its place', () => {
    expect(placesOf({ script: one, value: 5n }, { script: other, value: 7n })).toEqual([])
    expect(checkOutputPlaces(transactionOf(), undefined)).toEqual([])
  })

  test('names the places of two outputs that are swapped', () => {
    expect(placesOf({ script: other, value: 7n }, { script: one, value: 5n })).toEqual([
      { path: 'outputs[0]', expected: '5 to 51', actual: '7 to 52' },
      { path: 'outputs[1]', expected: '7 to 52', actual: '5 to 51' },
    ])
  })

  test('ignores a wrong value in the right place, and an unknown script', () => {
    expect(placesOf({ script: one, value: 6n }, { script: other, value: 7n })).toEqual([])
    expect(placesOf({ script: '53', value: 5n }, { script: other, value: 7n })).toEqual([])
    expect(placesOf({ script: one, value: 6n }, { script: '53', value: 5n })).toEqual([])
    expect(placesOf({ script: '53', value: 6n }, { script: '54', value: 5n })).toEqual([])
  })

  test('names the place of an output whose value is at another one of its script', () => {
    expect(placesOf({ script: one, value: 6n }, { script: one, value: 5n })).toEqual([
      { path: 'outputs[0]', expected: '5 to 51', actual: '6 to 51' },
    ])
  })

  test('names an output that is missing because another one is in its place', () => {
    expect(placesOf({ script: other, value: 7n })).toEqual([
      { path: 'outputs[1]', expected: '7 to 52', actual: 'no such output' },
    ])
    expect(placesOf({ script: '53', value: 1n }, { script: '54', value: 1n })).toEqual([])
    expect(placesOf({ script: other, value: 8n }, { script: '54', value: 1n })).toEqual([
      { path: 'outputs[1]', expected: '7 to 52', actual: '1 to 54' },
    ])
    expect(placesOf({ script: other, value: 8n })).toEqual([
      { path: 'outputs[1]', expected: '7 to 52', actual: 'no such output' },
    ])
  })
})

// komodo src/cc/CCassetsCore.cpp, ValidateAskRemainder: less than a satoshi for each unit
describe('the price of an offer that the chain does not enforce', () => {
  const risks = (offer: object, ends = false) =>
    unenforcedFindings(offer as never, { ends } as never).map(({ code, expected, actual }) => ({
      code,
      expected,
      actual,
    }))

  test('is found for an ask if at least 1 % of it can be lost', () => {
    expect(risks({ kind: 'ask', units: 101n, price: 10_000n })).toEqual([])
    expect(risks({ kind: 'ask', units: 101n, price: 9_999n })).toEqual([
      {
        code: 'ask_price_unenforced',
        expected: '9999 satoshis',
        actual: 'up to 100 of them can be lost',
      },
    ])
    expect(risks({ kind: 'ask', units: 1n, price: 1n })).toEqual([])
  })

  test('is the whole price of a bid on a chain of komodod, and nothing where orders end', () => {
    const bid = { kind: 'bid', units: 1000n, price: 50_000_000n }
    expect(risks(bid)).toEqual([
      {
        code: 'bid_price_unenforced',
        expected: '50000000 satoshis',
        actual: 'up to 50000000 of them can be lost',
      },
    ])
    expect(risks(bid, true)).toEqual([])
  })

  test.each(['fillAsk', 'fillBid', 'cancelAsk', 'cancelBid'])('is nothing for %s', (kind) => {
    expect(risks({ kind, units: 1000n, price: 1n })).toEqual([])
  })
})

describe('the price of a fill', () => {
  const ask: OpenOrder = { tokenid: '', action: 'ask', amount: 10n, price: 25n, origin: '' }
  const fill = [
    { role: 'order-tokens', script: one, value: 6n },
    { role: 'destination', script: one, value: 4n },
    { role: 'payment', script: other, value: 10n },
    { role: 'royalty', script: other, value: 1n },
  ] as readonly OrderOutput[]
  const priceOf = (order: OpenOrder | undefined, wanted: readonly OrderOutput[]) =>
    checkPrice(transactionOf(...wanted), order, wanted).map(({ code, path, expected, actual }) => [
      code,
      path,
      expected,
      actual,
    ])

  test('is reported beside the price of the order, with the rest of the order', () => {
    expect(priceOf(ask, fill)).toEqual([
      [
        'fill_price',
        'outputs[2].value',
        '10 units for 25 satoshis, 2.5 each',
        '4 units for 11 satoshis, 2.75 each, 1 of them royalty; 6 for 14 stay',
      ],
    ])
    const bid: OpenOrder = { ...ask, action: 'bid', amount: 25n, price: 10n }
    const sold = fill.toSpliced(0, 1, { role: 'order-coins', script: one, value: 14n })
    expect(priceOf(bid, sold.slice(0, 3))).toEqual([
      [
        'fill_price',
        'outputs[2].value',
        '10 units for 25 satoshis, 2.5 each',
        '4 units for 10 satoshis, 2.5 each; 6 for 15 stay',
      ],
    ])
  })

  const wordsOf = (order: OpenOrder, units: bigint, paid: bigint) => {
    const sold = fill.slice(0, 3).with(1, { ...fill[1]!, value: units })
    return priceOf(order, sold.with(2, { ...fill[2]!, value: paid }))[0]?.slice(2)
  }

  test('is cut to four decimals, without zeros at its end', () => {
    expect(wordsOf({ ...ask, amount: 3n, price: 7n }, 1n, 3n)).toEqual([
      '3 units for 7 satoshis, 2.3333 each',
      '1 units for 3 satoshis, 3 each; 2 for 4 stay',
    ])
    expect(wordsOf({ ...ask, amount: 100n, price: 201n }, 20n, 41n)).toEqual([
      '100 units for 201 satoshis, 2.01 each',
      '20 units for 41 satoshis, 2.05 each; 80 for 160 stay',
    ])
    expect(wordsOf(ask, 4n, 0n)?.[1]).toBe('4 units for 0 satoshis, 0 each; 6 for 25 stay')
  })

  test('is the price of the rest too, if an order has a price for each unit', () => {
    const priced = { ...ask, unitPrice: 3n }
    expect(wordsOf(priced, 4n, 12n)).toEqual([
      '10 units for 25 satoshis, 3 each',
      '4 units for 12 satoshis, 3 each; 6 for 18 stay',
    ])
  })

  test('is the price of the coins left too, if a bid has a price for each unit', () => {
    const bid: OpenOrder = { ...ask, action: 'bid', amount: 25n, price: 10n, unitPrice: 3n }
    expect(wordsOf(bid, 4n, 12n)).toEqual([
      '10 units for 25 satoshis, 3 each',
      '4 units for 12 satoshis, 3 each; 4 for 13 stay',
    ])
  })

  test('is reported for a fill that leaves nothing, and not for one that takes too much', () => {
    expect(wordsOf(ask, 10n, 25n)?.[1]).toBe('10 units for 25 satoshis, 2.5 each')
    expect(wordsOf(ask, 9n, 25n)?.[1]).toBe('9 units for 25 satoshis, 2.7777 each; 1 for 0 stay')
    expect(wordsOf(ask, 9n, 26n)).toBeUndefined()
  })

  test('is not reported without an order, for another step, or for units out of range', () => {
    expect(priceOf(undefined, fill)).toEqual([])
    expect(priceOf(ask, fill.slice(1))).toEqual([])
    expect(priceOf(ask, fill.toSpliced(1, 1, { ...fill[1]!, value: 0n }))).toEqual([])
    expect(priceOf(ask, fill.toSpliced(1, 1, { ...fill[1]!, value: 11n }))).toEqual([])
    for (const at of [2, 3]) {
      expect(priceOf(ask, fill.with(at, { ...fill[at]!, value: -1n }))).toEqual([])
    }
    expect(checkPrice(transactionOf(), ask, fill)).toEqual([])
    expect(checkPrice(transactionOf(), ask, undefined)).toEqual([])
  })
})
