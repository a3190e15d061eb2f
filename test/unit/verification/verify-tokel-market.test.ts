// These cases have no recording: they are written by hand. Each case agrees. Then it changes in
// every profitable way, with new signatures by the keys of all parties, including those of modules.

import { describe, expect, test } from 'vitest'
import {
  encodeTransaction,
  formatReport,
  networks,
  proveTokenOutput,
  type TokenFillIntent,
  type TokenOfferIntent,
  tokenScript,
  verifyTokenOrder,
  verifyTokenTransfer,
} from '../../../src/index.ts'
import { shareOf } from '../../support/share.ts'
import { a, b, c } from '../../support/sign-tokel.ts'
import {
  createBaselines,
  orderBaselines,
  transferBaselines,
} from '../../support/tokel-baselines.ts'
import { lacking, resigned, rowsOf } from '../../support/tokel-changes.ts'
import * as market from '../../support/tokel-market.ts'

const baselines = [...createBaselines, ...orderBaselines, ...transferBaselines]

test.each(baselines)('$name agrees', ({ name, made, roles, check }) => {
  const report = check(made.hex)
  const isFill = name.startsWith('fill')
  const expected = isFill ? ['fill_price'] : name === 'ask' ? ['royalty_share'] : []
  expect(report.findings.map(({ code }) => code)).toEqual(expected)
  expect(report).toMatchObject({ ok: true, fee: 10_000n })
  expect(report.effects.map(({ role }) => role)).toEqual(roles)
})

// a tenth goes to who created the token, and the price is what is paid with it
test.each([
  [
    'fillAsk',
    2,
    '30 units for 300000 satoshis, 10000 each, 30000 of them royalty; 70 for 700000 stay',
  ],
  ['fillAsk, whole', 2, '100 units for 1000000 satoshis, 10000 each, 100000 of them royalty'],
  [
    'fillBid',
    1,
    '4 units for 400000 satoshis, 100000 each, 40000 of them royalty; 6 for 600000 stay',
  ],
  ['fillBid, whole', 1, '10 units for 1000000 satoshis, 100000 each, 100000 of them royalty'],
])('%s tells its price with the royalty', (name, at, actual) => {
  const { made, check } = orderBaselines.find((it) => it.name === name)!
  const { findings } = check(made.hex)
  const expected = name.startsWith('fillAsk')
    ? '100 units for 1000000 satoshis, 10000 each'
    : '10 units for 1000000 satoshis, 100000 each'
  expect(findings).toMatchObject([
    { code: 'fill_price', path: `outputs[${at}].value`, expected, actual },
  ])
})

test.each([[0n], [-1n]])('a royalty of %s is not a part of a price', (value) => {
  const { made, check } = orderBaselines.find(({ name }) => name === 'fillAsk')!
  const outputs = made.tx.outputs.map((it, at) => (at === 3 ? { ...it, value } : it))
  const { findings } = check(encodeTransaction({ ...made.tx, outputs }))
  const reported = findings.filter(({ code }) => code === 'fill_price').map(({ actual }) => actual)
  // less than nothing is in no transaction of any chain
  expect(reported).toEqual(
    value < 0n ? [] : ['30 units for 270000 satoshis, 9000 each; 70 for 700000 stay'],
  )
})

// tokel src/cc/assets.cpp: a bid says what it gives for a unit; coins that buy none may be left in
// it
test('the price of a unit is the one that the order states', () => {
  const { bid, bids, given, keyTokens, make, markerOf, nulldata, orderBytes, p2pk } = market
  const coins = 100_000_000n
  const stated = nulldata(market.tokenid, orderBytes('B', 100_000n, b))
  const held = [
    { value: 4n, script: keyTokens(b) },
    { value: 10_000n, script: markerOf(b) },
    { value: 396n, script: keyTokens(a) },
  ]
  const sold = make(
    [market.spare.a(5), [bid, 0], [given, 0]],
    [
      { value: 600_001n, script: bids },
      { value: 360_000n, script: p2pk(a) },
      { value: 39_999n, script: p2pk(c) },
      ...held,
      { value: coins - 20_000n, script: p2pk(a) },
      stated,
    ],
  )
  const more = make(
    [market.spare.a(6), [sold, 0], [sold, 5]],
    [
      { value: 400_001n, script: bids },
      { value: 180_000n, script: p2pk(a) },
      { value: 20_000n, script: p2pk(c) },
      { value: 2n, script: keyTokens(b) },
      { value: 10_000n, script: markerOf(b) },
      { value: 394n, script: keyTokens(a) },
      { value: coins - 20_000n, script: p2pk(a) },
      stated,
    ],
  )
  const asked = { kind: 'fillBid', order: sold.txid, units: 2n, price: 200_000n, from: a } as const
  const { findings } = verifyTokenOrder(
    more.hex,
    { ...asked, tokenid: market.tokenid, network: networks.tokel },
    market.evidenceOf(more.hex),
  )
  expect(findings.find(({ code }) => code === 'fill_price')).toMatchObject({
    path: 'outputs[1].value',
    expected: '6 units for 600001 satoshis, 100000 each',
    actual: '2 units for 200000 satoshis, 100000 each, 20000 of them royalty; 4 for 400001 stay',
  })
})

// tokeld looks for the module's input wherever it stands
test('an order of tokeld that is not spent is missed where the first input is', () => {
  for (const name of ['fillAsk', 'fillBid', 'cancelAsk']) {
    const { check, made, intent } = orderBaselines.find((it) => it.name === name)!
    const order = 'order' in intent ? intent.order : ''
    const inputs = made.tx.inputs.filter((it) => it.txid !== order || it.vout !== 0)
    const { findings } = check(encodeTransaction({ ...made.tx, inputs }))
    const [first] = inputs
    expect(findings.find(({ code }) => code === 'order_input')).toMatchObject({
      path: 'inputs[0]',
      expected: `${order}:0`,
      actual: `${first!.txid}:${first!.vout}`,
    })
  }
})

test('the output of an order of tokeld need not be listed as spendable', () => {
  for (const name of ['fillAsk', 'fillBid', 'cancelAsk', 'cancelBid']) {
    const { made, evidence, ...rest } = orderBaselines.find((it) => it.name === name)!
    const intent = rest.intent as TokenFillIntent<'fillAsk'>
    const { order } = intent
    const own = made.tx.inputs.filter(({ txid, vout }) =>
      name === 'fillAsk' || name === 'fillBid' ? txid !== order || vout > 0 : false,
    )
    const spendable = own.map(({ txid, vout }) => ({ txid, vout }))
    expect(verifyTokenOrder(made.hex, { ...intent, spendable }, evidence).ok).toBe(true)
    const { findings } = verifyTokenOrder(made.hex, { ...intent, spendable: [] }, evidence)
    const unlisted = findings.filter(({ code }) => code === 'unlisted_input')
    expect(unlisted).toHaveLength(own.length)
  }
})

test('the end of an offer is shown where one was asked for', () => {
  const { made, evidence, intent, check } = orderBaselines[0]!
  const shown = (asked: object) => {
    const offer = { ...intent, ...asked } as TokenOfferIntent<'ask'>
    const given = { operation: 'tokenask', hex: made.hex, intent: offer, evidence } as const
    return formatReport(check(made.hex), { given }).split('\n')
  }
  expect(shown({ expiryHeight: market.orderEnd })).toContain(`  until    height ${market.orderEnd}`)
  for (const asked of [{}, { expiryHeight: undefined }]) {
    expect(shown(asked).filter((it) => it.includes('until'))).toEqual([])
  }
})

// tokel src/cc/CCtokens.cpp: outputs in another layout are not tokens v1
test.each<[string, readonly [market.Made, number]]>([
  ['a coin', market.spare.a(3)],
  ['the change of tokens v2', [market.toAddress, 2]],
])('tokens v1 without their creation are recognised by what is spent, paid by %s', (_, coin) => {
  const { oldToken, oldTransfer, p2pk } = market
  const [parent, vout] = coin
  const payload = oldTransfer.tx.outputs.at(-1)!
  const { value } = parent.tx.outputs[vout]!
  const made = market.make(
    [
      [parent, vout],
      [oldTransfer, 0],
    ],
    [
      { value: 4n, script: tokenScript(b) },
      { value: 6n, script: tokenScript(a) },
      { value: value - 10_000n, script: p2pk(a) },
      { ...payload, script: payload.script.replace(new RegExp(`${a}$`), b) },
    ],
  )
  const intent = { tokenid: oldToken.txid, destination: b, amount: 4n, from: a }
  const check = (previousTransactions: readonly string[], tokenCreate?: string) =>
    verifyTokenTransfer(
      made.hex,
      { ...intent, network: networks.tokel },
      {
        previousTransactions,
        tipHeight: market.tipHeight,
        ...(tokenCreate !== undefined && { tokenCreate }),
      },
    )
  const report = check([parent.hex, oldTransfer.hex])
  expect(report.findings.map(({ code }) => code)).toEqual([
    'token_create_missing',
    'token_parent_unproven',
  ])
  expect(report.ok).toBe(true)
  const layout = (...given: Parameters<typeof check>) =>
    check(...given).findings.some(({ code }) => code === 'nulldata_layout')
  expect(layout([parent.hex])).toBe(true)
  expect(layout([parent.hex], oldToken.hex)).toBe(false)
  const without = check([oldTransfer.hex]).findings.filter(({ severity }) => severity === 'reject')
  expect(without.map(({ code }) => code)).toEqual(['prevout_missing', 'fee_unknown'])
})

// each of several tokens names itself; what names none of them, or nothing, is not the wallet's to
// give
test.each([
  ['another token', [market.nulldata(market.oldToken.txid)]],
  ['no token', []],
])('beside several tokens %s is reported as not the first of them', (_, payload) => {
  const { check, made } = transferBaselines.find(({ name }) => name === 'several tokens')!
  const [held] = market.given.tx.outputs
  const parent = market.make([market.spare.a(4)], [held!, ...payload])
  const inputs = [...made.tx.inputs, { ...made.tx.inputs[1]!, txid: parent.txid, vout: 0 }]
  const evidence = market.evidenceOf(made.hex)
  expect(check(encodeTransaction({ ...made.tx, inputs }), evidence).findings).toContainEqual(
    expect.objectContaining({
      code: 'foreign_token_input',
      path: `inputs[${made.tx.inputs.length}]`,
      expected: market.tokenid,
    }),
  )
})

// tokel src/cc/CCtokens.cpp: an output that drops no payload is of the token that the last output
// names; with several tokens the last output names no token
describe('several tokens that are burned', () => {
  const { burnKey, keyTokens, make, namedTokens, otherTokenid, p2pk, tokenid } = market
  const burn = (script: (of: string) => string) =>
    make(
      [market.free.a, [market.given, 0], [market.otherGiven, 0]],
      [
        { value: 25n, script: script(tokenid) },
        { value: 375n, script: namedTokens(a, tokenid) },
        { value: 25n, script: script(otherTokenid) },
        { value: 375n, script: namedTokens(a, otherTokenid) },
        { value: 99_990_000n, script: p2pk(a) },
      ],
    )
  const asked = { tokenid, tokenids: [tokenid, otherTokenid], destination: burnKey, amount: 25n }
  const check = ({ hex }: market.Made) =>
    verifyTokenTransfer(
      hex,
      { ...asked, from: a, burn: true, network: networks.tokel },
      market.evidenceOf(hex),
    )
  const proven = ({ hex, txid }: market.Made) =>
    [tokenid, otherTokenid].map((of, at) => {
      const { previousTransactions } = market.evidenceOf(hex)
      const known = [...previousTransactions, hex]
      return proveTokenOutput(txid, 2 * at, of, known, { network: networks.tokel }).verdict
    })

  test('name theirs, as those that are given do', () => {
    const made = burn((of) => namedTokens(burnKey, of))
    expect(check(made)).toMatchObject({ ok: true, findings: [] })
    expect(proven(made)).toEqual(['proven', 'proven'])
  })

  test('are none where they name nothing', () => {
    const made = burn(() => keyTokens(burnKey))
    const { ok, findings } = check(made)
    expect(ok).toBe(false)
    expect(findings.map(({ code }) => code)).toContain('destination_condition')
    expect(proven(made)).toEqual(['disproven', 'disproven'])
  })
})

const rows = baselines.map((baseline, turn) => ({ ...baseline, turn, rows: rowsOf(baseline) }))

test('every table is long enough', () => {
  expect(rows.filter((it) => it.rows.length < 40).map(({ name }) => name)).toEqual([])
})

describe.each(rows)('$name', (baseline) => {
  test.each(shareOf(baseline.rows, baseline.turn, 20))(
    'is rejected: $what',
    ({ change, code, signing }) => {
      const report = baseline.check(resigned(baseline, change, signing))
      const rejects = report.findings.filter(({ severity }) => severity === 'reject')
      expect(rejects.map((it) => it.code)).toContain(code)
      expect(report.ok).toBe(false)
    },
  )

  test('no input may lack its signature', () => {
    for (const at of baseline.made.tx.inputs.keys()) {
      const { findings } = baseline.check(encodeTransaction(lacking(baseline, at)))
      expect(findings).toContainEqual(
        expect.objectContaining({ code: 'unsigned', path: `inputs[${at}].scriptSig` }),
      )
    }
  })
})
