// These tests cover the outputs and payloads of each order step: komodo src/cc/CCassetstx.cpp and
// assets.cpp, tokel src/cc/CCassetstx_impl.h. The tests build scripts and payloads from their
// parts, and write amounts by hand.

import { describe, expect, test } from 'vitest'

import { networks, tokenScript } from '../../../src/index.ts'
import { type MadeOffer, ordersOf, type TakenOrder } from '../../../src/token/rules/order-book.ts'
import { daemonFill, exactFill, tradedSatsMin } from '../../../src/token/rules/order-fill.ts'
import {
  isBid,
  markerScriptOf,
  markerVoutOf,
  type OpenAction,
  type OpenOrder,
  type OrderLayout,
  openOrderIn,
  orderScripts,
} from '../../../src/token/rules/order-layout.ts'
import {
  fillOfV2,
  markerScriptOfV2,
  type OpenOrderV2,
  openOrderInV2,
  orderBlocksV2,
  orderScriptsV2,
  royaltyOf,
  unitPriceMin,
} from '../../../src/token/rules/order-layout-v2.ts'
import { a, b, c } from '../../support/resigned.ts'
import { push } from '../../support/sign.ts'
import { assets } from '../../support/sign-tokel.ts'
import { asks, bids, keyTokens, markerOf, p2pk } from '../../support/tokel-market.ts'

const tokenid = '22'.repeat(32)
// Published in komodo src/cc/CCcustom.cpp
const assetsV1 = '02adf84e0e075cf90868bd4e3d34a03420e034719649c41f371fc70d8e33aa2702'
const held = (pubkey: string, ...evalCodes: number[]) => tokenScript(pubkey, { evalCodes })
const i64 = (value: bigint) => Buffer.from(BigInt64Array.of(value).buffer).toString('hex')
const i32 = (value: number) => Buffer.from(Int32Array.of(value).buffer).toString('hex')
const vec = (hex: string) => (hex.length / 2).toString(16).padStart(2, '0') + hex
const letter = (text: string) => Buffer.from(text).toString('hex')
/** Layout A with an order under its id. */
const says = (pubkeys: readonly string[], order: string) =>
  `6a${push(`f274${tokenid}0${pubkeys.length}${pubkeys.map(vec).join('')}12${vec(order)}`)}`
const terms = (action: string, price: bigint, origin: string) =>
  `e3${letter(action)}${i64(price)}${vec(origin)}`
/** Layout C. */
const saysV2 = (order: string) => `6a${push(`f57401${tokenid}${vec(order)}`)}`
const termsV2 = (action: string, unitPrice: bigint, origin: string, end = 5000) =>
  `f6${letter(action)}01${i64(unitPrice)}${vec(origin)}${i32(end)}`

const paid = ({ outputs }: OrderLayout) =>
  outputs.map(({ role, value, script }) => [role, Number(value), script])
const network = networks.assetChain
const komodo = ordersOf(network)
const v2 = ordersOf(networks.tokel)
const fungible = { extras: [] }
const data = { extras: [{ kind: 'nonFungible', id: 0x11, data: 'f1aa' }] } as never

test('a network has the orders of its tokens', () => {
  expect([komodo.layout, komodo.moduleKey, komodo.ends, komodo.orderInput]).toEqual([
    'komodo-v1',
    assetsV1,
    false,
    1,
  ])
  expect([v2.layout, v2.moduleKey, v2.ends, v2.orderInput]).toEqual([
    'tokens-v2',
    assets,
    true,
    undefined,
  ])
})

const opened = (action: OpenAction, amount: bigint, price: bigint, origin = a): OpenOrder => {
  return { tokenid, action, amount, price, origin }
}

describe('the exchange of a fill on komodod’s chains', () => {
  // 3 * floor(100 * (8 + 1 + 35 + 148) / 1000): komodo src/primitives/transaction.h,
  // GetDustThreshold
  test('is not dust', () => {
    expect(tradedSatsMin).toBe(57n)
  })

  type Fill = [units: bigint, coins: bigint] | undefined
  test.each<[string, 'bid' | 'ask', bigint, bigint, bigint, Fill]>([
    ['none of an ask', 'ask', 10n, 1000n, 0n, undefined],
    ['less than none', 'ask', 10n, 1000n, -1n, undefined],
    ['one of an ask', 'ask', 10n, 1000n, 1n, [1n, 100n]],
    ['all of an ask', 'ask', 10n, 1000n, 10n, [10n, 1000n]],
    ['more than an ask has', 'ask', 10n, 1000n, 11n, undefined],
    ['rounded up', 'ask', 3n, 1000n, 1n, [1n, 334n]],
    ['rounded up, two', 'ask', 3n, 1000n, 2n, [2n, 667n]],
    ['all, which nothing is rounded of', 'ask', 3n, 1000n, 3n, [3n, 1000n]],
    ['what is just no dust', 'ask', 10n, 570n, 1n, [1n, 57n]],
    ['what leaves just no dust', 'ask', 10n, 570n, 9n, [9n, 513n]],
    ['what is dust', 'ask', 10n, 560n, 1n, undefined],
    ['what leaves dust', 'ask', 10n, 569n, 9n, undefined],
    ['all for what is just no dust', 'ask', 5n, 57n, 5n, [5n, 57n]],
    ['all for dust', 'ask', 5n, 56n, 5n, undefined],
    ['one of a bid', 'bid', 1000n, 10n, 1n, [1n, 100n]],
    ['one of a bid, at whole satoshis', 'bid', 1000n, 3n, 1n, [1n, 333n]],
    ['two of a bid, at whole satoshis', 'bid', 1000n, 3n, 2n, [2n, 666n]],
    ['all of a bid, with what was cut off', 'bid', 1000n, 3n, 3n, [3n, 1000n]],
    ['more than a bid wants', 'bid', 1000n, 3n, 4n, undefined],
    ['none of a bid', 'bid', 1000n, 3n, 0n, undefined],
    ['of a bid what is dust', 'bid', 168n, 3n, 1n, undefined],
    ['of a bid what leaves dust', 'bid', 169n, 3n, 2n, [2n, 112n]],
    ['of a bid what is just no dust', 'bid', 171n, 3n, 1n, [1n, 57n]],
    ['of a bid for nothing', 'bid', 1000n, 0n, 1n, undefined],
    ['none of a bid for nothing', 'bid', 1000n, 0n, 0n, undefined],
    ['none of an ask of nothing', 'ask', 0n, 1000n, 0n, undefined],
  ])('exactly: %s', (_, action, amount, price, units, expected) => {
    const fill = expected && { units: expected[0], coins: expected[1] }
    expect(exactFill(opened(action, amount, price), units)).toEqual(fill)
    const rest = action === 'bid' ? 'fillBid' : 'fillAsk'
    expect(exactFill(opened(rest, amount, price), units)).toEqual(fill)
    const taken = { order: opened(action, amount, price), from: b, created: fungible }
    expect(komodo.fill(taken, units)).toEqual(fill)
  })

  // komodo src/cc/CCassetsCore.cpp, SetBidFillamounts and SetAskFillamounts: a bid pays tokens
  // times floor(coins/tokens), an ask gives trunc(paid / (double)(total/amount)); larger fills are
  // clamped
  test.each<[string, 'bid' | 'ask', bigint, bigint, bigint, [bigint, bigint]]>([
    ['30 of an ask', 'ask', 100n, 1_000_000n, 30n, [30n, 300_000n]],
    ['777 of an ask of 100', 'ask', 100n, 1_000_000n, 777n, [100n, 1_000_000n]],
    ['all of an ask', 'ask', 100n, 1_000_000n, 100n, [100n, 1_000_000n]],
    ['one of three for 1000', 'ask', 3n, 1000n, 1n, [0n, 333n]],
    ['two of three for 1000', 'ask', 3n, 1000n, 2n, [1n, 666n]],
    // 1 / 93 as a double is a little more: one coin is all that there is, and buys all
    ['all of 93 for one coin', 'ask', 93n, 1n, 93n, [93n, 1n]],
    ['all of 49 for one coin', 'ask', 49n, 1n, 49n, [0n, 0n]],
    ['of an ask of nothing', 'ask', 0n, 1000n, 1n, [0n, 0n]],
    ['4 of a bid', 'bid', 1_000_000n, 10n, 4n, [4n, 400_000n]],
    ['all of a bid', 'bid', 1000n, 3n, 3n, [3n, 1000n]],
    ['more than a bid wants', 'bid', 1000n, 3n, 4n, [3n, 1000n]],
    ['two of three', 'bid', 1000n, 3n, 2n, [2n, 666n]],
  ])(
    'units and coins change hands as the daemon builds it: %s',
    (_, action, amount, price, units, [given, coins]) => {
      expect(daemonFill(opened(action, amount, price), units)).toEqual({ units: given, coins })
      const rest = action === 'bid' ? 'fillBid' : 'fillAsk'
      expect(daemonFill(opened(rest, amount, price), units)).toEqual({ units: given, coins })
    },
  )
})

describe('an order as its transaction states it, on komodod’s chains', () => {
  const made = (script: string) => [
    { value: 7n, script: '51' },
    { value: 0n, script },
  ]
  const order = terms('b', 5n, a)
  test.each<[string, string, OpenAction | undefined]>([
    ['a bid', says([], order), 'bid'],
    ['an ask', says([assetsV1], terms('s', 5n, a)), 'ask'],
    ['what is left of a bid', says([b], terms('B', 5n, a)), 'fillBid'],
    ['what is left of an ask', says([b], terms('S', 5n, a)), 'fillAsk'],
    ['a cancelled ask', says([b], 'e378'), undefined],
    ['a cancelled bid', says([b], 'e36f'), undefined],
    ['a swap', says([], `e3${letter('e')}${'33'.repeat(32)}${i64(5n)}${vec(a)}`), undefined],
    ['a filled swap', says([], `e3${letter('E')}${'33'.repeat(32)}${i64(5n)}${vec(a)}`), undefined],
    ['an order that is cut', says([], order.slice(0, -2)), undefined],
    [
      'an order under another id',
      says([], order).replace(`12${vec(order)}`, `13${vec(order)}`),
      undefined,
    ],
    ['an order after other data', `6a${push(`f274${tokenid}001302abcd12${vec(order)}`)}`, 'bid'],
    ['no order', `6a${push(`f274${tokenid}00`)}`, undefined],
    ['a creation with an order', `6a${push(`f263${vec(a)}01540012${vec(order)}`)}`, undefined],
    ['tokens v2', saysV2(termsV2('b', 5n, a)), undefined],
    ['no payload', '6a00', undefined],
  ])('%s', (_, script, action) => {
    const expected = action && { tokenid, action, amount: 7n, price: 5n, origin: a }
    expect(openOrderIn(made(script))).toEqual(expected)
    expect(komodo.openOrder({ inputs: [], outputs: made(script) })).toEqual(expected)
  })

  test('is found by its maker, and lies where the module looks', () => {
    const at = (action: OpenAction) => [isBid({ action }), markerVoutOf({ action })]
    expect(at('bid')).toEqual([true, 1])
    expect(at('ask')).toEqual([false, 1])
    expect(at('fillBid')).toEqual([true, 3])
    expect(at('fillAsk')).toEqual([false, 3])
    expect(komodo.markerVout(opened('fillAsk', 1n, 1n), [])).toBe(3)
    expect(orderScripts()).toEqual({ bids: held(assetsV1, 0xe3), asks: held(assetsV1, 0xe3, 0xf2) })
    expect(orderScripts(0xf1).asks).toBe(held(assetsV1, 0xe3, 0xf2, 0xf1))
    expect(markerScriptOf(a)).toBe(held(a, 0xe3))
    // komodo src/pubkey.h: of 65 bytes the condition has the first 33
    expect(markerScriptOf(`${a}${'00'.repeat(32)}`)).toBe(held(a, 0xe3))
    const where = (action: OpenAction, created = fungible) =>
      komodo.offeredScript(opened(action, 1n, 1n), created)
    expect(where('bid')).toBe(held(assetsV1, 0xe3))
    expect(where('fillBid', data)).toBe(held(assetsV1, 0xe3))
    expect(where('ask')).toBe(held(assetsV1, 0xe3, 0xf2))
    expect(where('fillAsk', data)).toBe(held(assetsV1, 0xe3, 0xf2, 0xf1))
  })
})

describe('the outputs of a step on komodod’s chains', () => {
  const offer: MadeOffer = {
    tokenid,
    units: 10n,
    price: 1000n,
    from: a,
    expiryHeight: 0,
    created: fungible,
  }
  const marker = (origin: string) => ['order-marker', 10_000, held(origin, 0xe3)]
  const asksOf = (...code: number[]) => held(assetsV1, 0xe3, 0xf2, ...code)

  test('a bid', () => {
    const layout = komodo.bid(offer)
    expect(paid(layout)).toEqual([['order-coins', 1000, held(assetsV1, 0xe3)], marker(a)])
    expect(layout.pubkeys).toEqual([])
    expect(layout.nulldata).toBe(says([], terms('b', 10n, a)))
    expect(layout.order).toEqual({
      form: 'komodo',
      evalCode: 'e3',
      action: 'bid',
      price: 10n,
      origin: a,
    })
  })

  test.each<[string, bigint, number[], unknown[]]>([
    ['with change', 5n, [], [['token-change', 5, held(a, 0xf2)]]],
    ['without change', 0n, [], []],
    ['without change of less than nothing', -1n, [], []],
    ['of a token with data', 5n, [0xf1], [['token-change', 5, held(a, 0xf1, 0xf2)]]],
  ])('an ask %s', (_, change, code, rest) => {
    const created = code.length === 0 ? fungible : data
    const layout = komodo.ask({ ...offer, created }, change)
    expect(paid(layout)).toEqual([['order-tokens', 10, asksOf(...code)], marker(a), ...rest])
    expect(layout.pubkeys).toEqual([assetsV1])
    expect(layout.nulldata).toBe(says([assetsV1], terms('s', 1000n, a)))
  })

  const taken = (
    action: OpenAction,
    amount: bigint,
    price: bigint,
    from: string,
    created = fungible,
  ): TakenOrder => {
    return { order: opened(action, amount, price), from, created }
  }

  test.each<[string, number[]]>([
    ['a filled ask', []],
    ['a filled ask of a token with data', [0xf1]],
  ])('%s', (_, code) => {
    const created = code.length === 0 ? fungible : data
    const layout = komodo.fillAsk(taken('ask', 10n, 1000n, b, created), { units: 3n, coins: 300n })
    expect(paid(layout)).toEqual([
      ['order-tokens', 7, asksOf(...code)],
      ['destination', 3, held(b, ...code, 0xf2)],
      ['payment', 300, p2pk(a)],
      marker(a),
    ])
    expect(layout.pubkeys).toEqual([b])
    expect(layout.nulldata).toBe(says([b], terms('S', 700n, a)))
  })

  test.each<[string, bigint, unknown[]]>([
    ['with change', 5n, [['token-change', 5, held(b, 0xf2)]]],
    ['without change', 0n, []],
  ])('a filled bid %s', (_, change, rest) => {
    const layout = komodo.fillBid(taken('bid', 1000n, 10n, b), { units: 3n, coins: 300n }, change)
    expect(paid(layout)).toEqual([
      ['order-coins', 700, held(assetsV1, 0xe3)],
      ['payment', 300, p2pk(b)],
      ['destination', 3, held(a, 0xf2)],
      marker(a),
      ...rest,
    ])
    expect(layout.pubkeys).toEqual([a])
    expect(layout.nulldata).toBe(says([a], terms('B', 7n, a)))
  })

  test('a cancellation returns the offer and its marker', () => {
    const ask = komodo.cancelAsk(taken('ask', 10n, 1000n, a, data))
    expect(paid(ask)).toEqual([
      ['destination', 10, held(a, 0xf1, 0xf2)],
      ['payment', 10_000, p2pk(a)],
    ])
    expect([ask.pubkeys, ask.nulldata]).toEqual([[a], says([a], 'e378')])
    const bid = komodo.cancelBid(taken('bid', 1000n, 10n, a))
    expect(paid(bid)).toEqual([
      ['payment', 1000, p2pk(a)],
      ['payment', 10_000, p2pk(a)],
    ])
    expect([bid.pubkeys, bid.nulldata]).toEqual([[], says([], 'e36f')])
  })
})

describe('an order of tokens v2 as its transaction states it', () => {
  // a fulfillment of the module: what is left of an order counts only where one was spent
  const spends = (code: string) => {
    return { txid: '11'.repeat(32), vout: 0, scriptSig: `06af038001${code}01`, sequence: 0 }
  }
  const made = (script: string, amount = 70n, inputs = [spends('f6')]) => ({
    inputs,
    outputs: [
      { value: amount, script: '51' },
      { value: 0n, script },
    ],
  })
  type Found = { action: OpenAction; price: bigint; amount?: bigint } | undefined
  test.each<[string, Parameters<typeof openOrderInV2>[0], Found]>([
    ['a bid', made(saysV2(termsV2('b', 10n, a))), { action: 'bid', price: 7n }],
    [
      'a bid that does not come out even',
      made(saysV2(termsV2('b', 9n, a))),
      { action: 'bid', price: 7n },
    ],
    ['an ask', made(saysV2(termsV2('s', 10n, a))), { action: 'ask', price: 700n }],
    [
      'an ask that spends no order',
      made(saysV2(termsV2('s', 10n, a)), 70n, []),
      { action: 'ask', price: 700n },
    ],
    [
      'a bid that spends no order',
      made(saysV2(termsV2('b', 10n, a)), 70n, []),
      { action: 'bid', price: 7n },
    ],
    ['what is left of a bid', made(saysV2(termsV2('B', 10n, a))), { action: 'fillBid', price: 7n }],
    [
      'what is left of an ask',
      made(saysV2(termsV2('S', 10n, a))),
      { action: 'fillAsk', price: 700n },
    ],
    ['what is left of no bid', made(saysV2(termsV2('B', 10n, a)), 70n, []), undefined],
    ['what is left of no ask', made(saysV2(termsV2('S', 10n, a)), 70n, [spends('f5')]), undefined],
    [
      'nothing in it',
      made(saysV2(termsV2('s', 10n, a)), 0n),
      { action: 'ask', price: 0n, amount: 0n },
    ],
    ['less than nothing in it', made(saysV2(termsV2('s', 10n, a)), -1n), undefined],
    ['a price of nothing', made(saysV2(termsV2('s', 0n, a))), undefined],
    ['a price of less than nothing', made(saysV2(termsV2('s', -1n, a))), undefined],
    ['a price of one', made(saysV2(termsV2('s', 1n, a))), { action: 'ask', price: 70n }],
    ['an order of the module of v1', made(saysV2(`e3${termsV2('s', 10n, a).slice(2)}`)), undefined],
    ['a cancelled ask', made(saysV2('f67801')), undefined],
    ['a cancelled bid', made(saysV2('f66f01')), undefined],
    ['no order', made(`6a${push(`f57401${tokenid}`)}`), undefined],
    [
      'an order that is not first',
      made(`6a${push(`f57401${tokenid}02abcd${vec(termsV2('s', 10n, a))}`)}`),
      undefined,
    ],
    [
      'a creation',
      made(`6a${push(`f56301${vec(a)}015400${vec(termsV2('s', 10n, a))}`)}`),
      undefined,
    ],
    ['komodod’s order', made(says([], terms('s', 10n, a))), undefined],
    ['no payload', made('6a00'), undefined],
  ])('%s', (_, transaction, expected) => {
    const found = expected && {
      tokenid,
      amount: 70n,
      origin: a,
      expiryHeight: 5000,
      ...expected,
    }
    expect(openOrderInV2(transaction)).toEqual(found && { unitPrice: expect.any(BigInt), ...found })
    expect(v2.openOrder(transaction)).toEqual(openOrderInV2(transaction))
  })

  test('is found by its maker, and lies where the module looks', () => {
    expect(orderScriptsV2()).toEqual({ bids, asks })
    expect(markerScriptOfV2(a)).toBe(markerOf(a))
    expect(markerScriptOfV2('abcd')).toBe('')
    const order = opened('ask', 1n, 1n)
    const output = (value: bigint, script: string) => ({ value, script })
    const others = [output(9999n, markerOf(a)), output(10_000n, markerOf(b))]
    expect(v2.markerVout(order, [...others, output(10_000n, markerOf(a))])).toBe(2)
    expect(v2.markerVout(order, others)).toBe(-1)
    const where = (action: OpenAction) => v2.offeredScript(opened(action, 1n, 1n), data)
    expect([where('bid'), where('fillBid')]).toEqual([bids, bids])
    expect([where('ask'), where('fillAsk')]).toEqual([asks, asks])
  })

  test('refuses a maker that is not text with a TypeError', () => {
    expect(() => markerScriptOfV2(5 as never)).toThrow(TypeError)
  })

  // tokel src/rpc/tokensrpc.cpp, tokenask; src/cc/assets.cpp, unit_price; ASSETS_NORMAL_DUST
  test('has its terms', () => {
    expect([orderBlocksV2, unitPriceMin]).toEqual([40_320, 501n])
    const of = (...extras: object[]) => royaltyOf({ owner: c, extras: extras as never })
    expect(of()).toEqual({ thousandths: 0n, creator: c })
    expect(of({ kind: 'nonFungible', data: 'f701' })).toEqual({ thousandths: 0n, creator: c })
    expect(of({ properties: {} })).toEqual({ thousandths: 0n, creator: c })
    expect(of({ properties: { royalty: 999 } })).toEqual({ thousandths: 999n, creator: c })
    expect(royaltyOf({ extras: [] }).creator).toBe('')
  })
})

describe('the exchange of a fill of tokens v2', () => {
  const order = (action: OpenAction, amount: bigint, unitPrice: bigint): OpenOrderV2 => {
    const price = isBid({ action }) ? amount / unitPrice : amount * unitPrice
    return { ...opened(action, amount, price), unitPrice, expiryHeight: 5000 }
  }
  type Shares = [coins: bigint, payment: bigint, royalty: bigint] | undefined
  const ask = order('ask', 10n, 1000n)
  const bid = order('bid', 10_000n, 1000n)
  // tokel src/cc/assets.cpp, AssetsValidateInternal; src/cc/CCassetsUtils.cpp,
  // AssetsFillOrderIsDust
  test.each<[string, OpenOrderV2, bigint, bigint, bigint | undefined, Shares]>([
    ['none', ask, 0n, 0n, undefined, undefined],
    ['one', ask, 1n, 0n, undefined, [1000n, 1000n, 0n]],
    ['all', ask, 10n, 0n, undefined, [10_000n, 10_000n, 0n]],
    ['more than there is', ask, 11n, 0n, undefined, undefined],
    ['for more than is asked', ask, 2n, 0n, 2001n, [2001n, 2001n, 0n]],
    ['for what is asked', ask, 2n, 0n, 2000n, [2000n, 2000n, 0n]],
    ['for less than is asked', ask, 2n, 0n, 1999n, undefined],
    ['what is left of an ask, for less', order('fillAsk', 10n, 1000n), 2n, 0n, 1999n, undefined],
    ['one to a bid', bid, 1n, 0n, undefined, [1000n, 1000n, 0n]],
    ['all to a bid', bid, 10n, 0n, undefined, [10_000n, 10_000n, 0n]],
    ['more than is wanted', bid, 11n, 0n, undefined, undefined],
    ['to a bid for less', bid, 2n, 0n, 1999n, [1999n, 1999n, 0n]],
    ['to a bid for more', bid, 2n, 0n, 2001n, undefined],
    ['what is left of a bid, for more', order('fillBid', 10_000n, 1000n), 2n, 0n, 2001n, undefined],
    ['what is just no dust', order('ask', 10n, 57n), 1n, 0n, undefined, [57n, 57n, 0n]],
    ['dust', order('ask', 10n, 56n), 1n, 0n, undefined, undefined],
    // ten units of the ask come to 10000: a tenth is 1000, over 500
    ['with a royalty', ask, 2n, 100n, undefined, [2000n, 1800n, 200n]],
    [
      'of an ask whose royalty is 500 in all',
      order('ask', 10n, 560n),
      1n,
      100n,
      undefined,
      [560n, 560n, 0n],
    ],
    [
      'with a royalty of just no dust',
      order('ask', 100n, 1000n),
      1n,
      57n,
      undefined,
      [1000n, 943n, 57n],
    ],
    ['with a royalty of dust', order('ask', 100n, 1000n), 1n, 56n, undefined, undefined],
    [
      'with the rest just no dust',
      order('ask', 100n, 1000n),
      1n,
      943n,
      undefined,
      [1000n, 57n, 943n],
    ],
    ['with the rest dust', order('ask', 100n, 1000n), 1n, 944n, undefined, undefined],
    // 5000 / 1000 * 100 = 500: too little for a share of its own
    ['a royalty of 500 of all', order('ask', 5n, 1000n), 5n, 100n, undefined, [5000n, 5000n, 0n]],
    [
      'a royalty of over 500 of all',
      order('ask', 6n, 1000n),
      6n,
      100n,
      undefined,
      [6000n, 5400n, 600n],
    ],
    ['the rest of 500 of all', order('ask', 5n, 1000n), 5n, 900n, undefined, [5000n, 0n, 5000n]],
    [
      'the rest over 500 of all',
      order('ask', 6n, 1000n),
      6n,
      900n,
      undefined,
      [6000n, 600n, 5400n],
    ],
    ['half of a little', order('ask', 1n, 1000n), 1n, 500n, undefined, [1000n, 0n, 1000n]],
    [
      'just under half of a little',
      order('ask', 1n, 1001n),
      1n,
      499n,
      undefined,
      [1001n, 1001n, 0n],
    ],
    // the part that counts for a bid is 5000, then 6000
    ['of a bid a royalty of 500', bid, 5n, 100n, undefined, [5000n, 5000n, 0n]],
    ['of a bid a royalty of over 500', bid, 6n, 100n, undefined, [6000n, 5400n, 600n]],
    // asked 6000, so there must be a royalty; of 999 it is 0 thousands, which nobody can pay
    ['a royalty that comes to nothing', order('bid', 6000n, 6000n), 1n, 100n, 999n, undefined],
    [
      'a royalty of one thousand',
      order('bid', 6000n, 6000n),
      1n,
      100n,
      1999n,
      [1999n, 1899n, 100n],
    ],
    // 600 of 10 units: a royalty counts, and of 600 it is 0 thousands
    [
      'a part of an ask whose royalty comes to nothing',
      order('ask', 10n, 600n),
      1n,
      100n,
      undefined,
      undefined,
    ],
  ])('%s', (_, taken, units, thousandths, price, expected) => {
    const [coins, payment, royalty] = expected ?? []
    const fill = expected && { units, coins, payment, royalty }
    const part = price === undefined ? [] : [price]
    expect(fillOfV2(taken, units, { thousandths, creator: c }, ...part)).toEqual(fill)
    const extras = [{ kind: 'nonFungible', data: '', properties: { royalty: Number(thousandths) } }]
    const created = { owner: c, extras } as never
    expect(v2.fill({ order: taken, from: b, created }, units, ...part)).toEqual(fill)
  })
})

describe('the outputs of a step of tokens v2', () => {
  const offer: MadeOffer = {
    tokenid,
    units: 10n,
    price: 10_009n,
    from: a,
    expiryHeight: 5000,
    created: fungible,
  }
  const marker = (origin: string) => ['order-marker', 10_000, markerOf(origin)]
  const royalty = [{ kind: 'nonFungible', data: '', properties: { royalty: 100 } }]
  const created = { owner: c, extras: royalty } as never
  const taken = (
    action: OpenAction,
    amount: bigint,
    from: string,
    unitPrice = 1000n,
  ): TakenOrder => {
    const order = { ...opened(action, amount, 0n), unitPrice, expiryHeight: 5000 }
    return { order, from, created }
  }
  const fill = (units: bigint, coins: bigint, part: bigint) => {
    return { units, coins, payment: coins - part, royalty: part }
  }

  test('a bid, at the price of a unit with what is over cut off', () => {
    const layout = v2.bid(offer)
    expect(paid(layout)).toEqual([['order-coins', 10_000, bids], marker(a)])
    expect([layout.pubkeys, layout.nulldata]).toEqual([[], saysV2(termsV2('b', 1000n, a))])
  })

  test.each<[bigint, unknown[]]>([
    [5n, [['token-change', 5, keyTokens(a)]]],
    [0n, []],
    [-1n, []],
  ])('an ask with change of %s', (change, rest) => {
    const layout = v2.ask(offer, change)
    expect(paid(layout)).toEqual([['order-tokens', 10, asks], marker(a), ...rest])
    expect(layout.nulldata).toBe(saysV2(termsV2('s', 1000n, a)))
  })

  test('a filled ask leaves a marker with what is left', () => {
    const part = v2.fillAsk(taken('ask', 10n, b), fill(3n, 3000n, 300n))
    expect(paid(part)).toEqual([
      ['order-tokens', 7, asks],
      ['destination', 3, keyTokens(b)],
      ['payment', 2700, p2pk(a)],
      ['royalty', 300, p2pk(c)],
      marker(a),
    ])
    expect(part.nulldata).toBe(saysV2(termsV2('S', 1000n, a)))
    const whole = v2.fillAsk(taken('ask', 10n, b), fill(10n, 10_000n, 0n))
    expect(paid(whole)).toEqual([
      ['order-tokens', 0, asks],
      ['destination', 10, keyTokens(b)],
      ['payment', 10_000, p2pk(a)],
    ])
    const allToCreator = v2.fillAsk(taken('ask', 10n, b), fill(10n, 10_000n, 10_000n))
    expect(paid(allToCreator)[2]).toEqual(['royalty', 10_000, p2pk(c)])
    expect(paid(allToCreator)).toHaveLength(3)
  })

  // a remainder that buys no units goes back, unless it is dust: at most 500
  test.each<[string, bigint, bigint, string, boolean]>([
    ['what buys one more waits', 4000n, 1000n, bids, true],
    ['what buys none goes back', 3999n, 999n, p2pk(a), false],
    ['just over dust goes back', 3501n, 501n, p2pk(a), false],
    ['dust stays with the module', 3500n, 500n, bids, false],
    ['nothing stays with the module', 3000n, 0n, bids, false],
  ])('a filled bid: %s', (_, amount, left, script, isOpen) => {
    const layout = v2.fillBid(taken('bid', amount, b), fill(3n, 3000n, 300n), 5n)
    expect(paid(layout)).toEqual([
      ['order-coins', Number(left), script],
      ['payment', 2700, p2pk(b)],
      ['royalty', 300, p2pk(c)],
      ['destination', 3, keyTokens(a)],
      ...(isOpen ? [marker(a)] : []),
      ['token-change', 5, keyTokens(b)],
    ])
    expect(layout.nulldata).toBe(saysV2(termsV2('B', 1000n, a)))
  })

  test.each<[bigint, string]>([
    [501n, p2pk(a)],
    [500n, bids],
  ])('a cancelled bid of %s goes back, or stays as dust', (amount, script) => {
    const layout = v2.cancelBid(taken('bid', amount, a))
    expect(paid(layout)).toEqual([['payment', Number(amount), script]])
    expect(layout.nulldata).toBe(saysV2('f66f01'))
  })

  test('a cancelled ask goes back to its maker, whoever asks', () => {
    const layout = v2.cancelAsk(taken('ask', 10n, b))
    expect(paid(layout)).toEqual([['destination', 10, keyTokens(a)]])
    expect([layout.pubkeys, layout.nulldata]).toEqual([[], saysV2('f67801')])
  })
})
