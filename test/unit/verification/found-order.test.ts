// The order that a step takes, the inputs that must spend it, and its end, called directly. Whole orders
// are in verify-orders.test.ts and verify-tokel-market.test.ts.

import { describe, expect, test } from 'vitest'

import { networks, type TokenOrderIntent, tokenScript } from '../../../src/index.ts'
import { ordersOf } from '../../../src/token/rules/order-book.ts'
import {
  borrowedBy,
  checkInputPlaces,
  type FoundOrder,
  findOrder,
  isMarkerLeft,
} from '../../../src/verification/found-order.ts'
import {
  operationOf,
  verifyTokenOrder,
  verifyTokenOrderAsync,
} from '../../../src/verification/operations/order.ts'
import { checkOrderEnd, checkOwnCoin, expiryOf } from '../../../src/verification/order-end.ts'
import { checkOrderIntent } from '../../../src/verification/order-intent.ts'
import { a, b, p2pk } from '../../support/resigned.ts'

type Kind = TokenOrderIntent['kind']
const id = (digit: string) => digit.repeat(64)
const [tokenid, txid, other] = [id('1'), id('2'), id('3')]
const komodo = ordersOf(networks.assetChain)
const tokel = ordersOf(networks.tokel)
const short = (findings: readonly { code: string; path: string }[]) =>
  findings.map(({ code, path }) => `${code} ${path}`)
const taking = ['fillAsk', 'fillBid', 'cancelAsk', 'cancelBid'] as const

describe('the order of a step', () => {
  const ask = { tokenid, action: 'ask', amount: 5n, price: 10n, origin: a }
  const bid = { ...ask, action: 'bid' }

  interface Made {
    readonly order: object | undefined
    readonly offered?: string
    readonly missing?: object
    readonly tipHeight?: number
  }
  const find = (
    kind: Kind,
    { order, offered = 'offer', missing, tipHeight = 8 }: Made,
    byTxid = new Map([[txid, { outputs: [{ script: offered }, { script: 'second' }] }]]),
  ) => {
    const book = {
      openOrder: () => order,
      offeredScript: () => 'offer',
      missingMarker: () => missing,
      markerVout: () => 7,
    }
    const tokens = { created: {} }
    return findOrder(
      { kind, order: txid, tokenid, from: a } as never,
      { byTxid } as never,
      { tokens, book, tipHeight } as never,
    )
  }

  test.each(['ask', 'bid'] as const)('does not exist for an offer: %s', (kind) => {
    expect(find(kind, { order: ask })).toEqual({ findings: [] })
  })

  test.each(taking)('is read from its transaction: %s', (kind) => {
    const order = kind.endsWith('Ask') ? ask : bid
    expect(find(kind, { order })).toEqual({
      order: { ...order, txid, marker: 7 },
      findings: [],
    })
  })

  test.each(taking)('is missing without its transaction: %s', (kind) => {
    const { order, findings } = find(kind, { order: ask }, new Map())
    expect(order).toBeUndefined()
    expect(short(findings)).toEqual(['order_missing intent.order'])
  })

  test.each<[string, Kind, Made, object]>([
    ['no order', 'fillAsk', { order: undefined }, { expected: 'ask', actual: 'no order' }],
    ['a bid for an ask', 'fillAsk', { order: bid }, { expected: 'ask', actual: 'bid' }],
    ['a bid for an ask', 'cancelAsk', { order: bid }, { expected: 'ask', actual: 'bid' }],
    ['an ask for a bid', 'fillBid', { order: ask }, { expected: 'bid', actual: 'ask' }],
    ['an ask for a bid', 'cancelBid', { order: ask }, { expected: 'bid', actual: 'ask' }],
    [
      'another token',
      'fillAsk',
      { order: { ...ask, tokenid: other } },
      { expected: tokenid, actual: other },
    ],
    [
      'a maker who cannot be paid',
      'fillBid',
      { order: { ...bid, origin: '02ff' } },
      { expected: 'a public key', actual: '02ff' },
    ],
    [
      'another script',
      'fillAsk',
      { order: ask, offered: '51' },
      { expected: 'offer', actual: '51' },
    ],
    [
      'no marker',
      'fillBid',
      { order: bid, missing: { expected: 'a marker', actual: 'second' } },
      { expected: 'a marker', actual: 'second' },
    ],
  ])('counts for nothing with %s: %s', (_, kind, made, details) => {
    const { order, findings } = find(kind, made)
    expect(order).toBeUndefined()
    expect(findings).toMatchObject([{ code: 'order_malformed', path: 'intent.order', ...details }])
  })

  test.each(taking)('can be filled, not cancelled, if another made it: %s', (kind) => {
    const order = { ...(kind.endsWith('Ask') ? ask : bid), origin: b }
    const { findings } = find(kind, { order })
    expect(short(findings)).toEqual(kind.startsWith('cancel') ? ['order_not_own intent.order'] : [])
  })

  test.each(taking)('can be cancelled, not filled, after its end: %s', (kind) => {
    const order = { ...(kind.endsWith('Ask') ? ask : bid), expiryHeight: 9 }
    const { findings } = find(kind, { order })
    expect(short(findings)).toEqual(kind.startsWith('fill') ? ['order_expired intent.order'] : [])
  })
})

describe('the outputs of an order that a step spends', () => {
  const order = { txid, marker: 3, action: 'ask' } as FoundOrder

  test.each([
    ['ask', 'units'],
    ['bid', 'coins'],
    ['fillAsk', 'units'],
    ['fillBid', 'coins'],
  ])('an order of the form %s holds %s, for which its module signs', (action, holds) => {
    const borrowed = borrowedBy('fillAsk', { ...order, action } as FoundOrder, {
      from: a,
      book: komodo,
    })
    expect([...borrowed]).toEqual([[`${txid}:0`, { holds, signer: komodo.moduleKey }]])
  })

  test.each(['cancelAsk', 'cancelBid'] as const)('the maker signs for the marker: %s', (kind) => {
    const borrowed = borrowedBy(kind, order, { from: a, book: tokel })
    expect(borrowed.get(`${txid}:3`)).toEqual({ holds: 'coins', signer: a })
    expect(borrowed.size).toBe(2)
  })
})

describe('the inputs that spend an order', () => {
  const order = { txid, marker: 1 } as FoundOrder
  const spending = (...outpoints: string[]) =>
    ({
      inputs: outpoints.map((it) => {
        const [of, vout] = it.split(':')
        return { txid: of, vout: Number(vout) }
      }),
    }) as never
  const [coin, offer, marker] = [`${other}:0`, `${txid}:0`, `${txid}:1`]
  const places = (
    kind: Kind,
    book: typeof komodo,
    outpoints: readonly string[],
    first: string | undefined = p2pk(a),
  ) =>
    checkInputPlaces(spending(...outpoints), kind, {
      order,
      book,
      first: first === '' ? undefined : ({ script: first, value: 1n } as never),
    }).map(({ code, path, expected, actual }) => [code, path, expected, actual])
  const held = tokenScript(a, { evalCodes: [0xf2] })

  test('a marker is left unless an input spends that output', () => {
    expect(isMarkerLeft(spending(marker), order)).toBe(false)
    expect(isMarkerLeft(spending(coin, marker), order)).toBe(false)
    expect(isMarkerLeft(spending(), order)).toBe(true)
    expect(isMarkerLeft(spending(offer), order)).toBe(true)
    expect(isMarkerLeft(spending(`${other}:1`), order)).toBe(true)
  })

  test.each([
    ['komodod', komodo],
    ['tokeld', tokel],
  ] as const)('are those that %s wants', (_, book) => {
    for (const kind of ['fillAsk', 'fillBid'] as const) {
      expect(places(kind, book, [coin, offer])).toEqual([])
    }
    for (const kind of ['cancelAsk', 'cancelBid'] as const) {
      expect(places(kind, book, [coin, offer, marker])).toEqual([])
    }
  })

  test('komodod wants the order second, after a coin without a condition', () => {
    expect(places('fillAsk', komodo, [offer, coin])).toEqual([
      ['order_input', 'inputs[1]', offer, coin],
    ])
    expect(places('fillAsk', komodo, [coin])).toEqual([
      ['order_input', 'inputs[1]', offer, 'no such input'],
    ])
    expect(places('fillAsk', komodo, [coin, offer], held)).toEqual([
      ['order_input', 'inputs[0]', 'an own coin', coin],
    ])
    expect(places('fillAsk', komodo, [coin, offer], '')).toEqual([])
  })

  test('tokeld takes the order in any place', () => {
    expect(places('fillAsk', tokel, [offer, coin], held)).toEqual([])
    expect(places('fillAsk', tokel, [coin, `${other}:1`, offer], held)).toEqual([])
    expect(places('fillAsk', tokel, [coin, `${other}:1`])).toEqual([
      ['order_input', 'inputs[0]', offer, coin],
    ])
  })

  test('a cancellation spends the marker right after the order', () => {
    for (const book of [komodo, tokel]) {
      expect(places('cancelBid', book, [coin, offer, `${other}:1`, marker])).toEqual([
        ['order_input', 'inputs[2]', marker, `${other}:1`],
      ])
      expect(places('cancelAsk', book, [marker, offer])).toEqual([
        ['order_input', 'inputs[2]', marker, undefined],
      ])
    }
    expect(places('cancelAsk', tokel, [offer, marker])).toEqual([])
  })

  test('a marker that is left costs its coins on komodod, and tokeld refuses it', () => {
    const without = [coin, offer]
    expect(places('cancelBid', komodo, without)).toEqual([
      ['order_marker_left', 'inputs', marker, undefined],
    ])
    expect(places('cancelBid', tokel, without)).toEqual([
      ['order_input', 'inputs', marker, undefined],
    ])
  })
})

describe('the end of an order', () => {
  test('an order without an end has nothing to check', () => {
    expect(checkOrderEnd({}, 100)).toEqual([])
    expect(checkOrderEnd({}, undefined)).toEqual([])
  })

  // tokel src/cc/assets.cpp, AssetsValidateInternal: a block of the height of its end takes no fill
  test('an order must last beyond the next block', () => {
    expect(checkOrderEnd({ expiryHeight: 102 }, 100)).toEqual([])
    expect(checkOrderEnd({ expiryHeight: 101 }, 100)).toMatchObject([
      { code: 'order_expired', path: 'intent.order', expected: 'above 101', actual: 101 },
    ])
    expect(short(checkOrderEnd({ expiryHeight: 101 }, 100, 'expiryHeight'))).toEqual([
      'order_expired intent.expiryHeight',
    ])
  })

  test('an end is not checked if the tip is unknown, and the report says so', () => {
    expect(short(checkOrderEnd({ expiryHeight: 1 }, undefined))).toEqual([
      'expiry_not_checked intent.order',
    ])
  })

  const endOf = (
    given: { expiryHeight?: number; expiryBlocksMax?: number },
    stated: number | undefined,
    tipHeight: number | undefined = 1000,
    book = tokel,
  ) => {
    const { expiryHeight, expiryBlocksMax = 400 } = given
    const terms = { expiryBlocksMax }
    const { findings, ...end } = expiryOf({ expiryHeight, terms } as never, stated, {
      book,
      tipHeight,
    })
    return [end.expiryHeight, ...short(findings)]
  }

  test('komodod has no end of an offer', () => {
    expect(endOf({ expiryHeight: 5 }, 7, 1000, komodo)).toEqual([0])
  })

  test('an offer has the end that was asked for, which must not be past', () => {
    expect(endOf({ expiryHeight: 1002 }, 77)).toEqual([1002])
    expect(endOf({ expiryHeight: 1001 }, 77)).toEqual([1001, 'order_expired intent.expiryHeight'])
  })

  // tokel src/rpc/tokensrpc.cpp, tokenask
  test('an offer without a requested end lasts four weeks, give or take 400 blocks', () => {
    const usual = 1000 + 4 * 7 * 24 * 60
    for (const end of [usual - 400, usual, usual + 400]) expect(endOf({}, end)).toEqual([end])
    for (const end of [usual - 401, usual + 401]) {
      expect(endOf({}, end)).toEqual([end, 'order_expiry outputs'])
    }
    expect(endOf({}, undefined)).toEqual([0, 'order_expiry outputs'])
  })

  test('the text of an offer names its end, or that it states none', () => {
    const terms = { expiryBlocksMax: 400 }
    const details = (stated: number | undefined) =>
      expiryOf({ terms } as never, stated, { book: tokel, tipHeight: 1000 }).findings
    const expected = `about ${1000 + 4 * 7 * 24 * 60}`
    expect(details(undefined)).toMatchObject([{ expected, actual: 'none' }])
    expect(details(5)).toMatchObject([{ expected, actual: 5 }])
  })

  test('a shorter life of transactions narrows the range of the end of an offer, and a longer one does not widen it', () => {
    const usual = 1000 + 4 * 7 * 24 * 60
    expect(endOf({ expiryBlocksMax: 10 }, usual + 10)).toEqual([usual + 10])
    expect(endOf({ expiryBlocksMax: 10 }, usual + 11)).toHaveLength(2)
    expect(endOf({ expiryBlocksMax: 5000 }, usual + 401)).toHaveLength(2)
  })

  test('the end of an offer is not checked if the tip is unknown', () => {
    const terms = { expiryBlocksMax: 400 }
    const { findings, expiryHeight } = expiryOf({ terms } as never, 9, {
      book: tokel,
      tipHeight: undefined,
    })
    expect([expiryHeight, ...short(findings)]).toEqual([9, 'expiry_not_checked outputs'])
  })
})

describe('the coin of a maker', () => {
  const findings = (kind: Kind, book: typeof komodo, ...isMain: boolean[]) =>
    checkOwnCoin({ kind, from: a } as never, book, {
      native: isMain.map((it) => ({ isMain: it })),
    } as never).map(({ code, path, expected }) => [code, path, expected])

  test.each(['ask', 'bid'] as const)('tokeld wants one of the main key: %s', (kind) => {
    const wanted = [['order_maker', 'inputs', `a coin of ${a}`]]
    expect(findings(kind, tokel)).toEqual(wanted)
    expect(findings(kind, tokel, false)).toEqual(wanted)
    expect(findings(kind, tokel, false, true)).toEqual([])
    expect(findings(kind, komodo)).toEqual([])
  })

  test.each(taking)('is needed for no other step: %s', (kind) => {
    expect(findings(kind, tokel)).toEqual([])
  })
})

describe('a request for an order', () => {
  const bid = { kind: 'bid', tokenid, from: a, units: 1n, price: 1000n } as const
  const check = (changes: object) => checkOrderIntent({ ...bid, ...changes } as never)

  test('is spelled out', () => {
    const { intent, findings } = check({ tokenid: id('A'), from: a.toUpperCase() })
    expect(findings).toEqual([])
    expect(intent).toMatchObject({ tokenid: id('a'), from: a, order: '', units: 1n })
  })

  test('may name an order in any case, and no units to cancel it', () => {
    const { from } = bid
    const { intent } = checkOrderIntent({ kind: 'cancelBid', tokenid, from, order: id('B') })
    expect(intent).toMatchObject({ order: id('b'), units: 0n })
  })

  test.each(['toString', 'offer', undefined])('has one of the known kinds, not %s', (kind) => {
    expect(() => check({ kind })).toThrow('intent.kind: expected ask')
  })

  test('is rejected if it names an end where orders have none', () => {
    expect(short(check({ expiryHeight: 5 }).findings)).toEqual(['order_expiry intent.expiryHeight'])
    expect(check({ expiryHeight: 5, network: networks.tokel }).findings).toEqual([])
  })

  test('is rejected for each value that is wrong', () => {
    expect(short(check({ tokenid: 'ff', ownKeys: ['x'] }).findings)).toEqual([
      'intent_own_keys intent.ownKeys[0]',
      'intent_tokenid intent.tokenid',
    ])
  })
})

describe('a request for an order, for people', () => {
  const linesOf = (intent: object) => {
    const whole = { tokenid, from: a, ...intent } as TokenOrderIntent
    return operationOf(whole).lines(whole, { previousTransactions: [] })
  }
  const priceOf = (intent: object) =>
    linesOf({ kind: 'fillAsk', order: txid, units: 3n, ...intent }).find(([word]) => word === 'for')

  test('says what is offered, for how much, until when and by whom', () => {
    const until = linesOf({ kind: 'ask', units: 3n, price: 300n, expiryHeight: 77 })
    expect(until[0]).toEqual(['offer', `3 units of token ${tokenid}`])
    expect(until.slice(-3)).toEqual([
      ['for', '0.00000300 coins in all, 0.00000100 for each unit'],
      ['until', 'height 77'],
      ['by', a],
    ])
    for (const intent of [{}, { expiryHeight: undefined }]) {
      const lines = linesOf({ kind: 'ask', units: 3n, price: 300n, ...intent })
      expect(lines.map(([word]) => word)).not.toContain('until')
      expect(lines.map(([word]) => word)).not.toContain('order')
      expect(lines.at(-1)).toEqual(['by', a])
    }
  })

  test('says which order is filled or cancelled', () => {
    const fill = linesOf({ kind: 'fillBid', order: txid, units: 3n, priceMin: 300n })
    expect(fill[0]).toEqual(['sell', `3 units of token ${tokenid}`])
    expect(fill).toContainEqual(['order', txid])
    const cancel = linesOf({ kind: 'cancelAsk', order: txid })
    expect(cancel[0]).toEqual(['cancel', `order ${txid} of token ${tokenid}`])
    expect(cancel.map(([word]) => word)).not.toContain('for')
    expect(cancel.map(([word]) => word)).not.toContain('order')
  })

  test('says the price, or its bound, and that of each unit if it is whole', () => {
    const each = '0.00000300 coins in all, 0.00000100 for each unit'
    expect(priceOf({ price: 300n })).toEqual(['for', each])
    expect(priceOf({ priceMax: 300n })).toEqual(['for', `at most ${each}`])
    expect(priceOf({ priceMin: 300n })).toEqual(['for', `at least ${each}`])
    expect(priceOf({ price: 301n })).toEqual(['for', '0.00000301 coins in all'])
    for (const units of [0n, 1n]) {
      expect(priceOf({ units, price: 300n })).toEqual(['for', '0.00000300 coins in all'])
    }
  })

  test('is verified in slices as at once', async () => {
    const cancel = { kind: 'cancelAsk', order: txid, tokenid, from: a } as const
    const evidence = { previousTransactions: [] }
    const report = await verifyTokenOrderAsync('00', cancel, evidence)
    expect(report).toEqual(verifyTokenOrder('00', cancel, evidence))
    expect(report.ok).toBe(false)
  })

  test.each(['toString', undefined])('is of one of the known kinds, not %s', (kind) => {
    expect(() => linesOf({ kind })).toThrow('intent.kind: expected ask, bid')
  })
})
