// The rules for a step of an order, called directly, on both sides of each limit. shared-rules.test.ts
// compares what builders and verifiers make of them.

import { describe, expect, test } from 'vitest'

import { burnPublicKeys } from '../../../src/chain/modules.ts'
import { type Network, networks } from '../../../src/index.ts'
import { satsMax } from '../../../src/primitives/amount.ts'
import {
  type AskedOrder,
  endedProblems,
  fillPriceProblems,
  orderProblems,
} from '../../../src/request/order-problems.ts'
import { codes, error, errorsIn } from '../../support/problems.ts'
import { a } from '../../support/resigned.ts'

const { assetChain, tokel } = networks
const id = (digit: string) => digit.repeat(64)
const secret = 'UwibHKsYfiM19BXQmcUwAfw331GzGQK8aoPqqYEbyoPrzc2965nE'
const hidden = 'what may be a private key'
const { komodo: burn } = burnPublicKeys

describe('a step of an order', () => {
  const bid: AskedOrder = { kind: 'bid', tokenid: id('1'), from: a, units: 1n, price: 1000n }
  const of = (changes: Partial<AskedOrder>, network: Network = assetChain) =>
    orderProblems({ ...bid, ...changes }, network)

  test('has no problem as it should be', () => {
    expect(of({})).toEqual([])
    expect(of({}, tokel)).toEqual([])
    expect(of({ kind: 'fillAsk', order: id('2'), price: undefined, priceMax: 1000n })).toEqual([])
    expect(of({ kind: 'cancelAsk', order: id('F'), price: undefined, units: undefined })).toEqual(
      [],
    )
  })

  test('names every member that is wrong', () => {
    const changes = { tokenid: 'ff', from: burn, order: 'zz', units: 0n, price: 1n, priceMin: 1n }
    expect(codes(of({ ...changes, priceMax: 1n }))).toEqual([
      'tokenid tokenid',
      'burn from',
      'order order',
      'amount units',
      'price price',
      'price priceMax',
      'price priceMin',
    ])
  })

  test('does not show a private key that was given as an order', () => {
    expect(of({ order: secret })).toMatchObject([
      { code: 'order', path: 'order', actual: hidden, inError: error({ code: 'malformed_hex' }) },
    ])
  })

  // An output of less than 57 satoshis to a public key is not relayed.
  test.each(['price', 'priceMax', 'priceMin'] as const)(
    'a %s is as much as nodes relay',
    (path) => {
      const fill = (sats: bigint) => of({ kind: 'fillAsk', price: undefined, [path]: sats })
      expect(fill(57n)).toEqual([])
      expect(fill(56n)).toEqual([{ code: 'price', path, expected: 'at least 57', actual: 56n }])
      expect(fill(satsMax)).toEqual([])
      expect(fill(satsMax + 1n)).toEqual([
        { code: 'price', path, expected: `at most ${satsMax}`, actual: satsMax + 1n },
      ])
    },
  )

  describe('that ends', () => {
    const ending = (height: number, tipHeight?: number, network: Network = tokel) =>
      of({ end: { height, path: 'end', ...(tipHeight !== undefined && { tipHeight }) } }, network)

    test('is possible on a chain of tokeld alone', () => {
      expect(ending(102, 100)).toEqual([])
      const refused = ending(102, 100, assetChain)
      expect(refused).toMatchObject([
        { code: 'orderEnd', path: 'end', expected: 'no end, on this network', actual: 102 },
      ])
      expect(errorsIn(refused)).toEqual([
        "end: expected nothing but on tokeld's chains, got a number",
      ])
    })

    test('must last beyond the next block, and end at an int32', () => {
      expect(ending(101, 100)).toEqual([
        {
          code: 'orderEnded',
          path: 'end',
          expected: 'above 101',
          actual: 101,
          inError: { expected: 'over 101, at most 2147483647' },
        },
      ])
      expect(ending(0x7fff_ffff)).toEqual([])
      expect(ending(0x8000_0000)).toEqual([
        {
          code: 'orderEnd',
          path: 'end',
          expected: 'at most 2147483647',
          actual: 0x8000_0000,
          inError: { expected: 'over 1, at most 2147483647' },
        },
      ])
      expect(codes(ending(1))).toEqual([])
    })

    test('can be filled in the block before its end', () => {
      expect(endedProblems(12, 10, 'order')).toEqual([])
      expect(endedProblems(11, 10, 'order')).toEqual([
        {
          code: 'orderEnded',
          path: 'order',
          expected: 'above 11',
          actual: 11,
          inError: { expected: 'over 11' },
        },
      ])
    })
  })

  describe('that offers', () => {
    test('needs a price that the chain enforces', () => {
      expect(of({ kind: 'ask', units: 3n, price: 3000n })).toEqual([])
      expect(of({ kind: 'ask', units: 3n, price: 3001n })).toEqual([
        { code: 'unenforcedPrice', path: 'price', expected: 'a multiple of 3', actual: 3001n },
      ])
      expect(codes(of({ kind: 'bid', units: 2n }))).toEqual(['unenforcedPrice units'])
      expect(of({ kind: 'bid', units: 2n, allowUnenforcedPrice: true })).toEqual([])
      expect(codes(of({ kind: 'fillAsk', units: 3n, price: 3001n }))).toEqual([])
      expect(codes(of({ kind: 'bid', units: 3n, price: 3001n }, tokel))).toEqual(['price price'])
      expect(codes(of({ kind: 'bid', units: 1n, price: 57n }, tokel))).toEqual(['price price'])
    })

    test('has a wrong price or number of units once', () => {
      expect(codes(of({ kind: 'ask', units: 0n }))).toEqual(['amount units'])
      expect(codes(of({ kind: 'ask', units: 3n, price: 56n }))).toEqual(['price price'])
      expect(codes(of({ kind: 'ask', units: 56n, price: 57n }))).toEqual(['unenforcedPrice price'])
      expect(codes(of({ kind: 'ask', units: undefined, price: undefined }))).toEqual([])
    })
  })

  test('a fill costs what was asked for, or is within the bounds', () => {
    const fill = { units: 1n, coins: 10n }
    for (const kind of ['fillAsk', 'fillBid'] as const) {
      expect(fillPriceProblems(fill, { kind })).toEqual([])
      const all = { price: 10n, priceMax: 10n, priceMin: 10n }
      expect(fillPriceProblems(fill, { kind, ...all })).toEqual([])
      expect(fillPriceProblems(fill, { kind, price: 9n })).toEqual([
        { code: 'orderPrice', path: 'price', expected: 9n, actual: 10n },
      ])
    }
    expect(fillPriceProblems(fill, { kind: 'fillAsk', priceMax: 9n })).toEqual([
      { code: 'orderPrice', path: 'priceMax', expected: 'at most 9', actual: 10n },
    ])
    expect(fillPriceProblems(fill, { kind: 'fillBid', priceMin: 11n })).toEqual([
      { code: 'orderPrice', path: 'priceMin', expected: 'at least 11', actual: 10n },
    ])
  })

  describe('the royalty of a fill', () => {
    const shared = { units: 1n, coins: 1000n, payment: 900n }
    const sold = (fill: object, asked: object) =>
      fillPriceProblems({ ...shared, ...fill }, { kind: 'fillBid', ...asked })

    test('is no part of what a seller gets at least', () => {
      expect(sold({}, { priceMin: 900n })).toEqual([])
      expect(sold({}, { priceMin: 901n })).toEqual([
        { code: 'orderPrice', path: 'priceMin', expected: 'at least 901', actual: 900n },
      ])
    })

    test('is named where a seller gets less than the exact price', () => {
      expect(sold({}, { price: 1000n })).toEqual([
        { code: 'royaltyShare', path: 'price', expected: 1000n, actual: 900n },
      ])
      expect(sold({ payment: 0n }, { price: 1000n })).toEqual([
        { code: 'orderPrice', path: 'price', expected: 1000n, actual: 0n },
      ])
      expect(sold({ payment: 1000n }, { price: 1000n })).toEqual([])
    })

    test('is a part of what a buyer pays', () => {
      const bought = (asked: object) => fillPriceProblems(shared, { kind: 'fillAsk', ...asked })
      expect(bought({ price: 1000n })).toEqual([])
      expect(bought({ priceMax: 999n })).toMatchObject([{ path: 'priceMax', actual: 1000n }])
    })
  })
})
