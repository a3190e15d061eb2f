// A royalty is a part of an order's price, so the seller gets less than the price, or nothing.
// tokel src/cc/CCassetsUtils.cpp, AssetsFillOrderIsDust: of shares that are too small, the larger
// one gets all.

import { describe, expect, test } from 'vitest'
import {
  buildTokenFillBid,
  encodeTokenPayload,
  networks,
  type TokenOrderIntent,
  verifyTokenOrder,
} from '../../../src/index.ts'
import { failure } from '../../support/bobs-tokens.ts'
import { a, b, c } from '../../support/sign-tokel.ts'
import * as market from '../../support/tokel-market.ts'

const network = networks.tokel
const coin = 100_000_000n
const { make, p2pk } = market
const codeOf = (run: () => unknown) => failure(run).code

/** A token of C with a royalty, of which A has 400 units. */
function tokenWith(thousandths: number) {
  const number =
    thousandths < 253
      ? Buffer.of(thousandths).toString('hex')
      : `fd${Buffer.from(Uint16Array.of(thousandths).buffer).toString('hex')}`
  const script = encodeTokenPayload({
    layout: 'tokens-v2',
    kind: 'create',
    owner: c,
    name: 'ART',
    description: '',
    extras: [{ kind: 'nonFungible', data: `f701${'020178'}03${number}` }],
  })
  const token = make(
    [market.free.c],
    [
      { value: 10_000n, script: market.tokenMarker },
      { value: 1000n, script: market.keyTokens(c) },
      { value: coin - 21_000n, script: p2pk(c) },
      { value: 0n, script },
    ],
  )
  const given = make(
    [
      [token, 2],
      [token, 1],
    ],
    [
      { value: 400n, script: market.hashTokens(a) },
      { value: 600n, script: market.hashTokens(c) },
      { value: coin - 31_000n, script: p2pk(c) },
      market.nulldata(token.txid),
    ],
  )
  return { token, given }
}

/** A sells all units that a bid of B wants, and the coins are divided as the test says. */
function sale(thousandths: number, [units, unitPrice]: [bigint, bigint], paid: [bigint, bigint]) {
  const { token, given } = tokenWith(thousandths)
  const price = units * unitPrice
  const bid = make(
    [market.free.b],
    [
      { value: price, script: market.bids },
      { value: 10_000n, script: market.markerOf(b) },
      { value: coin - price - 20_000n, script: p2pk(b) },
      market.nulldata(token.txid, market.orderBytes('b', unitPrice, b)),
    ],
  )
  const [payment, royalty] = paid
  const fill = make(
    [market.free.a, [bid, 0], [given, 0]],
    [
      { value: 0n, script: market.bids },
      ...(payment > 0n ? [{ value: payment, script: p2pk(a) }] : []),
      ...(royalty > 0n ? [{ value: royalty, script: p2pk(c) }] : []),
      { value: units, script: market.keyTokens(b) },
      { value: 400n - units, script: market.keyTokens(a) },
      { value: coin - 10_000n, script: p2pk(a) },
      market.nulldata(token.txid, market.orderBytes('B', unitPrice, b)),
    ],
  )
  const evidence = market.evidenceOf(fill.hex, token.hex)
  const asked = { tokenid: token.txid, order: bid.txid, units, from: a, network } as const
  return {
    verified(price: object) {
      const intent = { kind: 'fillBid', ...asked, ...price } as TokenOrderIntent
      const { broadcast, findings } = verifyTokenOrder(fill.hex, intent, evidence)
      const told = findings.filter(({ severity }) => severity !== 'info')
      return { broadcast, told: told.map(({ code, path, actual }) => [code, path, actual]) }
    },
    built: (price: object) =>
      buildTokenFillBid({
        ...asked,
        ...price,
        tokenCoins: [{ txid: given.txid, vout: 0 }],
        coins: [{ txid: market.funding.txid, vout: 8 }],
        previousTransactions: evidence.previousTransactions,
        tokenCreate: token.hex,
        tipHeight: market.tipHeight,
      } as Parameters<typeof buildTokenFillBid>[0]),
  }
}

describe('a seller who fills a bid', () => {
  const robbed = sale(999, [10n, 100_000n], [1000n, 999_000n])

  test('gets at least priceMin without the royalty, or the transaction is rejected', () => {
    expect(robbed.verified({ priceMin: 1_000_000n })).toEqual({
      broadcast: 'no',
      told: [['order_price', 'intent.priceMin', 1000n]],
    })
    expect(robbed.verified({ priceMin: 1001n }).broadcast).toBe('no')
    expect(robbed.verified({ priceMin: 1000n })).toEqual({ broadcast: 'yes', told: [] })
  })

  test('is asked where a royalty is a part of an exact price', () => {
    expect(robbed.verified({ price: 1_000_000n })).toEqual({
      broadcast: 'your-decision',
      told: [['royalty_share', 'intent.price', 1000n]],
    })
    const honest = sale(100, [10n, 100_000n], [900_000n, 100_000n])
    expect(honest.verified({ price: 1_000_000n }).told).toEqual([
      ['royalty_share', 'intent.price', 900_000n],
    ])
    const plain = sale(0, [10n, 100_000n], [1_000_000n, 0n])
    expect(plain.verified({ price: 1_000_000n })).toEqual({ broadcast: 'yes', told: [] })
  })

  test('never sells for nothing', () => {
    const unpaid = sale(500, [1n, 900n], [0n, 900n])
    for (const [path, price] of Object.entries({ priceMin: 900n, price: 900n })) {
      expect(unpaid.verified({ [path]: price })).toEqual({
        broadcast: 'no',
        told: [['order_price', `intent.${path}`, 0n]],
      })
    }
    expect(codeOf(() => unpaid.built({ priceMin: 57n }))).toBe('order_price')
  })

  test('gets a transaction built only for a price that arrives', () => {
    expect(codeOf(() => robbed.built({ priceMin: 1001n }))).toBe('order_price')
    expect(codeOf(() => robbed.built({ price: 1_000_000n }))).toBe('order_price')
    expect(robbed.built({ priceMin: 1000n }).intent).toMatchObject({ priceMin: 1000n })
  })
})
