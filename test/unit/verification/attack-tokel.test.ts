// The attacks of the project's threat model, on tokeld's operations. Bytes are not a transaction;
// parents are wrong or missing; tokens, orders and creations are made up; evidence is out of date.
// None may pass.

import { describe, expect, test } from 'vitest'

import {
  type Evidence,
  encodeTokenPayload,
  encodeTransaction,
  networks,
  type TokenOrderIntent,
  type TransferIntent,
  verifyTokenCreate,
  verifyTokenOrder,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { placesOf } from '../../support/share.ts'
import { a, b, c } from '../../support/sign-tokel.ts'
import { inMutationRun, testUnless } from '../../support/skip.ts'
import {
  type Baseline,
  createBaselines,
  orderBaselines,
  transferBaselines,
} from '../../support/tokel-baselines.ts'
import * as market from '../../support/tokel-market.ts'

const network = networks.tokel
const { tokenid, otherTokenid } = market
const baselines = [...createBaselines, ...orderBaselines, ...transferBaselines]

const rejectsOf = (report: ReturnType<Baseline['check']>) =>
  report.findings.filter(({ severity }) => severity === 'reject').map(({ code }) => code)

describe.each(baselines)('$name', ({ made: { hex, tx }, evidence: whole, check }) => {
  /** Without the creation by itself, which may be the one that is gone. */
  const without = (gone: string): Evidence => {
    const { tokenCreate: _, ...rest } = whole
    const previousTransactions = whole.previousTransactions.filter((it) => it !== gone)
    return { ...rest, previousTransactions }
  }

  test.each([
    ['half a byte less', hex.slice(0, -1), 'odd_length_hex'],
    ['a letter that is not a digit', `${hex.slice(0, 20)}g${hex.slice(21)}`, 'malformed_hex'],
    ['a prefix', `0x${hex}`, 'malformed_hex'],
    ['a space', ` ${hex} `, 'malformed_hex'],
    ['nothing', '', 'empty_input'],
    ['a byte more', `${hex}00`, 'trailing_bytes'],
    ['itself twice', `${hex}${hex}`, 'trailing_bytes'],
    ['a count written long', hex.replace(/^(.{16})(..)/, '$1fd$200'), 'non_canonical_length'],
    ['a witness', `01000000${'0001'}${hex.slice(16)}`, 'segwit_unsupported'],
    ['what a daemon says of an error', Buffer.from('{"error"').toString('hex'), 'count_over_input'],
    ['more than a block', '00'.repeat(200_001), 'too_large'],
  ])('%s', (_, tamper, code) => {
    expect(rejectsOf(check(tamper, whole))).toContain(code)
  })

  test('upper case is the same', () => {
    expect(check(hex.toUpperCase(), whole)).toMatchObject({ ok: true, hex })
  })

  testUnless(inMutationRun)('rejects every prefix of it', () => {
    const prefixes = placesOf(hex.length / 2).map((length) => hex.slice(0, 2 * length))
    const passed = prefixes.filter((it) => check(it, whole).ok)
    expect(passed).toEqual([])
  })

  test('rejects it without one of its parents', () => {
    for (const { txid } of tx.inputs) {
      const codes = rejectsOf(check(hex, without(market.hexOf(txid))))
      expect(codes).toContain('prevout_missing')
      expect(codes).toContain('fee_unknown')
    }
  })

  test('rejects it with a parent of another hash', () => {
    for (const { txid, vout } of tx.inputs) {
      const parent = market.made(txid).tx
      const outputs = parent.outputs.map((it, at) =>
        at === vout ? { ...it, value: it.value + 1_000_000n } : it,
      )
      const tamper = encodeTransaction({ ...parent, outputs })
      const { previousTransactions, ...rest } = without(market.hexOf(txid))
      const evidence = { ...rest, previousTransactions: [...previousTransactions, tamper] }
      expect(rejectsOf(check(hex, evidence))).toContain('prevout_missing')
    }
  })

  test('rejects a stated amount that is wrong', () => {
    const amounts = tx.inputs.map(({ txid, vout }) => ({ txid, vout, value: 7n }))
    expect(rejectsOf(check(hex, { ...whole, amounts }))).toContain('amount_contradicted')
  })

  test('rejects it at its expiry height', () => {
    expect(rejectsOf(check(hex, { ...whole, tipHeight: tx.expiryHeight ?? 0 }))).toContain(
      'expired',
    )
  })
})

/** The baselines that move units of the token. */
const moving = [...orderBaselines, ...transferBaselines].filter(
  ({ made: { tx }, name }) => !/bid$|Bid$|v1/.test(name) && tx.inputs.length > 0,
)

describe.each(moving)('$name', ({ made: { hex }, check }) => {
  const whole = market.evidenceOf(hex)

  test('another creation is not the token’s', () => {
    const codes = rejectsOf(check(hex, { ...whole, tokenCreate: market.otherToken.hex }))
    expect(codes).toContain('token_create_malformed')
  })

  test('tokens that nothing leads to are reported', () => {
    const gone = market.given.hex
    const previousTransactions = whole.previousTransactions.filter((it) => it !== gone)
    const { findings } = check(hex, { ...whole, previousTransactions })
    expect(findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^(?:prevout_missing|token_parent_unproven)$/),
      ]),
    )
  })
})

describe('tokens that were made up', () => {
  /** Coins of A, said to be tokens by a transfer that spends none. */
  const fromNothing = market.make(
    [market.spare.a(0)],
    [
      { value: 400n, script: market.hashTokens(a) },
      { value: 400n, script: market.sharedTokens(2, [a, b, c]) },
      { value: 400n, script: market.namedTokens(a, tokenid) },
      { value: 99_000_000n, script: market.p2pk(a) },
      market.nulldata(tokenid),
    ],
  )
  /** The same tokens twice as many. */
  const doubled = market.make(
    [market.spare.a(1), [market.given, 0]],
    [
      { value: 800n, script: market.hashTokens(a) },
      { value: 99_989_600n, script: market.p2pk(a) },
      market.nulldata(tokenid),
    ],
  )
  const uncoloured = market.make(
    [market.spare.a(2)],
    [
      { value: 400n, script: market.hashTokens(a) },
      { value: 99_989_600n, script: market.p2pk(a) },
    ],
  )

  const give = (from: [market.Made, number], amount = 100n) => {
    const { value } = from[0].tx.outputs[from[1]]!
    return market.make(
      [market.spare.a(3), from],
      [
        { value: amount, script: market.hashTokens(b) },
        ...(value > amount ? [{ value: value - amount, script: market.hashTokens(a) }] : []),
        { value: 99_990_000n, script: market.p2pk(a) },
        market.nulldata(tokenid),
      ],
    )
  }
  const check = ({ hex }: market.Made, asked: Partial<TransferIntent> = {}) =>
    verifyTokenTransfer(
      hex,
      { tokenid, destination: b, amount: 100n, from: a, network, ...asked },
      market.evidenceOf(hex),
    )

  test.each([
    ['by a transfer that spends none', [fromNothing, 0], 'fake_token_input'],
    ['by one that doubles them', [doubled, 0], 'fake_token_input'],
    ['by coins that nothing names', [uncoloured, 0], 'foreign_token_input'],
    ['of another token', [market.otherGiven, 0], 'foreign_token_input'],
    ['named by themselves', [fromNothing, 2], 'fake_token_input'],
  ] as [string, [market.Made, number], string][])('%s', (_, from, code) => {
    expect(rejectsOf(check(give(from)))).toContain(code)
  })

  test('tokens that were made up for several keys are rejected', () => {
    const made = market.make(
      [market.spare.a(3), [fromNothing, 1]],
      [
        { value: 100n, script: market.hashTokens(b) },
        { value: 300n, script: market.sharedTokens(2, [a, b, c]) },
        { value: 99_990_000n, script: market.p2pk(a) },
        market.nulldata(tokenid),
      ],
    )
    const fromKeys = { required: 2, pubkeys: [a, b, c] }
    expect(rejectsOf(check(made, { fromKeys }))).toContain('fake_token_input')
    // one of them alone holds nothing
    expect(rejectsOf(check(made))).toContain('foreign_condition_input')
  })

  test('tokens that were made up to be bought are rejected', () => {
    const ask = market.make(
      [market.spare.a(4)],
      [
        { value: 100n, script: market.asks },
        { value: 10_000n, script: market.markerOf(a) },
        { value: 99_000_000n, script: market.p2pk(a) },
        market.nulldata(tokenid, market.orderBytes('s', 10_000n, a)),
      ],
    )
    expect(rejectsOf(buy(ask))).toContain('fake_token_input')
  })

  test('left of an order that there never was', () => {
    const rest = market.make(
      [market.spare.a(5), [market.given, 0]],
      [
        { value: 100n, script: market.asks },
        { value: 300n, script: market.hashTokens(a) },
        { value: 10_000n, script: market.markerOf(a) },
        { value: 99_980_000n, script: market.p2pk(a) },
        market.nulldata(tokenid, market.orderBytes('S', 10_000n, a)),
      ],
    )
    expect(rejectsOf(buy(rest))).toContain('order_malformed')
  })
})

const buy = (order: market.Made, asked: Partial<TokenOrderIntent> = {}, evidence: object = {}) => {
  const made = market.make(
    [market.spare.b(0), [order, 0]],
    [
      { value: 70n, script: market.asks },
      { value: 30n, script: market.keyTokens(b) },
      { value: 270_000n, script: market.p2pk(a) },
      { value: 30_000n, script: market.p2pk(c) },
      { value: 10_000n, script: market.markerOf(a) },
      { value: 99_680_000n, script: market.p2pk(b) },
      market.nulldata(tokenid, market.orderBytes('S', 10_000n, a)),
    ],
  )
  const price = 300_000n
  const intent = {
    kind: 'fillAsk',
    order: order.txid,
    tokenid,
    units: 30n,
    price,
    from: b,
    network,
  }
  return verifyTokenOrder(made.hex, { ...intent, ...asked } as TokenOrderIntent, {
    ...market.evidenceOf(made.hex),
    ...evidence,
  })
}

describe('orders that are not what they are said to be', () => {
  const { ask, bid } = market
  const wholeEvidence = market.everything()

  test('the honest one passes', () => {
    expect(rejectsOf(buy(ask))).toEqual([])
  })

  test.each([
    ['nowhere', { order: '00'.repeat(32) }, {}, 'order_missing'],
    ['a bid', { order: bid.txid }, {}, 'order_malformed'],
    ['no order', { order: market.given.txid }, {}, 'order_malformed'],
    ['of another token', { tokenid: otherTokenid }, {}, 'order_malformed'],
    ['at another price', { price: 290_000n }, {}, 'order_fill'],
    ['at a price that is too high', { price: 310_000n }, {}, 'payment_amount'],
    ['of fewer units', { units: 101n }, {}, 'order_fill'],
    ['of no units', { units: 0n }, {}, 'intent_amount'],
    [
      'with nobody to tell its royalty',
      {},
      {
        tokenCreate: undefined,
        previousTransactions: wholeEvidence.filter((it) => it !== market.token.hex),
      },
      'royalty_unknown',
    ],
    ['ended', {}, { tipHeight: market.orderEnd - 1 }, 'order_expired'],
  ])('%s', (_, asked, evidence, code) => {
    expect(rejectsOf(buy(ask, asked as Partial<TokenOrderIntent>, evidence))).toContain(code)
  })

  test('an offer with an end is a warning if no height is given', () => {
    const { findings } = buy(ask, {}, { tipHeight: undefined })
    const warned = findings.filter(({ code }) => code === 'expiry_not_checked')
    expect(warned.map(({ path }) => path)).toContain('intent.order')
  })

  // tokel src/cc/assets.cpp, "order is expired": in the next block at the earliest
  test('an offer can be filled in the block before its end, and not in that of its end', () => {
    const at = (tipHeight: number) =>
      buy(ask, {}, { tipHeight }).findings.filter(({ code }) => code === 'order_expired')
    const { orderEnd } = market
    expect(at(orderEnd - 2)).toEqual([])
    expect(at(orderEnd - 1)).toMatchObject([
      { path: 'intent.order', expected: `above ${orderEnd}`, actual: orderEnd },
    ])
  })

  // tokel src/rpc/tokensrpc.cpp, tokenask: the height of the tip and four weeks
  test('an offer with an end cannot be distinguished from others without one', () => {
    const intent = { tokenid, units: 100n, price: 1_000_000n, from: a, network } as const
    const { tipHeight: _, ...evidence } = market.evidenceOf(ask.hex)
    const report = verifyTokenOrder(ask.hex, { ...intent, kind: 'ask' }, evidence)
    expect(report.ok).toBe(true)
    expect(report.findings.map(({ code, path }) => `${code} ${path}`).toSorted()).toEqual([
      'expiry_not_checked expiryHeight',
      'expiry_not_checked outputs',
      'royalty_share intent.price',
    ])
  })

  test.each([
    ['that has ended', { expiryHeight: market.tipHeight + 1 }, 'order_expired'],
    ['with an end that no order can have', { expiryHeight: 2 ** 31 }, 'order_expiry'],
    ['with another end', { expiryHeight: market.orderEnd + 1 }, 'order_terms'],
    ['too cheap for any chain', { units: 100n, price: 50_000n }, 'intent_price'],
    ['at a price that units do not share', { price: 1_000_001n }, 'intent_price'],
    ['of another’s', { from: b }, 'unexpected_input'],
  ])('an offer %s', (_, asked, code) => {
    const intent = { kind: 'ask', tokenid, units: 100n, price: 1_000_000n, from: a, network }
    const report = verifyTokenOrder(
      ask.hex,
      { ...intent, ...asked } as TokenOrderIntent,
      market.evidenceOf(ask.hex),
    )
    const rejects: string[] = rejectsOf(report)
    expect(rejects).toContain(code)
  })

  test.each([
    [10, 0],
    [-10, 0],
    [11, 1],
    [-11, 1],
  ])('an offer made %i blocks off, where ten are allowed', (blocks, count) => {
    const intent = { tokenid, units: 100n, price: 1_000_000n, from: a, network } as const
    const asked = { ...intent, kind: 'ask', expiryBlocksMax: 10 } as const
    const tipHeight = market.tipHeight + blocks
    const { findings } = verifyTokenOrder(ask.hex, asked, {
      ...market.evidenceOf(ask.hex),
      tipHeight,
    })
    const found = findings.filter(({ code }) => code === 'order_expiry')
    const details = { expected: `about ${tipHeight + 40_320}`, actual: market.orderEnd }
    expect(found).toMatchObject(Array.from({ length: count }, () => details))
    expect(found).toHaveLength(count)
  })

  // tokel src/rpc/tokensrpc.cpp, tokenask: four weeks, whatever -txexpirydelta is
  test.each([
    [undefined, 400, 0],
    [undefined, -401, 1],
    [50_000, 400, 0],
    [50_000, -400, 0],
    [50_000, 401, 1],
    [400_000, -401, 1],
    [400_000, market.orderEnd, 1],
  ])(
    'transactions that may live for %s blocks allow no offer made %i off',
    (most, blocks, count) => {
      const intent = { kind: 'ask', tokenid, units: 100n, price: 1_000_000n, from: a } as const
      const asked = { ...intent, network, ...(most && { expiryBlocksMax: most }) }
      const tipHeight = market.tipHeight + blocks
      const { findings } = verifyTokenOrder(ask.hex, asked, {
        ...market.evidenceOf(ask.hex),
        tipHeight,
      })
      expect(findings.filter(({ code }) => code === 'order_expiry')).toHaveLength(count)
    },
  )

  // tokel src/cc/assets.cpp, unit_price: above ASSETS_NORMAL_DUST, which is 500
  test.each([
    [{ units: 100n, price: 50_100n }, ['royalty_share']],
    [{ units: 100n, price: 50_000n }, ['intent_price']],
    [{ units: 1n, price: 501n }, []],
    [{ units: 1n, price: 500n }, ['intent_price']],
    [{ units: 0n, price: 50_100n }, ['intent_amount']],
    [{ expiryHeight: 0x7fff_ffff }, ['royalty_share']],
    [{ expiryHeight: 0x8000_0000 }, ['order_expiry']],
  ])('an offer of %o', (asked, expected) => {
    const intent = { kind: 'ask', tokenid, units: 100n, price: 1_000_000n, from: a, network }
    const { findings } = verifyTokenOrder(
      ask.hex,
      { ...intent, ...asked } as TokenOrderIntent,
      market.evidenceOf(ask.hex),
    )
    const found = findings.filter(({ path }) => path.startsWith('intent.'))
    expect(found.map(({ code }) => code)).toEqual(expected)
  })

  // tokel src/cc/assets.cpp: assets v2, f6, trade tokens v2, f5, alone
  test('an offer of tokens v1', () => {
    const { oldToken } = market
    const { hex } = market.make(
      [market.spare.b(3), [oldToken, 1]],
      [
        { value: 1000n, script: market.asks },
        { value: 10_000n, script: market.markerOf(b) },
        { value: 99_980_000n, script: market.p2pk(b) },
        market.nulldata(oldToken.txid, market.orderBytes('s', 10_000n, b)),
      ],
    )
    const asked = { kind: 'ask', tokenid: oldToken.txid, units: 1000n, from: b, network } as const
    const evidence = market.evidenceOf(hex, oldToken.hex)
    const report = verifyTokenOrder(hex, { ...asked, price: 10_000_000n }, evidence)
    expect(rejectsOf(report)).toContain('token_create_malformed')
  })

  test('an offer without outputs', () => {
    const intent = { tokenid, units: 100n, price: 1_000_000n, from: a, network } as const
    const hex = encodeTransaction({ ...ask.tx, outputs: [] })
    const report = verifyTokenOrder(hex, { ...intent, kind: 'ask' }, market.evidenceOf(hex))
    const details = { expected: `about ${market.orderEnd}`, actual: 'none' }
    expect(report.findings).toContainEqual(
      expect.objectContaining({ code: 'order_expiry', path: 'outputs', ...details }),
    )
  })

  /** Returns the rejections of an offer by `a`, who also owns the key of `b`. */
  function rejectsWithFurtherKey(hex: string, kind: 'ask' | 'bid', units: bigint): string[] {
    const intent = { kind, tokenid, units, price: 1_000_000n, from: a, network, ownKeys: [b] }
    return rejectsOf(verifyTokenOrder(hex, intent, market.evidenceOf(hex)))
  }

  test('an offer that only a further key pays for', () => {
    const made = market.make(
      [market.spare.b(1), [market.given, 0]],
      [
        { value: 100n, script: market.asks },
        { value: 10_000n, script: market.markerOf(a) },
        { value: 300n, script: market.keyTokens(a) },
        { value: 99_980_000n, script: market.p2pk(a) },
        market.nulldata(tokenid, market.orderBytes('s', 10_000n, a)),
      ],
    )
    expect(rejectsWithFurtherKey(made.hex, 'ask', 100n)).toEqual(['order_maker'])
  })

  // tokel src/cc/assets.cpp, TotalPubkeyNormalInputs: more than none of its maker's
  test.each([
    ['alone', [market.spare.b(2)], ['order_maker']],
    ['beside its maker', [market.spare.a(5), market.spare.b(2)], []],
    ['before its maker', [market.spare.b(2), market.spare.a(5)], []],
  ] as [string, [market.Made, number][], string[]][])(
    'a bid that a further key pays for %s',
    (_, coins, expected) => {
      const made = market.make(coins, [
        { value: 1_000_000n, script: market.bids },
        { value: 10_000n, script: market.markerOf(a) },
        { value: BigInt(coins.length) * 100_000_000n - 1_020_000n, script: market.p2pk(a) },
        market.nulldata(tokenid, market.orderBytes('b', 100_000n, a)),
      ])
      expect(rejectsWithFurtherKey(made.hex, 'bid', 10n)).toEqual(expected)
    },
  )

  test('another’s order is not given back', () => {
    const { hex } = market.cancelAsk
    const intent = { kind: 'cancelAsk', tokenid, order: ask.txid, from: b, network } as const
    const codes = rejectsOf(verifyTokenOrder(hex, intent, market.evidenceOf(hex)))
    expect(codes).toContain('order_not_own')
  })
})

describe('a request that cannot be met', () => {
  const key = { destination: b }
  test.each([
    [
      'an address of nobody',
      { destination: 'RUC4vHRqYCsaUMgWp6f7o1pQQYg99a8vtL' },
      'intent_pubkey',
    ],
    [
      'an address of a script',
      { destination: 'bCkCPqpKnYUYXoBxeNxBjtMcLTf4jjbnDV' },
      'intent_pubkey',
    ],
    ['the address that burns', { destination: market.burnAddress }, 'intent_burn'],
    ['the address of a module', { destination: market.moduleAddress }, 'intent_module_key'],
    ['an address, to burn', { destination: market.addressOfC, burn: true }, 'intent_not_burn'],
    ['no keys', { ...key, destinationKeys: { required: 1, pubkeys: [] } }, 'intent_keys'],
    [
      'more signatures than keys',
      { ...key, destinationKeys: { required: 2, pubkeys: [b] } },
      'intent_keys',
    ],
    ['no signature', { ...key, destinationKeys: { required: 0, pubkeys: [b] } }, 'intent_keys'],
    ['a key twice', { ...key, destinationKeys: { required: 2, pubkeys: [b, b] } }, 'intent_keys'],
    [
      'keys that begin with another',
      { ...key, destinationKeys: { required: 1, pubkeys: [c, b] } },
      'intent_keys',
    ],
    [
      'a key of a module',
      { ...key, destinationKeys: { required: 1, pubkeys: [b, market.assetsKey] } },
      'intent_module_key',
    ],
    [
      'a key that burns',
      { ...key, destinationKeys: { required: 1, pubkeys: [b, market.burnKey] } },
      'intent_burn',
    ],
    ['no key', { ...key, fromKeys: { required: 1, pubkeys: ['02'] } }, 'intent_pubkey'],
    [
      'too many keys',
      { ...key, fromKeys: { required: 1, pubkeys: market.manyKeys } },
      'intent_keys',
    ],
    [
      'keys on komodod',
      { ...key, network: networks.assetChain, fromKeys: { required: 1, pubkeys: [b] } },
      'intent_keys',
    ],
    [
      'an address on komodod',
      { destination: market.addressOfC, network: networks.assetChain },
      'intent_pubkey',
    ],
    [
      'tokens that begin with another',
      { ...key, tokenids: [otherTokenid, tokenid] },
      'intent_tokenids',
    ],
    ['a token twice', { ...key, tokenids: [tokenid, tokenid] }, 'intent_tokenids'],
    ['no token', { ...key, tokenids: [tokenid, '00'] }, 'intent_tokenid'],
    ['no tokens', { ...key, tokenids: [] }, 'intent_tokenids'],
    [
      'several tokens to an address',
      { destination: market.addressOfC, tokenids: [tokenid] },
      'intent_tokenids',
    ],
    [
      'several tokens on komodod',
      { ...key, network: networks.assetChain, tokenids: [tokenid] },
      'intent_tokenids',
    ],
  ])('%s', (_, asked, code) => {
    const { hex } = market.toAddress
    const intent = { tokenid, amount: 150n, from: a, network, ...asked }
    const report = verifyTokenTransfer(hex, intent, market.evidenceOf(hex))
    expect(rejectsOf(report)).toContain(code)
  })

  test.each([
    ['data beside', { data: 'f701', properties: {} }, 'intent_properties'],
    ['a royalty of all', { properties: { royalty: 1000 } }, 'intent_properties'],
    ['a number below nothing', { properties: { id: -1 } }, 'intent_properties'],
    ['bytes that are none', { properties: { arbitrary: 'x' } }, 'intent_properties'],
    ['half of a character', { properties: { url: '\ud800' } }, 'intent_properties'],
    ['komodod', { network: networks.assetChain, properties: {} }, 'intent_properties'],
  ])('properties: %s', (_, asked, code) => {
    const { hex } = market.token
    const intent = { name: 'ART', supply: 1000n, description: '', owner: c, network, ...asked }
    expect(rejectsOf(verifyTokenCreate(hex, intent, market.evidenceOf(hex)))).toContain(code)
  })

  test('tokens v1 know neither addresses nor several keys', () => {
    const { oldToken, oldTransfer } = market
    const check = (asked: object) =>
      rejectsOf(
        verifyTokenTransfer(
          oldTransfer.hex,
          { tokenid: oldToken.txid, destination: a, amount: 10n, from: b, network, ...asked },
          market.evidenceOf(oldTransfer.hex, oldToken.hex),
        ),
      )
    expect(check({})).toEqual([])
    expect(check({ destination: market.addressOfC })).not.toEqual([])
    expect(check({ destinationKeys: { required: 1, pubkeys: [a] } })).not.toEqual([])
    expect(check({ tokenids: [oldToken.txid] })).not.toEqual([])
    // tokens.md, payload of v1: it names two keys and no more
    const generator = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
    const recipients = [a, c, generator].map((pubkey, at) => ({
      pubkey,
      amount: at === 0 ? 10n : 1n,
    }))
    expect(check({ recipients })).toContain('intent_recipients')
    expect(check({ recipients: recipients.slice(0, 2) })).not.toContain('intent_recipients')
  })
})

test('a transfer of a token whose properties tokeld refuses draws a warning', () => {
  const script = encodeTokenPayload({
    layout: 'tokens-v2',
    kind: 'create',
    owner: c,
    name: 'BAD',
    description: '',
    extras: [{ kind: 'nonFungible', data: 'f702' }],
  })
  const bad = market.make(
    [market.free.c],
    [
      { value: 10_000n, script: market.tokenMarker },
      { value: 1n, script: market.keyTokens(c) },
      { value: 99_979_999n, script: market.p2pk(c) },
      { value: 0n, script },
    ],
  )
  const { hex } = market.make(
    [
      [bad, 2],
      [bad, 1],
    ],
    [
      { value: 1n, script: market.hashTokens(a) },
      { value: 99_969_999n, script: market.p2pk(c) },
      market.nulldata(bad.txid),
    ],
  )
  const intent = { tokenid: bad.txid, destination: a, amount: 1n, from: c, network }
  const report = verifyTokenTransfer(hex, intent, market.evidenceOf(hex, bad.hex))
  expect(report.findings).toEqual([
    expect.objectContaining({ code: 'tokel_data', severity: 'warn', path: 'evidence.tokenCreate' }),
  ])
})
