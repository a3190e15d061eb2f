// tokeld's rules for what fills an order of tokens v2, on both sides of each limit, called directly
// on outputs that are made up here. Source: tokel src/cc/assets.cpp, AssetsValidateInternal, cases
// 'S' and 'B'.

import { describe, expect, test } from 'vitest'

import type { Transaction, TransactionOutput } from '../../../src/index.ts'
import {
  checkFillAsk,
  checkFillBid,
  tokensScript,
} from '../../../src/token/rules/orders-v2-fill.ts'
import { a, b, c } from '../../support/resigned.ts'
import { asks, bids, keyTokens, markerOf, p2pk } from '../../support/tokel-market.ts'

const tokenid = '22'.repeat(32)
const other = '33'.repeat(32)
/** A fulfillment that shows the eval code of tokens v2. */
const shows = `4c79a276a072a26ba067a5658021${b}8140${'00'.repeat(64)}a100af038001f5a10001`
const out = (value: bigint, script: string): TransactionOutput => ({ value, script })

interface Given {
  readonly outputs?: readonly TransactionOutput[]
  readonly terms?: object
  readonly spent?: object
  /** Thousandths for the creator. */
  readonly royalty?: bigint
  readonly height?: number
  /** Outputs that claim to hold another token. */
  readonly others?: readonly number[]
  /** Units of the token inputs. */
  readonly brought?: bigint
  /** The outpoint of the token input. */
  readonly spends?: readonly [txid: string, vout: number]
}
const orderOf = { price: 1000n, unitPrice: 1000n, origin: a, expiryHeight: 50 }
function stepOf({ outputs = [], royalty = 0n, height = 49, ...given }: Given) {
  const { others = [], brought = 0n, spends: [from, vout] = [tokenid, 0] } = given
  const inputs = [
    { txid: other, vout: 0, scriptSig: '', sequence: 0 },
    { txid: from, vout, scriptSig: shows, sequence: 0 },
  ]
  return {
    transaction: { outputs, inputs } as unknown as Transaction,
    tokenid,
    royalty: { thousandths: royalty, creator: c },
    chain: {
      height,
      find: (txid: string) =>
        txid === tokenid ? ({ outputs: [out(brought, keyTokens(b))] } as never) : undefined,
      tokenidAt: (_: unknown, at: number) => (others.includes(at) ? other : tokenid),
    },
  } as never
}

describe('a fill of an ask', () => {
  // 10 units for 1000 satoshis each, of which 4 are bought
  const [left, units, paid, marker] = [
    out(6n, asks),
    out(4n, keyTokens(b)),
    out(4000n, p2pk(a)),
    out(10_000n, markerOf(a)),
  ]
  const part = [left, units, paid, marker]
  const whole = [out(0n, asks), out(10n, keyTokens(b)), out(10_000n, p2pk(a))]
  const fill = (given: Given = {}) =>
    checkFillAsk(
      stepOf({ outputs: part, ...given }),
      { ...orderOf, ...given.terms } as never,
      { ...orderOf, value: 10n, ...given.spent } as never,
    )

  test('leaves the rest as an order with a marker, or nothing', () => {
    expect(fill()).toEqual({ spent: 1, paid: 3 })
    expect(fill({ outputs: whole })).toEqual({ spent: 1, paid: 2 })
  })

  test.each<[string, string, Given]>([
    ['two outputs', 'not enough vouts for fillask', { outputs: part.slice(0, 2) }],
    ['another maker', 'mismatched origpubkeys for fillask', { terms: { origin: b } }],
    ['another price', 'mismatched unit price for fillask', { terms: { price: 999n } }],
    ['another end', 'invalid expiry height', { terms: { expiryHeight: 51 } }],
    [
      'more units than there are',
      'locked value doesnt match vout0+1 fillask',
      { outputs: part.with(1, out(5n, keyTokens(b))) },
    ],
    [
      'fewer coins for each unit',
      'mismatched vout0 remainder for fillask',
      { outputs: part.with(2, out(3999n, p2pk(a))) },
    ],
    [
      'no units',
      'mismatched vout0 remainder for fillask',
      { outputs: part.with(0, out(10n, asks)).with(1, out(0n, keyTokens(b))) },
    ],
    [
      'no coins',
      'mismatched vout0 remainder for fillask',
      { outputs: part.with(2, out(0n, p2pk(a))), spent: { unitPrice: 0n }, terms: { price: 0n } },
    ],
    ['another token left', 'invalid tokenid in vout0 for fillask', { others: [0] }],
    ['another token bought', 'invalid tokenid in vout1 for fillask', { others: [1] }],
    [
      'units to a plain key',
      'vout1 should be cc for fillask',
      { outputs: part.with(1, out(4n, p2pk(b))) },
    ],
    [
      'units to another module',
      'vout1 should be cc for fillask',
      { outputs: part.with(1, out(4n, markerOf(b))) },
    ],
    [
      'coins to another key',
      'vout2 should be normal to order creator for fillask',
      { outputs: part.with(2, out(4000n, p2pk(b))) },
    ],
    [
      'the rest to a key',
      'invalid vout0 should pay to tokens/assets global address for fillask',
      { outputs: part.with(0, out(6n, keyTokens(b))) },
    ],
    ['no marker', 'invalid marker vout for original pubkey', { outputs: part.slice(0, 3) }],
    [
      'a marker of another maker',
      'invalid marker vout for original pubkey',
      { outputs: part.with(3, out(10_000n, markerOf(b))) },
    ],
    [
      'a marker of another value',
      'invalid marker vout for original pubkey',
      { outputs: part.with(3, out(9999n, markerOf(a))) },
    ],
    ['an order that is over', 'order is expired', { height: 50 }],
  ])('is refused with %s', (_, words, given) => {
    expect(fill(given)).toBe(words)
  })

  test('may pay more than the price, and less than a satoshi for each unit is cut off', () => {
    expect(fill({ outputs: part.with(2, out(4001n, p2pk(a))) })).toEqual({ spent: 1, paid: 3 })
    const two = { terms: { price: 2n }, spent: { unitPrice: 2n } }
    expect(fill({ ...two, outputs: part.with(2, out(8n, p2pk(a))) })).toEqual({ spent: 1, paid: 3 })
    expect(fill({ ...two, outputs: part.with(2, out(7n, p2pk(a))) })).toBe(
      'mismatched vout0 remainder for fillask',
    )
  })

  describe('with a royalty', () => {
    // A tenth of each whole thousand satoshis, for which the creator has an output.
    const shared = [left, units, out(3600n, p2pk(a)), out(400n, p2pk(c)), marker]
    const royal = (changes: Given = {}) => fill({ outputs: shared, royalty: 100n, ...changes })

    test('pays the creator a share', () => {
      expect(royal()).toEqual({ spent: 1, paid: 3 })
      expect(royal({ outputs: shared.with(3, out(400n, p2pk(b))) })).toBe(
        'vout3 invalid royalty destination for fillask',
      )
      const less = shared.with(2, out(3601n, p2pk(a))).with(3, out(399n, p2pk(c)))
      expect(royal({ outputs: less })).toBe('vout3 invalid royalty amount for fillask')
      expect(royal({ outputs: shared.slice(0, 3) })).toBe('mismatched vout0 remainder for fillask')
      expect(royal({ outputs: shared.with(4, out(1n, markerOf(a))) })).toBe(
        'invalid marker vout for original pubkey',
      )
      // 4999 satoshis count as four thousand.
      const more = shared.with(2, out(4599n, p2pk(a)))
      expect(royal({ outputs: more })).toEqual({ spent: 1, paid: 3 })
    })

    test('pays the seller what the creator does not get, if that is less', () => {
      const outputs = shared.with(2, out(1600n, p2pk(a))).with(3, out(2400n, p2pk(c)))
      expect(royal({ outputs, royalty: 600n })).toEqual({ spent: 1, paid: 3 })
    })

    test('pays one party alone where a share would be dust: whose share is larger', () => {
      // The whole order is worth 10 units for 400 satoshis, so a share of it is too small.
      const small = { spent: { unitPrice: 40n }, terms: { price: 40n } }
      const to = (pubkey: string) => part.with(2, out(160n, p2pk(pubkey)))
      expect(fill({ ...small, royalty: 499n, outputs: to(a) })).toEqual({ spent: 1, paid: 3 })
      expect(fill({ ...small, royalty: 500n, outputs: to(c) })).toEqual({ spent: 1, paid: 3 })
      expect(fill({ ...small, royalty: 500n, outputs: to(a) })).toBe(
        'vout2 should be normal to token creator for fillask',
      )
      expect(fill({ ...small, royalty: 499n, outputs: to(c) })).toBe(
        'vout2 should be normal to order creator for fillask',
      )
    })
  })
})

describe('a fill of a bid', () => {
  // 10,000 satoshis for 1000 each, for which 4 units of 9 that were brought are given
  const [left, paid, units, marker, change] = [
    out(6000n, bids),
    out(4000n, p2pk(b)),
    out(4n, keyTokens(a)),
    out(10_000n, markerOf(a)),
    out(5n, keyTokens(b)),
  ]
  const part = [left, paid, units, marker, change]
  const fill = (given: Given = {}) =>
    checkFillBid(
      stepOf({ outputs: part, brought: 9n, ...given }),
      { ...orderOf, ...given.terms } as never,
      { ...orderOf, value: 10_000n, ...given.spent } as never,
    )

  test('leaves the rest as an order with a marker, and change of the units or none', () => {
    expect(fill()).toEqual({ spent: 1, paid: 4 })
    expect(fill({ outputs: part.slice(0, 4), brought: 4n })).toEqual({ spent: 1, paid: 3 })
    const plain = [...part.slice(0, 4), out(7n, p2pk(b))]
    expect(fill({ outputs: plain, brought: 4n })).toEqual({ spent: 1, paid: 3 })
  })

  test('leaves what buys no unit to the maker, or as dust with the module', () => {
    const last = (rest: TransactionOutput, coins: bigint) => [
      rest,
      out(coins, p2pk(b)),
      out(9n, keyTokens(a)),
    ]
    const dear = last(out(999n, p2pk(a)), 9001n).with(2, out(8n, keyTokens(a)))
    expect(fill({ outputs: dear, brought: 8n })).toBe('vout0 mismatched remainder for fillbid')
    expect(
      fill({
        outputs: last(out(999n, p2pk(a)), 9001n).with(2, out(10n, keyTokens(a))),
        brought: 10n,
      }),
    ).toEqual({ spent: 1, paid: 1 })
    expect(
      fill({
        outputs: last(out(501n, p2pk(a)), 9499n).with(2, out(10n, keyTokens(a))),
        brought: 10n,
      }),
    ).toEqual({ spent: 1, paid: 1 })
    expect(fill({ outputs: last(out(501n, bids), 9499n) })).toBe(
      'vout0 should be order originator normal address with remainder for fillbid',
    )
    expect(
      fill({ outputs: last(out(500n, bids), 9500n).with(2, out(10n, keyTokens(a))), brought: 10n }),
    ).toEqual({ spent: 1, paid: 2 })
    expect(fill({ outputs: last(out(500n, p2pk(a)), 9500n) })).toBe(
      'mismatched vout0 global assets CC addr for fillbid',
    )
    const changed = [...last(out(501n, p2pk(a)), 9499n), out(3n, keyTokens(b))]
    expect(fill({ outputs: changed.with(2, out(10n, keyTokens(a))), brought: 13n })).toEqual({
      spent: 1,
      paid: 2,
    })
    const open = part.with(0, out(1000n, bids)).with(1, out(9000n, p2pk(b)))
    expect(fill({ outputs: open.with(2, out(9n, keyTokens(a))).slice(0, 4) })).toEqual({
      spent: 1,
      paid: 3,
    })
  })

  test.each<[string, string, Given]>([
    ['two outputs', 'not enough vouts for fillbid', { outputs: part.slice(0, 2) }],
    [
      'another maker',
      'mismatched opreturn originator pubkeys for fillbid',
      { terms: { origin: b } },
    ],
    ['another price', 'mismatched unit price for fillbid', { terms: { price: 999n } }],
    ['no price', 'invalid unit price', { terms: { price: 0n }, spent: { unitPrice: 0n } }],
    ['another end', 'invalid expiry height', { terms: { expiryHeight: 51 } }],
    [
      'more coins than there are',
      'input cc value does not equal to vout0+1 for fillbid',
      { outputs: part.with(1, out(4001n, p2pk(b))) },
    ],
    [
      'the rest to the maker',
      'mismatched vout0 global assets CC addr for fillbid',
      { outputs: part.with(0, out(6000n, p2pk(a))) },
    ],
    ['another token', 'invalid tokenid in vout for tokenfillbid', { others: [2] }],
    [
      'units to another key, and change',
      'vout2 tokens value should go to originator pubkey for fillbid',
      { outputs: part.with(2, out(4n, keyTokens(c))) },
    ],
    [
      'units that were not brought',
      'tokens inputs doesnt match tokens vout2+vout4 for fillbid',
      { brought: 10n },
    ],
    [
      'units to another key',
      'vout2 should have tokens to originator cc addr for fillbid',
      { outputs: part.slice(0, 4).with(2, out(4n, keyTokens(c))), brought: 4n },
    ],
    [
      'units that disappear',
      'vout2 should have tokens to originator cc addr for fillbid',
      { outputs: part.slice(0, 4) },
    ],
    [
      'coins to a condition',
      'vout 1 should be normal for fillbid',
      { outputs: part.with(1, out(4000n, keyTokens(b))) },
    ],
    [
      'a marker of another maker',
      'invalid vout3 marker for originator pubkey for fillbid',
      { outputs: part.with(3, out(10_000n, markerOf(b))) },
    ],
    [
      'a marker of another value',
      'invalid vout3 marker for originator pubkey for fillbid',
      { outputs: part.with(3, out(1n, markerOf(a))) },
    ],
    [
      'more coins for each unit',
      'vout0 mismatched remainder for fillbid',
      { outputs: part.with(2, out(3n, keyTokens(a))), brought: 8n },
    ],
    [
      'no units',
      'vout0 mismatched remainder for fillbid',
      { outputs: part.with(2, out(0n, keyTokens(a))), brought: 5n },
    ],
    [
      'no coins',
      'vout0 mismatched remainder for fillbid',
      { outputs: part.with(0, out(10_000n, bids)).with(1, out(0n, p2pk(b))) },
    ],
    ['an order that is over', 'order is expired', { height: 50 }],
  ])('is refused with %s', (_, words, given) => {
    expect(fill(given)).toBe(words)
  })

  test('counts no units of an input whose output is not known', () => {
    const outputs = part.slice(0, 4)
    for (const spends of [
      [other, 0],
      [tokenid, 5],
    ] as const) {
      expect(fill({ outputs, spends, brought: 9n })).toEqual({ spent: 1, paid: 3 })
    }
  })

  describe('with a royalty', () => {
    const share = out(800n, p2pk(c))
    const shared = [out(12_000n, bids), out(7200n, p2pk(b)), share, units, marker, change]
    const dearer = { terms: { price: 2000n }, spent: { unitPrice: 2000n, value: 20_000n } }
    const royal = (changes: Given = {}) =>
      fill({ ...dearer, outputs: shared, royalty: 100n, ...changes })

    test('pays the creator a share', () => {
      expect(royal()).toEqual({ spent: 1, paid: 4 })
      expect(royal({ outputs: shared.with(2, out(800n, p2pk(b))) })).toBe(
        'vout2 invalid royalty detination for fillask',
      )
      const less = shared.with(1, out(7201n, p2pk(b))).with(2, out(799n, p2pk(c)))
      expect(royal({ outputs: less })).toBe('vout2 invalid royalty amount for fillask')
      expect(royal({ outputs: shared.with(1, out(7201n, p2pk(b))) })).toBe(
        'input cc value does not equal to vout0+1+2 for fillbid',
      )
      expect(royal({ others: [2] })).toEqual({ spent: 1, paid: 4 })
      expect(royal({ others: [3] })).toBe('invalid tokenid in vout for tokenfillbid')
      expect(royal({ outputs: shared.with(4, out(1n, markerOf(a))) })).toBe(
        'invalid vout4 marker for originator pubkey for fillbid',
      )
      expect(royal({ brought: 10n })).toBe(
        'tokens inputs doesnt match tokens vout3+vout5 for fillbid',
      )
    })

    test('needs an output of tokens, by whose value it is decided', () => {
      const none = [left, paid, out(1n, p2pk(b))]
      expect(royal({ outputs: none })).toBe('could not find token vout for fillbid')
      expect(fill({ outputs: none })).toBe(
        'vout2 should have tokens to originator cc addr for fillbid',
      )
    })

    test('pays one party alone where a share would be dust', () => {
      const small = { spent: { unitPrice: 40n, value: 400n }, terms: { price: 40n } }
      const to = (pubkey: string) => [
        out(240n, bids),
        out(160n, p2pk(pubkey)),
        units,
        marker,
        change,
      ]
      expect(fill({ ...small, royalty: 499n, outputs: to(b) })).toEqual({ spent: 1, paid: 4 })
      expect(fill({ ...small, royalty: 500n, outputs: to(c) })).toEqual({ spent: 1, paid: 4 })
      expect(fill({ ...small, royalty: 500n, outputs: to(b) })).toBe(
        'vout 1 should go to token owner for fillbid (dust reason)',
      )
    })
  })
})

test('bytes that are not a key have no script for tokens', () => {
  expect(tokensScript(a)).toBe(keyTokens(a))
  expect(tokensScript('abcd')).toBeUndefined()
})
