// A royalty is a part of an order's price, so the seller gets less than the price, or nothing.
// tokel src/cc/CCassetsUtils.cpp, AssetsFillOrderIsDust: of shares that are too small, the larger
// one gets all.

import { describe, expect, test } from 'vitest'
import { effectsOf } from '../../../src/guard/effects.ts'
import {
  buildTokenAsk,
  buildTokenFillBid,
  type Evidence,
  encodeTokenPayload,
  networks,
  type TokenOrderIntent,
  verifyTokenOrder,
} from '../../../src/index.ts'
import type { AskedFor } from '../../../src/request/case.ts'
import {
  fillOfV2,
  type OpenOrderV2,
  royaltyMostV2,
} from '../../../src/token/rules/order-layout-v2.ts'
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

/** A, or C who created the token: the units and the coins that the seller spends. */
function sellerOf(key: string, given: market.Made) {
  const [at, has]: [number, bigint] = key === c ? [1, 600n] : [0, 400n]
  const [from, vout, value]: [market.Made, number, bigint] =
    key === c ? [given, 2, coin - 31_000n] : [market.funding, 8, coin]
  return {
    tokens: [given, at] as [market.Made, number],
    tokensLeft: (units: bigint) => ({ value: has - units, script: market.keyTokens(key) }),
    coins: [from, vout] as [market.Made, number],
    coinsLeft: (paid: bigint) => ({ value: value - paid, script: p2pk(key) }),
    offered: {
      tokenCoins: [{ txid: given.txid, vout: at }],
      coins: [{ txid: from.txid, vout }],
    },
  }
}

/** All units that a bid of B wants are sold, and the coins are divided as the test says. */
function sale(
  thousandths: number,
  [units, unitPrice]: [bigint, bigint],
  paid: [bigint, bigint],
  by = a,
) {
  const { token, given } = tokenWith(thousandths)
  const seller = sellerOf(by, given)
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
    [seller.coins, [bid, 0], seller.tokens],
    [
      { value: 0n, script: market.bids },
      ...(payment > 0n ? [{ value: payment, script: p2pk(by) }] : []),
      ...(royalty > 0n ? [{ value: royalty, script: p2pk(c) }] : []),
      { value: units, script: market.keyTokens(b) },
      seller.tokensLeft(units),
      seller.coinsLeft(10_000n),
      market.nulldata(token.txid, market.orderBytes('B', unitPrice, b)),
    ],
  )
  const evidence = market.evidenceOf(fill.hex, token.hex)
  const asked = { tokenid: token.txid, order: bid.txid, units, from: by, network } as const
  return {
    verified(price: object) {
      const intent = { kind: 'fillBid', ...asked, ...price } as TokenOrderIntent
      const { broadcast, findings } = verifyTokenOrder(fill.hex, intent, evidence)
      const warned = findings.filter(({ severity }) => severity !== 'info')
      return { broadcast, warned: warned.map(({ code, path, actual }) => [code, path, actual]) }
    },
    /** Returns the effects that a guard of the seller's key reads from the report. */
    guarded(price: object) {
      const intent = { kind: 'fillBid', ...asked, ...price } as TokenOrderIntent
      const report = verifyTokenOrder(fill.hex, intent, evidence)
      const call = { operation: 'tokenfillbid', intent } as AskedFor
      const effects = effectsOf(call, report, { network, pubkey: by })
      // The bidder's units leave the wallet, which is what a sale is.
      const outflows = effects?.outflows.filter(({ asset }) => asset === 'coins')
      return { outflows, trade: effects?.trade }
    },
    built: (price: { readonly price: bigint } | { readonly priceMin: bigint }) =>
      buildTokenFillBid({
        ...asked,
        ...price,
        ...seller.offered,
        previousTransactions: evidence.previousTransactions,
        tokenCreate: token.hex,
        tipHeight: market.tipHeight,
      }),
  }
}

/** Units are offered for a price of each. */
function offer(thousandths: number, units: bigint, unitPrice: bigint, by = a) {
  const { token, given } = tokenWith(thousandths)
  const seller = sellerOf(by, given)
  const made = make(
    [seller.coins, seller.tokens],
    [
      { value: units, script: market.asks },
      { value: 10_000n, script: market.markerOf(by) },
      seller.tokensLeft(units),
      seller.coinsLeft(20_000n),
      market.nulldata(token.txid, market.orderBytes('s', unitPrice, by)),
    ],
  )
  const price = units * unitPrice
  const asked = { tokenid: token.txid, units, price, from: by, network } as const
  const evidence = market.evidenceOf(made.hex, token.hex)
  const verified = (known: Evidence) => {
    const { broadcast, findings } = verifyTokenOrder(made.hex, { kind: 'ask', ...asked }, known)
    return { broadcast, warned: findings.map(({ code, actual }) => [code, actual]) }
  }
  return {
    verified: () => verified(evidence),
    withoutCreation() {
      const { tokenCreate: _, previousTransactions, ...others } = evidence
      const left = previousTransactions!.filter((hex) => hex !== token.hex)
      return verified({ ...others, previousTransactions: left })
    },
    built: () =>
      buildTokenAsk({
        ...asked,
        ...seller.offered,
        previousTransactions: evidence.previousTransactions,
        tokenCreate: token.hex,
        tipHeight: market.tipHeight,
      }),
  }
}

describe('a seller who makes an ask', () => {
  test('is warned of what remains if a royalty of over 1 % is a part of the price', () => {
    expect(offer(10, 10n, 100_000n).verified()).toEqual({ broadcast: 'yes', warned: [] })
    expect(offer(11, 10n, 100_000n).verified()).toEqual({
      broadcast: 'your-decision',
      warned: [['royalty_share', 'at least 989000']],
    })
    expect(offer(11, 10n, 100_000n).built().intent).toMatchObject({ price: 1_000_000n })
  })

  test('never offers units for nothing', () => {
    const unpaid = offer(500, 1n, 900n)
    expect(unpaid.verified()).toEqual({ broadcast: 'no', warned: [['order_price', 0n]] })
    expect(codeOf(unpaid.built)).toBe('order_price')
    // The last two units can be bought together, and then their price is too small to be shared.
    const paid = offer(500, 100n, 900n)
    expect(paid.verified().warned).toEqual([['royalty_share', 'at least 44100']])
    expect(paid.built().intent).toMatchObject({ price: 90_000n })
  })

  test('needs the creation, which states the royalty', () => {
    expect(offer(11, 10n, 100_000n).withoutCreation().warned).toContainEqual([
      'token_create_missing',
      undefined,
    ])
  })
})

/** The most that a creator can get of an ask, by all ways to buy it in parts. */
function mostOf(units: bigint, unitPrice: bigint, thousandths: bigint): bigint {
  const royalty = { thousandths, creator: c }
  const most = [0n]
  for (let left = 1n; left <= units; left += 1n) {
    const order = { action: 'ask', amount: left, unitPrice } as OpenOrderV2
    let best = 0n
    for (let bought = 1n; bought <= left; bought += 1n) {
      const fill = fillOfV2(order, bought, royalty)
      if (fill === undefined) continue
      const taken = fill.royalty + most[Number(left - bought)]!
      if (taken > best) best = taken
    }
    most.push(best)
  }
  return most[Number(units)]!
}

test.each([[1n], [100n], [499n], [500n], [501n], [700n], [900n], [998n], [999n]])(
  'no way to buy an ask in parts gives the creator more than is reported, at %s thousandths',
  (thousandths) => {
    for (const unitPrice of [501n, 900n, 1000n, 1999n, 2000n, 7001n, 100_000n]) {
      for (let units = 1n; units <= 14n; units += 1n) {
        const warned = royaltyMostV2(units, unitPrice, { thousandths, creator: c })
        const most = mostOf(units, unitPrice, thousandths)
        expect(warned, `${units} for ${unitPrice}`).toBeGreaterThanOrEqual(most)
        expect(warned - most, `${units} for ${unitPrice}`).toBeLessThan(unitPrice + 1000n)
      }
    }
  },
)

describe('a seller who fills a bid', () => {
  const robbed = sale(999, [10n, 100_000n], [1000n, 999_000n])

  test('gets at least priceMin without the royalty, or the transaction is rejected', () => {
    expect(robbed.verified({ priceMin: 1_000_000n })).toEqual({
      broadcast: 'no',
      warned: [['order_price', 'intent.priceMin', 1000n]],
    })
    expect(robbed.verified({ priceMin: 1001n }).broadcast).toBe('no')
    expect(robbed.verified({ priceMin: 1000n })).toEqual({ broadcast: 'yes', warned: [] })
  })

  test('is asked where a royalty is a part of an exact price', () => {
    expect(robbed.verified({ price: 1_000_000n })).toEqual({
      broadcast: 'your-decision',
      warned: [['royalty_share', 'intent.price', 1000n]],
    })
    const honest = sale(100, [10n, 100_000n], [900_000n, 100_000n])
    expect(honest.verified({ price: 1_000_000n }).warned).toEqual([
      ['royalty_share', 'intent.price', 900_000n],
    ])
    const plain = sale(0, [10n, 100_000n], [1_000_000n, 0n])
    expect(plain.verified({ price: 1_000_000n })).toEqual({ broadcast: 'yes', warned: [] })
  })

  test('never sells for nothing', () => {
    const unpaid = sale(500, [1n, 900n], [0n, 900n])
    for (const [path, price] of Object.entries({ priceMin: 900n, price: 900n })) {
      expect(unpaid.verified({ [path]: price })).toEqual({
        broadcast: 'no',
        warned: [['order_price', `intent.${path}`, 0n]],
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

// tokel src/cc/CCassetstx_impl.h, FillBuyOffer: the royalty is paid to the key that the creation
// names. If that key sells, both parts of the price are its own.
describe('a seller who created the token', () => {
  test('makes an ask without a warning, because its own royalty is no loss', () => {
    const shared = offer(100, 10n, 100_000n, c)
    expect(shared.verified()).toEqual({ broadcast: 'yes', warned: [] })
    expect(shared.built().intent).toMatchObject({ price: 1_000_000n })
    const unshared = offer(600, 1n, 900n, c)
    expect(unshared.verified()).toEqual({ broadcast: 'yes', warned: [] })
    expect(unshared.built().intent).toMatchObject({ price: 900n })
  })

  test('gets all coins of a bid', () => {
    const shared = sale(100, [10n, 100_000n], [900_000n, 100_000n], c)
    const all = { price: 1_000_000n }
    for (const price of [all, { priceMin: 1_000_000n }]) {
      expect(shared.verified(price)).toEqual({ broadcast: 'yes', warned: [] })
      expect(shared.built(price).intent).toMatchObject(all)
    }
    expect(shared.verified({ priceMin: 1_000_001n })).toEqual({
      broadcast: 'no',
      warned: [['order_price', 'intent.priceMin', 1_000_000n]],
    })
    const unshared = sale(500, [1n, 900n], [0n, 900n], c)
    for (const price of [{ price: 900n }, { priceMin: 900n }]) {
      expect(unshared.verified(price)).toEqual({ broadcast: 'yes', warned: [] })
      expect(unshared.built(price).intent).toMatchObject({ price: 900n })
    }
  })

  test.each([
    ['shared', sale(100, [10n, 100_000n], [900_000n, 100_000n], c), 1_000_000n],
    ['the royalty alone', sale(500, [1n, 900n], [0n, 900n], c), 900n],
  ])('is credited with all coins by the guard: %s', (_, sold, price) => {
    expect(sold.guarded({ priceMin: 57n })).toMatchObject({ outflows: [], trade: { price } })
  })
})
